"""Where a command writes: results to standard output, everything else to standard error.

Colours and progress bars appear on a terminal only; rich looks at ``NO_COLOR``, ``TERM`` and ``COLUMNS``
itself. Nothing that comes from a file is taken for markup.
"""

from __future__ import annotations

import json
import re
import sys
from typing import IO, TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["notes", "print_json", "results"]


def results() -> Console:
    """Standard output, for what was asked for."""
    from rich.console import Console

    return Console(file=_trimmed(sys.stdout), markup=False, highlight=False, emoji=False)


def notes(*, quiet: bool = False) -> Console:
    """Standard error, for what a person should know beside the result; silent when `quiet`."""
    from rich.console import Console

    return Console(file=_trimmed(sys.stderr), stderr=True, markup=False, highlight=False, emoji=False, quiet=quiet)


class _Trimmed:
    """A text stream whose lines end where their text does: rich fills the last column of a table with spaces."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write without the spaces before ends of lines."""
        return self._stream.write(re.sub(r" +(?=\n)", "", text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _trimmed(stream: IO[str]) -> IO[str]:
    return stream if stream.isatty() else cast("IO[str]", _Trimmed(stream))


def print_json(value: Any) -> None:
    """Write `value` to standard output as JSON that any program can read."""
    from assay.terminal import visible_json

    written = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)
    sys.stdout.write((visible_json(written) if sys.stdout.isatty() else written) + "\n")
