"""A text on the terminal: made safe, as much of it as there is room for, and the keys below."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Collection, Mapping

from assay.cli.labeling.keys import ACTIONS, MEANINGS
from assay.suggest import counted, quote
from assay.terminal import one_line, visible

__all__ = ["help_lines", "key_lines", "text_lines", "wide_pages"]

_BESIDE = 10  # lines for everything but the text
_FEWEST = 5
_MOST = 2_000  # lines that are ever made of a text


def wide_pages() -> tuple[int, int]:
    """Columns and lines of the terminal, at least so many that something can be shown."""
    size = shutil.get_terminal_size((80, 24))
    return max(size.columns, 20), max(size.lines, _BESIDE + _FEWEST)


def text_lines(text: str, page: int, width: int, height: int) -> tuple[list[str], bool]:
    r"""The lines of a text that are shown on a page, from 0; and whether there are more.

    Examples
    --------
    >>> text_lines("one two three\nfour", 0, 8, 24)
    (['one two', 'three', 'four'], False)
    """
    room = height - _BESIDE
    most = (page + 1) * room + 1
    lines: list[str] = []
    cut = len(text) > _MOST * width
    for line in text[: _MOST * width].splitlines() or [""]:
        lines += textwrap.wrap(visible(line.expandtabs(4)), width, replace_whitespace=False, drop_whitespace=True) or [
            ""
        ]
        if len(lines) > most:
            break
    shown = lines[page * room : (page + 1) * room]
    return shown, len(lines) > (page + 1) * room or (cut and len(lines) >= _MOST)


def key_lines(keys: Mapping[str, str], chosen: Collection[str], others: int, width: int, *, sets: bool) -> list[str]:
    """The keys of the labels, those chosen marked, then those of everything else; no line is wider than `width`."""
    labels = [
        f"{'[' if name in chosen else ' '}{key} {one_line(quote(name)[1:-1], 30)}{']' if name in chosen else ' '}"
        for key, name in keys.items()
    ]
    if others:
        labels.append(f"and {counted(others, 'label', 'labels')} by name")
    actions = [f"{key} {what}" for key, what in ACTIONS.items() if what != "label by name" or others]
    if sets:
        actions.insert(0, "Enter: that is all")
    return [*_rows(labels, width), *_rows(actions, width)]


def help_lines(*, sets: bool) -> list[str]:
    """What each key does, a line a key."""
    labels = "chooses a label, and once more leaves it out" if sets else "gives the label beside it"
    meanings = {"1, 2 …": labels} | ({"Enter": "takes the labels that are chosen, or none"} if sets else {}) | MEANINGS
    return [f"  {key:<6}  {meaning}" for key, meaning in meanings.items()]


def _rows(items: Collection[str], width: int) -> list[str]:
    """Items one after the other, as many on a line as fit."""
    rows = [""]
    for item in items:
        if rows[-1] and len(rows[-1]) + 2 + len(item) > width:
            rows.append("")
        rows[-1] += f"{'  ' if rows[-1] else ''}{item}"
    return rows
