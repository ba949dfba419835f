"""matplotlib's figures as SVG that stands in a page: in the page's fonts, and in colours that follow its scheme."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from assay.evaluation.presenting.plots import COLOURS, DASHES

if TYPE_CHECKING:
    from assay.evaluation.protocols.evaluation import Evaluation

__all__ = ["Drawing", "Key", "draw", "evaluation_figure"]

INK = "#0a0b0c"  # a colour that nothing else has, to be found again in the SVG
THEMED = {
    INK: "currentColor",
    "#999999": "var(--axis)",
    "#d9e6f2": "var(--bar)",
    **{colour.lower(): f"var(--c{i})" for i, colour in enumerate(COLOURS[:6], start=1)},
}
PATTERNS = dict(zip(COLOURS, DASHES, strict=False))  # of a curve, by its colour
USUAL_DASHES = (3.7, 1.6)  # matplotlib's
STYLE: Any = {
    "svg.fonttype": "none",  # letters stay letters: they can be read out, searched and copied
    "svg.hashsalt": "assay",  # the same figure is the same bytes
    "text.parse_math": False,  # a label may hold dollar signs
    "font.size": 11.5,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
    "legend.facecolor": "none",
    "axes.titlecolor": INK,
    **{f"{name}.color": INK for name in ("text", "xtick", "ytick")},
    **{f"axes.{name}": INK for name in ("edgecolor", "labelcolor")},
}


@dataclass(frozen=True)
class Key:
    """What a line or an area of a figure is: its name, its colour and its dashes."""

    name: str
    colour: str
    dashes: str  # of SVG; empty for a line without gaps
    area: bool


@dataclass(frozen=True)
class Drawing:
    """A figure as SVG, and its legend, which the page writes in letters of its own size."""

    svg: Markup
    keys: tuple[Key, ...]
    title: str  # of the legend


def evaluation_figure(evaluation: Evaluation, panel: str, what: str) -> Drawing:
    """One panel of `Evaluation.plot`, without its title; `what` it shows is said to those who do not see it."""
    return draw(lambda: evaluation.plot(panel), panel, what)


def draw(make: Callable[[], Any], name: str, what: str) -> Drawing:
    """The figure that `make` draws, without the titles and legends of its panels; `name` is its own in the page."""
    import matplotlib

    with matplotlib.rc_context(STYLE), warnings.catch_warnings():
        # Letters stay letters and are drawn in the page's fonts: what matplotlib's own font lacks does not matter.
        warnings.filterwarnings("ignore", r"Glyph \d+")
        figure = make()
        keys, title = _without_legend(figure)
        stream = StringIO()
        figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
    return Drawing(Markup(for_page(stream.getvalue(), name, what)), keys, title)  # matplotlib escapes what labels hold


def _without_legend(figure: Any) -> tuple[tuple[Key, ...], str]:
    """Take titles and legends away, and give what the legends said."""
    keys: list[Key] = []
    title = ""
    for axes in figure.axes:
        axes.set_title("", loc="left")
        legend = axes.get_legend()
        if legend is None:
            continue
        title = legend.get_title().get_text()
        lines, names = axes.get_legend_handles_labels()
        known = set(names)
        keys += [_key(name, line) for line, name in zip(lines, names, strict=True)]
        for handle, text in zip(legend.legend_handles, legend.get_texts(), strict=True):
            if hasattr(handle, "get_facecolor") and text.get_text() not in known:
                keys.append(Key(text.get_text(), _themed(handle.get_facecolor()), "", area=True))
        legend.remove()
    return tuple(keys), title


def _key(name: str, drawn: Any) -> Key:
    line = drawn[0] if isinstance(drawn, tuple) else drawn  # of error bars, the line
    dashes = PATTERNS.get(line.get_color(), USUAL_DASHES) if line.is_dashed() else ()
    return Key(name, _themed(line.get_color()), " ".join(f"{2.6 * length:g}" for length in dashes), area=False)


def _themed(colour: Any) -> str:
    from matplotlib.colors import to_hex

    return THEMED.get(to_hex(colour), to_hex(colour))


def for_page(svg: str, name: str, what: str) -> str:
    """An SVG file as a part of a page: no prolog, names of its own, the page's colours and fonts, and what it shows."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r' (width|height)="[\d.]+pt"', "", svg, count=2)
    svg = re.sub(r'\bid="', f'id="{name}-', svg)
    svg = re.sub(r'(xlink:href="#|url\(#)', rf"\g<1>{name}-", svg)
    svg = re.sub(r"font(-family)?: ([\d.]+px )?'DejaVu Sans'[^;\"]*", _inherited_font, svg)
    for colour, themed in THEMED.items():
        svg = re.sub(re.escape(colour), themed, svg, flags=re.IGNORECASE)
    return svg.replace("<svg ", f'<svg role="img" aria-label="{escape(what)}" ', 1)


def _inherited_font(match: re.Match[str]) -> str:
    return "font-family: inherit" if match[1] else f"font-size: {match[2]}; font-family: inherit"
