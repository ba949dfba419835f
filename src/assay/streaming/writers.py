"""Writing columns a batch at a time, in the format that was asked for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from typing import IO, Any

import pyarrow as pa

from assay.data.columns.choosing import is_textual
from assay.data.columns.label_form import is_list
from assay.data.formats.line_files import LABEL_PREFIX
from assay.errors import DataError, ParameterError
from assay.streaming.text_rows import json_lines, lines, separated_header, separated_rows
from assay.suggest import nearest_first, quote, quoted
from assay.wording import setting

__all__ = [
    "WRITTEN_FORMATS",
    "ArrowStreamWriter",
    "Columns",
    "FastTextWriter",
    "Writer",
    "arrow_file",
    "check_format",
    "open_writer",
]

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


def open_writer(
    sink: IO[bytes],
    kind: str,
    *,
    delimiter: str | None = None,
    nested: Collection[str] = (),
    like: pa.Schema | None = None,
) -> Writer:
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
    like
        Types and metadata of columns of the input, which Parquet and Arrow keep.
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
            return ParquetWriter(sink, like)
        case "xlsx":
            from assay.streaming.sheet_writer import SheetWriter  # which knows what a writer is

            return SheetWriter(sink)
        case _:
            return ArrowWriter(sink, like)


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
    """Lines of fastText: ``__label__`` and the label, or several of them, then the text; the columns are called so."""

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
        if is_list(labels.type):
            self._sink.write("".join(map(self._line, labels.to_pylist(), text.to_pylist())).encode())
            return
        if labels.null_count:
            raise DataError(
                "fastText's lines cannot leave a label out, and some texts have none. Write another format with "
                f"{setting('to')}."
            )
        import pyarrow.compute as pc

        encoded = labels if pa.types.is_dictionary(labels.type) else pc.dictionary_encode(labels)
        names = encoded.dictionary.cast(pa.large_string())
        written = pc.replace_substring_regex(names, r"\s+", "_")
        self._remember(names.to_pylist(), written.to_pylist())
        joined = pa.DictionaryArray.from_arrays(encoded.indices, written)
        self._sink.write(lines({"label": joined, "text": text}, separator=" ", prefix=LABEL_PREFIX))

    def _line(self, labels: list[str], text: str) -> str:
        spelt = ["_".join(label.split()) for label in labels]
        self._remember(labels, spelt)
        return " ".join([*(LABEL_PREFIX + label for label in spelt), text]) + "\n"

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


class ColumnarWriter(Writer):
    """What Parquet and Arrow share: columns have types, and the table has metadata, such as pandas' own.

    Parameters
    ----------
    like
        Types and metadata of columns of the input; None where it has none.
    """

    def __init__(self, sink: IO[bytes], like: pa.Schema | None = None) -> None:
        super().__init__(sink)
        self._like = pa.schema([]) if like is None else like
        self._schema: pa.Schema | None = None
        self._file: Any = None

    def close(self) -> None:
        """Write what is in the groups, or the table of contents."""
        if self._file is not None:
            self._file.close()

    def _table(self, columns: Columns) -> pa.Table:
        """The rows as a table, every one with the types of the first."""
        table = pa.table(dict(columns))
        if self._schema is None:
            fields = [_field_like(field, self._like) for field in table.schema]
            self._schema = pa.schema(fields, self._like.metadata)
        return fitted(table, self._schema)


def _field_like(field: pa.Field, like: pa.Schema) -> pa.Field:
    """The field that the input has for a column, where its values are of that type, or text that came from it."""
    index = like.get_field_index(field.name)
    if index < 0:
        return field
    given = like.field(index).with_nullable(True)
    return given if given.type == field.type or (is_textual(given.type) and is_textual(field.type)) else field


class ParquetWriter(ColumnarWriter):
    """Parquet, in groups of about a hundred thousand rows."""

    def __init__(self, sink: IO[bytes], like: pa.Schema | None = None) -> None:
        super().__init__(sink, like)
        self._waiting: list[pa.Table] = []

    def write(self, columns: Columns) -> None:
        """Keep rows until there are enough for a group."""
        self._waiting.append(self._table(columns))
        if sum(map(len, self._waiting)) >= _GROUP_ROWS:
            self._write_group()

    def close(self) -> None:
        """Write the last group, and what is in the groups."""
        if self._waiting:
            self._write_group()
        super().close()

    def _write_group(self) -> None:
        from pyarrow.parquet import ParquetWriter as ParquetFile  # only here: other formats can do without it

        if self._file is None:
            self._file = ParquetFile(arrow_file(self._sink), self._schema, compression="zstd")
        self._file.write_table(pa.concat_tables(self._waiting), row_group_size=_GROUP_ROWS)
        self._waiting = []


class ArrowWriter(ColumnarWriter):
    """Arrow's own file format (Feather)."""

    _open = staticmethod(pa.ipc.new_file)

    def __init__(self, sink: IO[bytes], like: pa.Schema | None = None) -> None:
        super().__init__(sink, like)
        self._values: dict[str, pa.Array] = {}

    def write(self, columns: Columns) -> None:
        """Write some rows."""
        table = self._table(columns)
        for index, field in enumerate(table.schema):
            if pa.types.is_dictionary(field.type):
                table = table.set_column(index, field, self._grown(field, table.column(index)))
        if self._file is None:
            options = pa.ipc.IpcWriteOptions(emit_dictionary_deltas=True)
            self._file = self._open(arrow_file(self._sink), self._schema, options=options)
        self._file.write_table(table)

    def _grown(self, field: pa.Field, column: pa.ChunkedArray) -> pa.Array:
        """The column in terms of all values that there were so far: the format lets values be added, not replaced."""
        array = column.combine_chunks()
        known = self._values.get(field.name, array.dictionary)
        if not array.dictionary.equals(known):
            import pyarrow.compute as pc

            new = array.dictionary.filter(pc.invert(pc.is_in(array.dictionary, known)))
            known = pa.concat_arrays([known, new])
            numbers = pc.index_in(array.dictionary, known).take(array.indices).cast(field.type.index_type)
            array = pa.DictionaryArray.from_arrays(numbers, known, ordered=field.type.ordered)
        self._values[field.name] = known
        return array


class ArrowStreamWriter(ArrowWriter):
    """Arrow's format for streams, which has no table of contents at its end."""

    _open = staticmethod(pa.ipc.new_stream)


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
    import pyarrow.compute as pc

    return pc.replace_substring_regex(values, rf"[\r\n\v\f{also}]+", " ")
