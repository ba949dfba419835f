"""Pictures in the plane of two features: boundaries that move, regions that grow, centres that wander."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

from assay.textbook.activations import activate
from assay.textbook.feed_forward import FeedForward
from assay.textbook.rendering.pictures.style import CLASS_COLOURS, FAINT, MARKERS, PATH, few, new_figure
from assay.textbook.steps import Step
from assay.textbook.voted_perceptron import VotedPerceptron

if TYPE_CHECKING:
    from assay.textbook.trace import Trace

Grid = np.ndarray[Any, Any]

__all__ = ["boundary", "centres", "no_boundary", "no_centres", "no_regions", "regions"]


def no_boundary(trace: Trace) -> str | None:
    """Say why a boundary cannot be drawn."""
    n = _n_features(trace)
    if n > 2:
        return f"A boundary is drawn in one or two dimensions, and {_too_many(trace, n)}"
    if len({tuple(x) for x in trace.arguments["X"]}) < 2:
        return "A boundary is drawn between points, and there is one point only. Read the steps instead."
    return None


def no_regions(trace: Trace) -> str | None:
    """Say why regions cannot be drawn."""
    n = _n_features(trace)
    if n == 2:
        return None
    return f"Regions are drawn in two dimensions, and {_too_many(trace, n)}"


def no_centres(trace: Trace) -> str | None:
    """Say why centres cannot be drawn."""
    n = _n_features(trace)
    return None if n == 2 else f"Centres are drawn in two dimensions, and {_too_many(trace, n)}"


def boundary(trace: Trace) -> Figure:
    """Draw the decision boundary after each update, the last one strongest."""
    return _thresholds(trace) if _n_features(trace) == 1 else _lines(trace)


def _lines(trace: Trace) -> Figure:
    figure, (ax,) = new_figure(6.4, 4.8)
    model = trace.result
    classes = [model.positive, model.negative]
    _frame(ax, trace)
    grid, shape = _grid(ax)
    above = (grid @ np.array(model.w) + model.b > 0).reshape(shape)
    ax.imshow(
        above,
        origin="lower",
        extent=(*ax.get_xlim(), *ax.get_ylim()),
        aspect="auto",
        interpolation="none",
        cmap=ListedColormap([CLASS_COLOURS[1], CLASS_COLOURS[0]]),
        vmin=0,
        vmax=1,
        alpha=0.1,
        zorder=0,
    )
    moved = [step for step in trace.steps if step.update != "none" and any(step.parameters["w"])]
    shown = moved if len(moved) <= 10 else few(moved, 8)
    lines = _distinct_lines(ax, shown)
    named = _apart(ax, lines)
    for k, (ends, numbers) in enumerate(lines.items()):
        name = ", ".join(map(str, numbers))
        _segment(ax, ends, PATH, 0.25 + 0.6 * (k + 1) / len(shown), 1.0, name if ends in named else "")
        if len(ends) < 2:
            ax.text(0.99, 0.01, f"outside: {name}", transform=ax.transAxes, ha="right", fontsize=7, color=FAINT)
    _segment(ax, _crossings(ax, model.w, model.b), "black", 1.0, 2.4)
    ax.plot([], [], color="black", linewidth=2.4, label="result")
    if hasattr(model, "margin"):
        for side in (-1, 1):
            _segment(ax, _crossings(ax, model.w, model.b + side), "black", 0.9, 1.0, style="--")
    _scatter(ax, trace, classes)
    ax.set_title(f"{trace.algorithm.title}: the boundary, step by step", pad=16)
    return figure


def _thresholds(trace: Trace) -> Figure:
    """Draw, for one feature, where the boundary stands after each step."""
    figure, (ax,) = new_figure(6.4, 4.2)
    model = trace.result
    xs = np.array([row[0] for row in trace.arguments["X"]], dtype=float)
    classes = [getattr(model, "positive", None), getattr(model, "negative", None)]
    for k, label in enumerate(classes):
        own = [x for x, y in zip(xs, trace.arguments["y"], strict=True) if y == label]
        ax.vlines(own, 0, len(trace.steps) + 1, CLASS_COLOURS[k], alpha=0.5, linewidth=2, label=str(label))
    placed = [
        (step.number, -step.parameters["b"] / step.parameters["w"][0])
        for step in trace.steps
        if step.parameters["w"][0]
    ]
    pad = (xs.max() - xs.min() or 1) * 0.1
    ax.plot([x for _, x in placed], [n for n, _ in placed], color=PATH, drawstyle="steps-post", linewidth=1.6)
    ax.plot([x for _, x in placed], [n for n, _ in placed], "o", color=PATH, markersize=4, label="boundary -b/w")
    if model.w[0]:
        result = -model.b / model.w[0]
        ax.axvline(result, color="black", linewidth=1.6, linestyle="--", label=f"result, {result:.4g}")
    ax.set_xlim(min(xs.min(), 0) - pad, xs.max() + pad)
    ax.set_ylim(len(trace.steps) + 1, 0)
    ax.set_xlabel(_name(trace, 0))
    ax.set_ylabel("step")
    ax.legend(loc="best")
    ax.set_title(f"{trace.algorithm.title}: the boundary after each step")
    return figure


def regions(trace: Trace) -> Figure:
    """Draw which class has which part of the plane, at four moments."""
    voted = isinstance(trace.result, VotedPerceptron)
    chosen = [trace.steps[-1]] if voted else few(trace.steps, 4)
    figure, axes = new_figure(6.4, 4.8) if voted else new_figure(6.8, 5.6, 2, (len(chosen) + 1) // 2)
    for unused in axes[len(chosen) :]:
        unused.set_axis_off()
    classes = _classes(trace)
    for ax, step in zip(axes, chosen, strict=False):
        _frame(ax, trace)
        grid, shape = _grid(ax)
        classed = _decide(trace, step, grid).reshape(shape)
        ax.imshow(
            classed,
            origin="lower",
            extent=(*ax.get_xlim(), *ax.get_ylim()),
            aspect="auto",
            interpolation="none",
            cmap=ListedColormap(CLASS_COLOURS[: len(classes)]),
            vmin=0,
            vmax=len(classes) - 1,
            alpha=0.2,
            zorder=0,
        )
        _scatter(ax, trace, classes, legend=step is chosen[-1])
        ax.set_title(f"after step {step.number}")
        ax.label_outer()
    if voted:
        most = max(s.votes for s in trace.result.survivors)
        for s in trace.result.survivors:
            _segment(axes[0], _crossings(axes[0], s.w, s.b), PATH, 0.25 + 0.6 * s.votes / most, 1.0, str(s.votes))
        axes[0].set_title(f"{trace.algorithm.title}: the votes of each boundary, and who wins", pad=16)
    return figure


def centres(trace: Trace) -> Figure:
    """Draw the points, coloured by their cluster, and the way of each centre."""
    figure, (ax,) = new_figure(6.4, 4.8)
    _frame(ax, trace)
    X = np.array(trace.arguments["X"], dtype=float)
    for c in range(len(trace.result.centres)):
        colour, marker = CLASS_COLOURS[c % len(CLASS_COLOURS)], MARKERS[c % len(MARKERS)]
        own = X[[cluster == c for cluster in trace.result.assignment]]
        ax.scatter(own[:, 0], own[:, 1], s=46, color=colour, marker=marker, alpha=0.75, label=f"cluster {c + 1}")
        way = np.array([step.parameters[f"c{c + 1}"] for step in trace.steps])
        ax.plot(way[:, 0], way[:, 1], color=colour, linewidth=1.4, zorder=3)
        ax.scatter(way[0, 0], way[0, 1], s=110, facecolors="none", edgecolors=colour, linewidths=1.6, zorder=3)
        for before, after in pairwise(way):
            if not np.allclose(before, after):
                ax.annotate(
                    "", after, before, arrowprops={"arrowstyle": "->", "color": colour, "linewidth": 1.4}, zorder=3
                )
        ax.scatter(way[-1, 0], way[-1, 1], s=130, color=colour, marker="X", edgecolors="white", zorder=4)
    ax.legend(loc="best")
    ax.set_title(f"{trace.algorithm.title}: from the start (ring) to where each centre stays (cross)")
    return figure


Ends = tuple[tuple[float, float], ...]


def _distinct_lines(ax: Axes, steps: Sequence[Step]) -> dict[Ends, list[int]]:
    """Give each line once, with the numbers of the steps after which the boundary lay there."""
    lines: dict[Ends, list[int]] = {}
    for step in steps:
        ends = _crossings(ax, step.parameters["w"], step.parameters["b"])
        ends = ends if len(ends) > 1 else ()  # outside the frame
        lines.setdefault(ends, []).append(step.number)
    return lines


def _apart(ax: Axes, lines: dict[Ends, list[int]]) -> set[Ends]:
    """Choose the lines that get a name: the latest first, and none whose name would stand on another's."""
    width, height = np.ptp(ax.get_xlim()), np.ptp(ax.get_ylim())
    named: dict[Ends, tuple[float, float]] = {}
    for ends in reversed([ends for ends in lines if len(ends) > 1]):
        x, y = _upper_end(ends)
        if all(abs(x - u) > 0.04 * width or abs(y - v) > 0.04 * height for u, v in named.values()):
            named[ends] = (x, y)
    return set(named)


