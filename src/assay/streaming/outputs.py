"""Where results go: a file that is whole or not there, or standard output."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

import pyarrow as pa

from assay.atomic_file import open_atomically
from assay.data.bytes.encoding import UTF8, FoundEncoding
from assay.data.bytes.mojibake import REPLACEMENT
from assay.data.bytes.suffixes import PACKING_OF_SUFFIX, format_of_name, strip_packing
from assay.data.reading.batches import BatchStream
from assay.errors import ParameterError
from assay.output_files import FOREIGN_ENDINGS, refuse_endings
from assay.streaming.safe_cells import require_cells, safe_columns
from assay.streaming.writers import Columns, Writer, arrow_file, check_format, open_writer
from assay.terminal import harmless
from assay.wording import setting

__all__ = [
    "choose_format",
    "is_watched",
    "open_rows",
    "output_encoding",
    "outputs_in_folder",
]

_OTHER_SPREADSHEETS = (".xls", ".xlsm", ".xlsb", ".ods", ".numbers")
_SUFFIX_OF_FORMAT = {"fasttext": "ft", "lines": "txt"}


def choose_format(output: Path | None, to: str | None, read: str | None) -> str:
    """Return the format to write: the one that was asked for, else the name's, else the one that was read.

    Examples
    --------
    >>> choose_format(Path("out.parquet"), None, "csv"), choose_format(None, None, "jsonl")
    ('parquet', 'jsonl')
    """
    if to is not None:
        return check_format(to)
    named = None
    if output is not None:
        if output.suffix.lower() in _OTHER_SPREADSHEETS:
            raise ParameterError(
                f"{output}: of spreadsheets, assay writes .xlsx. Name it so, or choose a format with {setting('to')}."
            )
        refuse_endings(
            output, FOREIGN_ENDINGS, "tables are written as .csv, .tsv, .jsonl, .parquet, .arrow, .xlsx or .txt"
        )
        named = format_of_name(output.name) or ("lines" if Path(strip_packing(output.name)).suffix == ".txt" else None)
    return named or (read if read not in (None, "folder", "xlsx") else "csv")


def is_watched(output: Path | None) -> bool:
    """Whether somebody can see what is written before it is whole: standard output, a pipe or a device."""
    return output is None or (output.exists() and not output.is_file())


class RowOutput:
    """Takes rows on their way to a file, or to somebody who waits for them.

    Parameters
    ----------
    writer, sink
        What writes them, and where their bytes go in the end.
    safe_cells
        Put an apostrophe before texts that a spreadsheet would take for a formula.
    watched
        Whether every row is to be seen at once.
    """

    def __init__(self, writer: Writer, sink: IO[bytes], *, safe_cells: bool, watched: bool) -> None:
        self._writer, self._sink = writer, sink
        self._safe_cells, self._watched = safe_cells, watched
        self.notes = writer.notes

    def write(self, columns: Columns) -> None:
        """Write some rows."""
        self._writer.write(safe_columns(columns) if self._safe_cells else columns)
        if self._watched:
            self._sink.flush()


@contextmanager
def open_rows(
    output: Path | None, kind: str, encoding: FoundEncoding = UTF8, *, safe_cells: bool = False, **form: Any
) -> Iterator[RowOutput]:
    """Open a file for rows of a format, or standard output for None; closed by an error, it is gone.

    Parameters
    ----------
    output, kind, encoding
        The file, its format, and what it is written in.
    safe_cells
        Put an apostrophe before texts that a spreadsheet would take for a formula.
    form
        Settings of `open_writer`.
    """
    if safe_cells:
        require_cells(kind)
    with _open_output(output, kind) as sink:
        writer = open_writer(encoded(sink, encoding), kind, **form)
        yield RowOutput(writer, sink, safe_cells=safe_cells, watched=is_watched(output))
        writer.close()


@contextmanager
def _open_output(output: Path | None, kind: str) -> Iterator[IO[bytes]]:
    """Open a file, compressed where its name says so, or standard output for None; closed by an error, it is gone.

    Control characters are shown on a terminal, not obeyed; a file has them as they are.
    """
    if output is None:
        if kind in ("parquet", "arrow", "xlsx") and sys.stdout.isatty():
            raise ParameterError(
                f"{kind} is not for a terminal. Write it to a file with {setting('output', option='-o')}, or choose "
                f"{setting('to', 'csv')}."
            )
        yield harmless(sys.stdout.buffer, json=kind == "jsonl")
        sys.stdout.buffer.flush()
        return
    packing = PACKING_OF_SUFFIX.get(output.suffix.lower())
    with open_atomically(output) as file:
        if packing is None:
            yield harmless(file, json=kind == "jsonl")
            return
        with pa.CompressedOutputStream(arrow_file(file), packing) as packed:
            yield packed


def output_encoding(
    output: Path | None, kind: str, stream: BatchStream, new: Iterable[str] = (), *, keep: bool = True
) -> FoundEncoding:
    """What a file is written in: CSV and TSV in what the input is, if that has everything; all else in UTF-8.

    From a spreadsheet, and where the encoding of the input will not do, it is UTF-8 with a mark, by which spreadsheets
    know it.

    Parameters
    ----------
    output, kind
        The file, None for standard output, and its format.
    stream
        The input.
    new
        Names and values that come from elsewhere.
    keep
        Whether another encoding than UTF-8 is kept.
    """
    if kind not in ("csv", "tsv") or output is None:
        return UTF8
    marked = UTF8._replace(has_mark=True)
    read = stream.encoding
    if stream.format == "xlsx" or (read.name == "utf-8" and read.has_mark):
        return marked
    if read.name == "utf-8" or not keep:
        return UTF8
    missing = next((c for text in (REPLACEMENT, *new) if (c := _not_in(text, read.name, stream))), None)
    if missing is None:
        return read._replace(note=None)
    return marked._replace(note=f"{output} is written in UTF-8, with a mark: {read.name} does not have {missing!r}")


def _not_in(text: str, encoding: str, stream: BatchStream) -> str | None:
    """The first character that an encoding does not have; U+FFFD counts where values may have been repaired."""
    if text == REPLACEMENT and not stream.repairs:
        return None
    try:
        text.encode(encoding)
    except UnicodeEncodeError as error:
        return text[error.start]
    return None


def encoded(sink: IO[bytes], encoding: FoundEncoding) -> IO[bytes]:
    r"""A sink that takes whole characters of UTF-8 and writes them in another encoding, behind a mark if it has one.

    Examples
    --------
    >>> import io
    >>> sink = io.BytesIO()
    >>> encoded(sink, FoundEncoding("utf-16-be", has_mark=True)).write("é".encode())
    2
    >>> sink.getvalue()
    b'\xfe\xff\x00\xe9'
    """
    if encoding.has_mark:
        sink.write("\ufeff".encode(encoding.name))
    return sink if encoding.name == "utf-8" else cast("IO[bytes]", _EncodedSink(sink, encoding.name))


class _EncodedSink:
    def __init__(self, sink: IO[bytes], encoding: str) -> None:
        self._sink = sink
        self._encoding = encoding
        self.flush = sink.flush

    def write(self, data: bytes | memoryview) -> int:
        return self._sink.write(str(data, "utf-8").encode(self._encoding))


def outputs_in_folder(inputs: Sequence[str], folder: str | os.PathLike[str], to: str | None) -> list[Path]:
    """Return the output file of each input: its name in `folder`, with the suffix of the format that is written.

    Examples
    --------
    >>> [path.name for path in outputs_in_folder(["a/part-1.csv.gz", "a/part-2.csv.gz"], ".", "jsonl")]
    ['part-1.jsonl', 'part-2.jsonl']
    """
    place = Path(folder)
    outputs: list[Path] = []
    owner: dict[Any, str] = {}
    for name in inputs:
        plain = Path(strip_packing(name))
        suffix = f".{_SUFFIX_OF_FORMAT.get(check_format(to), to)}" if to is not None else plain.suffix
        output = place / f"{plain.stem}{suffix}"
        if output in owner:
            raise ParameterError(
                f"{owner[output]} and {name} would both be written to {output}. Predict them one at a time, or rename "
                "one of them."
            )
        owner[output] = name
        outputs.append(output)
    return outputs
