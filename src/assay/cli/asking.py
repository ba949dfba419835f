"""Asking a person at the terminal.

A question is asked only where somebody can see it and answer it: with standard input and standard error on a terminal,
and without ``--quiet`` or ``--json``. Everywhere else a command does what it would do without an answer, and says so.
"""

from __future__ import annotations

import sys

__all__ = ["can_ask", "confirm"]


def can_ask(*, quiet: bool) -> bool:
    """Whether there is anybody to ask."""
    return not quiet and sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def confirm(question: str) -> bool:
    """Ask a question that ``y`` or ``yes`` says yes to; anything else, and the end of the input, is no."""
    from assay.cli.console import notes
    from assay.cli.text import visible

    notes().print(f"{visible(question)} [y/N] ", end="", soft_wrap=True)
    answer = sys.stdin.readline()
    if not answer.endswith("\n"):
        notes().print()  # the end of the input leaves the cursor behind the question
    return answer.strip().casefold() in ("y", "yes")
