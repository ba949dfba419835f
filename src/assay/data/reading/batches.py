"""A file as a stream of checked batches: for work that goes through more rows than fit into memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from assay.data.arrays import boolean_array
from assay.data.columns.choosing import distinct_names, is_textual
from assay.data.columns.label_form import LabelForm
from assay.data.corpus.origin import Origin
from assay.data.formats.pieces import FileReader, Wanted
from assay.data.options import ReadOptions
from assay.data.reading.file_columns import choose
from assay.data.reading.row_checks import RowChecker

__all__ = ["Batch", "BatchStream"]


class Batch(NamedTuple):
    """Some thousand rows of a file."""

    texts: pa.Array
    """large_string, without nulls."""
    columns: dict[str, pa.Array]
    """Every column of the file in the file's order, the texts among them."""
    origin: Origin
    """Where the rows stand."""
    position: int
    """How many bytes of the file were used up to here."""


class BatchStream:
    r"""The rows of one file, in order.

    Parameters
    ----------
    reader
        Reads the file.
    options
        How; `label` may name a column that must be there, and `keep` says which other columns come along.

    Attributes
    ----------
    name, size, format
        What messages call the file, its bytes (0 where nobody knows), and one of `assay.data.options.FORMATS`.
    delimiter
        What separates the values of a CSV file; None for other formats.
    nested
        Columns of lists and objects, which are given as JSON text.
    text, label
        The columns that hold the texts and the labels; label is None where none were asked for.
    form
        How labels stand in their cells, which are given as they are in the file.
    columns
        The names of all columns of a batch.
    schema
        Their types and metadata in a Parquet or an Arrow file, which batches keep; None for other formats.

    Examples
    --------
    >>> import io
    >>> from assay.data.reading.locate import locate
    >>> options = ReadOptions(label=False)
    >>> _, readers = locate(io.BytesIO(b"id,review\n7,loved it\n8,so dull\n"), options)
    >>> stream = BatchStream(readers[0], options)
    >>> [(batch.texts.to_pylist(), list(batch.columns)) for batch in stream]
    [(['loved it', 'so dull'], ['id', 'review'])]
    """

    def __init__(self, reader: FileReader, options: ReadOptions) -> None:
        self._reader = reader
        self._checker = RowChecker(options)
        self.name, self.size, self.format = reader.name, reader.size, reader.format
        sample = reader.sample()
        self.delimiter = reader.delimiter if reader.format == "csv" else None
        self.nested = reader.nested
        self.encoding = reader.encoding
        self.schema = reader.schema
        self.repairs = options.errors == "replace"
        names = distinct_names(sample.column_names)
        choice = choose(reader, sample, options)
        self._first_note = "; ".join(note for note in (choice.note, choice.form.note) if note)
        self.text, self.label = choice.text, choice.label
        essential = {choice.text, choice.label}
        kept = essential | set(names if options.keep is True else options.keep or ())
        self.columns = [name for name in names if name in kept]
        others = [name for name in self.columns if name not in essential]
        self.form = choice.form
        # Cells stay as they are in the file, and where they are sets an empty one is an answer.
        cells = LabelForm(lists=choice.form.lists, one_a_cell=choice.form.gives_sets)
        self._wanted = Wanted(choice.text, choice.label, others, cells)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was guessed, left out or repaired so far, in sentences."""
        first = [self._first_note] if self._first_note else []
        return (*first, *self._reader.notes, *self._checker.log.sentences())

    def give_up(self) -> None:
        """Let whoever waits for the next rows in another thread go."""
        self._reader.give_up()

    def __iter__(self) -> Iterator[Batch]:
        for piece in self._reader.pieces(self._wanted):
            rows = self._checker.check(piece, self._wanted, self._reader)
            found = rows.others | {self.text: rows.texts}
            if self.label is not None:
                found[self.label] = rows.labels
            columns = {name: found[name] for name in self.columns}
            if self.schema is not None and not rows.repaired:
                columns |= _as_they_were(piece.columns, rows.kept, self.columns)
            yield Batch(rows.texts, columns, rows.origin, piece.position)


def _as_they_were(batch: pa.RecordBatch, kept: npt.NDArray[np.bool_], names: Sequence[str]) -> dict[str, pa.Array]:
    """The rows that are left with the types of the file, except for types that not every writer takes."""
    mask = None if kept.all() else boolean_array(kept)
    columns = {name: batch.column(name) for name in names if _is_usual(batch.column(name))}
    return columns if mask is None else {name: column.filter(mask) for name, column in columns.items()}


def _is_usual(column: pa.Array) -> bool:
    kind = column.type
    if pa.types.is_dictionary(kind):
        return _is_usual(column.dictionary) and not column.dictionary.null_count
    return not is_textual(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind)
