"""The signals that end a command, and with which exit code."""

from __future__ import annotations

import signal

__all__ = ["EXIT_CODES", "INTERRUPTED", "watched_signals"]

INTERRUPTED = 130

#: 128 and the number of the signal, as a shell would say.
EXIT_CODES: dict[int, int] = {signal.SIGINT: INTERRUPTED, signal.SIGTERM: 143}
if hasattr(signal, "SIGHUP"):
    EXIT_CODES[signal.SIGHUP] = 129


def watched_signals() -> list[int]:
    """Those that end this process: not the end of a terminal where ``nohup`` has it ignored."""
    hang_up = getattr(signal, "SIGHUP", None)
    return [number for number in EXIT_CODES if number != hang_up or signal.getsignal(number) != signal.SIG_IGN]
