"""Diagrams: the folds of a cross-validation, and the toy network with its values and derivatives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from assay.textbook.backpropagation import forward
from assay.textbook.cross_validation import folds as cut_folds
from assay.textbook.rendering.numbers import show_number
from assay.textbook.rendering.pictures.style import CLASS_COLOURS, FAINT, new_figure

if TYPE_CHECKING:
    from assay.textbook.trace import Trace

__all__ = ["folds", "network"]


def folds(trace: Trace) -> Figure:
    """Draw which examples each fold tests, one row a fold."""
    n, k = trace.arguments["n"], trace.arguments.get("k", 10)
    cut = cut_folds(n, k, trace.arguments.get("seed"))
    figure, (ax,) = new_figure(6.4, 0.36 * k + 1.2)
    for row, (fold, step) in enumerate(zip(cut, trace.steps, strict=True)):
        for i in range(n):
            tested = i in fold
            colour = CLASS_COLOURS[1] if tested else CLASS_COLOURS[0]
            ax.add_patch(Rectangle((i, row + 0.1), 1, 0.8, color=colour, alpha=0.9 if tested else 0.25, linewidth=0))
        ax.text(n + 0.3, row + 0.5, show_number(step.score), va="center", fontsize=9)
    ax.set_xlim(0, n + 1.6)
    ax.set_ylim(k, 0)
    ax.set_xticks([i + 0.5 for i in range(n)] if n <= 20 else [], [f"#{i + 1}" for i in range(n)] if n <= 20 else [])
    ax.set_yticks([row + 0.5 for row in range(k)], [f"fold {row + 1}" for row in range(k)])
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set_title("Cross-validation: tested (orange), trained on (blue), and the score")
    return figure


def network(trace: Trace) -> Figure:
    """Draw the toy network: values in the nodes, weights on the edges, derivatives below both."""
    x, w, u = (trace.arguments[name] for name in ("x", "w", "u"))
    target, g = trace.arguments["target"], trace.result
    h1, h2, y = forward(x, w, u)
    figure, (ax,) = new_figure(7.4, 4.6)
    inputs = [(0.0, 3.0), (0.0, 2.0), (0.0, 1.0), (0.0, 0.0)]
    hidden = [(2.2, 2.5), (2.2, 0.5)]
    output, loss = (4.4, 1.5), (6.2, 1.5)
    for i in range(4):
        _edge(ax, inputs[i], hidden[i // 2], f"w{i + 1} = {w[i]:g}", f"∂ {show_number(g.w[i])}")
    for i in range(2):
        _edge(ax, hidden[i], output, f"u{i + 1} = {u[i]:g}", f"∂ {show_number(g.u[i])}")
    _edge(ax, output, loss, "", "")
    for i in range(4):
        _node(ax, inputs[i], f"x{i + 1}\n{x[i]:g}", show_number(g.x[i]))
    for i, value in enumerate((h1, h2)):
        _node(ax, hidden[i], f"h{i + 1}\n{show_number(value)}", show_number(g.h[i]))
    _node(ax, output, f"y\n{show_number(y)}", show_number(g.y))
    _node(ax, loss, f"L\n{show_number(g.loss)}", "")
    ax.text(loss[0], loss[1] + 0.62, f"y′ = {target:g}", ha="center", fontsize=9, color=FAINT)
    ax.set_xlim(-0.6, 6.9)
    ax.set_ylim(-0.75, 3.6)
    ax.set_axis_off()
    ax.set_title("Forward, black: values. Backward, orange: ∂L/∂ of each node and weight.")
    return figure


def _node(ax: Axes, place: tuple[float, float], text: str, gradient: str) -> None:
    ax.scatter(*place, s=1500, color="white", edgecolors=CLASS_COLOURS[0], linewidths=1.6, zorder=3)
    ax.text(*place, text, ha="center", va="center", fontsize=9, zorder=4)
    if gradient:
        ax.text(
            place[0],
            place[1] - 0.45,
            f"∂ {gradient}",
            ha="center",
            va="top",
            fontsize=9,
            color=CLASS_COLOURS[1],
            zorder=4,
        )


def _edge(ax: Axes, start: tuple[float, float], end: tuple[float, float], weight: str, gradient: str) -> None:
    ax.plot(*zip(start, end, strict=True), color="#bbbbbb", linewidth=1.4, zorder=1)
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    box = {"facecolor": "white", "edgecolor": "none", "pad": 1.0}
    ax.text(*middle, weight, ha="center", va="bottom", fontsize=8, bbox=box, zorder=2)
    ax.text(*middle, gradient, ha="center", va="top", fontsize=8, color=CLASS_COLOURS[1], bbox=box, zorder=2)
