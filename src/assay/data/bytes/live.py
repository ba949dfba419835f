"""Bytes that come while they are read: standard input and pipes, given on in parts of whole rows.

What has come is given on when it is enough, when its first byte has waited for as long as was asked for, or at once
where nothing more waits and somebody does: a single text is answered while it is fresh, and of a full pipe the parts
grow with the time that answering takes. A part is read like a small file, also twice if there is something wrong in it;
only the numbers of its rows go on from the part before. So neither memory nor disk grows with what comes.
"""

from __future__ import annotations

import codecs
import math
import time
from collections.abc import Callable, Iterator

import numpy as np
import pyarrow as pa

from assay import _native
from assay.data.bytes.arrivals import Arrivals
from assay.data.bytes.encoding import FoundEncoding, transcoder
from assay.data.bytes.encoding_detection import bytes_encoding
from assay.data.bytes.row_length import LONGEST_ROW, too_long
from assay.data.bytes.streams import ByteSource, RowEnd

__all__ = ["MOMENT", "LiveSource", "SeparatedRowEnd", "line_end"]

MOMENT = 0.05
"""Seconds that a text may wait for others where somebody is waiting for its answer."""
_BLINK = 0.001  # seconds until a part that could grow sees that somebody waits for it
_PART_BYTES = 1 << 22
_SAMPLE_BYTES = 5 << 18  # more than any reader looks at first


class LiveSource(ByteSource):
    """Text that is still coming.

    Its beginning, by which format and columns are chosen, can be looked at as often as one likes; the rest comes once.

    Parameters
    ----------
    arrivals
        The bytes.
    name
        What messages call it.
    encoding
        What the bytes are written in; None to find out from those that come first.
    patience
        Seconds that bytes wait for others before they are given on; infinity waits for a full part.
    awaited
        Tells whether somebody waits for rows; None: nobody is in a hurry.
    """

    is_utf8 = True

    def __init__(
        self,
        arrivals: Arrivals,
        name: str,
        encoding: str | None,
        patience: float,
        awaited: Callable[[], bool] | None = None,
    ) -> None:
        self.name, self.size = name, 0  # which nobody knows
        self._arrivals = arrivals
        self.found = bytes_encoding(arrivals.look(), name) if encoding is None else FoundEncoding(encoding)
        self._convert = transcoder(self.found.name, name)
        self._patience, self._awaited = patience, awaited
        self._beginning = self._again = b""
        self._rest: list[bytes] = []  # of a row that goes on
        self._n_rest = 0
        self.is_coming = True
        self.wait_for_more()

    def open(self) -> tuple[pa.NativeFile, pa.NativeFile]:
        """Return what came first, as a file."""
        return LivePart(self._beginning, self.name).open()

    def wait_for_more(self) -> bool:
        """Wait until the beginning is longer by some lines; False where nothing is left to come."""
        more = self._whole_rows(_SAMPLE_BYTES, line_end)
        self._beginning += more
        return bool(more)

    def parts(self, row_end: RowEnd) -> Iterator[ByteSource]:
        """Go through everything, once, from the beginning on."""
        self._again = b"".join([self._beginning, *self._rest])
        self._beginning, self._rest, self._n_rest = b"", [], 0
        offset = lines = 0
        while (data := self._whole_rows(_PART_BYTES, row_end)) and not self._arrivals.given_up:
            yield LivePart(data, self.name, offset, lines)
            offset += len(data)
            lines += data.count(b"\n")

    def give_up(self) -> None:
        """Wait for nothing any more."""
        self._arrivals.given_up = True

    def _whole_rows(self, size: int, row_end: RowEnd) -> bytes:
        """Return `size` bytes of rows, or those that came in time; at the end all that is left."""
        rows: list[bytes] = []
        until = math.inf
        while size > 0 or not rows:
            block = self._more(until) if rows else self._next(math.inf)
            if block is None:
                break
            if not block:
                rows, self._rest = rows + self._rest, []
                break
            until = min(until, time.monotonic() + self._patience)
            size -= len(block)
            end = row_end(block)
            if end < 0:
                self._rest.append(block)
                self._n_rest += len(block)
                if self._n_rest > LONGEST_ROW:
                    raise too_long(self.name)
            else:
                rows += [*self._rest, block[:end]]
                self._rest = [block[end:]]
                self._n_rest = len(block) - end
        return b"".join(rows)

    def _more(self, until: float) -> bytes | None:
        """Return what comes until then, or None as soon as nothing waits and somebody does."""
        if self._awaited is None:
            return self._next(until - time.monotonic())
        block = self._next(0.0)
        while block is None and not self._awaited() and (left := until - time.monotonic()) > 0:
            block = self._next(min(left, _BLINK))
        return block

    def _next(self, seconds: float) -> bytes | None:
        """Return some UTF-8, none at the end, None where nothing came in time."""
        if self._again:
            block, self._again = self._again, b""
            return block
        while self.is_coming:
            arrived = self._arrivals.wait(seconds)
            if arrived is None:
                return None
            self.is_coming = bool(arrived)
            text = arrived if self._convert is None else self._convert(arrived, not arrived)
            if text:
                return text
        return b""


class LivePart(ByteSource):
    """Whole rows out of a stream, in memory and in UTF-8."""

    is_utf8 = True

    def __init__(self, data: bytes, name: str, offset: int = 0, lines_before: int = 0) -> None:
        self.name, self.size = name, len(data)
        self.offset, self.lines_before = offset, lines_before
        self._data = data

    def open(self) -> tuple[pa.NativeFile, pa.NativeFile]:
        """Return the bytes as a file, twice."""
        file = pa.BufferReader(self._data)
        return file, file


def line_end(block: bytes) -> int:
    r"""Where the last line of a block ends, behind its ``\n``; -1 where none ends.

    Examples
    --------
    >>> line_end(b"one\ntwo\nthr"), line_end(b"ee")
    (8, -1)
    """
    return block.rfind(b"\n") + 1 or -1


class SeparatedRowEnd:
    r"""Where the last row of separated values in a block ends, asked block after block.

    Parameters
    ----------
    delimiter, quotes
        What separates the values, and whether they may be quoted.

    Examples
    --------
    >>> row_end = SeparatedRowEnd(",", quotes=True)
    >>> row_end(b'1,so\n2,"two\nlines'), row_end(b'\n"\n3,'), row_end(b"end")
    (5, 3, -1)
    """

    def __init__(self, delimiter: str, *, quotes: bool) -> None:
        self._delimiter, self._quotes = delimiter, quotes
        self._place: int | None = None

    def __call__(self, block: bytes) -> int:
        """Return the end, -1 where no row ends; the first block holds more than a byte order mark."""
        mark = len(codecs.BOM_UTF8) if self._place is None and block.startswith(codecs.BOM_UTF8) else 0
        rows = np.frombuffer(block, np.uint8, offset=mark) if len(block) > mark else np.empty(0, np.uint8)
        end, self._place = _native.find_row_end(rows, self._place or 0, self._delimiter, self._quotes)
        return -1 if end < 0 else int(end) + mark
