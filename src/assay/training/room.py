"""How many fits there is room for at a time: with hundreds of classes, weights take more memory than texts.

A table of weights has a number for every column and class, and a solver a copy or two beside it. Small ones are fitted
side by side, one in each thread; large ones one after the other, with all threads at work on each. That changes no bit.
"""

from __future__ import annotations

__all__ = ["fits_at_a_time"]

#: Weights of all fits at a time: a quarter of a gigabyte in single precision, three times that with the solvers' own.
MOST_WEIGHTS = 1 << 26


def fits_at_a_time(n_columns: int, n_classes: int, threads: int) -> int:
    """Fits of so many columns and classes to be made side by side.

    Examples
    --------
    >>> fits_at_a_time(1_500_000, 2, threads=4), fits_at_a_time(500_000, 300, threads=4)
    (4, 1)
    """
    n_weights = n_columns * (1 if n_classes == 2 else n_classes)
    return max(1, min(threads, MOST_WEIGHTS // max(n_weights, 1)))
