"""Why a linear model decided as it did about one text, to the last feature.

    score[k] = bias[k] + Σ_j value_j · weight[j, k]

The terms of the sum are the explanation: nothing is estimated, sampled or left out. Each term is shared among the
characters that the feature was read from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError
from assay.explanation.characters import share_among_characters, share_among_texts
from assay.explanation.columns import column_name, kind_of
from assay.explanation.label_decisions import LabelDecision, score_bars, thresholds_of
from assay.explanation.labels import class_index, refuse_rival, two_classes
from assay.explanation.located import LocatedFeatures, locate
from assay.explanation.removal import Removal, label_removal, smallest_removal
from assay.explanation.words import TextPiece, text_pieces
from assay.features.documents import documents_from_strings
from assay.features.ngrams.text_features import TextFeatures
from assay.prediction.linear_model import LinearTextModel
from assay.prediction.weights import SparseWeights

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus
    from assay.explanation.nearest import DocumentIndex, NearDocument

__all__ = ["Explanation", "FeatureContribution", "WayNode", "explain"]

_ON_THE_WAY = 5  # features of each node

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FeatureContribution:
    """One term of a score.

    Attributes
    ----------
    feature
        The n-gram, as it stands after lower-casing and the like; two that a hash cannot tell apart are joined by " / ".
    kind
        ``"word"``, ``"char"``, ``"vector"`` (a word, by its vector) or ``"hand-made"``.
    value
        What the text has of it: a count, weighted.
    weight
        What the model gives for it; against another class, the difference.
    contribution
        value · weight.
    places
        Where it begins and ends in the text, each time; nowhere for a hand-made feature, which is of the whole text.
    """

    feature: str
    kind: str
    value: float
    weight: float
    contribution: float
    places: tuple[tuple[int, int], ...]


class WayNode(NamedTuple):
    """A node on the way to a label in a label tree.

    Attributes
    ----------
    node
        Its number.
    score
        Its linear score: bias, and the contributions of all features of the text.
    bias
        What it has without any feature.
    features
        Those that contribute most, with what they do.
    """

    node: int
    score: float
    bias: float
    features: tuple[tuple[str, float], ...]


@dataclass(frozen=True, eq=False)
class Explanation:
    """Why a model decided as it did about a text. Made by `TextClassifier.explain`.

    Wherever a method takes `label` and `against`: the contributions are those to the score of `label` (the decision,
    unless given), or to the lead of its score over that of `against`. Of two labels a model has one score, above 0 for
    the second: for the first it is taken with the other sign, and it is at the same time the lead over the other.

    Of a label tree, contributions, bias and `score_for` are sums over the nodes on the way to a label; `way` has each
    node by itself, and `scores` what the search makes of them, by which is decided.

    A model that gives sets of labels decides about each label by itself: contributions are those to the score of one
    label, and nothing is held `against` another.

    Attributes
    ----------
    text
        What was decided about.
    label
        The decision; None where the model's rule abstains. Of sets, the tuple of the labels that were given.
    labels
        All classes; the order of columns.
    scores, bias
        Of each class, (n_labels,).
    columns, values
        Features of the text: which, and how much of each.
    contributions
        (n_features, n_labels); each column plus the bias sums to the class's score.
    """

    text: str
    model: LinearTextModel = field(repr=False)
    columns: NDArray[Any] = field(repr=False)
    values: Floats = field(repr=False)
    outputs: Floats  # what the model's decision_function gives: one number for two labels

    @property
    def labels(self) -> tuple[str, ...]:
        """All classes."""
        return self.model.labels

    @cached_property
    def label(self) -> str | tuple[str, ...] | None:
        """The decision."""
        decided: str | tuple[str, ...] | None = self.model.decision.predict(self._batch()).tolist()[0]
        return decided

    @cached_property
    def probabilities(self) -> Floats | None:
        """Of each class; None where the model has only scores."""
        decision = self.model.decision
        return decision.probabilities(self._batch())[0] if decision.has_probabilities else None

    @property
    def scores(self) -> Floats:
        """Of each class."""
        return self.outputs if self.model.tree is not None else self._by_label(self.outputs)

    @property
    def bias(self) -> Floats:
        """Of each class: its score for a text without known features."""
        return self._by_label(self.model.bias)

    @cached_property
    def contributions(self) -> Floats:
        """Of each feature to the score of each class, (n_features, n_labels)."""
        return self._by_label(self.values[:, None] * self._weights)

    @property
    def ranking(self) -> tuple[str, ...]:
        """All classes, the most probable (or highest score) first; the one decision before all others."""
        merit = self.scores if self.probabilities is None else self.probabilities
        order = [self.labels[k] for k in np.argsort(-merit, kind="stable")]
        return tuple(order if self.of_sets else sorted(order, key=lambda label: label != self.label))

    @property
    def of_sets(self) -> bool:
        """Whether the model gives sets of labels."""
        return self.model.task == "label-sets"

    @property
    def shown(self) -> str:
        """The label that is explained where nobody names one: the decision, or the most probable label of a set."""
        given = self.label if isinstance(self.label, tuple) else ()
        return next((label for label in self.ranking if label in given), self.ranking[0])

    @cached_property
    def decisions(self) -> tuple[LabelDecision, ...]:
        """Of a model that gives sets: what became of each label, the most probable first; else empty."""
        if not isinstance(self.label, tuple):
            return ()
        decision, bars = self.model.decision, score_bars(self.model.decision)
        thresholds, found = thresholds_of(decision), []
        for label in self.ranking:
            k = class_index(self.labels, label)
            distance = None if bars is None or np.isinf(bars[k]) else float(self.scores[k] - bars[k])
            found.append(
                LabelDecision(
                    label,
                    label in self.label,
                    None if self.probabilities is None else float(self.probabilities[k]),
                    None if thresholds is None else float(thresholds[k]),
                    float(self.scores[k]),
                    distance,
                )
            )
        return tuple(found)

    def decision_about(self, label: str | None = None) -> LabelDecision:
        """What became of one label of a set: the one that is `shown`, unless given."""
        asked = self.labels[class_index(self.labels, self.shown if label is None else label)]
        return next(item for item in self.decisions if item.label == asked)

    def contributions_to(self, label: str | None = None, against: str | None = None) -> Floats:
        """Of each feature, (n_features,)."""
        return self._toward(self.contributions, label, against)

    def bias_for(self, label: str | None = None, against: str | None = None) -> float:
        """The part of the score, or of the lead, that no feature has."""
        return float(self._toward(self.bias[None, :], label, against)[0])

    def score_for(self, label: str | None = None, against: str | None = None) -> float:
        """The score, or the lead; of a label tree, the sum of the linear scores on the way."""
        if self.model.tree is not None:
            return self.bias_for(label, against) + float(self.contributions_to(label, against).sum())
        return float(self._toward(self.scores[None, :], label, against)[0])

    def way(self, label: str | None = None) -> tuple[WayNode, ...]:
        """Of a label tree, the nodes on the way to a label, from the root on; empty for other models."""
        tree = self.model.tree
        if tree is None:
            return ()
        found = []
        for node in tree.way(class_index(self.labels, self.shown if label is None else label)).tolist():
            bias, terms = float(self.model.bias[node]), self.values * self._weights[:, node]
            order = np.argsort(-np.abs(terms), kind="stable")[:_ON_THE_WAY]
            named = tuple((self.feature_name(int(i)), float(terms[i])) for i in order if terms[i])
            found.append(WayNode(node, bias + float(terms.sum()), bias, named))
        return tuple(found)

    def top(
        self, n: int | None = 10, label: str | None = None, against: str | None = None
    ) -> list[FeatureContribution]:
        """The `n` features that contribute most, in either direction; None for all."""
        contributions = self.contributions_to(label, against)
        weights = self._toward(self._by_label(self._weights), label, against)
        order = np.argsort(-np.abs(contributions), kind="stable")
        found = []
        for i in order[:n]:
            name, kind, places = self._described(int(i))
            numbers = float(self.values[i]), float(weights[i]), float(contributions[i])
            found.append(FeatureContribution(name, kind, *numbers, places))
        return found

    def nearest(self, documents: Corpus | DocumentIndex, k: int = 5, *, by: str = "features") -> list[NearDocument]:
        """The `k` documents of a corpus that are most like the text, as the model sees them.

        Parameters
        ----------
        documents
            Such as those that the model was trained on; for several texts, a `DocumentIndex` of them.
        k
            How many; fewer where fewer have a feature of the text.
        by
            ``"features"``: cosine over the features; ``"decision"``: each feature times its weight in the lead of the
            decision over the next class, so that documents count that were decided about for the same reasons.
        """
        from assay.explanation.nearest import DocumentIndex

        index = documents if isinstance(documents, DocumentIndex) else DocumentIndex(self.model, documents)
        return index.nearest(self, k, by=by)

    def feature_name(self, i: int) -> str:
        """Name of the text's feature i, which is that of `columns[i]`."""
        return self._described(i)[0]

    def decisive_weights(self) -> Floats:
        """By how much the decision's weight exceeds that of the next class, for each feature of the text."""
        return self._toward(self._by_label(self._weights), *self._rivals)

    def all_decisive_weights(self) -> Floats:
        """The same for all features of the model."""
        if self.model.tree is not None:
            way = self.model.tree.way(class_index(self.labels, self.shown))
            assert isinstance(self.model.weights, SparseWeights)
            return _columns_of(self.model.weights, way)
        every = _weights_of(self.model.weights, np.arange(self.model.n_features))
        return self._toward(self._by_label(every), *self._rivals)

    def characters(self, label: str | None = None, against: str | None = None) -> Floats:
        """What each character of the text contributes, (len(text),); without what is `unplaced`."""
        contributions = self.contributions_to(label, against)
        total = np.zeros(len(self.text))
        for b, block in enumerate(self.model.features):
            own = self._features_of(b)
            if isinstance(block, TextFeatures):
                rows = np.array([0, own.stop - own.start]), self.columns[own], contributions[own]
                offsets = np.array([0, len(self.text)])
                share_among_texts(block, self._first[b], self._document, rows, offsets, total, 1)
            else:
                columns = self.columns[own] - self._first[b]
                share_among_characters(self._located[b], columns, contributions[own], total)
        return total

    def unplaced(self, label: str | None = None, against: str | None = None) -> float:
        """What features of the whole text contribute, such as its length: no character has it."""
        contributions = self.contributions_to(label, against)
        total = 0.0
        for b, block in enumerate(self.model.features):
            if isinstance(block, TextFeatures):  # every one of its features was found somewhere
                continue
            own = self._features_of(b)
            placed = np.isin(self.columns[own] - self._first[b], self._located[b].columns)
            total += float(contributions[own][~placed].sum())
        return total

    def pieces(
        self, label: str | None = None, against: str | None = None, *, until: int | None = None
    ) -> list[TextPiece]:
        """Words, and the white space between them, with what each contributes; `until` so many characters."""
        return text_pieces(self.text, self.characters(label, against), until)

    def smallest_removal(self, label: str | None = None) -> Removal | None:
        """The fewest words found whose removal changes the decision; None where no removal does.

        Of sets: whose removal changes whether `label` is given, that which is `shown` unless given.
        """
        if not self.of_sets:
            return smallest_removal(self.model, self.label, self.pieces(*self._rivals))
        about = self.decision_about(label)
        return label_removal(self.model, about.label, about.given, self.pieces(about.label))

    def to_dict(
        self,
        label: str | None = None,
        against: str | None = None,
        top: int | None = None,
        nearest: Sequence[NearDocument] | None = None,
    ) -> dict[str, Any]:
        """Return dicts, lists, strings and numbers, ready for JSON; the guide to explaining describes them."""
        from assay.explanation.presentation import explanation_dict

        return explanation_dict(self, label, against, top, nearest)

    def to_html(
        self,
        label: str | None = None,
        against: str | None = None,
        top: int = 10,
        nearest: Sequence[NearDocument] | None = None,
    ) -> str:
        """A piece of HTML, every text in it escaped: the text with its words coloured, and the features."""
        from assay.explanation.presentation import explanation_html

        return explanation_html(self, label, against, top, nearest)

    def __str__(self) -> str:
        from assay.explanation.presentation import explanation_text

        return explanation_text(self)

    def __repr__(self) -> str:
        shown = self.text if len(self.text) <= 40 else self.text[:39] + "…"
        return f"<Explanation of {shown!r}: {self.label!r}, {len(self.columns)} features>"

    def _repr_html_(self) -> str:
        return self.to_html()

    # ------------------------------------------------------------------------------------------------------------------

    def _batch(self) -> Floats:
        return self.outputs if self.model.task == "labels" and len(self.labels) == 2 else self.outputs[None, :]

    @property
    def _rivals(self) -> tuple[str, ...]:
        """The decision and the next class; of sets, the label that is shown, which has no rival."""
        return (self.shown,) if self.of_sets else self.ranking[:2]

    def _by_label(self, table: Floats) -> Floats:
        """A column for each label: where a text has one of two labels, there is one score for both."""
        if self.model.tree is not None:
            return self.model.tree.over_ways(table)
        return np.concatenate([-table, table], axis=-1) if table.shape[-1] < len(self.labels) else table

    @cached_property
    def _weights(self) -> Floats:
        return _weights_of(self.model.weights, self.columns)

    @cached_property
    def _first(self) -> list[int]:
        """First column of each block."""
        widths = [block.n_columns for block in self.model.features]
        return [0, *np.cumsum(widths).tolist()][:-1]

    @cached_property
    def _document(self) -> Any:
        return documents_from_strings([self.text])

    @cached_property
    def _located(self) -> list[LocatedFeatures]:
        return [locate(block, self.text) for block in self.model.features]

    def _features_of(self, b: int) -> slice:
        """Which of the text's features are of block b."""
        ends = self._first[b], self._first[b] + self.model.features[b].n_columns
        begin, end = np.searchsorted(self.columns, ends)
        return slice(int(begin), int(end))

    def _described(self, i: int) -> tuple[str, str, tuple[tuple[int, int], ...]]:
        """Name, kind and places of feature i."""
        b = int(np.searchsorted(self._first, self.columns[i], side="right")) - 1
        block, column = self.model.features[b], int(self.columns[i]) - self._first[b]
        located = self._located[b]
        found = np.flatnonzero(located.columns == column)
        if not len(found):
            return column_name(block, column), kind_of(block), ()
        names = dict.fromkeys(located.name(int(k)) for k in found)
        return " / ".join(names), kind_of(block), tuple(located.span(int(k)) for k in found)

    def _toward(self, table: Floats, label: str | None = None, against: str | None = None) -> Floats:
        """Column of a label, or its lead over that of another."""
        refuse_rival(self.of_sets, against)
        k, other = two_classes(self.labels, self.shown if label is None else label, against)
        return table[:, k] if other is None or len(self.labels) == 2 else table[:, k] - table[:, other]


