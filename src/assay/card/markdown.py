"""A card as Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assay.card.document import Block, Bullets, Grid, Paragraph, Section, Written

__all__ = ["escaped", "is_prompt", "prompt", "sections_markdown"]

_MARK = "> **To be written by a person.**"
# An underscore inside a word, or brackets that no address follows, mean nothing in Markdown.
_SPECIAL = re.compile(r"([\\`*<>|#~]|(?<!\w)_|_(?!\w)|\[(?=[^\]]*\] ?[(\[:]))")


def sections_markdown(sections: Sequence[Section]) -> str:
    """The body of the card."""
    parts = []
    for section in sections:
        parts.append(f"{'#' * section.level} {escaped(section.title)}")
        parts += [_block(block) for block in section.blocks]
    return "\n\n".join(parts)


def prompt(written: Written) -> str:
    """What stands where a person has not written yet."""
    return f"{_MARK} {written.question}"


def is_prompt(text: str) -> bool:
    """Whether nobody has written there yet, whatever an earlier version asked for."""
    return not text.strip() or (text.strip().startswith(_MARK) and "\n" not in text.strip())


def escaped(text: str) -> str:
    """Plain text on one line, so that nothing in it is taken for Markdown or HTML."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def _block(block: Block) -> str:
    if isinstance(block, Paragraph):
        return escaped(block.text)
    if isinstance(block, Bullets):
        return "\n".join(f"- {_item(item)}" for item in block.items)
    if isinstance(block, Grid):
        return _grid(block)
    text = block.text if block.text is not None else prompt(block)
    return f"<!-- assay:write {block.key} -->\n\n{text}\n\n<!-- /assay:write -->"


def _item(item: str | tuple[str, str]) -> str:
    if isinstance(item, str):
        return escaped(item)
    return f"**{escaped(item[0])}**: {escaped(item[1])}"


def _grid(grid: Grid) -> str:
    sides = ["---" if column == 0 or not grid.numeric else "---:" for column in range(len(grid.headers))]
    lines = [grid.headers, sides, *grid.rows]
    cells = [[cell if row == 1 else escaped(cell) for cell in line] for row, line in enumerate(lines)]
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)
