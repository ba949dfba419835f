"""One option of a command, as all of them are declared."""

from __future__ import annotations

from typing import Any

import typer

__all__ = ["OUTPUT", "option"]

OUTPUT = "Output"


def option(*names: str, help: str, panel: str | None = None, **others: Any) -> Any:
    """An option that the help lists under the heading `panel`; `others` are settings of `typer.Option`."""
    return typer.Option(*names, help=help, rich_help_panel=panel, **others)
