"""Texts as hand-made features see them: words, with inner apostrophes, and every other mark by itself.

N-grams are read by the native core, by the million. What people design looks at words in their places: what stands
before and after, how it is written, and whether a space is between.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, cached_property

__all__ = ["Tokens", "composed", "fold"]

_ASCII_TOKEN = re.compile(r"\w+(?:'\w+)*|[^\w\s]", re.ASCII)


class Tokens:
    """The tokens of a text.

    The text is put into Unicode's composed form (NFC) first: positions refer to that.

    Parameters
    ----------
    text
        Any text.

    Attributes
    ----------
    words
        The tokens as they are written.
    starts, ends
        Where each begins and ends in `text`.

    Examples
    --------
    >>> tokens = Tokens("Didn't he pay $3.50?")
    >>> tokens.words
    ["Didn't", 'he', 'pay', '$', '3', '.', '50', '?']
    >>> tokens.starts[3], tokens.folded[0]
    (14, "didn't")
    """

    def __init__(self, text: str) -> None:
        self.text = composed(text)
        self._pattern = _ASCII_TOKEN if text.isascii() else _unicode_token()
        self.words: list[str] = self._pattern.findall(self.text)

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def starts(self) -> list[int]:
        """Where each token begins."""
        return [match.start() for match in self._pattern.finditer(self.text)]

    @cached_property
    def ends(self) -> list[int]:
        """Where each token ends."""
        return [start + len(word) for start, word in zip(self.starts, self.words, strict=True)]

    @cached_property
    def folded(self) -> list[str]:
        """The tokens without case, see `fold`."""
        if self.text.isascii():
            folded: list[str] = self._pattern.findall(self.text.lower())
            return folded
        return list(map(fold, self.words))

    @cached_property
    def is_word(self) -> list[bool]:
        """Whether each token is a word or a number, not a mark."""
        return [len(word) > 1 or word.isalnum() or word == "_" for word in self.words]


def composed(text: str) -> str:
    """The text in Unicode's composed form, in which a letter and its accent are one character where they can be."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def fold(word: str) -> str:
    """The word without differences of case or of kinds of apostrophes.

    Examples
    --------
    >>> fold("STRASSE") == fold("straße"), fold("Don’t")
    (True, "don't")
    """
    return word.lower() if word.isascii() else word.casefold().replace("’", "'")


@cache
def _unicode_token() -> re.Pattern[str]:
    r"""As for ASCII, with the marks that combine with letters, such as vowel signs, which ``\w`` leaves out."""
    letter = rf"[\w{''.join(_combining_ranges())}]"
    return re.compile(rf"{letter}+(?:['’]{letter}+)*|[^\w\s]")


def _combining_ranges() -> Iterator[str]:
    marks = [point for point in (*range(0x300, 0x20000), *range(0xE0100, 0xE01F0)) if _combines(chr(point))]
    begin = previous = marks[0]
    for point in marks[1:]:
        if point != previous + 1:
            yield f"{chr(begin)}-{chr(previous)}"
            begin = point
        previous = point
    yield f"{chr(begin)}-{chr(previous)}"


def _combines(character: str) -> bool:
    return unicodedata.category(character) in ("Mn", "Mc")
