"""The result of ``assay update`` as a person reads it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from assay.suggest import quoted
from assay.terminal import visible

if TYPE_CHECKING:
    from rich.console import Console

    from assay.updating.result import ModelUpdate

__all__ = ["show_update"]

_WAYS = {
    "again": "Trained again on all texts, with the settings of the first training",
    "onward": "Went on from the model alone, without the texts that it was trained on",
}


def show_update(
    update: ModelUpdate, written: Mapping[str, Path], console: Console, *, quiet: bool = False, gone: str | None = None
) -> None:
    """Print what went into the new model, whether it is better, and where the files are.

    Where the old texts were looked for and are `gone`, that says why.
    """
    name = visible(str(written["model"]))
    if quiet:
        console.print(Text(f"{name}: {visible(update.verdict)}"), soft_wrap=True)
        return
    if gone is not None:
        console.print(Text(visible(f"The old texts are not there: {gone}. With --data they could be named.")))
    console.print(Text(f"{_WAYS[update.way]}."))
    console.print(Text(visible(f"{update.counts.sentence[:1].upper()}{update.counts.sentence[1:]}.")))
    if update.new_labels:
        console.print(Text(visible(f"New classes: {quoted(update.new_labels)}.")))
    console.print()
    if update.is_worse:
        console.print(Text("The new model is clearly worse than the old one.", style="bold"))
    console.print(Text(visible(update.verdict)))
    for note in update.notes:
        console.print(Text(visible(f"Note: {note[:1].upper()}{note[1:]}.")))
    console.print()
    for what, path in written.items():
        console.print(Text(f"{what:<6} {visible(str(path))}"), soft_wrap=True)
