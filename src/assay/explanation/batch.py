"""Explanations of many texts at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from assay.explanation.characters import character_offsets, share_among_texts
from assay.explanation.decision import Explanation
from assay.explanation.in_words import in_words
from assay.features.columns.blocks import rows_of
from assay.features.ngrams.text_features import TextFeatures
from assay.prediction.linear_model import LinearTextModel
from assay.prediction.scoring import documents_of
from assay.prediction.weights import SparseWeights
from assay.threads import count_threads

__all__ = ["Explanations", "explain_texts"]

Floats = NDArray[np.float64]


class Explanations(Sequence[Explanation]):
    """Why a model decided as it did about each of many texts. Made by `explain_texts`.

    An item is an `Explanation`, made when it is looked at. What is here is of all texts together, one after the other,
    and is found much sooner than from one item after the other.

    Attributes
    ----------
    texts
        What was decided about.
    indptr, columns, values
        Features of the texts in compressed rows: text i has columns[indptr[i]:indptr[i + 1]], and so much of each.
    outputs
        What the model's decision_function gives, (n_texts, n_outputs).
    """

    def __init__(self, model: LinearTextModel, texts: Sequence[str], threads: int | None = None) -> None:
        self.texts = list(texts)
        self._n_threads = count_threads(threads)
        self._documents = documents_of(self.texts)
        scores = model.decision_function(self.texts, threads=threads)
        self.outputs: Floats = scores.reshape(
            len(self.texts), len(model.bias) if model.tree is None else len(model.labels)
        )
        self.model = in_words(model)
        self.indptr, self.columns, self.values = rows_of(
            self.model.features, self._documents, n_threads=self._n_threads
        )

    def __len__(self) -> int:
        return len(self.texts)

    @overload
    def __getitem__(self, index: int) -> Explanation: ...
    @overload
    def __getitem__(self, index: slice) -> list[Explanation]: ...
    def __getitem__(self, index: int | slice) -> Explanation | list[Explanation]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        i = range(len(self))[index]
        own = slice(self.indptr[i], self.indptr[i + 1])
        return Explanation(self.texts[i], self.model, self.columns[own], self.values[own], self.outputs[i])

    @cached_property
    def labels(self) -> NDArray[Any]:
        """The decision about each text; None where the model's rule abstains, a tuple where it gives sets."""
        return self.model.decision.predict(self._batch())

    @cached_property
    def classes(self) -> NDArray[np.intp]:
        """Number of the class that each text was given, or that is nearest where the rule abstains.

        Of a model that gives sets, of the label that an explanation shows first.
        """
        numbers = {label: k for k, label in enumerate(self.model.labels)}
        labels = self.labels.tolist()
        found = np.array([numbers.get(label, -1) for label in labels], dtype=np.intp)
        for i in np.flatnonzero(found < 0):
            found[i] = numbers[self[int(i)].shown]
        return found

    @cached_property
    def contributions(self) -> Floats:
        """What each feature contributes to the score of the class that its text was given, (len(columns),).

        The sum over a text, plus the bias of the class, is the score.
        """
        if self.model.tree is not None:
            shown = [item.contributions_to(self.model.labels[k]) for item, k in zip(self, self.classes, strict=True)]
            return np.concatenate(shown)
        weights = self.model.weights
        table = weights.to_table() if isinstance(weights, SparseWeights) else weights
        lengths = np.diff(self.indptr)
        if table.shape[1] < len(self.model.labels):
            signs = np.where(self.classes == 1, 1.0, -1.0)
            amounts: Floats = self.values * table.ravel()[self.columns]
            amounts *= np.repeat(signs, lengths)
            return amounts
        places = self.columns * np.int64(table.shape[1]) + np.repeat(self.classes, lengths)
        return np.asarray(self.values * table.ravel()[places])

    @cached_property
    def offsets(self) -> NDArray[np.int64]:
        """Text i has characters[offsets[i]:offsets[i + 1]]."""
        return character_offsets(self.texts)

    @cached_property
    def characters(self) -> Floats:
        """What each character contributes to the score of the class that its text was given."""
        total = np.zeros(int(self.offsets[-1]))
        rows, first = (self.indptr, self.columns, self.contributions), 0
        for block in self.model.features:
            if isinstance(block, TextFeatures):
                share_among_texts(block, first, self._documents, rows, self.offsets, total, self._n_threads)
            first += block.n_columns
        if not all(isinstance(block, TextFeatures) for block in self.model.features):
            for i, (begin, end) in enumerate(zip(self.offsets[:-1], self.offsets[1:], strict=True)):
                total[begin:end] = self[i].characters(self.model.labels[self.classes[i]])
        return total

    def __repr__(self) -> str:
        return f"<Explanations of {len(self)} texts>"

    def _batch(self) -> Floats:
        return self.outputs[:, 0] if self.outputs.shape[1] < len(self.model.labels) else self.outputs


def explain_texts(model: LinearTextModel, texts: Sequence[str], *, threads: int | None = None) -> Explanations:
    """Explain the decisions about many texts, which are read and scored together.

    Examples
    --------
    >>> from assay import TextClassifier
    >>> texts = ["loved it", "so dull", "great fun", "a dull mess"]
    >>> model = TextClassifier(learner="logistic").fit(texts, ["pos", "neg", "pos", "neg"]).model
    >>> found = explain_texts(model, ["such fun", "a mess"])
    >>> found.labels.tolist(), [item.top(1)[0].feature for item in found]
    (['pos', 'neg'], ['fun', 'mess'])
    """
    return Explanations(model, texts, threads)
