"""Which format a file has: from its first bytes, then its name, then what the text looks like."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from assay.data.bytes.encoding import UTF8, FoundEncoding, to_utf8
from assay.data.bytes.encoding_detection import find_encoding
from assay.data.bytes.streams import MARK_OF_PACKING, ByteSource
from assay.data.bytes.suffixes import format_of_name, strip_packing
from assay.data.formats.columnar import ArrowFileReader, ParquetReader
from assay.data.formats.containers import FOREIGN_MARKS, ZIP_MARK, refuse_foreign
from assay.data.formats.json_lines import JsonLinesReader
from assay.data.formats.line_files import LABEL_PREFIX, FastTextReader, LinesReader
from assay.data.formats.pieces import FileReader
from assay.data.formats.separated import SeparatedReader
from assay.data.options import ReadOptions
from assay.errors import DataError

__all__ = ["BINARY_MARKS", "file_reader"]

_FORMAT_OF_MAGIC = {b"PAR1": "parquet", b"ARROW1": "arrow", b"\xff\xff\xff\xff": "arrow"}
_BINARY = ("parquet", "arrow", "xlsx")
BINARY_MARKS = (*MARK_OF_PACKING.values(), *_FORMAT_OF_MAGIC, *FOREIGN_MARKS)
"""What begins a stream that is no text: it can be read only as a whole."""


def file_reader(source: ByteSource, options: ReadOptions) -> FileReader:
    """Return the reader for a file."""
    kind = options.format or _format_of_bytes(source)
    encoding = UTF8
    if kind not in _BINARY:
        known = options.known_encoding
        encoding = find_encoding(source) if known is None else FoundEncoding(known)
        options = replace(options, encoding=encoding.name)
        kind = kind or _format_of_beginning(source, options.encoding)
    reader = _reader_of_format(kind, source, options)
    reader.format = kind
    reader.encoding = encoding
    if encoding.note:
        reader.notes.insert(0, encoding.note)
    reader.give_up = source.give_up
    return reader


def _reader_of_format(kind: str, source: ByteSource, options: ReadOptions) -> FileReader:
    if kind == "parquet":
        return ParquetReader(source)
    if kind == "arrow":
        return ArrowFileReader(source)
    if kind == "xlsx":
        from assay.data.formats.spreadsheet import SpreadsheetReader  # only here: few files are spreadsheets

        return SpreadsheetReader(source, options)
    if kind == "jsonl":
        return JsonLinesReader(source, options)
    if kind == "fasttext":
        return FastTextReader(source, options)
    if kind == "lines":
        return LinesReader(source, options)
    return SeparatedReader(source, options, "\t" if kind == "tsv" else None)


def _format_of_bytes(source: ByteSource) -> str | None:
    """The format that the first bytes show, whatever the name says; None for text."""
    head = source.head(1 << 16)
    if not head:
        raise DataError(f"{source.name}: the file is empty. There is nothing to read.")
    for magic, kind in _FORMAT_OF_MAGIC.items():
        if head.startswith(magic):
            return kind
    refuse_foreign(source, head)
    if head.startswith(ZIP_MARK):
        return "xlsx"
    named = format_of_name(source.name)
    if named in ("parquet", "arrow", "xlsx"):
        raise DataError(
            f"{source.name}: the name says {named}, but the bytes do not: they begin with {head[:8]!r}. "
            "Rename the file to what it is, or fetch it again."
        )
    return None


def _format_of_beginning(source: ByteSource, encoding: str) -> str:
    """The format that the name says, else what the text looks like."""
    head = source.head(1 << 16)
    text = head if source.is_utf8 else to_utf8(head, encoding, source.name)
    return format_of_name(source.name) or _format_of_text(text.decode("utf-8", "replace"), source.name)


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
