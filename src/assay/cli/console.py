"""Where a command writes: results to standard output, everything else to standard error.

Colours and progress bars appear on a terminal only; rich looks at ``NO_COLOR``, ``TERM`` and ``COLUMNS``
itself. Nothing that comes from a file is taken for markup.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["notes", "print_json", "results"]


def results() -> Console:
    """Standard output, for what was asked for."""
    from rich.console import Console

    return Console(markup=False, highlight=False, emoji=False)


def notes(*, quiet: bool = False) -> Console:
    """Standard error, for what a person should know beside the result; silent when `quiet`."""
    from rich.console import Console

    return Console(stderr=True, markup=False, highlight=False, emoji=False, quiet=quiet)


def print_json(value: Any) -> None:
    """Write `value` to standard output as JSON that any program can read."""
    json.dump(value, sys.stdout, ensure_ascii=False, indent=2, allow_nan=False)
    sys.stdout.write("\n")
