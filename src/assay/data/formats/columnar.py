"""Parquet and Arrow (Feather) files."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

from assay.data.bytes.streams import ByteSource
from assay.data.columns.choosing import distinct_names
from assay.data.columns.width import require_columns
from assay.data.corpus.origin import Origin
from assay.data.formats.class_labels import named_labels, stored_names
from assay.data.formats.pieces import FileReader, Piece, Wanted
from assay.errors import DataError, NotPermittedError

__all__ = ["ArrowFileReader", "ParquetReader"]

_BATCH_ROWS = 1 << 14
_SAMPLE_ROWS = 1000


class _ColumnarReader(FileReader):
    """What the two formats share; they differ in how batches come out of the file."""

    kind: str

    def __init__(self, source: ByteSource) -> None:
        super().__init__(source.name, source.size)
        self._source = source

    @property
    def schema(self) -> pa.Schema:  # type: ignore[override]
        """What is to be kept where the columns are written again; class numbers of Hugging Face's get their names."""
        found = self._schema()
        names, of_classes = distinct_names(found.names), stored_names(found)
        fields = [field.with_name(name) for field, name in zip(found, names, strict=True) if name not in of_classes]
        metadata = dict(found.metadata or {})
        if of_classes:
            del metadata[b"huggingface"]
        return pa.schema(fields, metadata)

    def sample(self) -> pa.Table:
        """Return the first rows, with the file's types."""
        try:
            schema = self._schema()
            require_columns(len(schema), self.name)
            first = next((batch for batch, _ in self._batches(range(len(schema)), _SAMPLE_ROWS)), None)
        except PermissionError as error:
            raise NotPermittedError.of(self.name) from error
        except (pa.ArrowException, OSError) as error:
            raise self._damaged(error) from error
        return pa.Table.from_batches([] if first is None else [first.slice(0, _SAMPLE_ROWS)], schema)

    def pieces(self, wanted: Wanted) -> Iterator[Piece]:
        """Go through the batches."""
        done = 0
        try:
            schema = self._schema()
            names, of_classes = distinct_names(schema.names), stored_names(schema)
            asked = set(wanted)
            chosen = [index for index, name in enumerate(names) if name in asked]
            for batch, share in self._batches(chosen, _BATCH_ROWS):
                origin = Origin.counted(self.name, batch.num_rows, first=done + 1)
                done += batch.num_rows
                columns = batch.rename_columns([names[index] for index in chosen])
                columns = named_labels(columns, of_classes)
                yield Piece(columns, origin, Origin.counted(self.name, 0), int(self.size * share))
        except PermissionError as error:
            raise NotPermittedError.of(self.name) from error
        except (pa.ArrowException, OSError) as error:
            raise self._damaged(error) from error

    def _damaged(self, error: Exception) -> DataError:
        return DataError(
            f"{self.name}: the {self.kind} file cannot be read; it is damaged or not complete ({error}). "
            "Write or fetch it again."
        )

    @abstractmethod
    def _schema(self) -> pa.Schema:
        """Return the columns of the file."""

    @abstractmethod
    def _batches(self, columns: Sequence[int], rows: int) -> Iterator[tuple[pa.RecordBatch, float]]:
        """Go through some columns, about `rows` at a time, and say which share of the file is done."""


class ParquetReader(_ColumnarReader):
    """Reads a Parquet file, only the columns that are wanted."""

    kind = "Parquet"

    def _schema(self) -> pa.Schema:
        return self._file().schema_arrow

    def _batches(self, columns: Sequence[int], rows: int) -> Iterator[tuple[pa.RecordBatch, float]]:
        file = self._file()
        names = file.schema_arrow.names
        by_name = len(set(names)) == len(names)
        wanted = [names[index] for index in columns] if by_name else None
        done, total = 0, max(file.metadata.num_rows, 1)
        for batch in file.iter_batches(rows, columns=wanted, use_threads=False):
            done += batch.num_rows
            yield (batch if by_name else batch.select(list(columns))), done / total

    def _file(self) -> Any:
        from pyarrow.parquet import ParquetFile  # only here: other formats can do without this import

        return ParquetFile(self._source.open_whole(), pre_buffer=False)


class ArrowFileReader(_ColumnarReader):
    """Reads an Arrow IPC file (Feather) or stream."""

    kind = "Arrow"

    def _schema(self) -> pa.Schema:
        return self._reader(self._source.open_whole()).schema

    def _batches(self, columns: Sequence[int], rows: int) -> Iterator[tuple[pa.RecordBatch, float]]:
        file = self._source.open_whole()
        reader = self._reader(file, included_fields=list(columns))
        batches = (
            (reader.get_batch(index) for index in range(reader.num_record_batches))
            if isinstance(reader, pa.ipc.RecordBatchFileReader)
            else reader
        )
        size = max(file.size(), 1)
        for batch in batches:
            _check(batch)
            for begin in range(0, batch.num_rows, max(rows, _BATCH_ROWS)):
                yield batch.slice(begin, max(rows, _BATCH_ROWS)), min(file.tell() / size, 1.0)

    def _reader(self, file: pa.NativeFile, **options: object) -> pa.RecordBatchReader:
        is_file = self._source.head(6) == b"ARROW1"
        return (pa.ipc.open_file if is_file else pa.ipc.open_stream)(file, options=pa.ipc.IpcReadOptions(**options))


def _check(batch: pa.RecordBatch) -> None:
    """Complain about lengths and places that lie: they are whatever somebody wrote into the file.

    Whether strings are UTF-8 is said later, with their rows.
    """
    batch.validate()
    as_bytes = {pa.string(): pa.binary(), pa.large_string(): pa.large_binary()}
    for column in batch.columns:
        kind = as_bytes.get(column.type)
        (column if kind is None else column.view(kind)).validate(full=True)
