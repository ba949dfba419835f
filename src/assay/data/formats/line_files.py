"""Files with one document a line: fastText's ``__label__`` lines, and plain lines without labels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import compress

import numpy as np
import pyarrow as pa

from assay.data.arrays import binary_array, utf8_or_bytes
from assay.data.bytes.encoding import utf8_array
from assay.data.bytes.lines import LineBlock, blocks_of_source, line_blocks
from assay.data.bytes.streams import ByteSource, TextStream
from assay.data.corpus.origin import Origin
from assay.data.formats.pieces import FileReader, Piece, Wanted
from assay.data.options import ReadOptions
from assay.errors import DataError
from assay.suggest import excerpt, quoted
from assay.wording import setting

__all__ = ["LABEL_PREFIX", "FastTextReader", "LinesReader"]

LABEL_PREFIX = "__label__"
_WORD_AND_REST = re.compile(r"([^ \t\v\f]*)[ \t\v\f]*(.*)", re.DOTALL)
_OTHER_LABEL_AND_BLANKS = re.compile(rf"(?<![^ \t\v\f]){LABEL_PREFIX}[^ \t\v\f]*[ \t\v\f]*")
_OTHER_LABEL = re.compile(rf"(?<![^ \t\v\f]){LABEL_PREFIX}[^ \t\v\f]*")


class LinesReader(FileReader):
    """Reads one text a line; lines with nothing on them are left out and counted."""

    holds_raw_text = True
    has_fixed_columns = True
    column_names: tuple[str, ...] = ("text",)

    def __init__(self, source: ByteSource, options: ReadOptions) -> None:
        super().__init__(source.name, source.size)
        self._source = source
        self._encoding = options.encoding
        self._keep_blank = options.keep_empty
        self._one_label = options.labels_separator is False
        if not source.head(1):
            raise DataError(f"{self.name}: the file is empty. It should hold one text a line.")

    def sample(self) -> pa.Table:
        """Return the first lines."""
        block = next(line_blocks(TextStream(self._source, self._encoding), 1 << 16), LineBlock(1, b"", 0))
        lines = block.split()[:1000]
        return pa.table(
            self._arrays(range(block.first, block.first + len(lines)), lines), names=list(self.column_names)
        )

    def pieces(self, wanted: Wanted) -> Iterator[Piece]:
        """Go through the lines."""
        for block in blocks_of_source(self._source, self._encoding):
            lines = block.split()
            numbers = np.arange(block.first, block.first + len(lines))
            filled = np.array([self._keep_blank or not _is_blank(line) for line in lines], bool)
            arrays = self._arrays(numbers[filled].tolist(), list(compress(lines, filled)))
            yield Piece(
                pa.RecordBatch.from_arrays(arrays, names=list(self.column_names)).select(list(wanted)),
                Origin.of_file(self.name, numbers[filled]),
                Origin.of_file(self.name, numbers[~filled]),
                block.position,
            )

    def _arrays(self, numbers: Sequence[int], lines: list[bytes]) -> list[pa.Array]:
        """The columns of these lines."""
        return [utf8_or_bytes(binary_array(lines))]


def _is_blank(line: bytes) -> bool:
    """Whether there is nothing but white space; its kinds are Unicode's."""
    head = line[:64].lstrip()
    if head and 0x20 < head[0] < 0x7F:
        return False
    return not line.decode("utf-8", "surrogateescape").strip()


class FastTextReader(LinesReader):
    """Reads ``__label__x`` at the beginning of a line as its label and the rest as its text.

    Several labels of a line, wherever they stand on it, have a blank between them: none of them can hold one.
    """

    column_names = ("text", "label")

    def _arrays(self, numbers: Sequence[int], lines: list[bytes]) -> list[pa.Array]:
        decoded = (line.decode("utf-8", "surrogateescape") for line in lines)
        rows = [self._fields(number, line) for number, line in zip(numbers, decoded, strict=True)]
        return [utf8_array([row[index] for row in rows]) for index in range(len(self.column_names))]

    def _fields(self, number: int, line: str) -> tuple[str | None, ...]:
        if not line.startswith(LABEL_PREFIX):
            return line, None
        first, text = _WORD_AND_REST.fullmatch(line).groups()  # type: ignore[union-attr]
        more = _OTHER_LABEL.findall(text) if LABEL_PREFIX in text else []
        if more and self._one_label:
            raise DataError(
                f"{self.name}, row {number}: the line has {len(more) + 1} labels ({quoted([first, *more])}): "
                f"{excerpt(line)}. Every text was to have one: leave {setting('labels_separator', False)} out, or keep "
                "one of them on each line."
            )
        if more:
            text = _OTHER_LABEL_AND_BLANKS.sub("", text).rstrip(" \t\v\f")
        return text, " ".join(label.removeprefix(LABEL_PREFIX) for label in (first, *more))
