"""How many threads a kernel may use."""

from __future__ import annotations

import os

from assay.errors import ParameterError

__all__ = ["count_threads"]


def count_threads(n_jobs: int | None) -> int:
    """Number of threads that `n_jobs` asks for, in scikit-learn's manner: None or -1 is every core, -2 all but one.

    Examples
    --------
    >>> count_threads(3)
    3
    >>> count_threads(None) == count_threads(-1)
    True
    """
    if n_jobs is not None and (not isinstance(n_jobs, int) or n_jobs == 0):
        raise ParameterError(
            f"The 'n_jobs' parameter must be a positive number of threads, -1 for every core, or None. "
            f"Got {n_jobs!r} instead."
        )
    if n_jobs is not None and n_jobs > 0:
        return n_jobs
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores if n_jobs is None else max(1, cores + 1 + n_jobs)
