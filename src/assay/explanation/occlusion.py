"""Why a model that is not linear decided as it did, as far as leaving words out shows it.

    contribution of a word = probability of the label − its probability in the text without the word

This is occlusion (Zeiler & Fergus 2014), not an exact explanation: what words do together is seen only where the
removal of one of them undoes it, so the contributions sum to nothing in particular, and a text without a word may be
one that the model never learned to read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError, ParameterError
from assay.explanation.label_decisions import LabelDecision, given_by, thresholds_of
from assay.explanation.labels import refuse_rival, two_classes
from assay.explanation.removal import Removal, label_removal, smallest_removal
from assay.explanation.words import TextPiece, text_pieces
from assay.prediction.decision import Decision

__all__ = ["Occlusion", "ProbabilityModel", "occlude"]

Floats = NDArray[np.float64]
_BATCH = 256  # texts that a model is asked about at once


class ProbabilityModel(Protocol):
    """Anything that gives texts the probabilities of classes."""

    @property
    def classes_(self) -> Any:
        """Its classes, in the order of the columns of `predict_proba`."""

    def predict_proba(self, texts: list[str], /) -> Any:
        """Probability of each class, (n_texts, n_classes)."""


@dataclass(frozen=True, eq=False)
class Occlusion:
    """What happens to a decision when one word of the text is left out. Made by `occlude`.

    Attributes
    ----------
    text
        What was decided about.
    label
        The most probable class, or the tuple of the labels that are given.
    labels
        All classes.
    probabilities
        Of each class, (n_labels,).
    without
        Of each class in the text without each of its words, (n_words, n_labels).
    """

    text: str
    model: ProbabilityModel = field(repr=False)
    labels: tuple[str, ...]
    probabilities: Floats
    without: Floats = field(repr=False)

    exact = False

    @property
    def of_sets(self) -> bool:
        """Whether the model gives sets of labels."""
        return self._decision is not None and self._decision.task == "label-sets"

    @property
    def label(self) -> str | tuple[str, ...]:
        """The most probable class; of sets, the labels that are given."""
        return given_by(self._decision, self.probabilities) if self._decision and self.of_sets else self.ranking[0]

    @property
    def shown(self) -> str:
        """The label that is explained where nobody names one: the decision, or the most probable label of a set."""
        given = self.label if isinstance(self.label, tuple) else ()
        return next((label for label in self.ranking if label in given), self.ranking[0])

    @property
    def decisions(self) -> tuple[LabelDecision, ...]:
        """Of a model that gives sets: what became of each label, the most probable first; else empty."""
        if self._decision is None or not self.of_sets:
            return ()
        thresholds, given = thresholds_of(self._decision), self.label
        found = []
        for label in self.ranking:
            k = self.labels.index(label)
            threshold = None if thresholds is None else float(thresholds[k])
            found.append(LabelDecision(label, label in given, float(self.probabilities[k]), threshold, None, None))
        return tuple(found)

    def decision_about(self, label: str | None = None) -> LabelDecision:
        """What became of one label of a set: the one that is `shown`, unless given."""
        return self.decisions[self.ranking.index(self.shown if label is None else label)]

    @property
    def ranking(self) -> tuple[str, ...]:
        """All classes, the most probable first."""
        return tuple(self.labels[k] for k in np.argsort(-self.probabilities, kind="stable"))

    @property
    def _decision(self) -> Decision | None:
        found = getattr(self.model, "decision", None)
        return found if isinstance(found, Decision) else None

    @cached_property
    def word_contributions(self) -> Floats:
        """What the probability of each class loses with each word, (n_words, n_labels)."""
        return self.probabilities - self.without

    def pieces(
        self, label: str | None = None, against: str | None = None, *, until: int | None = None
    ) -> list[TextPiece]:
        """Words, and the white space between them, with what the label loses (or its lead over another) with each.

        `until` so many characters; None: all.
        """
        k, other = two_classes(self.labels, self.shown if label is None else label, against)
        if other is not None:
            refuse_rival(self.of_sets, against)
        amounts = self.word_contributions[:, k]
        if other is not None:
            amounts = amounts - self.word_contributions[:, other]
        found, words = [], iter(amounts.tolist())
        for piece in text_pieces(self.text, np.zeros(len(self.text)), until):
            amount = next(words) if piece.is_word else 0.0
            found.append(TextPiece(piece.start, piece.end, piece.text, piece.is_word, amount))
        return found

    def top(self, n: int | None = 10, label: str | None = None, against: str | None = None) -> list[TextPiece]:
        """The `n` words with the largest contributions, in either direction; None for all."""
        words = [piece for piece in self.pieces(label, against) if piece.is_word]
        return sorted(words, key=lambda piece: -abs(piece.contribution))[:n]

    def smallest_removal(self, label: str | None = None) -> Removal | None:
        """The fewest words found whose removal changes the decision; None where no removal does.

        Of sets: whose removal changes whether `label` is given, that which is `shown` unless given.
        """
        if self.of_sets:
            about = self.decision_about(label)
            return label_removal(self.model, about.label, about.given, self.pieces(about.label))
        return smallest_removal(_Decider(self.model, self.labels), self.label, self.pieces(*self.ranking[:2]))

    def to_dict(self, label: str | None = None, against: str | None = None) -> dict[str, Any]:
        """Return dicts, lists, strings and numbers, ready for JSON; the guide to explaining describes them."""
        from assay.explanation.occlusion_view import occlusion_dict

        return occlusion_dict(self, label, against)

    def to_html(self, label: str | None = None, against: str | None = None, top: int = 10) -> str:
        """A piece of HTML, every text in it escaped: the text with its words coloured, and the words."""
        from assay.explanation.occlusion_view import occlusion_html

        return occlusion_html(self, label, against, top)

    def __str__(self) -> str:
        from assay.explanation.occlusion_view import occlusion_text

        return occlusion_text(self)

    def __repr__(self) -> str:
        shown = self.text if len(self.text) <= 40 else self.text[:39] + "…"
        return f"<Occlusion of {shown!r}: {self.label!r}, {len(self.without)} words>"

    def _repr_html_(self) -> str:
        return self.to_html()


def occlude(model: ProbabilityModel, text: str) -> Occlusion:
    """Leave out each word of a text once, and see what becomes of the probabilities.

    Works for anything with ``classes_`` and ``predict_proba(texts)``; linear models have `explain`, which is exact.

    Examples
    --------
    >>> class Rule:
    ...     classes_ = ["neg", "pos"]
    ...     def predict_proba(self, texts):
    ...         return [[0.1, 0.9] if "not bad" in text else [0.8, 0.2] for text in texts]
    >>> occlusion = occlude(Rule(), "really not bad")
    >>> occlusion.label, [(piece.text, round(piece.contribution, 2)) for piece in occlusion.top(2)]
    ('pos', [('not', 0.7), ('bad', 0.7)])
    """
    if not isinstance(text, str):
        raise DataError(f"occlude takes one text, as a str. Got {type(text).__name__} instead. Call it for each text.")
    missing = [name for name in ("classes_", "predict_proba") if not hasattr(model, name)]
    if missing:
        raise ParameterError(
            f"occlude needs a model with classes_ and predict_proba(texts). {type(model).__name__} has no "
            f"{' and no '.join(missing)}: calibrate it, or write a class with both around it."
        )
    labels = tuple(map(str, np.asarray(model.classes_).tolist()))
    pieces = text_pieces(text, np.zeros(len(text)))
    texts = [text, *(_without(pieces, i) for i, piece in enumerate(pieces) if piece.is_word)]
    table = _asked(model, texts, len(labels))
    return Occlusion(text, model, labels, table[0], table[1:])


def _without(pieces: Sequence[TextPiece], gone: int) -> str:
    """The text without a word, and without the space before it."""
    kept = [piece.text for piece in pieces]
    kept[gone] = ""
    if gone and not pieces[gone - 1].is_word:
        kept[gone - 1] = ""
    return "".join(kept).strip()


def _asked(model: ProbabilityModel, texts: list[str], n_labels: int) -> Floats:
    parts = [
        np.asarray(model.predict_proba(texts[begin : begin + _BATCH]), dtype=np.float64)
        for begin in range(0, len(texts), _BATCH)
    ]
    table = np.concatenate(parts)
    if table.shape != (len(texts), n_labels):
        raise DataError(
            f"predict_proba of {type(model).__name__} gave a table of shape {table.shape} for {len(texts)} texts and "
            f"{n_labels} classes. It must be ({len(texts)}, {n_labels})."
        )
    if not np.isfinite(table).all():
        raise DataError(f"predict_proba of {type(model).__name__} gave NaN or infinity: nothing can be said of it.")
    return table


class _Decider:
    """The most probable class, for the search of words that a decision hangs on."""

    def __init__(self, model: ProbabilityModel, labels: tuple[str, ...]) -> None:
        self.model, self.labels = model, labels

    def predict(self, texts: list[str], /) -> NDArray[Any]:
        best = _asked(self.model, texts, len(self.labels)).argmax(axis=1)
        return np.asarray(np.array(self.labels, dtype=object)[best])
