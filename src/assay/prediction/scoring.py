"""Scores of texts by linear weights."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from assay import _native
from assay.errors import DataError
from assay.features.blocks import FeatureBlock, rows_of
from assay.features.documents import as_documents
from assay.features.text_features import Rows
from assay.prediction.probabilities import Floats
from assay.prediction.weights import SparseWeights, Weights

__all__ = ["documents_of", "score_documents", "score_rows"]


def documents_of(texts: Any) -> Any:
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
        from assay.data.read import read

        texts = read(texts)
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


def score_documents(
    features: Sequence[FeatureBlock], weights: Weights, bias: Floats, documents: Any, n_threads: int
) -> Floats:
    """Sum of the weights of each document's features, each times its value, plus the bias; (n, n_outputs)."""
    return score_rows(rows_of(features, documents, n_threads=n_threads), weights, bias, n_threads)


def score_rows(rows: Rows, weights: Weights, bias: Floats, n_threads: int) -> Floats:
    """The same for documents whose features have been found already."""
    indptr, indices, data = rows
    table = weights.to_table() if isinstance(weights, SparseWeights) else weights
    scores = np.empty((len(indptr) - 1, len(bias)))
    table = np.ascontiguousarray(table, dtype=np.float64)
    _native.score_with_table(indptr, indices, data, table, bias, scores, n_threads)
    return scores
