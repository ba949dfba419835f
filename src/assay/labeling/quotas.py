"""How many texts are picked for which reason."""

from __future__ import annotations

from math import floor
from typing import TypeVar

__all__ = ["in_turns", "quota"]

Item = TypeVar("Item")


def quota(share: float, n: int, before: int) -> int:
    """Of n picks after so many before, how many belong to a share: over any number of rounds the share is kept.

    Examples
    --------
    >>> [quota(0.1, 4, before) for before in (0, 4, 8, 12, 16)]
    [0, 0, 1, 0, 1]
    """
    return floor(share * (before + n) + 1e-9) - floor(share * before + 1e-9)


def in_turns(groups: list[list[Item]]) -> list[Item]:
    """Items of several lists, evenly mixed, each list in its order; whoever stops early has seen some of each.

    Examples
    --------
    >>> in_turns([["a", "b", "c", "d"], ["x", "y"]])
    ['a', 'x', 'b', 'c', 'y', 'd']
    """
    placed = [((i + 0.5) / len(group), g, item) for g, group in enumerate(groups) for i, item in enumerate(group)]
    return [item for _, _, item in sorted(placed, key=lambda entry: entry[:2])]
