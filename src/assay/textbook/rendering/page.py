"""A trace as one HTML page that needs nothing else: no network, no script."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape

from assay.textbook.rendering.columns import Column, columns_of
from assay.textbook.steps import Step

__all__ = ["page", "step_table"]

_STYLE = """
:root { color-scheme: light dark; --line: #d8d8d8; --soft: #f5f5f2; --right: #1a7f37; --wrong: #b42318; }
@media (prefers-color-scheme: dark) {
  :root { --line: #444; --soft: #222; --right: #58c27d; --wrong: #ff7b72; }
  figure svg { background: #fff; border-radius: 6px; }
}
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1 { margin-bottom: 0; } .source { margin-top: .2rem; opacity: .75; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .35rem .7rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { position: sticky; top: 0; background: var(--soft); }
tr.epoch td { border-top: 2px solid currentColor; }
td.right { color: var(--right); } td.wrong { color: var(--wrong); font-weight: 600; }
td.number { white-space: nowrap; } figure { margin: 1.5rem 0; } figure svg { max-width: 100%; height: auto; }
.result { background: var(--soft); padding: .6rem 1rem; border-left: 4px solid var(--right); }
""".strip()


def page(
    title: str,
    source: str,
    notes: Sequence[str],
    steps: Sequence[Step],
    headings: Mapping[str, str],
    conclusion: str,
    pictures: Sequence[str],
) -> str:
    """Put a trace on one page.

    Parameters
    ----------
    title
        What was traced.
    source
        Where it comes from.
    notes
        Sentences to put above the table.
    steps
        All steps.
    headings
        What "seen", "score", "decision" and "update" are called.
    conclusion
        What came out.
    pictures
        SVG elements.
    """
    notes_html = "".join(f"<p>{escape(note)}</p>\n" for note in notes)
    figures = "".join(f"<figure>{_drawing(svg, title, i)}</figure>\n" for i, svg in enumerate(pictures, start=1))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{_STYLE}\n</style>\n</head>\n<body>\n"
        f'<h1>{escape(title)}</h1>\n<p class="source">{escape(source)}</p>\n{notes_html}'
        f"{step_table(steps, headings)}\n"
        f'<p class="result">{escape(conclusion)}</p>\n{figures}</body>\n</html>\n'
    )


def _drawing(svg: str, title: str, number: int) -> str:
    """A picture with names of its own in the page, and with what it shows for those who do not see it."""
    svg = re.sub(r'\bid="', f'id="picture-{number}-', svg)
    svg = re.sub(r'(xlink:href="#|url\(#)', rf"\g<1>picture-{number}-", svg)
    return svg.replace("<svg ", f'<svg role="img" aria-label="{escape(title)}, picture {number}" ', 1)


def step_table(steps: Sequence[Step], headings: Mapping[str, str]) -> str:
    """Give the steps as an HTML table.

    Examples
    --------
    >>> print(step_table([Step(1, "<b>", 0.0, "No", "add")], {}))
    <div class="scroll"><table>
    <thead><tr><th>step</th><th>seen</th><th>score</th><th>decision</th><th>update</th></tr></thead>
    <tbody>
    <tr><td class="number">1</td><td>&lt;b&gt;</td><td class="number">0</td><td>No</td><td>add</td></tr>
    </tbody></table></div>
    """
    columns = columns_of(steps, headings, longest=24)
    head = "".join(f"<th>{escape(column.heading)}</th>" for column in columns)
    rows = []
    for i, step in enumerate(steps):
        opens = ' class="epoch"' if i and step.epoch != steps[i - 1].epoch else ""
        rows.append(f"<tr{opens}>{''.join(_cell(column, i, step) for column in columns)}</tr>")
    body = "\n".join(rows)
    return f'<div class="scroll"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>'


def _cell(column: Column, i: int, step: Step) -> str:
    kind = "" if column.kind == "prose" else ' class="number"'
    if step.right is not None and column.cells[i] and column.cells[i][-1] in "✓✗":
        kind = f' class="{"right" if step.right else "wrong"}"'
    return f"<td{kind}>{escape(column.cells[i])}</td>"
