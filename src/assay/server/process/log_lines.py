"""Lines of JSON about what the server does, written by a thread of their own: nobody waits for whoever reads them."""

from __future__ import annotations

import os
import threading
import time
from contextlib import suppress
from typing import Any

import msgspec

__all__ = ["LogLines"]

_AFTER = 0.05  # seconds until lines are written
_MOST = 8 << 20  # bytes that wait for a reader; more are counted and dropped


class LogLines:
    """Writes lines of JSON to a file descriptor.

    Parameters
    ----------
    descriptor
        Where to; None for nowhere.
    """

    def __init__(self, descriptor: int | None = None) -> None:
        self._descriptor = descriptor
        self._lines: list[bytes] = []
        self._size = self._dropped = 0
        self._wake = threading.Event()
        self._closed = False
        self._thread: threading.Thread | None = None
        self._encode = msgspec.json.Encoder().encode

    def write(self, line: dict[str, Any]) -> None:
        """Write a line soon; the time comes first."""
        if self._descriptor is None:
            return
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="log", daemon=True)
            self._thread.start()
        if self._size > _MOST:
            self._dropped += 1
            return
        written = self._encode({"time": round(time.time(), 3), **line})
        self._lines.append(written)
        self._size += len(written)
        if len(self._lines) == 1:
            self._wake.set()

    def close(self) -> None:
        """Write what is left; a reader who does not read is waited for a second."""
        if self._thread is not None:
            self._closed = True
            self._wake.set()
            self._thread.join(1.0)

    def _run(self) -> None:
        while True:
            self._wake.wait()
            self._wake.clear()
            if not self._closed:
                time.sleep(_AFTER)
            lines, self._lines = self._lines, []
            if self._dropped:
                lines.append(self._encode({"event": "log lines dropped", "lines": self._dropped}))
                self._dropped = 0
            with suppress(OSError):  # nobody reads any more
                self._put(b"".join(line + b"\n" for line in lines))
            self._size = sum(map(len, self._lines))
            if self._closed and not self._lines:
                return

    def _put(self, content: bytes) -> None:
        assert self._descriptor is not None
        while content:
            content = content[os.write(self._descriptor, content) :]
