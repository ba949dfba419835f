"""The words of a text, as a person would point at them."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["TextPiece", "text_pieces"]

# Scripts written without spaces are pointed at character by character; a mark belongs to the letter before it.
_ALONE = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_MARKS = "\u0300-\u036f\u0900-\u0903\u093a-\u094f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"
_PIECE = re.compile(
    rf"(?P<word>[{_ALONE}]|(?:(?![{_ALONE}])\w)(?:(?![{_ALONE}])(?:\w|[{_MARKS}])|['’](?=\w))*|[^\w\s]+)|\s+"
)
_ASCII_PIECE = re.compile(r"(?P<word>\w+(?:'\w+)*|[^\w\s]+)|\s+", re.ASCII)  # the same, several times quicker


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A word, a run of punctuation, or the white space between them.

    Attributes
    ----------
    start, end
        Where it stands in the text.
    is_word
        False for white space.
    contribution
        Sum over its characters.
    """

    start: int
    end: int
    text: str
    is_word: bool
    contribution: float


def text_pieces(text: str, characters: NDArray[np.float64], until: int | None = None) -> list[TextPiece]:
    """Cut a text into pieces that, one after the other, are the text again.

    With `until`, only its beginning: up to the first piece that ends beyond so many characters.

    Examples
    --------
    >>> [piece.text for piece in text_pieces("It's so-so, 很好!", np.zeros(15)) if piece.is_word]
    ["It's", 'so', '-', 'so', ',', '很', '好', '!']
    """
    pattern = _ASCII_PIECE if text.isascii() else _PIECE
    matches = []  # every character is in one of them
    for match in pattern.finditer(text):
        matches.append(match)
        if until is not None and match.end() > until:
            break
    if not matches:
        return []
    sums = np.add.reduceat(characters[: matches[-1].end()], [match.start() for match in matches]).tolist()
    return [
        TextPiece(match.start(), match.end(), match[0], match["word"] is not None, contribution)
        for match, contribution in zip(matches, sums, strict=True)
    ]
