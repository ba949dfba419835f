"""matplotlib's figures as SVG that stands in a page: in the page's fonts, and in colours that follow its scheme."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from io import StringIO
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from assay.evaluation.plots import COLOURS

if TYPE_CHECKING:
    from assay.evaluation.evaluation import Evaluation

__all__ = ["evaluation_svg", "figure_svg"]

INK = "#0a0b0c"  # a colour that nothing else has, to be found again in the SVG
THEMED = {
    INK: "currentColor",
    "#999999": "var(--axis)",
    "#d9e6f2": "var(--bar)",
    **{colour.lower(): f"var(--c{i})" for i, colour in enumerate(COLOURS[:6], start=1)},
}
STYLE: Any = {
    "svg.fonttype": "none",  # letters stay letters: they can be read out, searched and copied
    "svg.hashsalt": "assay",  # the same figure is the same bytes
    "text.parse_math": False,  # a label may hold dollar signs
    "font.size": 10,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
    "legend.facecolor": "none",
    "axes.titlecolor": INK,
    **{f"{name}.color": INK for name in ("text", "xtick", "ytick")},
    **{f"axes.{name}": INK for name in ("edgecolor", "labelcolor")},
}


def evaluation_svg(evaluation: Evaluation, panel: str) -> Markup:
    """One panel of `Evaluation.plot`, without its title."""
    return figure_svg(lambda: evaluation.plot(panel), panel)


def figure_svg(make: Callable[[], Any], name: str) -> Markup:
    """The figure that `make` draws, without the titles of its panels; `name` is its own in the page."""
    import matplotlib

    with matplotlib.rc_context(STYLE), warnings.catch_warnings():
        # Letters stay letters and are drawn in the page's fonts: what matplotlib's own font lacks does not matter.
        warnings.filterwarnings("ignore", r"Glyph \d+")
        figure = make()
        for axes in figure.axes:
            axes.set_title("", loc="left")
        stream = StringIO()
        figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
    return Markup(for_page(stream.getvalue(), name))  # matplotlib escapes what labels hold


def for_page(svg: str, name: str) -> str:
    """An SVG file as a part of a page: no prolog, names of its own, colours and fonts of the page."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r' (width|height)="[\d.]+pt"', "", svg, count=2)
    svg = re.sub(r'\bid="', f'id="{name}-', svg)
    svg = re.sub(r'(xlink:href="#|url\(#)', rf"\g<1>{name}-", svg)
    svg = re.sub(r"font(-family)?: ([\d.]+px )?'DejaVu Sans'[^;\"]*", _inherited_font, svg)
    for colour, themed in THEMED.items():
        svg = re.sub(re.escape(colour), themed, svg, flags=re.IGNORECASE)
    return svg.replace("<svg ", '<svg role="img" ', 1)


def _inherited_font(match: re.Match[str]) -> str:
    return "font-family: inherit" if match[1] else f"font-size: {match[2]}; font-family: inherit"
