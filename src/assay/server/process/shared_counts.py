"""Numbers that several processes count, each in a row of its own, and any of them adds up.

The memory is mapped before the processes are forked, and goes with the last of them. A series has the same column in
every row; its name is written once, under a lock, into a list that all of them see. A process that is killed leaves its
row as it is, and the one that takes its place goes on counting there.
"""

from __future__ import annotations

import json
import os
import tempfile
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from mmap import mmap

__all__ = ["Series", "SharedCounts"]

Series = tuple[str, ...]
"""The name of a number, then the values of its labels."""

_COLUMNS = 1 << 14
_NAMES = 4 << 20  # bytes of names


class SharedCounts:
    """A table of numbers, a row for each process.

    Parameters
    ----------
    rows
        How many processes count at most.

    Examples
    --------
    >>> counts = SharedCounts(2)
    >>> counts.add(("requests", "200"), 2)
    >>> counts.row = 1
    >>> counts.add(("requests", "200"))
    >>> dict(counts.sums())
    {('requests', '200'): 3.0}
    """

    def __init__(self, rows: int = 1) -> None:
        self.row = 0
        self._rows = rows
        self._names = mmap(-1, _NAMES)
        self._cells = memoryview(mmap(-1, 8 * _COLUMNS * rows)).cast("d")
        self._lock = _file_to_lock(self) if rows > 1 else None
        self._columns: dict[Series, int] = {}
        self._read = 8

    def add(self, series: Series, n: float = 1.0) -> None:
        """Count."""
        self._cells[self.row * _COLUMNS + (self._columns.get(series) or self._column(series))] += n

    def put(self, series: Series, value: float) -> None:
        """Set what this process says of something that goes up and down."""
        self._cells[self.row * _COLUMNS + (self._columns.get(series) or self._column(series))] = value

    def sums(self) -> Iterator[tuple[Series, float]]:
        """Every series with the sum over all processes, in the order in which they were first counted."""
        for series, cells in self._series():
            yield series, sum(cells)

    def largest(self, family: str) -> Iterator[tuple[Series, float]]:
        """The series of one name, of what every process sees and counts for itself, with the count of one of them."""
        for series, cells in self._series():
            if series[0] == family:
                yield series, max(cells)

    def _series(self) -> Iterator[tuple[Series, list[float]]]:
        """Every series with the numbers of the processes."""
        self._read_names()
        for series, column in self._columns.items():
            yield series, [self._cells[row * _COLUMNS + column] for row in range(self._rows)]

    def _column(self, series: Series) -> int:
        """The column of a series that is new to this process; 0, which nobody reads, where all columns are taken."""
        with self._locked():
            self._read_names()
            if series not in self._columns:
                line = json.dumps(series).encode() + b"\n"
                if len(self._columns) + 1 >= _COLUMNS or self._read + len(line) > _NAMES:
                    return 0
                self._names[self._read : self._read + len(line)] = line
                self._names[:8] = (self._read + len(line)).to_bytes(8, "little")
                self._read_names()
        return self._columns[series]

    def _read_names(self) -> None:
        """Learn the names that others have written."""
        end = max(8, int.from_bytes(self._names[:8], "little"))
        for line in self._names[self._read : end].splitlines():
            self._columns[tuple(json.loads(line))] = len(self._columns) + 1
        self._read = end

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """A lock of the system: it goes with a process that is killed."""
        if self._lock is None:
            yield
            return
        import fcntl  # there is one wherever there are several processes

        fcntl.lockf(self._lock, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.lockf(self._lock, fcntl.LOCK_UN)


def _file_to_lock(owner: object) -> int:
    """A file without a name, open as long as its owner lives."""
    descriptor, name = tempfile.mkstemp(prefix="assay-counts-")
    os.unlink(name)  # noqa: PTH108
    weakref.finalize(owner, os.close, descriptor)
    return descriptor
