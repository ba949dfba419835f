"""Texts as sequences of numbers, one after the other in one array; and what becomes of long ones."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from numpy.typing import NDArray

__all__ = ["LONG_TEXTS", "Sequences"]

#: What is done with a text of more words than are read: keep its beginning, or read it in pieces and average.
LONG_TEXTS = ("truncate", "window")


@dataclass(frozen=True, eq=False)
class Sequences:
    """Sequence i is ``ids[begin[i]:end[i]]``.

    Attributes
    ----------
    begin
        n + 1 places; sequence i ends where i + 1 begins.
    ids
        Numbers of words; 0 is for padding only.
    text_of
        Which text each sequence is a piece of; None where each text is one sequence.
    cut
        Texts whose end is missing.

    Examples
    --------
    >>> found = Sequences(np.array([0, 3, 4]), np.array([5, 6, 7, 8], dtype=np.int32))
    >>> ids, lengths = found.inputs(np.array([1, 0]))
    >>> ids.tolist(), lengths.tolist()
    ([[8, 0, 0], [5, 6, 7]], [1, 3])
    """

    begin: NDArray[np.int64]
    ids: NDArray[np.int32]
    text_of: NDArray[np.int64] | None = None
    cut: int = 0

    def __len__(self) -> int:
        return len(self.begin) - 1

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """Length of each sequence."""
        return np.diff(self.begin)

    def inputs(self, rows: NDArray[np.int64]) -> tuple[torch.Tensor, torch.Tensor]:
        """Some sequences as a network reads them: (n, longest), padded with 0, and lengths (n,) of at least 1."""
        sizes = self.sizes[rows]
        width = max(1, int(sizes.max(initial=0)))
        places = np.arange(width)
        inside = places < sizes[:, None]
        table = np.zeros((len(rows), width), dtype=np.int64)
        table[inside] = self.ids[(self.begin[rows][:, None] + places)[inside]]
        return torch.from_numpy(table), torch.from_numpy(np.maximum(sizes, 1))

    def limited(self, most: int | None, long_texts: str) -> Sequences:
        """Sequences of at most `most` words: the beginnings of long texts, or all their pieces."""
        if most is None or int(self.sizes.max(initial=0)) <= most:
            return self
        if long_texts == "truncate":
            kept = np.minimum(self.sizes, most)
            inside = np.arange(len(self.ids)) - np.repeat(self.begin[:-1], self.sizes) < np.repeat(kept, self.sizes)
            return Sequences(np.r_[0, np.cumsum(kept)], self.ids[inside], cut=int((self.sizes > most).sum()))
        pieces = np.maximum(1, -(-self.sizes // most))
        text_of = np.repeat(np.arange(len(self)), pieces)
        number = np.arange(len(text_of)) - np.repeat(np.cumsum(pieces) - pieces, pieces)
        begin = self.begin[:-1][text_of] + most * number
        return Sequences(np.r_[begin, len(self.ids)], self.ids, text_of)
