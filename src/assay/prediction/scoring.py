"""Scores of texts by linear weights."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, cast

import numpy as np

from assay import _native
from assay.errors import DataError
from assay.features.columns.blocks import FeatureBlock, rows_of
from assay.features.documents import as_documents, documents_from_strings
from assay.features.ngrams.native_vectorizer import said_with_way_out
from assay.features.ngrams.text_features import Hashing, Rows, TextFeatures
from assay.label_tree import LabelTree, ReachedLabels, TreeSearch
from assay.memory_room import require_room
from assay.prediction.probabilities import Floats
from assay.prediction.weights import SparseWeights, Weights

__all__ = ["Scorer", "TreeScorer", "documents_of", "finite_scores", "score_rows"]

#: Characters read for each feature, from which on making a table for quicker look-ups pays.
CHARACTERS_PER_FEATURE = 20

#: Documents whose hand-made features are in memory at the same time.
AT_ONCE = 5_000


def documents_of(texts: Any) -> _native.Documents:
    """The texts for the native core: a list, an array, a Series, an Arrow array or a Corpus, without a copy.

    Tables, dicts of columns and paths of files go through `assay.read` first.

    Examples
    --------
    >>> len(documents_of(["one", "two"]))
    2
    """
    if isinstance(texts, (str, bytes)):
        raise DataError(
            f"The texts must be a list of texts. Got one text instead, {_shortened(texts)}. Put it into a list: "
            "[text]; a file is given as pathlib.Path or read with assay.read."
        )
    if isinstance(texts, (os.PathLike, Mapping)) or _is_table(texts):
        from assay.data.reading.read import read_given

        texts = read_given(texts, label=False)
    elif not hasattr(texts, "__iter__"):
        raise DataError(f"The texts must be a list of texts. Got {type(texts).__name__} instead.")
    return as_documents(texts, _decode)


def _is_table(texts: Any) -> bool:
    if hasattr(texts, "label_names"):
        return False
    return getattr(texts, "ndim", 1) == 2 or hasattr(texts, "column_names") or hasattr(texts, "iter_rows")


def _decode(item: Any) -> Any:
    if not isinstance(item, bytes):
        return item
    try:
        return item.decode()
    except UnicodeDecodeError as error:
        raise DataError(f"The text {_shortened(item)} is not UTF-8 ({error.reason}). Decode it first.") from None


def _shortened(text: str | bytes) -> str:
    return repr(text if len(text) <= 40 else text[:40]) + ("" if len(text) <= 40 else "…")


def finite_scores(scores: Floats) -> Floats:
    """The scores, if all of them are numbers: what a model answers is never NaN or infinity.

    Weights and features are finite, but sums of very large ones need not be.

    Examples
    --------
    >>> finite_scores(np.array([[1.0], [np.inf]]))
    Traceback (most recent call last):
        ...
    assay.errors.DataError: The score of row 2 is inf: the weights or the features of this model are too large. Train
    it again, with features of a usual size.
    """
    if not np.isfinite(scores).all():
        row, value = _first_not_finite(scores)
        raise DataError(
            f"The score of row {row + 1} is {value}: the weights or the features of this model are too large. Train it "
            "again, with features of a usual size."
        )
    return scores


def _first_not_finite(scores: Floats) -> tuple[int, float]:
    place = np.argwhere(~np.isfinite(scores))[0]
    return int(place[0]), float(scores[tuple(place)])


class Scorer:
    """Scores documents: the sum of the weights of their features, each times its value, plus the bias.

    Parameters
    ----------
    features
        Blocks of columns, side by side.
    weights, bias
        (n_features, n_outputs) and (n_outputs,).
    """

    def __init__(self, features: Sequence[FeatureBlock], weights: Weights, bias: Floats) -> None:
        self._features = features
        self._weights = weights
        self._bias = bias
        self._of_texts = [block for block in features if isinstance(block, TextFeatures)]
        self._read = 0  # characters so far

    def score(self, documents: _native.Documents, n_threads: int) -> Floats:
        """Scores (n, n_outputs)."""
        size = len(documents), len(self._bias)
        require_room(8 * size[0] * size[1], f"Scores of {size[0]:,} texts for {size[1]:,} labels")
        scores = np.empty(size)
        with said_with_way_out():
            if self._are_many(documents) and self._quick is not None:
                self._quick.score(documents, scores, n_threads)
            elif len(self._of_texts) < len(self._features):
                return self._score_in_parts(documents, n_threads)
            elif isinstance(self._weights, SparseWeights):
                self._listed.score(documents, self._blocks(documents), self._bias, scores, n_threads)
            else:
                _native.score_texts(documents, self._blocks(documents), self._weights, self._bias, scores, n_threads)
        return scores

    def prepare(self) -> None:
        """Make now what many documents would be worth, for somebody who stays and wants no text to wait for it."""
        for block in self._of_texts:
            if not isinstance(block.columns, Hashing):
                _ = block.columns.native
        _ = self._quick
        self._read = CHARACTERS_PER_FEATURE * self._weights.shape[0]

    def _score_in_parts(self, documents: _native.Documents, n_threads: int) -> Floats:
        """The same where there are features beside n-grams, of some documents after the other."""
        strings, scores = documents.strings(), np.empty((len(documents), len(self._bias)))
        for begin in range(0, len(strings), AT_ONCE):
            some = documents_from_strings(strings[begin : begin + AT_ONCE])
            rows = rows_of(self._features, some, n_threads=n_threads)
            scores[begin : begin + AT_ONCE] = score_rows(rows, self._weights, self._bias, n_threads)
        return scores

    @cached_property
    def _listed(self) -> _native.ListedWeights32 | _native.ListedWeights64:
        """Sparse weights for the native core, which looks at all of them once."""
        kept = cast(SparseWeights, self._weights)
        return _native.listed_weights(kept.indptr, kept.indices, kept.data, kept.n_outputs)

    def _are_many(self, documents: _native.Documents) -> bool:
        """Whether these documents and those before are worth a table."""
        self._read += documents.length
        n_features: int = self._weights.shape[0]
        return self._read > CHARACTERS_PER_FEATURE * n_features

    def _blocks(self, documents: _native.Documents) -> list[_native.ScoredFeatures]:
        """The features for the native core, or as many of them as the documents need."""
        return [_scored(block, documents) for block in self._of_texts]

    @cached_property
    def _quick(self) -> _native.TwoClassScorer | None:
        """The same bits sooner, for two classes and features of the most usual kind; else None."""
        table = self._weights
        if len(self._features) != 1 or not self._of_texts or isinstance(table, SparseWeights) or table.shape[1] != 1:
            return None
        if table.dtype != np.float32:
            return None
        return _native.two_class_scorer(_scored(self._of_texts[0], None), table, float(self._bias[0]))


class TreeScorer:
    """Finds labels of documents by a tree of linear models.

    Parameters
    ----------
    features
        Blocks of columns, side by side.
    tree
        Nodes, at which labels hang.
    weights, bias
        (n_features, n_nodes) and (n_nodes,).
    """

    def __init__(self, features: Sequence[FeatureBlock], tree: LabelTree, weights: SparseWeights, bias: Floats) -> None:
        self._features = features
        self._search = TreeSearch(tree, (weights.indptr, weights.indices, weights.data), bias)

    def reached(self, documents: _native.Documents, n_threads: int) -> ReachedLabels:
        """Labels and their scores, of some documents after the other."""
        if len(documents) <= AT_ONCE:
            return self._reached(documents, n_threads)
        strings = documents.strings()
        parts = (documents_from_strings(strings[at : at + AT_ONCE]) for at in range(0, len(strings), AT_ONCE))
        return ReachedLabels.joined([self._reached(part, n_threads) for part in parts])

    def _reached(self, documents: _native.Documents, n_threads: int) -> ReachedLabels:
        with said_with_way_out():
            return self._search.reached(rows_of(self._features, documents, n_threads=n_threads), n_threads)


def _scored(block: TextFeatures, documents: _native.Documents | None) -> _native.ScoredFeatures:
    """The block for the native core, for these documents alone; None: for any."""
    columns, settings = block.columns, block.weighting.settings()
    if isinstance(columns, Hashing):
        return _native.scored_features(
            block.analysis.native, None, columns.n_columns, columns.alternate_sign, **settings
        )
    vocabulary = columns.native if documents is None else columns.native_for(documents)
    return _native.scored_features(block.analysis.native, vocabulary, 0, False, **settings)


def score_rows(rows: Rows, weights: Weights, bias: Floats, n_threads: int) -> Floats:
    """Scores (n, n_outputs) of documents whose features have been found already; the weights are taken as they lie."""
    indptr = rows[0]
    scores = np.empty((len(indptr) - 1, len(bias)))
    if isinstance(weights, SparseWeights):
        lists = weights.indptr, weights.indices, weights.data
        _native.score_with_lists(*rows, *lists, bias, scores, n_threads)
    else:
        _native.score_with_table(*rows, np.ascontiguousarray(weights), bias, scores, n_threads)
    return scores
