"""What a linear model has learned: the features that speak most for each class."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.errors import ParameterError
from assay.explanation.columns import column_name, kind_of
from assay.explanation.in_words import in_words
from assay.explanation.located import locate
from assay.features.blocks import rows_of
from assay.features.documents import as_documents
from assay.features.text_features import Hashing, TextFeatures
from assay.prediction.linear_model import LinearTextModel
from assay.prediction.weights import SparseWeights
from assay.threads import count_threads

if TYPE_CHECKING:
    from assay.data.corpus import Corpus

__all__ = ["FeatureWeight", "top_features"]

_SAMPLE = 5000  # texts in which the names of hashed features are looked for
_MOST_NAMES = 3
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
        For its class.
    lead
        By how much the weight exceeds the mean of the other classes'; of two classes, twice the weight.
    inside, outside
        How many texts of the class and of the others contain it; None where no corpus was given.
    separation
        The lead times what its mean value in the texts of the class exceeds that in others by; None without a corpus.
    """

    feature: str
    kind: str
    weight: float
    lead: float
    inside: int | None = None
    outside: int | None = None
    separation: float | None = None


def top_features(
    model: LinearTextModel,
    corpus: Corpus | None = None,
    *,
    top: int = 10,
    by: str = "separation",
    words: bool = False,
    most_texts: int | None = None,
) -> dict[str, list[FeatureWeight]]:
    """Find the `top` features of each class, best first.

    A feature whose n-gram is part of a better one's of the same class, or has it as a part, is left out.

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
    model = in_words(model)
    if words:
        model = _words_only(model)
    table = np.asarray(_table(model), dtype=np.float64)
    if table.shape[1] == 1:
        table = np.column_stack([-table, table])
    n = table.shape[1]
    leads = (table - table.sum(axis=1, keepdims=True) / n) * (n / (n - 1))
    seen = None if corpus is None else _Seen(model, corpus, most_texts)
    ranked: list[_Ranked] = []
    for k, label in enumerate(model.labels):
        columns = np.flatnonzero(leads[:, k] > 0)
        separations = None if seen is None else leads[columns, k] * seen.excess(label)[columns]
        merit = leads[columns, k] if separations is None or by == "weight" else separations
        order = _highest(merit, _SPARE * top)
        ranked.append(_Ranked(columns[order].tolist(), None if separations is None else separations[order].tolist()))
    names = _names(model, np.unique([j for r in ranked for j in r.columns]).astype(np.int64), corpus)
    found: dict[str, list[FeatureWeight]] = {}
    for k, label in enumerate(model.labels):
        found[label] = []
        kept = _distinct([names[j] for j in ranked[k].columns], top)
        own = [ranked[k].columns[i] for i in kept]
        for i, j, counts in zip(kept, own, seen.found(label, own) if seen else [()] * len(own), strict=True):
            item = FeatureWeight(*names[j], float(table[j, k]), float(leads[j, k]), *counts)
            known = ranked[k].separations
            found[label].append(item if known is None else replace(item, separation=known[i]))
    return found


def _table(model: LinearTextModel) -> NDArray[Any]:
    return model.weights.to_table() if isinstance(model.weights, SparseWeights) else model.weights


def _words_only(model: LinearTextModel) -> LinearTextModel:
    """The part of a model that is not about parts of words, if there is one."""
    reads_words = [kind_of(block) != "char" for block in model.features]
    if all(reads_words) or not any(reads_words):
        return model
    kept = np.repeat(reads_words, [block.n_columns for block in model.features])
    blocks = tuple(block for block, wanted in zip(model.features, reads_words, strict=True) if wanted)
    return replace(model, features=blocks, weights=_table(model)[kept])


class _Ranked(NamedTuple):
    """Columns of a class, the best first."""

    columns: list[int]
    separations: list[float] | None


def _highest(merit: NDArray[np.float64], top: int) -> NDArray[np.intp]:
    """Where the `top` highest values above zero stand, the first of equals first."""
    positive = np.flatnonzero(merit > 0)
    if len(positive) > top:
        least = np.partition(merit[positive], len(positive) - top)[len(positive) - top]
        positive = positive[merit[positive] >= least]
    return positive[np.argsort(-merit[positive], kind="stable")][:top]


def _distinct(names: list[tuple[str, str]], top: int) -> list[int]:
    """Where the first `top` stand of which none is part of another: whole words of words, any part of characters."""
    kept: list[int] = []
    for i, name in enumerate(names):
        if not any(_overlap(name, names[other]) for other in kept):
            kept.append(i)
        if len(kept) == top:
            break
    return kept


def _overlap(first: tuple[str, str], second: tuple[str, str]) -> bool:
    (a, kind_of_a), (b, kind_of_b) = first, second
    if kind_of_a == kind_of_b == "word":
        a, b = f" {a} ", f" {b} "
    else:
        a, b = a.strip(), b.strip()
    return a in b or b in a


class _Seen:
    """A corpus as the model sees it, summed up by class."""

    def __init__(self, model: LinearTextModel, corpus: Corpus, most_texts: int | None) -> None:
        rows = np.arange(0, len(corpus), -(-len(corpus) // most_texts) if most_texts else 1)
        classes = corpus.classes[rows]
        order = np.argsort(classes, kind="stable")  # the texts of a class one after another
        documents = as_documents(corpus.select(rows[order]))
        self.indptr, self.indices, self.data = rows_of(
            model.features, documents, n_threads=count_threads(None), dtype=np.float32
        )
        self.begins = np.searchsorted(classes[order], np.arange(len(corpus.label_names) + 1))
        self.number = {str(name): k for k, name in enumerate(corpus.label_names)}
        self.n_texts, self.n_features = len(rows), model.n_features
        self.all = np.bincount(self.indices, self.data, self.n_features)
        self.totals = np.bincount(self.indices[self.data != 0], minlength=self.n_features)

    def excess(self, label: str) -> NDArray[np.float64]:
        """Mean value of each feature in the texts of a class, minus that in all others."""
        first, last = self._texts(label)
        own = slice(self.indptr[first], self.indptr[last])
        sums = np.bincount(self.indices[own], self.data[own], self.n_features)
        return sums / max(last - first, 1) - (self.all - sums) / max(self.n_texts - (last - first), 1)

    def found(self, label: str, columns: list[int]) -> list[tuple[int, int]]:
        """How many texts of the class, and of the others, contain each feature."""
        first, last = self._texts(label)
        own = slice(self.indptr[first], self.indptr[last])
        inside = np.bincount(self.indices[own][self.data[own] != 0], minlength=self.n_features)
        return [(int(inside[j]), int(self.totals[j] - inside[j])) for j in columns]

    def _texts(self, label: str) -> tuple[int, int]:
        k = self.number.get(label)
        return (0, 0) if k is None else (int(self.begins[k]), int(self.begins[k + 1]))


def _names(model: LinearTextModel, columns: NDArray[Any], corpus: Corpus | None) -> dict[int, tuple[str, str]]:
    """Name and kind of each of the columns."""
    names: dict[int, tuple[str, str]] = {}
    first = 0
    for block in model.features:
        own = columns[(columns >= first) & (columns < first + block.n_columns)] - first
        if not isinstance(block, TextFeatures):
            found = [column_name(block, j) for j in own.tolist()]
        elif isinstance(block.columns, Hashing):
            found = _hashed_names(block, own.tolist(), corpus)
        elif len(own):
            content, offsets = block.columns.to_arrays()
            found = [bytes(content[offsets[j] : offsets[j + 1]]).decode("utf-8", "surrogatepass") for j in own]
        else:
            found = []
        names |= {int(j) + first: (name, kind_of(block)) for j, name in zip(own, found, strict=True)}
        first += block.n_columns
    return names


def _hashed_names(block: TextFeatures, columns: list[int], corpus: Corpus | None) -> list[str]:
    """What falls into each column, most frequent first; a number where nothing known does."""
    known: dict[int, Counter[str]] = {column: Counter() for column in columns}
    if corpus is not None and columns:
        for text in corpus.texts.slice(0, _SAMPLE).to_pylist():
            located = locate(block, text)
            for i in np.flatnonzero(np.isin(located.columns, columns)):
                known[int(located.columns[i])][located.name(int(i))] += 1
    return [
        " / ".join(name for name, _ in known[column].most_common(_MOST_NAMES)) or f"column {column}"
        for column in columns
    ]