def explain(model: LinearTextModel, text: str) -> Explanation:
    """Explain the decision about one text.

    Examples
    --------
    >>> from assay import TextClassifier
    >>> texts = ["loved it", "so dull", "great fun", "a dull mess"]
    >>> model = TextClassifier(learner="logistic").fit(texts, ["pos", "neg", "pos", "neg"])
    >>> explanation = model.explain("Great, not dull")
    >>> explanation.label, [item.feature for item in explanation.top(2)]
    ('neg', ['dull', 'great'])
    """
    if not isinstance(text, str):
        raise DataError(
            f"explain takes one text, as a str. Got {type(text).__name__} instead. For several, call it for each of "
            "them, or assay.explanation.explain_texts."
        )
    from assay.explanation.batch import explain_texts

    return explain_texts(model, [text])[0]


def _weights_of(weights: Any, columns: NDArray[Any]) -> Floats:
    """Rows of the weights, (n, n_outputs)."""
    if not isinstance(weights, SparseWeights):
        return np.asarray(weights[columns], dtype=np.float64)
    begins, ends = weights.indptr[columns], weights.indptr[columns + 1]
    sizes = ends - begins
    row = np.repeat(np.arange(len(columns)), sizes)
    kept = np.arange(len(row)) - np.repeat(np.cumsum(sizes) - sizes, sizes) + np.repeat(begins, sizes)
    rows = np.zeros((len(columns), weights.n_outputs))
    rows[row, weights.indices[kept]] = weights.data[kept]
    return rows


def _columns_of(weights: SparseWeights, outputs: NDArray[Any]) -> Floats:
    """The sum of the weights of some outputs, for each feature."""
    features = np.repeat(np.arange(weights.shape[0]), np.diff(weights.indptr))
    kept = np.isin(weights.indices, outputs)
    return np.asarray(np.bincount(features[kept], weights.data[kept], minlength=weights.shape[0]), np.float64)
