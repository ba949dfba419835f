"""Options that several commands share, so that each is spelt and explained in one way."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["Json", "Quiet"]

OUTPUT = "Output"

Json = Annotated[
    bool, typer.Option("--json", help="Print the result as JSON, for other programs.", rich_help_panel=OUTPUT)
]
Quiet = Annotated[
    bool,
    typer.Option(
        "--quiet", "-q", help="Print the result only: no notes, no progress.", rich_help_panel=OUTPUT
    ),
]
