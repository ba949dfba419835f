"""A page to read, written beside the result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.atomic_file import write_atomically

if TYPE_CHECKING:
    from assay.cli.options.screen import Screen

__all__ = ["write_page"]


def write_page(path: str, page: str, screen: Screen) -> None:
    """Write a page of HTML, and say where it is."""
    write_atomically(path, page.encode("utf-8", "replace"))
    screen.say(f"→ {path}")