def _upper_end(ends: Ends) -> tuple[float, float]:
    return max(ends, key=lambda end: (end[1], end[0]))


def _segment(ax: Axes, ends: Ends, colour: str, alpha: float, width: float, name: str = "", style: str = "-") -> None:
    """Draw a line between two points of the frame, with a name at its upper or right end."""
    if len(ends) < 2:
        return
    xs, ys = zip(*ends, strict=True)
    ax.plot(xs, ys, color=colour, alpha=alpha, linewidth=width, linestyle=style, zorder=2)
    if name:
        ax.annotate(
            name,
            _upper_end(ends),
            xytext=(2, 2),
            textcoords="offset points",
            color=colour,
            fontsize=8,
            annotation_clip=False,
        )


def _crossings(ax: Axes, w: Sequence[float], b: float) -> Ends:
    """Give the points of the frame where w · x + b = 0."""
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    found = []
    if w[1]:
        found += [(x, -(w[0] * x + b) / w[1]) for x in (left, right)]
    if w[0]:
        found += [(-(w[1] * y + b) / w[0], y) for y in (low, high)]
    inside = [p for p in found if left - 1e-9 <= p[0] <= right + 1e-9 and low - 1e-9 <= p[1] <= high + 1e-9]
    return tuple(sorted({(round(x, 6), round(y, 6)) for x, y in inside}))


