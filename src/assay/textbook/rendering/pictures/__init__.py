"""Pictures of a trace: matplotlib figures that stand still.

matplotlib takes most of a second to import, so this package is imported only when a picture is asked for.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from matplotlib import rc_context
from matplotlib.figure import Figure

from assay.textbook.inputs import InputError, SettingError, nearest_first
from assay.textbook.rendering.pictures import charts, curves, diagrams, planes
from assay.textbook.rendering.pictures.style import STYLE

if TYPE_CHECKING:
    from assay.textbook.trace import Trace

__all__ = ["can_draw", "draw", "encode", "svg"]


class Picture(NamedTuple):
    """How to draw, and a check that gives the reason why not, or None."""

    draw: Callable[[Trace], Figure]
    reason: Callable[[Trace], str | None]


def _never(_: Trace) -> None:
    return None


PICTURES = {
    "boundary": Picture(planes.boundary, planes.no_boundary),
    "regions": Picture(planes.regions, planes.no_regions),
    "centres": Picture(planes.centres, planes.no_centres),
    "descent": Picture(curves.descent, curves.no_descent),
    "loss": Picture(curves.loss, curves.no_loss),
    "curve": Picture(curves.sigmoid_curve, _never),
    "histogram": Picture(curves.histogram, _never),
    "matrix": Picture(charts.matrix, charts.no_matrix),
    "bars": Picture(charts.bars, charts.no_bars),
    "map": Picture(charts.word_map, charts.no_word_map),
    "folds": Picture(diagrams.folds, _never),
    "network": Picture(diagrams.network, _never),
}


def can_draw(trace: Trace, kind: str) -> bool:
    """Say whether this picture can be drawn of this trace."""
    return PICTURES[kind].reason(trace) is None


def draw(trace: Trace, kind: str | None = None) -> Figure:
    """Draw one picture of a trace; by default the first that can be drawn."""
    kinds = trace.algorithm.pictures
    if kind is None:
        drawable = [name for name in kinds if can_draw(trace, name)]
        if not drawable:
            raise InputError(f"No picture of this trace can be drawn. {PICTURES[kinds[0]].reason(trace)}")
        kind = drawable[0]
    if kind not in kinds:
        names = ", ".join(nearest_first(kind, kinds))
        raise SettingError(f"There is no picture {kind!r} of {trace.algorithm.name}. There are: {names}.")
    reason = PICTURES[kind].reason(trace)
    if reason is not None:
        raise InputError(reason)
    with rc_context(STYLE):
        return PICTURES[kind].draw(trace)


def encode(figure: Figure, suffix: str) -> bytes:
    """Give the bytes of a file, ".svg" or ".png"; the same figure gives the same bytes."""
    buffer = io.BytesIO()
    kind = suffix.removeprefix(".")
    with rc_context(STYLE):
        figure.savefig(buffer, format=kind, metadata={"Date": None} if kind == "svg" else {"Software": None})
    return buffer.getvalue()


def svg(figure: Figure) -> str:
    """Give a figure as an SVG element to put into a page."""
    text = encode(figure, ".svg").decode()
    return text[text.index("<svg") :].strip()
