"""What a card consists of, before it is Markdown or HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Block", "Bullets", "Grid", "Paragraph", "Section", "Written"]


@dataclass(frozen=True)
class Paragraph:
    """Plain text."""

    text: str


@dataclass(frozen=True)
class Bullets:
    """A list of plain texts; of two parts, the first stands out."""

    items: Sequence[str | tuple[str, str]]


@dataclass(frozen=True)
class Grid:
    """A table; the first column is text, the others are numbers where `numeric`."""

    headers: Sequence[str]
    rows: Sequence[Sequence[str]]
    numeric: bool = True


@dataclass(frozen=True)
class Written:
    """What a person has to write.

    Attributes
    ----------
    key
        Names the part, so that it is found again in a card that is there already.
    question
        What to write about.
    text
        What was written, as Markdown; None as long as nobody has.
    """

    key: str
    question: str
    text: str | None = None


Block = Paragraph | Bullets | Grid | Written


@dataclass(frozen=True)
class Section:
    """A heading and what stands under it; `level` 2 for a section, 3 for a part of one."""

    title: str
    blocks: Sequence[Block]
    level: int = 2
