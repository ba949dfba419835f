"""Asking a person at the terminal.

A question is asked only where somebody can see it and answer it: with standard input and standard error on a terminal,
and without ``--quiet`` or ``--json``. Everywhere else a command does what it would do without an answer, and says so.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.cli.options.screen import Screen

__all__ = ["can_ask", "choose", "confirm"]


def can_ask(screen: Screen) -> bool:
    """Whether there is anybody to ask."""
    return not screen.silent and sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def confirm(question: str) -> bool:
    """Ask a question until it is answered by ``y``, ``yes``, ``n`` or ``no``; an empty answer, or the end, is no."""
    from assay.cli.screens.console import notes
    from assay.terminal import visible

    while answer := _answer(f"{question} [y/N] "):
        if answer.casefold() in ("y", "yes", "n", "no"):
            return answer.casefold() in ("y", "yes")
        notes().print(f"{visible(answer)} is neither y (yes) nor n (no).", soft_wrap=True)
    return False


def choose(question: str, offers: Sequence[str]) -> int | None:
    """Ask which of some numbered offers is meant, from 0; None for an empty answer, or the end of the input."""
    from assay.cli.screens.console import notes
    from assay.terminal import visible

    notes().print(visible(question), soft_wrap=True)
    for number, offer in enumerate(offers, start=1):
        notes().print(f"  {number}  {visible(offer)}", soft_wrap=True)
    while answer := _answer("Number (nothing to stop): "):
        if answer.isdecimal() and 1 <= int(answer) <= len(offers):
            return int(answer) - 1
        notes().print(f"{visible(answer)} is not one of 1 to {len(offers)}.", soft_wrap=True)
    return None


def _answer(prompt: str) -> str:
    from assay.cli.screens.console import notes
    from assay.terminal import visible

    notes().print(visible(prompt), end="", soft_wrap=True)
    answer = sys.stdin.readline()
    if not answer.endswith("\n"):
        notes().print()  # the end of the input leaves the cursor behind the question
    return answer.strip()
