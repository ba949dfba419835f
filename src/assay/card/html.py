"""A card as one HTML page that needs nothing from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from assay.card.document import Block, Bullets, Grid, Paragraph, Section, Written

__all__ = ["page"]

_STYLE = """
:root { color-scheme: light dark; --ink: #1c2330; --paper: #ffffff; --line: #d9dee7; --soft: #f4f6f9; --mark: #8a5a00;
  --mark-paper: #fff6e3; }
@media (prefers-color-scheme: dark) { :root { --ink: #e3e7ee; --paper: #14181f; --line: #343b47; --soft: #1c222c;
  --mark: #f0c06a; --mark-paper: #2c2413; } }
body { margin: 0 auto; max-width: 52rem; padding: 2.5rem 1.25rem 5rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, sans-serif; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 2rem; }
h2 { font-size: 1.3rem; margin: 2.8rem 0 .8rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.8rem 0 .6rem; }
table { border-collapse: collapse; margin: .8rem 0 1.2rem; font-size: .92rem; display: block; overflow-x: auto; }
th, td { text-align: left; padding: .3rem .9rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.facts td:first-child { white-space: nowrap; opacity: .75; }
.facts td { overflow-wrap: anywhere; }
.missing { background: var(--mark-paper); border-left: 3px solid var(--mark); padding: .6rem 1rem; margin: 1rem 0; }
.missing b { color: var(--mark); }
li { margin: .35rem 0; }
@media print { body { max-width: none; padding: 0; } h2 { break-after: avoid; }
  table, .missing { break-inside: avoid; } }
"""


def page(title: str, sections: Sequence[Section]) -> str:
    """The whole page."""
    body = [f"<h1>{escape(title)}</h1>"]
    for section in sections:
        body.append(f"<h{section.level}>{escape(section.title)}</h{section.level}>")
        body += [_block(block) for block in section.blocks]
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style>"
    )
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body><main>\n'
        + "\n".join(body)
        + "\n</main></body></html>\n"
    )


def _block(block: Block) -> str:
    if isinstance(block, Paragraph):
        return f"<p>{escape(block.text)}</p>"
    if isinstance(block, Bullets):
        return "<ul>" + "".join(f"<li>{_item(item)}</li>" for item in block.items) + "</ul>"
    if isinstance(block, Grid):
        return _grid(block)
    return _written(block)


def _item(item: str | tuple[str, str]) -> str:
    return escape(item) if isinstance(item, str) else f"<b>{escape(item[0])}</b>: {escape(item[1])}"


def _grid(grid: Grid) -> str:
    def cells(kind: str, line: Sequence[str]) -> str:
        marks = ["" if column == 0 or not grid.numeric else " class='number'" for column in range(len(line))]
        return "".join(f"<{kind}{mark}>{escape(cell)}</{kind}>" for mark, cell in zip(marks, line, strict=True))

    head = f"<thead><tr>{cells('th', grid.headers)}</tr></thead>" if any(grid.headers) else ""
    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in grid.rows)
    return f"<table{'' if any(grid.headers) else ' class=facts'}>{head}<tbody>{body}</tbody></table>"


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
