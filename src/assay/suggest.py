"""Naming the valid choices in an error, the nearest first."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher

from assay.errors import ParameterError

__all__ = [
    "all_of",
    "check_choice",
    "counted",
    "excerpt",
    "nearest_first",
    "quote",
    "quoted",
    "refuse_unknown",
    "shortened",
]

# No letters to Python, but part of words and signs to readers: joiners within emoji, Persian and Hindi, and blanks that
# do not break.
_KEPT = "\u200c\u200d\u00a0\u202f\u2007\u3000"


def nearest_first(name: str, valid: Iterable[str]) -> list[str]:
    """Order the valid names by how much they look like `name`.

    Examples
    --------
    >>> nearest_first("lable", ["text", "label", "id"])
    ['label', 'text', 'id']
    """
    wanted = name.casefold()

    def likeness(option: str) -> float:
        return SequenceMatcher(None, wanted, option.casefold()).ratio()

    return sorted(valid, key=likeness, reverse=True)


def quoted(names: Iterable[object], limit: int = 12) -> str:
    """Join names, or labels of any kind, for a sentence; of a long list or name, the beginning.

    Examples
    --------
    >>> quoted(["a", "b", "c"], limit=2)
    "'a', 'b' and 1 more"
    >>> len(quoted(["no header, but a file that holds no text at all " * 100]))
    63
    """
    listed = list(names)
    shown = ", ".join(excerpt(name) if isinstance(name, str) else quote(name) for name in listed[:limit])
    more = len(listed) - limit
    return f"{shown} and {more} more" if more > 0 else shown


def quote(value: object) -> str:
    r"""Show a label, a word or a name in quotes, on one line and as a person reads it, without escapes.

    An arrow stands for the end of a line, another for a tab; other control characters stay escaped.

    Examples
    --------
    >>> print(quote("it's"), quote("line one\nline two"), quote(3))
    "it's" 'line one ↵ line two' 3
    """
    if not isinstance(value, str):
        return repr(value)
    line = re.sub(r" *(?:\r\n|[\n\r\v\f\x85\u2028\u2029]) *", " ↵ ", value).replace("\t", "⇥")
    shown = "".join(c if c.isprintable() or c in _KEPT else repr(c)[1:-1] for c in line)
    if "'" not in shown:
        return f"'{shown}'"
    return f'"{shown}"' if '"' not in shown else f"“{shown}”"


def counted(n: int, one: str, many: str) -> str:
    """Write a number with what it counts.

    Examples
    --------
    >>> counted(1, "row", "rows"), counted(1200, "row", "rows")
    ('1 row', '1,200 rows')
    """
    return f"{n:,} {one if n == 1 else many}"


def shortened(value: object, width: int = 60) -> str:
    """Show a value of any kind as Python writes it; of a long one, the beginning.

    Examples
    --------
    >>> shortened([1, 2]), shortened("x" * 100, width=5)
    ('[1, 2]', "'xxxx…")
    """
    try:
        shown = repr(value)
    except ValueError:  # a number of more digits than Python writes
        return "a number of thousands of digits"
    except RecursionError:
        return f"a {type(value).__name__} with others inside it, deeper than Python writes"
    return shown if len(shown) <= width else shown[:width] + "…"


def all_of(n: int, one: str, many: str) -> str:
    """Write that all of something are meant, however many they are.

    Examples
    --------
    >>> all_of(1, "text has", "texts have"), all_of(1200, "text has", "texts have")
    ('the only text has', 'all 1,200 texts have')
    """
    return f"the only {one}" if n == 1 else f"all {counted(n, one, many)}"


def excerpt(text: str, width: int = 60) -> str:
    r"""Show the beginning of a text on one line, in quotes; an arrow stands for the end of a line.

    Examples
    --------
    >>> excerpt("line one\nline two", width=14)
    "'line one ↵ lin…'"
    """
    line = re.sub(r" *\r?\n *", " ↵ ", text[: 4 * width])
    return quote(line if len(line) <= width and len(text) <= 4 * width else line[:width] + "…")


def check_choice(what: str, given: object, valid: Iterable[str]) -> None:
    """Complain about a value that is none of the valid ones; `what` begins the sentence.

    Examples
    --------
    >>> check_choice("method", "wald", ["exact", "walds"])
    Traceback (most recent call last):
        ...
    assay.errors.ParameterError: method must be one of 'walds', 'exact'. Got 'wald' instead.
    """
    choices = list(valid)
    if not isinstance(given, str) or given not in choices:
        named = quoted(nearest_first(given, choices) if isinstance(given, str) else choices)
        raise ParameterError(f"{what} must be one of {named}. Got {shortened(given)} instead.")


def refuse_unknown(settings: Iterable[str], known: Iterable[str], where: str) -> None:
    """Complain about the first setting that is not known.

    Examples
    --------
    >>> refuse_unknown({"min_fd": 2}, ["min_df", "norm"], "of a block of features")
    Traceback (most recent call last):
        ...
    assay.errors.ParameterError: There is no setting 'min_fd' of a block of features. Settings are 'min_df', 'norm'.
    """
    choices = list(known)
    for name in settings:
        if name not in choices:
            named = quoted(nearest_first(name, choices), 20)
            raise ParameterError(f"There is no setting {name!r} {where}. Settings are {named}.")
