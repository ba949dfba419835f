"""Whether there is room for a large table before it is made.

Linux hands out memory that it does not have, and ends the process that uses it. So what is large is compared with what
is free, and refused in words.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from assay.errors import NotEnoughMemoryError

__all__ = ["free_memory", "require_room", "require_room_for_weights"]

_LARGE = 1 << 30
_MEMINFO = Path("/proc/meminfo")
_LIMITS = (  # of a container: what it may have, and what it has
    (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current")),
    (Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"), Path("/sys/fs/cgroup/memory/memory.usage_in_bytes")),
)


def require_room(n_bytes: int, what: str) -> None:
    """Refuse to make something that is larger than all memory that is free.

    Parameters
    ----------
    n_bytes
        How large it is.
    what
        The beginning of the sentence, such as "The weights of 200,000 features for 100,000 labels".
    """
    if n_bytes <= _LARGE:
        return
    free = free_memory()
    if free is not None and n_bytes > free:
        raise NotEnoughMemoryError(
            f"{what} would take {n_bytes / 1e9:,.1f} GB of memory, and {free / 1e9:,.1f} GB are free. Use fewer labels "
            "or texts, smaller features (fewer n-grams, a larger min_df), or a computer with more memory."
        )


def require_room_for_weights(n_features: int, n_outputs: int, n_bytes: int = 8) -> None:
    """The same for a table of weights, with so many bytes a number."""
    require_room(
        n_features * n_outputs * n_bytes, f"A table of the weights of {n_features:,} features for {n_outputs:,} labels"
    )


def free_memory() -> int | None:
    """Bytes that could be had; None where the system does not say."""
    known = [_available(), *(_left(*files) for files in _LIMITS)]
    return min((number for number in known if number is not None), default=None)


def _available() -> int | None:
    for line in _lines(_MEMINFO):
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) << 10
    return None


def _left(most: Path, now: Path) -> int | None:
    allowed, used = next(iter(_lines(most)), ""), next(iter(_lines(now)), "")
    return max(int(allowed) - int(used), 0) if allowed.isdecimal() and used.isdecimal() else None


def _lines(file: Path) -> Iterable[str]:
    try:
        return file.read_text("ascii").splitlines()
    except (OSError, ValueError):
        return ()
