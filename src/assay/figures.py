"""Figures that are made without pyplot, so that they leave no global state behind, and show themselves in notebooks."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

from assay.optional import require

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["new_figure"]


def new_figure(width: float, height: float) -> Figure:
    """An empty figure, in inches, that a notebook can show."""
    matplotlib_figure: Any = require("matplotlib.figure", "Figures")

    class ShownFigure(matplotlib_figure.Figure):
        def _repr_png_(self) -> bytes:
            buffer = BytesIO()
            self.savefig(buffer, format="png", dpi=110)
            return buffer.getvalue()

    figure: Figure = ShownFigure(figsize=(width, height), layout="constrained")
    return figure
