"""Writing columns a batch at a time, in the format that was asked for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from typing import IO, Any

import pyarrow as pa
import pyarrow.compute as pc

from assay.data.formats.line_files import LABEL_PREFIX
from assay.errors import DataError, ParameterError
from assay.streaming.text_rows import json_lines, lines, separated_header, separated_rows
from assay.suggest import nearest_first, quote, quoted
from assay.wording import setting

__all__ = ["WRITTEN_FORMATS", "Columns", "FastTextWriter", "Writer", "arrow_file", "check_format", "open_writer"]

WRITTEN_FORMATS = ("csv", "tsv", "jsonl", "parquet", "arrow", "xlsx", "fasttext", "lines")
_GROUP_ROWS = 1 << 17

Columns = Mapping[str, pa.Array]


def check_format(name: str) -> str:
    """Refuse a format that cannot be written."""
    if name not in WRITTEN_FORMATS:
        raise ParameterError(
            f"assay does not write the format {quote(name)}. It writes {quoted(nearest_first(name, WRITTEN_FORMATS))}."
        )
    return name


def open_writer(sink: IO[bytes], kind: str, *, delimiter: str | None = None, nested: Collection[str] = ()) -> Writer:
    """Return the writer of a format, which writes to `sink` and leaves it open.

    Parameters
    ----------
    sink
        Where the bytes go.
    kind
        One of `WRITTEN_FORMATS`.
    delimiter
        What separates the values of a CSV file, a comma by default.
    nested
        Columns that hold lists and objects as JSON text, which JSON Lines have as they are.
    """
    match check_format(kind):
        case "csv" | "tsv":
            return SeparatedWriter(sink, "\t" if kind == "tsv" else delimiter or ",")
        case "jsonl":
            return JsonLinesWriter(sink, nested)
        case "fasttext":
            return FastTextWriter(sink)
        case "lines":
            return LinesWriter(sink)
        case "parquet":
            return ParquetWriter(sink)
        case "xlsx":
            from assay.streaming.sheet_writer import SheetWriter  # which knows what a writer is

            return SheetWriter(sink)
        case _:
            return ArrowWriter(sink)


class Writer(ABC):
    """Takes columns of equal length, the same names every time.

    Parameters
    ----------
    sink
        Where the bytes go.
    """

    def __init__(self, sink: IO[bytes]) -> None:
        self._sink = sink
        self.notes: list[str] = []  # what could not be written as it was

    @abstractmethod
    def write(self, columns: Columns) -> None:
        """Write some rows."""

    def close(self) -> None:  # noqa: B027  (most formats have no end)
        """Write what belongs at the end."""


class SeparatedWriter(Writer):
    """CSV and TSV, with a header row."""

    def __init__(self, sink: IO[bytes], delimiter: str) -> None:
        super().__init__(sink)
        self._delimiter = delimiter
        self._begun = False

    def write(self, columns: Columns) -> None:
        """Write some rows, before the first of them the header."""
        if not self._begun:
            self._sink.write(separated_header(list(columns), self._delimiter))
            self._begun = True
        self._sink.write(separated_rows(columns, self._delimiter))


class JsonLinesWriter(Writer):
    """One JSON object a line."""

    def __init__(self, sink: IO[bytes], nested: Collection[str] = ()) -> None:
        super().__init__(sink)
        self._nested = nested

    def write(self, columns: Columns) -> None:
        """Write some rows."""
        self._sink.write(json_lines(columns, self._nested))


class LinesWriter(Writer):
    """Values between tabs, without a header; a tab or a line end in a value becomes a space."""

    def write(self, columns: Columns) -> None:
        """Write some rows."""
        self._sink.write(lines({name: _on_one_line(values, "\t") for name, values in columns.items()}, separator="\t"))


class FastTextWriter(Writer):
    """Lines of fastText: ``__label__`` and the label, then the text; the columns are called so."""

    def __init__(self, sink: IO[bytes]) -> None:
        super().__init__(sink)
        self._spelt: dict[str, str] = {}

    def write(self, columns: Columns) -> None:
        """Write some rows; without a label, the text alone."""
        text = _on_one_line(columns["text"])
        labels = columns.get("label")
        if labels is None:
            self._sink.write(lines({"text": text}, separator=" "))
            return
        if labels.null_count:
            raise DataError(
                "fastText's lines cannot leave a label out, and some texts have none. Write another format with "
                f"{setting('to')}."
            )
        encoded = labels if pa.types.is_dictionary(labels.type) else pc.dictionary_encode(labels)
        names = encoded.dictionary.cast(pa.large_string())
        written = pc.replace_substring_regex(names, r"\s+", "_")
        self._remember(names.to_pylist(), written.to_pylist())
        joined = pa.DictionaryArray.from_arrays(encoded.indices, written)
        self._sink.write(lines({"label": joined, "text": text}, separator=" ", prefix=LABEL_PREFIX))

    def _remember(self, names: list[str], written: list[str]) -> None:
        """A label with white space ends too early for fastText; two labels must not become one."""
        for name, spelt in zip(names, written, strict=True):
            other = self._spelt.setdefault(spelt, name)
            if other != name:
                raise DataError(
                    f"The labels {quote(other)} and {quote(name)} would both be {LABEL_PREFIX}{spelt}: fastText's "
                    "labels have no white space. Rename one of them, or write another format."
                )
            if name != spelt and not any(f"{quote(name)}" in note for note in self.notes):
                self.notes.append(f"fastText's labels have no white space: {quote(name)} is written as {quote(spelt)}")


class ParquetWriter(Writer):
    """Parquet, in groups of about a hundred thousand rows."""

    def __init__(self, sink: IO[bytes]) -> None:
        super().__init__(sink)
        self._file: Any = None
        self._waiting: list[pa.Table] = []
        self._schema: pa.Schema | None = None

    def write(self, columns: Columns) -> None:
        """Keep rows until there are enough for a group."""
        table = pa.table(dict(columns))
        self._schema = self._schema or table.schema
        self._waiting.append(fitted(table, self._schema))
        if sum(map(len, self._waiting)) >= _GROUP_ROWS:
            self._write_group()

    def close(self) -> None:
        """Write the last group, and what is in the groups."""
        if self._waiting:
            self._write_group()
        if self._file is not None:
            self._file.close()

    def _write_group(self) -> None:
        from pyarrow.parquet import ParquetWriter as ParquetFile  # only here: other formats can do without it

        if self._file is None:
            self._file = ParquetFile(arrow_file(self._sink), self._schema, compression="zstd")
        self._file.write_table(pa.concat_tables(self._waiting), row_group_size=_GROUP_ROWS)
        self._waiting = []


class ArrowWriter(Writer):
    """Arrow's own file format (Feather)."""

    def __init__(self, sink: IO[bytes]) -> None:
        super().__init__(sink)
        self._file: Any = None
        self._schema: pa.Schema | None = None

    def write(self, columns: Columns) -> None:
        """Write some rows."""
        table = pa.table(dict(columns))
        if self._schema is None:
            self._schema = table.schema
            self._file = pa.ipc.new_file(arrow_file(self._sink), self._schema)
        self._file.write_table(fitted(table, self._schema))

    def close(self) -> None:
        """Write the table of contents."""
        if self._file is not None:
            self._file.close()


class _KeptOpen:
    """A sink that Arrow may close as often as it likes: whoever opened it still has something to say."""

    closed = False

    def __init__(self, sink: IO[bytes]) -> None:
        self.write, self.flush = sink.write, sink.flush

    def close(self) -> None:
        self.flush()


def arrow_file(sink: IO[bytes]) -> pa.NativeFile:
    """A sink for Arrow's own writers, which stays open when they are done."""
    return pa.PythonFile(_KeptOpen(sink), mode="w")


def fitted(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """A later batch with the types of the first one."""
    try:
        return table if table.schema.equals(schema) else table.cast(schema)
    except pa.ArrowInvalid as error:
        raise DataError(
            f"A column does not have the same type throughout ({error}). Write CSV or JSON Lines with {setting('to')}, "
            "where types do not matter."
        ) from error


def _on_one_line(values: pa.Array, also: str = "") -> pa.Array:
    if pa.types.is_dictionary(values.type):
        return pa.DictionaryArray.from_arrays(values.indices, _on_one_line(values.dictionary, also))
    kind = values.type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        return values
    return pc.replace_substring_regex(values, rf"[\r\n\v\f{also}]+", " ")
