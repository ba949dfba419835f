"""Text that was decoded with the wrong encoding: 'CafÃ©' for 'Café'."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from assay.data.arrays import joined_mask, text_bytes

__all__ = ["REPLACEMENT", "find_mojibake", "unscrambled"]

REPLACEMENT = "\ufffd"

# What the bytes 80 to BF, which continue a character in UTF-8, look like in cp1252 and Latin-1.
_C = (
    "[\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013\u2014\u2018-\u201a\u201c-\u201e"
    "\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2122]"
)
# Two bytes: Latin, Greek, Cyrillic. Three: quotes and dashes ("â€™"), a byte order mark, U+FFFD. Four: emoji.
# A single scrambled CJK character could be real French (é, a no-break space, »), so two in a row are asked
# for.
_SCRAMBLED = f"[ÂÃÎÏÐÑ]{_C}|â[€\x80]{_C}|ï»¿|ï¿½|ð[Ÿ\x9f]{_C}{{2}}|(?:[ã-é]{_C}{{2}}){{2}}"
_PATTERN = re.compile(f"(?:{_SCRAMBLED})+")


def find_mojibake(texts: pa.ChunkedArray) -> npt.NDArray[np.bool_]:
    """Say which texts hold what looks like UTF-8 that was read as cp1252 or Latin-1, or U+FFFD.

    Examples
    --------
    >>> texts = ["CafÃ© olÃ©", "Café", "Itâ€™s", "São Paulo, ÃO"]
    >>> find_mojibake(pa.chunked_array([texts], pa.large_string()))
    array([ True, False,  True, False])
    """
    return np.concatenate([np.empty(0, bool), *map(_scrambled, texts.chunks)])


def _scrambled(chunk: pa.Array) -> npt.NDArray[np.bool_]:
    _, data = text_bytes(chunk)
    if not data.size or data.max() < 0x80:
        return np.zeros(len(chunk), bool)
    import pyarrow.compute as pc

    return joined_mask(pc.match_substring_regex(chunk, f"{_SCRAMBLED}|{REPLACEMENT}"))


def unscrambled(text: str) -> tuple[str, str] | None:
    """Return the first scrambled piece of a text and what it probably was; None if there is none.

    Examples
    --------
    >>> unscrambled("un cafÃ© noir")
    ('Ã©', 'é')
    """
    for match in _PATTERN.finditer(text):
        data = b"".join(_byte(character) for character in match[0])
        try:
            return match[0], data.decode()
        except UnicodeDecodeError:
            continue
    return None


def _byte(character: str) -> bytes:
    try:
        return character.encode("cp1252")
    except UnicodeEncodeError:
        return character.encode("latin-1", "replace")
