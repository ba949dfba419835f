"""What comes out of a pipe, when it comes."""

from __future__ import annotations

import math
import os
import select
import time
import weakref
from contextlib import suppress
from typing import IO

__all__ = ["Arrivals"]

_BLOCK_BYTES = 1 << 18
_GLANCE = 0.1  # seconds until somebody who waits sees that he need not


class Arrivals:
    """A stream that can be waited for a while only.

    Parameters
    ----------
    stream
        Open for reading bytes, of which none have been read yet; closed when this object goes, if it was opened for it.
    opened_here
        Whether it was.

    Attributes
    ----------
    given_up
        Set, by another thread, to let whoever waits here go: nothing more comes.

    Examples
    --------
    >>> import io
    >>> arrivals = Arrivals(io.BytesIO(b"some bytes"))
    >>> arrivals.begins_with((b"other", b"some"))
    True
    >>> arrivals.wait(), arrivals.wait()
    (b'some bytes', b'')
    """

    def __init__(self, stream: IO[bytes], *, opened_here: bool = False) -> None:
        self._stream = stream
        self._again = b""
        self.given_up = False
        self._number: int | None = None
        if os.name == "posix":  # elsewhere a pipe cannot be waited for a while only
            with suppress(OSError):
                self._number = stream.fileno()
        if opened_here:
            weakref.finalize(self, stream.close)

    def wait(self, seconds: float = math.inf) -> bytes | None:
        """Return some bytes as soon as there are any: none at the end, None where they did not come in time."""
        if self._again:
            block, self._again = self._again, b""
            return block
        if self._number is None:
            return self._stream.read(_BLOCK_BYTES)
        until = time.monotonic() + seconds
        while not self.given_up:
            left = until - time.monotonic()
            if select.select([self._number], [], [], max(0.0, min(left, _GLANCE)))[0]:
                return os.read(self._number, _BLOCK_BYTES)
            if left <= 0:
                return None
        return b""

    def begins_with(self, marks: tuple[bytes, ...]) -> bool:
        """Whether the stream begins with one of the marks; waits for as many bytes as it takes to know."""
        head = b""
        while any(mark.startswith(head) and mark != head for mark in marks) and (more := self.wait()):
            head += more
        self._again = head
        return head.startswith(marks)

    def look(self) -> bytes:
        """Return what comes first, which is still to come for everybody else."""
        self._again = self.wait() or b""
        return self._again

    def read(self, size: int = -1) -> bytes:
        """Return some bytes, none at the end: for whoever takes this for a file."""
        return self.wait() or b""
