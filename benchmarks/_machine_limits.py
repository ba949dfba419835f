"""How quickly this machine handles bytes at all: what any reader of text can be held against."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from _measuring import race

__all__ = ["count_words", "measure_limits"]

Bytes = npt.NDArray[np.uint8]

BLOCK = 1 << 18  # stays in a core's own cache


def measure_limits(content: Bytes, result_bytes: int, threads: int, repeats: int) -> list[dict[str, Any]]:
    """Time the copying of the bytes, the finding of their words, and the first touch of as much memory as a result has.

    MB/s are those of the text in every row, so that they stand beside those of the vectorizers.
    """
    copied = np.ones_like(content)
    timings = race(
        {
            "copying the bytes": lambda: np.copyto(copied, content),
            "counting words as `wc -w` does": lambda: count_words(content),
            f"counting words, {threads} threads": lambda: _by_threads(count_words, content, threads),
            f"first touch of {result_bytes / len(content):.1f} bytes a byte, as in the matrix of words and pairs": (
                lambda: np.empty(result_bytes, dtype=np.uint8).fill(1)
            ),
        },
        repeats,
    )
    n_megabytes = len(content) / 1e6
    return [
        {"limit": name, "MB": n_megabytes, "s": timing.best, "MB/s": n_megabytes / timing.best}
        for name, timing in timings.items()
    ]


def count_words(content: Bytes) -> int:
    """Runs of bytes above the space.

    >>> count_words(np.frombuffer(b" one two  three", dtype=np.uint8))
    3
    """
    n_words = 0
    inside = np.zeros(BLOCK + 1, dtype=np.bool_)
    begins = np.empty(BLOCK, dtype=np.bool_)
    for start in range(0, len(content), BLOCK):
        block = content[start : start + BLOCK]
        n = len(block)
        np.greater(block, 32, out=inside[1 : n + 1])
        np.greater(inside[1 : n + 1], inside[:n], out=begins[:n])
        n_words += int(np.count_nonzero(begins[:n]))
        inside[0] = inside[n]
    return n_words


def _by_threads(work: Callable[[Bytes], Any], content: Bytes, threads: int) -> list[Any]:
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, np.array_split(content, threads)))
