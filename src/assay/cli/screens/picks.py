"""Texts to label next, on the terminal and for other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus
    from assay.labeling.picks import Picks

__all__ = ["picks_with_places", "show_picks"]

_SHOWN = 300  # characters of a text
_FEW = 20  # texts that are shown where a file has all of them


def show_picks(picks: Picks, corpus: Corpus, *, written: bool = False) -> None:
    """Of each its row, its text, and below that the reason and a suggestion; the first few where a file has all."""
    from rich.text import Text

    from assay.cli.screens.console import results
    from assay.cli.screens.tables import indented, plain_table
    from assay.labeling.picks import label_text
    from assay.suggest import counted
    from assay.terminal import one_line, visible

    console = results()
    labelled = f"{picks.n_labelled:,} of {counted(picks.n_texts, 'text', 'texts')} labelled"
    console.print(Text(f"{counted(len(picks), 'text', 'texts')} to label next; {labelled}", style="bold"))
    if not len(picks):
        return
    table = plain_table()
    table.add_column("row", justify="right", no_wrap=True)
    table.add_column("text, why it was picked, and what it may be", overflow="fold")
    rows = corpus.origin.rows(picks.rows)
    shown = _FEW if written else len(picks)
    for pick, row in list(zip(picks, rows.tolist(), strict=True))[:shown]:
        said = Text(one_line(pick.text, _SHOWN))
        said.append(f"\n{pick.why}", style="bold")
        said.append(f": {visible(pick.sentence)}", style="dim")
        if pick.suggestion is not None:
            said.append(f" → {visible(label_text(pick.suggestion)) or 'no label'}")
        table.add_row(f"{row:,}", said)
    console.print(indented(table))
    if len(picks) > shown:
        console.print(Text(f"  … and {len(picks) - shown:,} more"))


def picks_with_places(picks: Picks, corpus: Corpus) -> dict[str, Any]:
    """JSON-ready: each pick with its file, its row there, and the digest of its text."""
    from assay.data.reading.corrections import text_digest

    told = picks.to_dict()
    files, rows = corpus.origin.files_of_rows(), corpus.origin.rows(picks.rows).tolist()
    for pick, item, row in zip(picks, told["picks"], rows, strict=True):
        position = item.pop("row")
        item |= {"id": text_digest(pick.text), "position": position, "file": files[pick.row], "row": row}
    return told
