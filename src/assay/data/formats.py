"""Which format a file has: from its first bytes, then its name, then what the text looks like."""

from __future__ import annotations

from pathlib import Path

from assay.data.columnar import ArrowFileReader, ParquetReader
from assay.data.encoding import to_utf8
from assay.data.json_lines import JsonLinesReader
from assay.data.line_files import LABEL_PREFIX, FastTextReader, LinesReader
from assay.data.options import ReadOptions
from assay.data.pieces import Reader
from assay.data.separated import SeparatedReader
from assay.data.streams import MARK_OF_PACKING, ByteSource
from assay.data.suffixes import format_of_name, strip_packing
from assay.errors import DataError

__all__ = ["BINARY_MARKS", "file_reader", "find_format"]

_FORMAT_OF_MAGIC = {b"PAR1": "parquet", b"ARROW1": "arrow", b"\xff\xff\xff\xff": "arrow"}
_FOREIGN = {
    b"PK\x03\x04": ("a zip archive or an Excel or OpenDocument file", "Save it as CSV (UTF-8), or unpack it"),
    b"\xd0\xcf\x11\xe0": ("an old Excel file", "Save it as CSV (UTF-8)"),
    b"%PDF": ("a PDF file", "Take the texts out and save them as CSV"),
    b"\xfd7zXZ": ("compressed with xz", "Unpack it with unxz, or compress it with gzip or zstd"),
    b"\x04\x22\x4d\x18": ("compressed with lz4", "Unpack it, or compress it with gzip or zstd"),
    b"7z\xbc\xaf": ("a 7-Zip archive", "Unpack it"),
    b"SQLite format 3": ("an SQLite database", "Export the table as CSV"),
    b"\x89HDF": ("an HDF5 file", "Save the table as Parquet or CSV"),
    b"FEA1": ("a Feather file of version 1", "Write it again with a newer pyarrow or pandas"),
    b"ORC": ("an ORC file", "Save the table as Parquet"),
}
BINARY_MARKS = (*MARK_OF_PACKING.values(), *_FORMAT_OF_MAGIC, *(mark for mark in _FOREIGN if len(mark) > 3))
"""What begins a stream that is no text: it can be read only as a whole."""


def file_reader(source: ByteSource, options: ReadOptions) -> Reader:
    """Return the reader for a file."""
    kind = options.format or find_format(source, options)
    reader = _reader_of_format(kind, source, options)
    reader.format = kind
    reader.give_up = source.give_up
    return reader


def _reader_of_format(kind: str, source: ByteSource, options: ReadOptions) -> Reader:
    if kind == "parquet":
        return ParquetReader(source)
    if kind == "arrow":
        return ArrowFileReader(source)
    if kind == "jsonl":
        return JsonLinesReader(source, options)
    if kind == "fasttext":
        return FastTextReader(source, options)
    if kind == "lines":
        return LinesReader(source, options)
    return SeparatedReader(source, options, "\t" if kind == "tsv" else None)


def find_format(source: ByteSource, options: ReadOptions) -> str:
    """Find out the format; bytes that show it count more than the name."""
    head = source.head(1 << 16)
    if not head:
        raise DataError(f"{source.name}: the file is empty. There is nothing to read.")
    for magic, kind in _FORMAT_OF_MAGIC.items():
        if head.startswith(magic):
            return kind
    for magic, (what, way_out) in _FOREIGN.items():
        if head.startswith(magic) and (len(magic) > 3 or not head.isascii()):
            raise DataError(f"{source.name}: this is {what}, which assay does not read. {way_out}.")
    named = format_of_name(source.name)
    if named in ("parquet", "arrow"):
        raise DataError(
            f"{source.name}: the name says {named}, but the bytes do not: they begin with {head[:8]!r}. "
            "Rename the file to what it is, or fetch it again."
        )
    text = head if source.is_utf8 else to_utf8(head, options.encoding, source.name)
    return named or _format_of_text(text.decode("utf-8", "replace"), source.name)


def _format_of_text(text: str, name: str) -> str:
    first = text.lstrip()[:20]
    if first.startswith(LABEL_PREFIX):
        return "fasttext"
    if first.startswith("{"):
        return "jsonl"
    if Path(strip_packing(name)).suffix.lower() == ".txt" and not _looks_like_a_table(text):
        return "lines"
    return "csv"


def _looks_like_a_table(text: str) -> bool:
    """Whether the same delimiter stands in every line as often as in the first."""
    lines = [line for line in text.splitlines()[:-1][:50] if line.strip()] or text.splitlines()[:1]
    return any(
        lines[0].count(mark) and all(line.count(mark) == lines[0].count(mark) for line in lines) for mark in "\t;|,"
    )
