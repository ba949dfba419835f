"""How long a command has taken, from the start of its process on."""

from __future__ import annotations

import time

__all__ = ["begin", "seconds_so_far"]

_began = time.monotonic()


def begin(at: float | None = None) -> None:
    """A command begins, now or `at` a time of `time.monotonic`."""
    global _began
    _began = time.monotonic() if at is None else at


def seconds_so_far() -> float:
    """What the person who typed the command has waited."""
    return time.monotonic() - _began
