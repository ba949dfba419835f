"""Which key gives which label."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["ACTIONS", "label_keys"]

#: Keys that do something else, and what.
ACTIONS = {
    "u": "undo",
    "s": "skip",
    "n": "note",
    "m": "more",
    "+": "new label",
    ":": "label by name",
    "?": "help",
    "q": "quit",
}

_KEYS = "1234567890" + "".join(key for key in "abcdefghijklmnopqrstuvwxyz" if key not in ACTIONS)


def label_keys(labels: Sequence[str]) -> dict[str, str]:
    """Key → label: digits, then letters that do nothing else; labels beyond them are given by name.

    Examples
    --------
    >>> label_keys(["ham", "spam"])
    {'1': 'ham', '2': 'spam'}
    >>> len(label_keys([str(n) for n in range(100)]))
    31
    """
    return dict(zip(_KEYS, labels, strict=False))
