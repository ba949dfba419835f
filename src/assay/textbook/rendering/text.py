"""A trace as a table of plain text, in the manner of the books."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from unicodedata import combining, east_asian_width

from assay.textbook.rendering.columns import Column, columns_of, constants_of
from assay.textbook.steps import Step

__all__ = ["table"]

_GAP = "  "
_LAST = 5  # of a long trace so many of the last steps are shown
_NARROWEST = 10  # a column of prose is not wrapped to fewer characters than this
_NUMBER = re.compile(r"-?\d+(\.\d+)?")


def table(
    steps: Sequence[Step], width: int = 100, limit: int = 30, headings: Mapping[str, str] = MappingProxyType({})
) -> str:
    """Lay steps out in rows or, where a row would not fit into the width, one below the other.

    Parameters
    ----------
    steps
        What to show.
    width
        The number of characters of a line.
    limit
        How many steps to show; of more, the first ones and the last five, and it is said how many are left out.
    headings
        What "seen", "score", "decision" and "update" are called.

    Examples
    --------
    >>> print(table([Step(1, "#1", 0.0, "No", "add", {"w": (1.0, 2.0), "b": 1.0}, "mistake", right=False)]))
    step  seen  score  decision  update  w       b  why
    ────  ────  ─────  ────────  ──────  ──────  ─  ───────
       1  #1        0  No ✗      add     (1, 2)  1  mistake
    """
    left_out = max(0, len(steps) - max(limit, _LAST + 1))
    first = len(steps) - left_out - _LAST if left_out else len(steps)
    constants = constants_of(columns_of(steps, headings))  # the same in all steps, not only in those shown
    shown = columns_of([*steps[:first], *steps[first + left_out :]], headings)
    columns = [column for column in shown if column.heading not in constants]
    widths = _fit(columns, width)
    heading, groups = _blocks(columns, width) if widths is None else _rows(columns, widths)
    if left_out:
        groups.insert(first, [f"… {left_out} step{'s' if left_out > 1 else ''} left out …"])
    notes = [f"{name}: {text}" for name, text in constants.items()]
    lines = [*notes, *([""] if notes else []), *heading, *(line for group in groups for line in group)]
    return "\n".join(line.rstrip() for line in lines).rstrip("\n")


def _rows(columns: Sequence[Column], widths: Sequence[int]) -> tuple[list[str], list[list[str]]]:
    """Give the two lines of the heading, and the lines of each step."""
    headings, rules, cells = [], [], []
    for column, width in zip(columns, widths, strict=True):
        numeric = _is_numeric(column)
        headings.append(_padded(column.heading, width, right=numeric))
        rules.append("─" * width)
        aligned = _aligned(column.cells) if numeric else column.cells
        cells.append([[_padded(line, width, right=numeric) for line in _wrapped(cell, width)] for cell in aligned])
    groups = []
    for row in zip(*cells, strict=True):
        height = max(len(lines) for lines in row)
        filled = [lines + [" " * width] * (height - len(lines)) for lines, width in zip(row, widths, strict=True)]
        groups.append([_GAP.join(parts) for parts in zip(*filled, strict=True)])
    return [_GAP.join(headings), _GAP.join(rules)], groups


def _blocks(columns: Sequence[Column], width: int) -> tuple[list[str], list[list[str]]]:
    """Give the lines of each step, one line a heading; a parameter that did not change is left out."""
    indent = max(_length(column.heading) for column in columns) + 4
    groups = []
    for i in range(len(columns[0].cells)):
        lines = [", ".join(f"{c.kind} {c.cells[i]}" for c in columns if c.kind in ("epoch", "step") and c.cells[i])]
        for column in columns:
            cell = column.cells[i]
            as_before = column.kind == "parameter" and i > 0 and cell == column.cells[i - 1]
            if cell and column.kind not in ("step", "epoch") and not as_before:
                first, *rest = _wrapped(cell, max(width - indent, _NARROWEST))
                lines.append(_padded(f"  {column.heading}", indent) + first)
                lines.extend(" " * indent + line for line in rest)
        groups.append([*lines, ""])
    return [], groups


def _fit(columns: Sequence[Column], width: int) -> list[int] | None:
    """Give each column its width, prose wrapped where needed; None if even that is too wide."""
    widths = [max(_length(text) for text in (column.heading, *column.cells)) for column in columns]
    numeric = [_is_numeric(column) for column in columns]
    for i, column in enumerate(columns):
        if numeric[i]:
            widths[i] = max(_length(column.heading), *(_length(cell) for cell in _aligned(column.cells)))
    least = [max(_NARROWEST, _length(column.heading)) for column in columns]
    excess = sum(widths) + len(_GAP) * (len(columns) - 1) - width
    while excess > 0:
        prose = [i for i, column in enumerate(columns) if column.kind == "prose" and widths[i] > least[i]]
        if not prose:
            return None
        widths[max(prose, key=lambda i: widths[i])] -= 1
        excess -= 1
    return widths


def _is_numeric(column: Column) -> bool:
    return all(not cell or _NUMBER.fullmatch(cell) for cell in column.cells)


def _aligned(cells: Sequence[str]) -> list[str]:
    """Fill numbers up on the right so that their decimal points stand below each other."""
    places = max(len(cell.partition(".")[2]) for cell in cells)
    if not places:
        return list(cells)
    return [cell + " " * (places + 1 - len(cell[cell.find(".") :]) if "." in cell else places + 1) for cell in cells]


def _wrapped(cell: str, width: int) -> list[str]:
    return [cell] if _length(cell) <= width else textwrap.wrap(cell, width) or [""]


def _padded(text: str, width: int, right: bool = False) -> str:
    blanks = " " * (width - _length(text))
    return blanks + text if right else text + blanks


def _length(text: str) -> int:
    """Count the places that a text takes up in a terminal."""
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)
