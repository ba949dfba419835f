"""How many threads a kernel may use."""

from __future__ import annotations

import os

from assay.errors import ParameterError
from assay.wording import parameter

__all__ = ["MOST_THREADS", "count_threads"]

#: More do nothing but take memory, on any computer.
MOST_THREADS = 1024


def count_threads(n_jobs: int | None) -> int:
    """Number of threads that `n_jobs` asks for, in scikit-learn's manner: None or -1 is every core, -2 all but one.

    Examples
    --------
    >>> count_threads(3)
    3
    >>> count_threads(None) == count_threads(-1)
    True
    """
    if n_jobs is not None and (not isinstance(n_jobs, int) or isinstance(n_jobs, bool) or not _usable(n_jobs)):
        raise ParameterError(
            f"{parameter('n_jobs', option='--threads')} must be a positive number of threads, {MOST_THREADS:,} at "
            f"most, or -1 for every core. Got {n_jobs!r} instead."
        )
    if n_jobs is not None and n_jobs > 0:
        return n_jobs
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores if n_jobs is None else max(1, cores + 1 + n_jobs)


def _usable(n_jobs: int) -> bool:
    return n_jobs != 0 and abs(n_jobs) <= MOST_THREADS
