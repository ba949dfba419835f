"""Many strings as two arrays: all their bytes in UTF-8, and where each begins."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["checked_strings", "strings_from_arrays", "strings_to_arrays", "typed_strings"]

StringArrays = tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]


def strings_to_arrays(strings: Iterable[str]) -> StringArrays:
    """Content and offsets: string i is ``content[offsets[i]:offsets[i + 1]]``.

    Examples
    --------
    >>> content, offsets = strings_to_arrays(["good", "bad"])
    >>> offsets.tolist()
    [0, 4, 7]
    """
    encoded = [string.encode("utf-8", "surrogatepass") for string in strings]
    offsets = np.zeros(len(encoded) + 1, dtype=np.int64)
    np.cumsum([len(string) for string in encoded], out=offsets[1:])
    return np.frombuffer(b"".join(encoded), dtype=np.uint8), offsets


def checked_strings(content: npt.NDArray[Any], offsets: npt.NDArray[Any]) -> StringArrays:
    """The same arrays, after everything about them was checked: they may come from anywhere."""
    content, offsets = typed_strings(content, offsets)
    if offsets[0] != 0 or offsets[-1] != len(content) or (np.diff(offsets) < 0).any():
        raise ValueError("the offsets of the terms do not rise from 0 to the number of bytes")
    try:
        content.tobytes().decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise ValueError(f"the terms are not UTF-8: {error}") from None
    starts = offsets[:-1][offsets[:-1] < len(content)]
    if (content[starts] & 0xC0 == 0x80).any():
        raise ValueError("the offsets of the terms cut a character in two")
    return content, offsets


def typed_strings(content: npt.NDArray[Any], offsets: npt.NDArray[Any]) -> StringArrays:
    """The same arrays, after their types were checked: what they say is left to whoever looks at them."""
    if content.dtype != np.uint8 or content.ndim != 1:
        raise ValueError(f"the terms are no bytes but {content.dtype} of shape {content.shape}")
    if offsets.dtype not in (np.int32, np.int64) or offsets.ndim != 1 or not len(offsets):
        raise ValueError(f"the offsets of the terms are {offsets.dtype} of shape {offsets.shape}")
    if len(offsets) - 1 > np.iinfo(np.int32).max:
        raise ValueError(f"{len(offsets) - 1} terms are more than there can be")
    return np.ascontiguousarray(content), np.ascontiguousarray(offsets, dtype=np.int64)


def strings_from_arrays(content: npt.NDArray[Any], offsets: npt.NDArray[Any]) -> list[str]:
    """The strings of checked arrays.

    Examples
    --------
    >>> strings_from_arrays(*strings_to_arrays(["naïve", "", "bad"]))
    ['naïve', '', 'bad']
    """
    content, offsets = checked_strings(content, offsets)
    joined, ends = content.tobytes(), offsets.tolist()
    return [joined[begin:end].decode("utf-8", "surrogatepass") for begin, end in pairwise(ends)]
