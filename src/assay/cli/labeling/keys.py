"""Which key gives which label."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["ACTIONS", "MEANINGS", "label_keys"]

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

#: The same in a few words more, for help.
MEANINGS = {
    "u": "takes back the last label, then the one before it, without end",
    "s": "passes the text over: it is not shown again to you",
    "n": "writes a note beside the label that you give next",
    "m": "shows more of a long text, and then its beginning again",
    "+": "makes a new label",
    ":": "gives a label by its name, or by how its name begins",
    "q": "ends; every label is on the disk already",
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
