"""The words of a command that reads the same data again, ready to be copied into a shell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["no_option", "reading_words"]

_WITH_VALUES = ("text", "label", "format", "encoding", "errors", "delimiter", "names", "sheet")
_FLAGS = ("no_quotes", "merge_labels", "skip_unlabelled", "skip_empty")


def reading_words(reading: Mapping[str, Any], options: Sequence[str] = (*_WITH_VALUES, *_FLAGS)) -> list[str]:
    """The options that say how data is read, of those that were given.

    Parameters
    ----------
    reading
        What was given, by the names of the options; what is None, False or "" was not.
    options
        Those that the command takes.

    Examples
    --------
    >>> reading_words({"sheet": "May 2024", "label": None, "skip_unlabelled": True})
    ['--sheet', 'May 2024', '--skip-unlabelled']
    """
    words: list[str] = []
    for name in (*_WITH_VALUES, *_FLAGS):
        if name in options and reading.get(name):
            words += [f"--{name.replace('_', '-')}", *([] if name in _FLAGS else [str(reading[name])])]
    return words


def no_option(path: str) -> str:
    """A path that the command does not take for an option."""
    return f"./{path}" if path.startswith("-") else path
