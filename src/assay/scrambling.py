"""Numbers as good as drawn at random from hashes: the same for the same hash and seed, on every machine."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["scrambled"]


def scrambled(hashes: NDArray[np.uint64], seed: int) -> NDArray[np.uint64]:
    """Mix the bits of hashes, and of a seed: SplitMix64's last step.

    Examples
    --------
    >>> [hex(key) for key in scrambled(np.array([1, 2], np.uint64), 0).tolist()]
    ['0x5692161d100b05e5', '0xdbd238973a2b148a']
    """
    mixed = hashes.astype(np.uint64) + np.uint64((seed * 0x9E3779B97F4A7C15) % (1 << 64))
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return np.asarray(mixed ^ (mixed >> np.uint64(31)))
