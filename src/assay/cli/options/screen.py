"""What a person is shown beside the result, and how: the options of every command that takes a while."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Annotated

from assay.cli.options.groups import Only
from assay.cli.options.option import OUTPUT, option

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["SCREEN", "JsonOrQuiet", "Screen"]

WAYS = ("auto", "plain", "none")
_FORCING = ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE")  # what rich looks at besides


@dataclass(frozen=True)
class Screen:
    """How much a command says, and in which form.

    Attributes
    ----------
    as_json
        The result is for another program.
    quiet
        Nothing but the result.
    progress
        ``"auto"``: live on a terminal, elsewhere a line now and then; ``"plain"``: lines everywhere; ``"none"``.
    """

    as_json: Annotated[bool, option("--json", help="Print the result as JSON, for other programs.", panel=OUTPUT)] = (
        False
    )
    quiet: Annotated[
        bool, option("--quiet", "-q", help="Print the result only: no notes, no progress.", panel=OUTPUT)
    ] = False
    progress: Annotated[
        str,
        option(
            "--progress",
            metavar="HOW",
            help="auto: drawn on a terminal, a line now and then elsewhere; plain: lines everywhere; none.",
            panel=OUTPUT,
        ),
    ] = "auto"

    def __post_init__(self) -> None:
        if self.progress not in WAYS:
            from assay.suggest import check_choice

            check_choice("--progress", self.progress, WAYS)

    @property
    def silent(self) -> bool:
        """Whether nothing is said beside the result."""
        return self.quiet or self.as_json

    @cached_property
    def notes(self) -> Console:
        """Standard error, for what a person should know beside the result."""
        from assay.cli.screens.console import notes

        return notes(quiet=self.silent)

    @property
    def is_terminal(self) -> bool:
        """Whether standard error is one, or is to be taken for one; rich, who knows, is asked only where it may be."""
        return (sys.stderr.isatty() or any(name in os.environ for name in _FORCING)) and self.notes.is_terminal

    @property
    def is_live(self) -> bool:
        """Whether progress is drawn, and drawn again: somebody sees it, and wants it so."""
        return self.progress == "auto" and not self.silent and self.is_terminal

    def beside(self, output: object) -> Screen:
        """The same for a command that writes to `output`, and where that is None, to standard output.

        There, rows are the result, with JSON or without it, and what is drawn would stand among them.
        """
        if output is not None:
            return self
        return replace(self, as_json=False, progress="none" if self.progress == "auto" else self.progress)

    def say(self, line: str) -> None:
        """Write a line beside the result."""
        self._write(line, soft_wrap=True)

    def note(self, sentences: Iterable[str]) -> None:
        """Say what was guessed, left out or repaired."""
        for sentence in sentences:
            self._write(f"Note: {sentence}.", soft_wrap=False)

    def _write(self, line: str, *, soft_wrap: bool) -> None:
        """Write a line, which on a terminal may be broken by words; elsewhere rich would add nothing to it."""
        if self.silent:
            return
        from assay.terminal import visible

        if self.is_terminal:
            self.notes.print(visible(line), soft_wrap=soft_wrap)
        else:
            sys.stderr.write(visible(line).expandtabs() + "\n")


SCREEN = Screen()
JsonOrQuiet = Annotated[Screen, Only(("as_json", "quiet"))]
