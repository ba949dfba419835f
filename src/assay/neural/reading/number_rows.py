"""Examples that are rows of numbers already, such as vectors of texts that another model made."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import torch
from numpy.typing import NDArray

from assay.classifier.training_data import corpus_of, label_arrays, training_corpus
from assay.errors import DataError, ParameterError
from assay.header_checks import whole_number
from assay.modelfile.provenance import data_provenance
from assay.neural.reading.preparing import Prepared, class_numbers, divided, small_class_notes
from assay.neural.reading.readers import READER_KINDS, Arrays

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus
    from assay.neural.networks.network_classifier import NetworkClassifier

__all__ = ["NumberReader", "NumberRows", "prepare_numbers"]


def prepare_numbers(classifier: NetworkClassifier, X: Any, labels: Any) -> Prepared:
    """Hold some rows of numbers out, by their labels as texts are."""
    shape = np.shape(X)
    if labels is None or len(shape) != 2 or not shape[1]:
        raise DataError(
            f"vectorizer='numbers' takes a table of numbers, one row an example, and its labels. Got shape {shape}"
            f"{' and no labels' if labels is None else ''}. Texts need another vectorizer."
        )
    reader = NumberReader(int(shape[1]))
    matrix = reader.read(X, 1).matrix
    rows = training_corpus(_row_numbers(matrix), labels)
    names, _ = label_arrays(rows)
    notes = small_class_notes(rows)
    wanted, stop_by = classifier.validation, matrix
    if not isinstance(wanted, int | float):
        stop_by, wanted = _given(reader, wanted)
    train, held_out = divided(rows, wanted, classifier.seed, notes)
    provenance = data_provenance(rows)
    provenance["sha256"] = hashlib.sha256(matrix.tobytes() + provenance["sha256"].encode()).hexdigest()
    return Prepared(
        names,
        rows.label_type,
        reader,
        NumberRows(matrix[_numbers(train)]),
        class_numbers(train, names),
        None if held_out is None else NumberRows(stop_by[_numbers(held_out)]),
        np.empty(0, np.int64) if held_out is None else class_numbers(held_out, names),
        tuple(notes),
        provenance,
    )


def _given(reader: NumberReader, wanted: Any) -> tuple[NDArray[np.float32], Corpus]:
    """Rows of numbers to stop by, and their labels."""
    if not isinstance(wanted, tuple) or len(wanted) != 2:
        raise ParameterError(
            "The 'validation' parameter must be a share of the rows, or a pair of other rows of numbers and their "
            f"labels, where vectorizer='numbers'. Got {type(wanted).__name__} instead."
        )
    matrix = reader.read(wanted[0], 1).matrix
    return matrix, corpus_of(_row_numbers(matrix), wanted[1])


def _row_numbers(matrix: NDArray[np.float32]) -> list[str]:
    """In place of texts: each is the number of its row."""
    return list(map(str, range(len(matrix))))


def _numbers(rows: Corpus) -> NDArray[np.int64]:
    return np.array(rows.texts.to_pylist()).astype(np.int64)


@dataclass(frozen=True, eq=False)
class NumberRows:
    """A matrix, one example a row."""

    matrix: NDArray[np.float32]
    text_of: None = None

    def __len__(self) -> int:
        return len(self.matrix)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """All alike."""
        return np.ones(len(self), dtype=np.int64)

    def inputs(self, rows: NDArray[np.int64]) -> tuple[torch.Tensor]:
        """Some rows."""
        return (torch.from_numpy(self.matrix[rows]),)


@READER_KINDS.add
@dataclass(frozen=True, eq=False)
class NumberReader:
    """Takes numbers as they are.

    Attributes
    ----------
    n_columns
        Numbers of an example.
    """

    n_columns: int

    kind: ClassVar[str] = "numbers"

    def read(self, texts: Any, threads: int) -> NumberRows:
        """Rows of numbers, after a look at them."""
        try:
            with np.errstate(over="ignore"):  # infinity is refused below
                table = texts.toarray() if hasattr(texts, "toarray") else texts
                matrix = np.ascontiguousarray(table, dtype=np.float32)
        except (TypeError, ValueError):
            raise DataError(
                f"This network was trained on rows of {self.n_columns:,} numbers, not on texts. Prepare the texts as "
                "for the training."
            ) from None
        if matrix.ndim != 2 or matrix.shape[1] != self.n_columns:
            raise DataError(
                f"The examples have shape {matrix.shape}, but the network was trained on rows of {self.n_columns:,} "
                "numbers. Prepare them as for the training."
            )
        finite = np.isfinite(matrix).all(axis=1)
        if not finite.all():
            row = int(np.argmin(finite))
            raise DataError(
                f"Row {row + 1} of the examples holds NaN, infinity or a number that is too large for float32. Leave "
                "such rows out, or replace them."
            )
        return NumberRows(matrix)

    def check_fits(self, settings: Mapping[str, Any]) -> None:
        """Complain about a network for another number of columns."""
        if settings.get("n_inputs") != self.n_columns or settings.get("listed") != "no":
            raise ValueError(f"the network reads {settings.get('n_inputs')} numbers, not {self.n_columns}")

    def to_data(self) -> tuple[dict[str, Any], Arrays]:
        """The number of columns."""
        return {"n_columns": self.n_columns}, {}

    @classmethod
    def from_data(cls, description: Mapping[str, Any], arrays: Arrays) -> Self:  # noqa: ARG003  (it has none)
        """The inverse of `to_data`."""
        return cls(whole_number(description, "n_columns", 1, np.iinfo(np.int32).max))
