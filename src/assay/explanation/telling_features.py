"""The most telling features of a model: those that do most to tell the texts of a class from the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.arrays import integer_array
from assay.features.documents import as_documents
from assay.features.text_features import TextFeatures, joint_rows
from assay.features.vocabulary import Vocabulary
from assay.prediction.linear_model import LinearTextModel
from assay.prediction.weights import SparseWeights

__all__ = ["TellingFeature", "telling_features"]

_MOST_TEXTS = 4000


@dataclass(frozen=True)
class TellingFeature:
    """An n-gram, and how much further apart it puts the scores of the texts of a class and of all others.

    Attributes
    ----------
    name
        The n-gram; a character n-gram with its spaces.
    unit
        ``"word"``, ``"char"`` or ``"char_wb"``.
    contribution
        Weight · (mean value in the class's texts − mean value in the others); with more than two classes, the
        weight is what it has for this class beyond the mean of all classes.
    """

    name: str
    unit: str
    contribution: float


def telling_features(
    model: LinearTextModel, texts: Any, classes: NDArray[np.int32], k: int = 5, *, threads: int = 1
) -> dict[str, list[TellingFeature]]:
    """The k most telling features of each label, of whole words where the model reads words.

    Parameters
    ----------
    model
        With vocabularies: hashed features have no names and are left out.
    texts, classes
        An Arrow array of texts, such as those it was trained on, and the class of each; at most 4,000 of them are
        looked at.
    k
        How many for each class.
    threads
        For reading the texts.
    """
    rows = np.arange(0, len(classes), max(1, -(-len(classes) // _MOST_TEXTS)))
    rows = rows[np.argsort(classes[rows], kind="stable")]  # the texts of a class one after another
    begins = np.searchsorted(classes[rows], np.arange(len(model.labels) + 1))
    blocks = _blocks_with_names(model)
    table = model.weights.to_table() if isinstance(model.weights, SparseWeights) else model.weights
    weights = np.concatenate([table[begin : begin + block.n_columns] for begin, block in blocks])
    features = [block for _, block in blocks]
    indptr, indices, data = joint_rows(
        features, as_documents(texts.take(integer_array(rows))), n_threads=threads, dtype=np.float32
    )

    def total(first: int, last: int) -> NDArray[np.float64]:
        part = slice(indptr[first], indptr[last])
        return np.asarray(np.bincount(indices[part], data[part], len(weights)), dtype=np.float64)

    whole, names, found = total(0, len(rows)), _Names(features), {}
    for c, label in enumerate(model.labels):
        first, last = begins[c], begins[c + 1]
        inside = total(first, last)
        apart = inside / max(last - first, 1) - (whole - inside) / max(len(rows) - (last - first), 1)
        own = _for_class(weights, c, len(model.labels))
        # What speaks against a class is telling too, but it is shown with the class that it speaks for.
        found[label] = _most_telling(np.maximum(apart, 0.0) * np.maximum(own, 0.0), names, k)
    return found


def _blocks_with_names(model: LinearTextModel) -> list[tuple[int, TextFeatures]]:
    """First column and block: those of words, else all that have a vocabulary."""
    found, begin = [], 0
    for block in model.features:
        if isinstance(block.columns, Vocabulary):
            found.append((begin, block))
        begin += block.n_columns
    words = [(begin, block) for begin, block in found if block.analysis.unit == "word"]
    return words or found


def _for_class(weights: NDArray[Any], c: int, n_labels: int) -> NDArray[np.float64]:
    if n_labels == 2:
        return np.asarray(weights[:, 0] * (1 if c == 1 else -1), dtype=np.float64)
    return np.asarray(weights[:, c] - weights.mean(axis=1), dtype=np.float64)


class _Names:
    """Names of columns, read out of the vocabularies when they are asked for."""

    def __init__(self, blocks: list[TextFeatures]) -> None:
        self._blocks = blocks
        self._begins = np.cumsum([0, *(block.n_columns for block in blocks)])
        self._arrays = [block.columns.to_arrays() for block in blocks if isinstance(block.columns, Vocabulary)]

    def __getitem__(self, column: int) -> tuple[str, str]:
        """Name and unit."""
        number = int(np.searchsorted(self._begins, column, side="right")) - 1
        content, offsets = self._arrays[number]
        at = column - int(self._begins[number])
        name = content[offsets[at] : offsets[at + 1]].tobytes().decode("utf-8", "replace")
        return name, self._blocks[number].analysis.unit


def _most_telling(contributions: NDArray[np.float64], names: _Names, k: int) -> list[TellingFeature]:
    best = np.argpartition(-contributions, min(4 * k, len(contributions) - 1))[: 4 * k]
    found: dict[str, TellingFeature] = {}
    for column in best[np.lexsort((best, -contributions[best]))].tolist():
        name, unit = names[column]
        if contributions[column] > 0 and name not in found:  # two blocks may share a word
            found[name] = TellingFeature(name, unit, float(contributions[column]))
    return list(found.values())[:k]
