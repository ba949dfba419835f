"""What a linear model has learned: the features that speak most for each class."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.arguments import in_our_words
from assay.errors import ParameterError
from assay.explanation.columns import column_names, distinct, highest, in_context, kind_of, of_whole_texts
from assay.explanation.in_words import in_words
from assay.explanation.label_weights import LabelWeights, rows_of_weights
from assay.explanation.labels import class_index
from assay.features.columns.blocks import FeatureBlock, rows_of
from assay.features.documents import as_documents
from assay.features.ngrams.text_features import Hashing
from assay.prediction.linear_model import LinearTextModel
from assay.threads import count_threads

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["FeatureWeight", "top_features"]

_SPARE = 8  # candidates for each feature that is kept


@dataclass(frozen=True, slots=True)
class FeatureWeight:
    """A feature that speaks for a class.

    Attributes
    ----------
    feature
        The n-gram; of a hashed feature the n-grams of the corpus that fall into its column, or its number.
    kind
        ``"word"``, ``"char"``, ``"vector"`` (a word, by its vector) or ``"hand-made"``.
    weight
        For its class; of a hashed feature that is subtracted, with the other sign, if a corpus shows it.
    lead
        By how much the weight exceeds the mean of the other classes'; of two classes, twice the weight. None of a model
        that gives sets of labels: no label is held against another there, and the weight says all.
    inside, outside
        How many texts of the class and of the others contain it; None where no corpus was given.
    separation
        The lead times what its mean value in the texts of the class exceeds that in others by; None without a corpus.
    example
        The first text of the class that contains it, around the place where it stands; None without a corpus.
    """

    feature: str
    kind: str
    weight: float
    lead: float | None
    inside: int | None = None
    outside: int | None = None
    separation: float | None = None
    example: str | None = None


@in_our_words
def top_features(
    model: LinearTextModel,
    corpus: Corpus | None = None,
    *,
    top: int = 10,
    by: str = "separation",
    words: bool = False,
    most_texts: int | None = None,
    labels: Sequence[str] | None = None,
) -> dict[str, list[FeatureWeight]]:
    """Find the `top` features of each class, best first.

    A feature whose n-gram is part of a better one's of the same class, or has it as a part, is left out. So
    are the numbers of sentence vectors, which mean nothing one by one, where the model has anything else.

    Parameters
    ----------
    model
        What has learned.
    corpus
        Labelled texts like those that it learned from, in which features are counted.
    top
        How many for each class; fewer where fewer speak for it.
    by
        ``"weight"``: ranked by the lead of the weight over that of the other classes, which puts rare features first;
        ``"separation"``: by the lead times what the feature's mean value in the texts of the class exceeds that in
        others by: what it adds on average to the distance between them. The same as ``"weight"`` without a corpus.
    words
        Only words, where the model reads words; no character n-grams.
    most_texts
        Look at so many texts of the corpus at most, evenly spread; None for all.
    labels
        Only of these classes, in this order; None for all.

    Examples
    --------
    >>> import assay
    >>> corpus = assay.read((["good film", "good book", "bad film", "bad book"], ["+", "+", "-", "-"]))
    >>> found = top_features(assay.TextClassifier(learner="logistic").fit(corpus).model, corpus, top=1)
    >>> [(item.feature, item.inside, item.outside) for item in found["+"]]
    [('good', 2, 0)]
    """
    if by not in ("weight", "separation"):
        raise ParameterError(f"by must be 'weight' or 'separation'. Got {by!r} instead.")
    model = _without_blocks(in_words(model), of_whole_texts)
    if words:
        model = _without_blocks(model, lambda block: kind_of(block) == "char")
    weights, n = LabelWeights(model), len(model.labels)
    # A label of a set is decided about by itself: no other is held against it.
    mean = None if model.task == "label-sets" else weights.mean()
    seen = None if corpus is None else _Seen(model, corpus, most_texts)
    asked = range(n) if labels is None else [class_index(model.labels, label) for label in labels]
    ranked: list[_Ranked] = []
    for k in asked:
        own = weights.of(k)
        leads = own if mean is None else (own - mean) * (n / (n - 1))
        if seen is not None and (seen.signs < 0).any():
            own, leads = own * seen.signs, leads * seen.signs
        columns = np.flatnonzero(leads > 0)
        separations = None if seen is None else leads[columns] * seen.excess(model.labels[k])[columns]
        merit = leads[columns] if separations is None or by == "weight" else separations
        order = highest(merit, _SPARE * top)
        best = columns[order]
        ranked.append(
            _Ranked(
                best.tolist(),
                own[best].tolist(),
                None if mean is None else leads[best].tolist(),
                None if separations is None else separations[order].tolist(),
            )
        )
    names = column_names(model, np.array(sorted({j for r in ranked for j in r.columns}), np.int64), corpus)
    found: dict[str, list[FeatureWeight]] = {}
    for k, of_label in zip(asked, ranked, strict=True):
        label = model.labels[k]
        found[label] = []
        kept = distinct([names[j] for j in of_label.columns], top)
        places = [of_label.columns[i] for i in kept]
        counts = seen.found(label, places) if seen is not None else []
        for place, (i, j) in enumerate(zip(kept, places, strict=True)):
            item = FeatureWeight(*names[j], of_label.weights[i], None if of_label.leads is None else of_label.leads[i])
            if of_label.separations is not None and seen is not None:
                inside, outside = counts[place]
                example = seen.example(label, j)
                item = replace(
                    item, inside=inside, outside=outside, separation=of_label.separations[i], example=example
                )
            found[label].append(item)
    return found


def _without_blocks(model: LinearTextModel, unwanted: Callable[[FeatureBlock], bool]) -> LinearTextModel:
    """The part of a model that is not of unwanted blocks, if there is one."""
    blocks = tuple(block for block in model.features if not unwanted(block))
    if len(blocks) in (0, len(model.features)):
        return model
    kept = np.repeat([not unwanted(block) for block in model.features], [block.n_columns for block in model.features])
    return replace(model, features=blocks, weights=rows_of_weights(model, kept))


def _signed(model: LinearTextModel) -> NDArray[np.bool_]:
    """Which columns are of hashes that are added or subtracted."""
    columns = [getattr(block, "columns", None) for block in model.features]
    signed = [isinstance(kept, Hashing) and kept.alternate_sign for kept in columns]
    return np.repeat(signed, [block.n_columns for block in model.features])


class _Ranked(NamedTuple):
    """Columns of a class, the best first."""

    columns: list[int]
    weights: list[float]
    leads: list[float] | None  # None where no class is held against another
    separations: list[float] | None


class _Seen:
    """A corpus as the model sees it, summed up by class."""

    def __init__(self, model: LinearTextModel, corpus: Corpus, most_texts: int | None) -> None:
        rows = np.arange(0, len(corpus), -(-len(corpus) // most_texts) if most_texts else 1)
        if corpus.task == "labels":
            classes = corpus.classes[rows]
            rows = rows[np.argsort(classes, kind="stable")]  # the texts of a class one after another
        self.model, self.corpus = model, corpus.select(rows)
        self.sets = self.corpus.label_sets
        documents = as_documents(self.corpus)
        self.indptr, self.indices, self.data = rows_of(
            model.features, documents, n_threads=count_threads(None), dtype=np.float32
        )
        self.number = {str(name): k for k, name in enumerate(corpus.label_names)}
        self.n_texts, self.n_features = len(rows), model.n_features
        self.all = np.bincount(self.indices, self.data, self.n_features)
        self.totals = np.bincount(self.indices[self.data != 0], minlength=self.n_features)
        # What a signed hash subtracts speaks for a class where its weight is below zero.
        self.signs = np.where((self.all < 0) & _signed(model), -1.0, 1.0)

    def excess(self, label: str) -> NDArray[np.float64]:
        """Mean value of each feature in the texts of a class, minus that in all others."""
        own, n = self._own(label)
        sums = np.bincount(self.indices[own], self.data[own], self.n_features)
        excess = sums / max(n, 1) - (self.all - sums) / max(self.n_texts - n, 1)
        return np.asarray(excess * self.signs)

    def found(self, label: str, columns: list[int]) -> list[tuple[int, int]]:
        """How many texts of the class, and of the others, contain each feature."""
        own, _ = self._own(label)
        inside = np.bincount(self.indices[own][self.data[own] != 0], minlength=self.n_features)
        return [(int(inside[j]), int(self.totals[j] - inside[j])) for j in columns]

    def example(self, label: str, column: int) -> str | None:
        """Where a feature stands in the first text of the class that has it."""
        own, _ = self._own(label)
        at = np.flatnonzero((self.indices[own] == column) & (self.data[own] != 0))
        if not len(at):
            return None
        entry = own.start + at[0] if isinstance(own, slice) else own[at[0]]
        row = int(np.searchsorted(self.indptr, entry, side="right")) - 1
        return in_context(self.model, column, self.corpus[row].text)

    def _own(self, label: str) -> tuple[slice | NDArray[np.intp], int]:
        """Which entries of the rows are of texts of a class, and how many such texts there are."""
        k = self.number.get(label)
        texts = np.empty(0, np.intp) if k is None else np.flatnonzero(self.sets.having(k))
        if not len(texts):
            return slice(0, 0), 0
        if texts[-1] - texts[0] + 1 == len(texts):
            return slice(int(self.indptr[texts[0]]), int(self.indptr[texts[-1] + 1])), len(texts)
        begins, sizes = self.indptr[texts], np.diff(self.indptr)[texts]
        entries = np.arange(sizes.sum()) + np.repeat(begins - (np.cumsum(sizes) - sizes), sizes)
        return entries.astype(np.intp), len(texts)
