"""What a decision loses with each word, on a terminal: for models without a weight a word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.text import Text

from assay.cli.screens.explanation import WIDEST, coloured_text, word_table
from assay.cli.screens.tables import indented
from assay.explanation.occlusion_view import HOW_OCCLUSION
from assay.explanation.presentation import headline, removal_sentence
from assay.suggest import quote
from assay.terminal import visible

if TYPE_CHECKING:
    from rich.console import Console

    from assay.explanation.occlusion import Occlusion

__all__ = ["show_occlusion"]


def show_occlusion(occlusion: Occlusion, console: Console, *, label: str | None, against: str | None, top: int) -> None:
    """The decision, the coloured text, the words, which of them it hangs on, and that this is not exact."""
    width = min(console.width, WIDEST)
    pieces = occlusion.pieces(label, against)  # complains about a label before anything is printed
    shown = occlusion.shown if label is None else label
    versus = f" against {quote(against)}" if against else ""
    console.print(Text(visible(headline(occlusion)), style="bold"), width=width)
    console.print()
    console.print(Padding(coloured_text(pieces), (0, 0, 0, 2), expand=False), width=width)
    console.print()
    console.print(Text(visible(f"What {quote(shown)} loses{versus} without each word:")), width=width)
    console.print(indented(word_table(pieces, top)))
    console.print()
    console.print(Text(visible(removal_sentence(occlusion, label))), width=width)
    console.print(Text(HOW_OCCLUSION, style="dim"), width=width)
