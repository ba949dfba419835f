"""Where each row of a corpus came from, kept as runs of consecutive rows of one file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
import numpy.typing as npt

__all__ = ["Origin", "Rows", "joined_places"]

Rows = npt.NDArray[np.int64]


class Origin:
    """The file and the row number of every row.

    Rows are numbered as the reader of the file counts them: from 1, the header of a CSV file included.
    Number 0 says that the file itself is the document.

    Parameters
    ----------
    files
        File names.
    file_of_row
        Index into `files`, one a row.
    rows
        Row numbers.

    Examples
    --------
    >>> origin = Origin(["a.csv", "b.csv"], [0, 0, 1], [2, 3, 2])
    >>> origin.place(1), origin.place(2)
    ('a.csv, row 3', 'b.csv, row 2')
    >>> origin.take([2, 0]).place(0)
    'b.csv, row 2'
    """

    __slots__ = ("_file", "_first", "_length", "_start", "files")

    def __init__(self, files: Sequence[str], file_of_row: npt.ArrayLike, rows: npt.ArrayLike) -> None:
        file, row = np.asarray(file_of_row, np.int32), np.asarray(rows, np.int64)
        new_run = np.ones(len(row), bool)
        new_run[1:] = (file[1:] != file[:-1]) | (row[1:] != row[:-1] + 1)
        self.files = tuple(files)
        self._length = len(row)
        self._start = np.flatnonzero(new_run)
        self._file = file[self._start]
        self._first = row[self._start]

    @classmethod
    def of_file(cls, name: str, rows: npt.ArrayLike) -> Self:
        """Some rows of one file."""
        return cls([name], np.zeros(len(np.asarray(rows)), np.int32), rows)

    @classmethod
    def counted(cls, name: str, length: int, first: int = 1) -> Self:
        """Consecutive rows of one file."""
        return cls.of_file(name, np.arange(first, first + length))

    @classmethod
    def joined(cls, parts: Sequence[Origin]) -> Self:
        """One after the other."""
        files = list(dict.fromkeys(name for part in parts for name in part.files))
        index = {name: i for i, name in enumerate(files)}
        joined = cls(files, [], [])
        lengths = [part._length for part in parts]
        joined._length = sum(lengths)
        if parts:
            begins = np.cumsum([0, *lengths[:-1]])
            joined._start = np.concatenate([p._start + begin for p, begin in zip(parts, begins, strict=True)])
            joined._first = np.concatenate([part._first for part in parts])
            joined._file = np.concatenate(
                [np.array([index[name] for name in p.files], np.int32)[p._file] for p in parts]
            )
        return joined

    def __len__(self) -> int:
        return self._length

    def rows(self, indices: npt.ArrayLike) -> Rows:
        """Row numbers in their files."""
        wanted = np.asarray(indices, np.int64)
        run = np.searchsorted(self._start, wanted, side="right") - 1
        first = self._first[run]
        return np.where(first > 0, first + wanted - self._start[run], 0)

    def files_of_rows(self) -> list[str]:
        """The file of every row.

        Examples
        --------
        >>> Origin(["a.csv", "b.csv"], [0, 0, 1], [2, 3, 2]).files_of_rows()
        ['a.csv', 'a.csv', 'b.csv']
        """
        lengths = np.diff(np.append(self._start, self._length))
        return [self.files[file] for file in np.repeat(self._file, lengths)]

    def place(self, index: int) -> str:
        """Say where a row stands: ``reviews.csv, row 1042``."""
        run = int(np.searchsorted(self._start, index, side="right")) - 1
        name, row = self.files[self._file[run]], int(self.rows([index])[0])
        return f"{name}, row {row}" if row else name

    def take(self, indices: npt.ArrayLike) -> Origin:
        """Return the origin of some of the rows, in the order given."""
        wanted = np.asarray(indices, np.int64)
        run = np.searchsorted(self._start, wanted, side="right") - 1
        return Origin(self.files, self._file[run], self.rows(wanted))


def joined_places(places: Sequence[str]) -> str:
    """Write places in one phrase, naming a file once for neighbouring rows of it.

    Examples
    --------
    >>> joined_places(["a.csv, row 3", "a.csv, row 9", "b.csv, row 2"])
    'a.csv, rows 3, 9; b.csv, row 2'
    """
    phrases: list[tuple[str, list[str]]] = []
    for place in places:
        file, _, row = place.rpartition(", row ")
        if file and phrases and phrases[-1][0] == file:
            phrases[-1][1].append(row)
        else:
            phrases.append((file or place, [row] if file else []))
    return "; ".join(
        f"{file}, row{'s' * (len(rows) > 1)} {', '.join(rows)}" if rows else file for file, rows in phrases
    )
