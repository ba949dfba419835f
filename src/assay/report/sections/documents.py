"""Texts to read, with the words coloured by what they contribute: the most typical, the worst, and all mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from markupsafe import Markup

from assay.explanation.batch import explain_texts
from assay.explanation.decision import Explanation
from assay.explanation.occlusion import Occlusion, occlude
from assay.explanation.presentation import coloured_html, removal_sentence
from assay.explanation.words import TextPiece
from assay.prediction.linear_model import LinearTextModel
from assay.report.sections.measured import Measured

if TYPE_CHECKING:
    from assay.classifier.text_classifier import TextClassifier
    from assay.neural.networks.network_classifier import NetworkClassifier

__all__ = ["DocumentsSection", "ShownText", "documents_section"]

WORST = 5
MOST_TYPICAL = 12  # classes of which a typical text is shown
MOST_MISTAKES = 400
ROOM = 900_000  # bytes that the texts may take in the page
LONG, SHORT = 1200, 600  # characters shown of a text, alone and in a list


@dataclass(frozen=True)
class ShownText:
    """A text on the page.

    Attributes
    ----------
    colours
        The beginning of the text as HTML, its words coloured.
    left_out
        Characters after the part that is shown.
    hangs_on
        Which words the decision hangs on, in a sentence; empty where nobody looked.
    """

    row: int
    place: str
    truth: str
    said: str
    confidence: float | None
    colours: Markup
    left_out: int
    hangs_on: str = ""


@dataclass(frozen=True)
class DocumentsSection:
    """What the section shows."""

    typical: tuple[ShownText, ...]
    worst: tuple[ShownText, ...]
    mistakes: tuple[ShownText, ...]
    n_mistakes: int
    labels: tuple[str, ...]
    exact: bool  # whether the colours are; those of a network are not


def documents_section(model: TextClassifier | NetworkClassifier, on: Measured) -> DocumentsSection:
    """Texts of an evaluation, explained by the model."""
    page = _Page(model, on)
    outcomes = on.evaluation.outcomes
    wrong = np.flatnonzero(~outcomes.correct)
    if page.confidence is not None:
        wrong = wrong[np.argsort(-page.confidence[wrong], kind="stable")]
    return DocumentsSection(
        page.shown(_typical_rows(on), LONG, removal=True),
        page.shown(wrong[:WORST].tolist(), LONG, removal=True),
        page.shown(wrong[:MOST_MISTAKES].tolist(), SHORT, room=ROOM),
        len(wrong),
        on.labels,
        isinstance(model.model, LinearTextModel),
    )


def _typical_rows(on: Measured) -> list[int]:
    """For each of the largest classes, the text that was most surely given its own label."""
    outcomes = on.evaluation.outcomes
    if outcomes.confidence is None:
        return []
    counts = np.bincount(outcomes.truth, minlength=len(outcomes.labels))
    rows = []
    for k in sorted(np.argsort(-counts, kind="stable")[:MOST_TYPICAL].tolist()):
        own = np.flatnonzero(outcomes.correct & (outcomes.truth == k))
        if len(own):
            rows.append(int(own[np.argmax(outcomes.confidence[own])]))
    return rows


class _Page:
    """Texts, explained and written as HTML."""

    def __init__(self, model: TextClassifier | NetworkClassifier, on: Measured) -> None:
        self.classifier, self.corpus, self.outcomes = model, on.corpus, on.evaluation.outcomes
        self.labels = on.labels
        self.confidence = self.outcomes.confidence if self.outcomes.probabilities is not None else None

    def shown(
        self, rows: Sequence[int], length: int, *, removal: bool = False, room: int = 10**9
    ) -> tuple[ShownText, ...]:
        texts = self.corpus.select(np.array(rows, dtype=np.int64)).texts.to_pylist() if rows else []
        found = []
        for row, content, explanation in zip(rows, texts, self._explained(texts, removal), strict=True):
            text = self._text(row, content, explanation, length, removal)
            room -= len(text.colours.encode()) + 500
            if room < 0:
                break
            found.append(text)
        return tuple(found)

    def _explained(self, texts: Sequence[str], thoroughly: bool) -> Sequence[Explanation | Occlusion | None]:
        """Why each text got its label; of a network, whose words are left out one by one, only where asked."""
        model = self.classifier.model
        if isinstance(model, LinearTextModel):
            return explain_texts(model, texts)
        if not thoroughly or not model.decision.has_probabilities:
            return [None] * len(texts)
        return [occlude(self.classifier, text[:LONG]) for text in texts]

    def _text(
        self, row: int, text: str, explanation: Explanation | Occlusion | None, length: int, removal: bool
    ) -> ShownText:
        labels = self.outcomes.labels
        truth, said = str(labels[self.outcomes.truth[row]]), str(labels[self.outcomes.predicted[row]])
        if explanation is None:
            pieces = [TextPiece(0, len(text), text, True, 0.0)]
        else:
            # A mistake is shown as what spoke for the wrong label and against the right one.
            against = truth if truth != said else explanation.ranking[1] if said == explanation.ranking[0] else None
            pieces = explanation.pieces(said, against)
        pieces = _beginning(pieces, length)
        return ShownText(
            row,
            _short_place(self.corpus.origin.place(row)),
            self.labels[self.outcomes.truth[row]],
            self.labels[self.outcomes.predicted[row]],
            None if self.confidence is None else float(self.confidence[row]),
            Markup(coloured_html(pieces)),  # escapes the text
            max(0, len(text) - (pieces[-1].end if pieces else 0)),
            removal_sentence(explanation) if removal and explanation is not None else "",
        )


def _short_place(place: str) -> str:
    """File and row, without the folders of the machine that the model was trained on."""
    return place.replace("\\", "/").rpartition("/")[2]


def _beginning(pieces: list[TextPiece], length: int) -> list[TextPiece]:
    """Pieces up to a number of characters; a piece that is longer than all that is cut."""
    kept = [piece for piece in pieces if piece.end <= length]
    if not kept and pieces:
        first = pieces[0]
        return [TextPiece(first.start, length, first.text[:length], first.is_word, first.contribution)]
    return kept