def _frame(ax: Axes, trace: Trace) -> None:
    X = np.array(trace.arguments["X"], dtype=float)
    low, high = X.min(axis=0), X.max(axis=0)
    pad = 0.15 * np.where(high > low, high - low, 1.0)
    ax.set_xlim(low[0] - pad[0], high[0] + pad[0])
    ax.set_ylim(low[1] - pad[1], high[1] + pad[1])
    ax.set_xlabel(_name(trace, 0))
    ax.set_ylabel(_name(trace, 1))


def _grid(ax: Axes, n: int = 120) -> tuple[Grid, tuple[int, int]]:
    xs, ys = np.meshgrid(np.linspace(*ax.get_xlim(), n), np.linspace(*ax.get_ylim(), n))
    return np.column_stack([xs.ravel(), ys.ravel()]), xs.shape


def _scatter(ax: Axes, trace: Trace, classes: Sequence[Any], legend: bool = True) -> None:
    X, y = trace.arguments["X"], trace.arguments["y"]
    for k, label in enumerate(classes):
        own = [(i, x) for i, (x, name) in enumerate(zip(X, y, strict=True)) if name == label]
        ax.scatter(
            [x[0] for _, x in own],
            [x[1] for _, x in own],
            s=52,
            color=CLASS_COLOURS[k % len(CLASS_COLOURS)],
            marker=MARKERS[k % len(MARKERS)],
            edgecolors="white",
            linewidths=0.8,
            label=str(label),
            zorder=5,
        )
        if len(X) <= 12 and len(classes) == 2:
            for i, x in own:
                ax.annotate(
                    f"#{i + 1}", x, xytext=(5, -9), textcoords="offset points", fontsize=7, color=FAINT, zorder=5
                )
    if legend:
        ax.legend(loc="best")


def _decide(trace: Trace, step: Step, grid: Grid) -> Any:
    """Give for each point of the grid the number of its class, as the model stood after a step."""
    result, p = trace.result, step.parameters
    if isinstance(result, VotedPerceptron):
        votes = sum(s.votes * np.where(grid @ np.array(s.w) + s.b > 0, 1, -1) for s in result.survivors)
        return np.where(votes > 0, 0, 1)
    if isinstance(result, FeedForward):
        h = grid
        for k in range(1, len(result.layers) + 1):
            z = h @ np.array(p[f"W{k}"]).T + np.array(p[f"b{k}"])
            h = activate(result.activation, z)
        return np.argmax(z, axis=1)
    W = np.array([p[f"w[{c}]"] for c in result.classes])
    # the multi-class perceptron keeps the bias as the weight of a last feature
    b = [p["b"][str(c)] for c in result.classes] if "b" in p else W[:, 2:].sum(axis=1)
    return np.argmax(grid @ W[:, :2].T + b, axis=1)


def _classes(trace: Trace) -> list[Any]:
    result = trace.result
    return list(result.classes) if hasattr(result, "classes") else [result.positive, result.negative]


def _n_features(trace: Trace) -> int:
    return len(trace.arguments["X"][0])


def _name(trace: Trace, j: int) -> str:
    return trace.features[j] if trace.features else f"feature {j + 1}"


def _too_many(trace: Trace, n: int) -> str:
    names = f" ({', '.join(trace.features)})" if trace.features else ""
    return f"the data has {n} feature{'' if n == 1 else 's'}{names}. Choose two of them, or read the steps instead."
