"""Files with one document a line: fastText's ``__label__`` lines, and plain lines without labels."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from assay.data.encoding import utf8_array
from assay.data.lines import LineBlock, blocks_of_source, line_blocks
from assay.data.options import ReadOptions
from assay.data.origin import Origin
from assay.data.pieces import Piece, Reader, Wanted
from assay.data.streams import ByteSource, TextStream
from assay.data.suggest import excerpt, quoted
from assay.errors import DataError

__all__ = ["LABEL_PREFIX", "FastTextReader", "LinesReader"]

LABEL_PREFIX = "__label__"
_WORD_AND_REST = re.compile(r"([^ \t\v\f]*)[ \t\v\f]*(.*)", re.DOTALL)
_OTHER_LABEL = re.compile(rf"(?<![^ \t\v\f]){LABEL_PREFIX}[^ \t\v\f]*")


class LinesReader(Reader):
    """Reads one text a line; lines with nothing on them are left out and counted."""

    holds_raw_text = True
    has_fixed_columns = True
    column_names: tuple[str, ...] = ("text",)

    def __init__(self, source: ByteSource, options: ReadOptions) -> None:
        super().__init__(source.name, source.size)
        self._source = source
        self._encoding = options.encoding
        self._keep_blank = options.keep_empty
        if not source.head(1):
            raise DataError(f"{self.name}: the file is empty. It should hold one text a line.")

    def sample(self) -> pa.Table:
        """Return the first lines."""
        block = next(line_blocks(TextStream(self._source, self._encoding), 1 << 16), LineBlock(1, b"", 0))
        lines = block.decode()[:1000]
        rows = [self._fields(number, line) for number, line in enumerate(lines, block.first)]
        return pa.table(self._arrays(rows), names=list(self.column_names))

    def pieces(self, wanted: Wanted) -> Iterator[Piece]:
        """Go through the lines."""
        for block in blocks_of_source(self._source, self._encoding):
            lines = block.decode()
            numbers = np.arange(block.first, block.first + len(lines))
            filled = np.array([self._keep_blank or bool(line.strip()) for line in lines], bool)
            rows = [self._fields(block.first + i, lines[i]) for i in np.flatnonzero(filled).tolist()]
            table = pa.RecordBatch.from_arrays(self._arrays(rows), names=list(self.column_names))
            yield Piece(
                table.select(list(wanted)),
                Origin.of_file(self.name, numbers[filled]),
                Origin.of_file(self.name, numbers[~filled]),
                block.position,
            )

    def _fields(self, number: int, line: str) -> tuple[str | None, ...]:
        return (line,)

    def _arrays(self, rows: list[tuple[str | None, ...]]) -> list[pa.Array]:
        return [utf8_array([row[index] for row in rows]) for index in range(len(self.column_names))]


class FastTextReader(LinesReader):
    """Reads ``__label__x`` at the beginning of a line as its label and the rest as its text."""

    column_names = ("text", "label")

    def _fields(self, number: int, line: str) -> tuple[str | None, ...]:
        if not line.startswith(LABEL_PREFIX):
            return line, None
        first, text = _WORD_AND_REST.fullmatch(line).groups()  # type: ignore[union-attr]
        more = _OTHER_LABEL.findall(text) if LABEL_PREFIX in text else []
        if more:
            raise DataError(
                f"{self.name}, row {number}: the line has {len(more) + 1} labels ({quoted([first, *more])}): "
                f"{excerpt(line)}. assay gives every text one label: keep one of them on each line, or write the "
                "combination as one label, such as __label__a+b."
            )
        return text, first.removeprefix(LABEL_PREFIX)
