"""Sizes and choices that a network is built from, checked: they may come from a file that anybody may have written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from assay.header_checks import choice, entry, whole_number

__all__ = ["Setting", "checked_settings", "count", "counts", "one_of", "share"]

#: Takes one setting by its name out of a header, or raises ValueError.
Setting = Callable[[Any, str], Any]

_LARGEST = 2**31 - 1
_LONGEST = 100


def count(settings: Any, name: str) -> int:
    """A whole number above 0."""
    return whole_number(settings, name, 1, _LARGEST)


def counts(settings: Any, name: str) -> list[int]:
    """A list, not a long one, of whole numbers above 0."""
    found = entry(settings, name, list)
    if len(found) > _LONGEST:
        raise ValueError(f"'{name}' has {len(found)} numbers, which are more than {_LONGEST}")
    return [whole_number({name: value}, name, 1, _LARGEST) for value in found]


def share(settings: Any, name: str) -> float:
    """A number from 0 to below 1."""
    found = entry(settings, name, float)
    if not 0 <= found < 1:
        raise ValueError(f"'{name}' is {found!r}, which is not from 0 to below 1")
    return found


def one_of(*names: str) -> Setting:
    """One of some names."""
    return lambda settings, name: choice(settings, name, names)


def checked_settings(settings: Any, known: dict[str, Setting]) -> dict[str, Any]:
    """All settings that are known, each checked; others are refused."""
    found = {name: check(settings, name) for name, check in known.items()}
    if set(settings) != set(known):
        raise ValueError(f"there are settings that nothing knows: {sorted(set(settings) - set(known))[:5]}")
    return found
