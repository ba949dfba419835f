"""Tables that a person can read, as text and as HTML."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from textwrap import fill
from unicodedata import east_asian_width

__all__ = ["WIDTH", "Page", "Shown", "Table", "page_html", "page_text", "shorten"]

#: Columns of a page, unless its reader has more.
WIDTH = 80

_LEAST = 20  # to which the first column is cut before others have to follow below

# For notebooks; colours are see-through, so that they suit light and dark pages.
STYLE = (
    ".assay table{border-collapse:collapse;margin:0 0 1em;font-variant-numeric:tabular-nums}"
    ".assay caption{text-align:left;font-weight:bold;padding:.3em .6em}"
    ".assay td,.assay th{padding:.15em .6em;border-bottom:1px solid rgba(128,128,128,.25);white-space:nowrap}"
)


@dataclass(frozen=True)
class Table:
    """Rows under a heading; the first column is text, the others are numbers and stand to the right.

    Examples
    --------
    >>> print(Table("Scores", ("metric", "value"), [("accuracy", "0.900"), ("kappa", "0.8")]).text())
    Scores
      metric    value
      accuracy  0.900
      kappa       0.8
    """

    title: str
    headers: Sequence[str]
    rows: Sequence[Sequence[str]]

    def text(self, width: int = WIDTH) -> str:
        """Columns aligned by spaces; those that do not fit follow below, beside the first column once more."""
        most = max(_LEAST, width - _LEAST - 4)  # beside the first column
        headers = (self.headers[0], *(shorten(header, most) for header in self.headers[1:]))
        lines = [headers, *(tuple(row) for row in self.rows)]
        widths = [max(_width(line[c]) for line in lines) for c in range(len(self.headers))]
        room = width - 2 - sum(2 + wide for wide in widths[1:])
        if room < _LEAST:
            room = max(_LEAST, width - 4 - max(widths[1:], default=-2))
        if widths[0] > room:
            lines = [(shorten(line[0], room), *line[1:]) for line in lines]
            widths[0] = room
        blocks = []
        for columns in _fitting(widths, width):
            shown = ["  " + "  ".join(_pad(line[c], widths[c], c > 0) for c in columns) for line in lines]
            blocks.append("\n".join(line.rstrip() for line in shown))
        return f"{fill(self.title, width)}\n" + "\n\n".join(blocks)

    def html(self) -> str:
        """One <table>; every cell is escaped."""
        head = "".join(_cell(header, c, "th") for c, header in enumerate(self.headers))
        body = "".join("<tr>" + "".join(_cell(cell, c) for c, cell in enumerate(row)) + "</tr>" for row in self.rows)
        caption = f"<caption>{escape(self.title)}</caption>"
        return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _fitting(widths: Sequence[int], width: int) -> list[list[int]]:
    """Columns in groups that are no wider than `width`, each with column 0."""
    groups, used = [[0]], 2 + widths[0]
    for column in range(1, len(widths)):
        if len(groups[-1]) > 1 and used + 2 + widths[column] > width:
            groups.append([0])
            used = 2 + widths[0]
        groups[-1].append(column)
        used += 2 + widths[column]
    return groups


def page_text(
    heading: str, tables: Sequence[Table], notes: Sequence[str], title: str = "Notes", *, width: int = WIDTH
) -> str:
    """Heading, tables and notes, an empty line between them."""
    parts = [fill(heading, width), *(table.text(width) for table in tables)]
    if notes:
        wrapped = [fill(note, width, initial_indent="  - ", subsequent_indent="    ") for note in notes]
        parts.append("\n".join([title, *wrapped]))
    return "\n\n".join(parts)


def page_html(heading: str, tables: Sequence[Table], notes: Sequence[str], title: str = "Notes") -> str:
    """The same for a notebook."""
    listed = "".join(f"<li>{escape(note)}</li>" for note in notes)
    parts = [f"<p><strong>{escape(heading)}</strong></p>", *(table.html() for table in tables)]
    if notes:
        parts.append(f"<p>{escape(title)}</p><ul>{listed}</ul>")
    return f"<div class='assay'><style>{STYLE}</style>" + "".join(parts) + "</div>"


#: Heading, tables and notes; and, where they are called otherwise, what the notes are.
Page = tuple[str, Sequence[Table], Sequence[str]] | tuple[str, Sequence[Table], Sequence[str], str]


class Shown:
    """A result that is printed, and shown in notebooks, as a page; a subclass has `_page`.

    Examples
    --------
    >>> class Answer(Shown):
    ...     def _page(self):
    ...         return "An answer", [Table("Numbers", ("of", "n"), [("life", "42")])], ["It is short."]
    >>> print(Answer())
    An answer
    <BLANKLINE>
    Numbers
      of     n
      life  42
    <BLANKLINE>
    Notes
      - It is short.
    """

    def text(self, width: int = WIDTH) -> str:
        """Everything, as tables of at most `width` columns."""
        return page_text(*self._page(), width=width)

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return page_html(*self._page())

    @abstractmethod
    def _page(self) -> Page: ...


def shorten(text: str, width: int = 60) -> str:
    """One line of at most `width` characters."""
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 1] + "…"


def _cell(cell: str, column: int, tag: str = "td") -> str:
    side = "left" if column == 0 else "right"
    return f"<{tag} style='text-align:{side}'>{escape(cell)}</{tag}>"


def _width(text: str) -> int:
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


def _pad(text: str, width: int, right: bool) -> str:
    space = " " * (width - _width(text))
    return space + text if right else text + space
