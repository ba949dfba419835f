"""Words that say how a sentence is built and not what it is about."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Sequence
from pathlib import Path

from assay.errors import DataError, ParameterError
from assay.file_access import is_there, read_short_text
from assay.suggest import nearest_first, quoted

__all__ = ["LANGUAGES", "function_words", "stop_words"]

_FOLDER = Path(__file__).with_name("word_lists")

#: Languages of which there is a list.
LANGUAGES = tuple(sorted(path.stem for path in _FOLDER.glob("*.txt")))

_ENOUGH = 0.2  # share of the words of running text that its language's list holds; another language's holds less
_WORD = re.compile(r"(?u)[^\W\d_]+")


def stop_words(source: str | os.PathLike[str] | Collection[str]) -> frozenset[str]:
    """The words to leave out: a language's, those of a file, or those given.

    Examples
    --------
    >>> "and" in stop_words("english"), "und" in stop_words("german"), sorted(stop_words(["Re", "Fwd"]))
    (True, True, ['fwd', 're'])
    """
    if not isinstance(source, (str, os.PathLike)):
        return frozenset(str(word).casefold() for word in source)
    path = _FOLDER / f"{source}.txt" if str(source) in LANGUAGES else Path(source)
    if not (is_there(path) and path.is_file()):
        raise ParameterError(
            f"There are no stop words {str(source)!r}. Give a language, one of "
            f"{quoted(nearest_first(str(source), LANGUAGES))}, or a file of words."
        )
    try:
        words = frozenset(read_short_text(path).casefold().split())
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: stop words are read as UTF-8, and this file is not: {error}.") from None
    if not words:
        raise DataError(
            f"{path}: there is no word in this file. Write some, with spaces or ends of lines between them."
        )
    return words


def function_words(texts: Sequence[str]) -> frozenset[str]:
    """The list of the language that texts are in; none where they are in none of these.

    Examples
    --------
    >>> "the" in function_words(["the end of the story is not what you think"]), function_words(["Zażółć gęślą jaźń"])
    (True, frozenset())
    """
    words = [word for text in texts for word in _WORD.findall(text.casefold())]
    shares = {name: sum(word in found for word in words) for name in LANGUAGES for found in [stop_words(name)]}
    best = max(shares, key=lambda name: shares[name])
    return stop_words(best) if shares[best] > _ENOUGH * max(len(words), 1) else frozenset()
