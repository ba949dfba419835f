"""A card as one HTML page, in the frame of all pages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from assay.card.document import Block, Bullets, Grid, Paragraph, Section, Written
from assay.page import framed, in_parts, with_interval

__all__ = ["page"]


def page(title: str, sections: Sequence[Section]) -> str:
    """The whole page."""
    body: list[str] = []
    for section in sections:
        if section.level == 2:
            body.append(f"{'</section>' if body else ''}<section>")
        body.append(f"<h{section.level}>{escape(section.title)}</h{section.level}>")
        body += [_block(block) for block in section.blocks]
    head = f'<header class="answer alone"><div><h1>{in_parts(title)}</h1></div></header>'
    content = "\n".join([head, '<main id="content">', *body, "</section>" if body else "", "</main>"])
    return framed(content, title=title, where="model card")


def _block(block: Block) -> str:
    if isinstance(block, Paragraph):
        return f"<p>{in_parts(block.text)}</p>"
    if isinstance(block, Bullets):
        return "<ul>" + "".join(f"<li>{_item(item)}</li>" for item in block.items) + "</ul>"
    if isinstance(block, Grid):
        return _grid(block)
    return _written(block)


def _item(item: str | tuple[str, str]) -> str:
    return in_parts(item) if isinstance(item, str) else f"<b>{in_parts(item[0])}</b>: {in_parts(item[1])}"


def _grid(grid: Grid) -> str:
    def cells(kind: str, line: Sequence[str]) -> str:
        marks = ["" if column == 0 or not grid.numeric else " class='number'" for column in range(len(line))]
        return "".join(f"<{kind}{mark}>{with_interval(cell)}</{kind}>" for mark, cell in zip(marks, line, strict=True))

    head = f"<thead><tr>{cells('th', grid.headers)}</tr></thead>" if any(grid.headers) else ""
    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in grid.rows)
    kind = ' class="several"' if any(grid.headers) else ' class="pairs"'
    return f'<div class="wide"><table{kind}>{head}<tbody>{body}</tbody></table></div>'


def _written(written: Written) -> str:
    if written.text is None:
        return f"<div class='missing'><b>To be written by a person.</b> {escape(written.question)}</div>"
    return "\n".join(_person_block(block) for block in re.split(r"\n\s*\n", written.text.strip()))


def _person_block(text: str) -> str:
    """A paragraph, a heading or a list of what a person wrote in Markdown; anything else is shown as it stands."""
    lines = text.splitlines()
    if all(re.match(r"\s*[-*] ", line) for line in lines):
        return "<ul>" + "".join(f"<li>{_inline(line.strip()[2:])}</li>" for line in lines) + "</ul>"
    if len(lines) == 1 and (heading := re.match(r"#{1,6} +(.*)", text)):
        return f"<h4>{_inline(heading[1])}</h4>"
    return f"<p>{_inline(' '.join(lines))}</p>"


def _inline(text: str) -> str:
    shown = escape(text)
    shown = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", shown)
    shown = re.sub(r"`(.+?)`", r"<code>\1</code>", shown)
    shown = re.sub(r"\[([^\]]+)\]\((https?://[^)\s]+)\)", r'<a href="\2">\1</a>', shown)
    return re.sub(r"(?<![\w*])\*([^*]+)\*(?![\w*])", r"<i>\1</i>", shown)
