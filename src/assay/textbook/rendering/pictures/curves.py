"""Pictures with one number on each axis: the way downhill, the loss, the spread of a resampled difference."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from assay.textbook.arithmetic import dot
from assay.textbook.logistic import LogisticRegression
from assay.textbook.logistic_functions import cross_entropy, sigmoid
from assay.textbook.rendering.pictures.style import CLASS_COLOURS, FAINT, PATH, new_figure

if TYPE_CHECKING:
    from assay.textbook.trace import Trace

__all__ = ["descent", "histogram", "loss", "no_descent", "no_loss", "sigmoid_curve"]


def no_loss(trace: Trace) -> str | None:
    """Say why a loss curve cannot be drawn."""
    losses = [step for step in trace.steps if step.loss is not None]
    return None if len(losses) > 1 else "A loss curve needs at least two steps with a loss, and there is one or none."


def loss(trace: Trace) -> Figure:
    """Draw the loss after each step, and its mean over each epoch where the steps are single examples."""
    figure, (ax,) = new_figure(6.4, 3.6)
    steps = [step for step in trace.steps if step.loss is not None]
    noisy = steps[-1].epoch > 1 and sum(step.epoch == steps[-1].epoch for step in steps) > 1
    ax.plot(
        [step.number for step in steps],
        [step.loss or 0.0 for step in steps],
        color=CLASS_COLOURS[0],
        linewidth=0.9 if noisy else 1.8,
        alpha=0.55 if noisy else 1.0,
        marker="o" if len(steps) <= 40 else None,
        markersize=4,
        label="each step",
    )
    if noisy:
        means = []
        for _, members in groupby(steps, key=lambda step: step.epoch):
            group = list(members)
            means.append((group[-1].number, sum(step.loss or 0.0 for step in group) / len(group)))
        ax.plot(
            *zip(*means, strict=True),
            color=CLASS_COLOURS[1],
            linewidth=2.2,
            marker="s",
            markersize=4,
            label="mean of the epoch",
        )
        ax.legend(loc="upper right")
    ax.set_ylim(bottom=0 if min(step.loss or 0.0 for step in steps) >= 0 else None)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_xlabel("step")
    ax.set_ylabel("loss")
    ax.set_title(f"{trace.algorithm.title}: the loss")
    return figure


def sigmoid_curve(trace: Trace) -> Figure:
    """Draw the evidence of each feature on the left, and on the right where its sum lies on the sigmoid."""
    figure, (left, right) = new_figure(7.6, 3.4, columns=2)
    evidence = [step.score for step in trace.steps]
    rows = range(len(evidence))
    left.barh(rows, evidence, color=[CLASS_COLOURS[0] if e >= 0 else CLASS_COLOURS[1] for e in evidence], height=0.7)
    left.set_yticks(rows, [step.seen for step in trace.steps])
    left.invert_yaxis()
    left.tick_params(axis="y", length=0)
    left.axvline(0, color=FAINT, linewidth=0.8)
    left.set_xlabel("evidence, w · x")
    z = trace.steps[-1].parameters["z"]
    left.set_title(f"z = {z:.3f}")
    reach = max(6.0, abs(z) + 1)
    axis = np.linspace(-reach, reach, 200)
    right.plot(axis, [sigmoid(value) for value in axis], color=FAINT, linewidth=1.6)
    right.plot([z, z, -reach], [0, sigmoid(z), sigmoid(z)], color=CLASS_COLOURS[1], linewidth=0.9, linestyle="--")
    right.plot(z, sigmoid(z), "o", color=CLASS_COLOURS[1], markersize=8)
    right.set_xlim(-reach, reach)
    right.set_ylim(0, 1.02)
    right.set_xlabel("z")
    right.set_title(f"σ({z:.3f}) = {sigmoid(z):.2f}")
    return figure


def no_descent(trace: Trace) -> str | None:
    """Say why the way downhill cannot be drawn."""
    n = len(_places(trace)[0])
    if n <= 2:
        return None
    return f"The way downhill is drawn for one or two parameters, and there are {n}. Look at the loss instead."


def descent(trace: Trace) -> Figure:
    """Draw the function and the way that was taken: a curve for one parameter, contours for two."""
    places = np.array(_places(trace))
    f, names = _function(trace)
    return _on_a_curve(trace, f, places) if places.shape[1] == 1 else _on_contours(trace, f, places, names)


def _on_a_curve(trace: Trace, f: Callable[[Any], float], places: np.ndarray[Any, Any]) -> Figure:
    figure, (ax,) = new_figure(6.4, 4.0)
    xs = places[:, 0]
    around = np.linspace(*_view(f, xs), 200)
    ax.plot(around, [f(float(x)) for x in around], color=FAINT, linewidth=1.4)
    ys = [f(float(x)) for x in xs]
    ax.plot(xs, ys, color=CLASS_COLOURS[1], linewidth=1.2, marker="o", markersize=5, label="the way")
    ax.plot(xs[0], ys[0], "o", color=CLASS_COLOURS[0], markersize=9, label=f"start, {xs[0]:.4g}")
    ax.plot(xs[-1], ys[-1], "X", color=PATH, markersize=9, label=f"end, {xs[-1]:.4g}")
    ax.set_xlabel("x")
    ax.set_ylabel("f(x)")
    ax.legend(loc="best")
    ax.set_title(trace.title)
    return figure


def _view(f: Callable[[Any], float], xs: np.ndarray[Any, Any]) -> tuple[float, float]:
    """Look to both sides until the function is high above the start, or far away."""
    step = max(np.ptp(xs), 0.5) / 10
    start, end = f(float(xs[0])), f(float(xs[-1]))
    height = max(start, end) + 2 * abs(start - end)
    left, right = float(xs.min()) - step, float(xs.max()) + step
    for _ in range(80):
        left -= step if f(left) < height else 0
        right += step if f(right) < height else 0
    return left, right


def _on_contours(
    trace: Trace, f: Callable[[Any], float], places: np.ndarray[Any, Any], names: tuple[str, str]
) -> Figure:
    figure, (ax,) = new_figure(6.4, 4.6)
    span = np.ptp(places, axis=0)
    pad = np.maximum(0.35 * span, 0.25 * max(span.max(), 1e-3))
    (left, low), (right, high) = places.min(axis=0) - pad, places.max(axis=0) + pad
    xs, ys = np.meshgrid(np.linspace(left, right, 70), np.linspace(low, high, 70))
    values = np.array([f((float(x), float(y))) for x, y in zip(xs.ravel(), ys.ravel(), strict=True)])
    levels = values.min() + np.ptp(values) * np.linspace(0.08, 1, 13) ** 2  # closer together near the bottom
    lines = ax.contour(xs, ys, values.reshape(xs.shape), levels=levels, cmap="Greys_r", linewidths=0.9)
    ax.clabel(lines, list(lines.levels)[::3], fontsize=7)
    ax.plot(places[:, 0], places[:, 1], color=CLASS_COLOURS[1], linewidth=1.5, marker="o", markersize=3.5)
    ax.plot(*places[0], "o", color=CLASS_COLOURS[0], markersize=9, label="start")
    ax.plot(*places[-1], "X", color=PATH, markersize=9, label="end")
    ax.set_xlabel(names[0])
    ax.set_ylabel(names[1])
    ax.legend(loc="best")
    ax.set_title(trace.title)
    return figure


def _places(trace: Trace) -> list[list[float]]:
    """Give the parameters before the first step and after each."""
    if "x" in trace.arguments:
        values = [trace.arguments["x"], *(step.parameters["x"] for step in trace.steps)]
        return [list(value) if isinstance(value, tuple | list) else [value] for value in values]
    after = [[*step.parameters["w"], step.parameters["b"]] for step in trace.steps]
    return [[0.0] * len(after[0]), *after]


def _function(trace: Trace) -> tuple[Callable[[Any], float], tuple[str, str]]:
    if "f" in trace.arguments:
        return trace.arguments["f"], ("x₁", "x₂")
    return _mean_cross_entropy(trace.result, trace.arguments["X"], trace.arguments["y"]), ("w", "b")


def _mean_cross_entropy(model: LogisticRegression, X: Any, y: Any) -> Callable[[Any], float]:
    def cost(parameters: Any) -> float:
        *w, b = parameters
        losses = [
            cross_entropy(sigmoid(dot(w, x) + b), int(label == model.positive)) for x, label in zip(X, y, strict=True)
        ]
        return sum(losses) / len(losses)

    return cost


def histogram(trace: Trace) -> Figure:
    """Draw how often each difference was drawn, and where twice the observed one lies."""
    figure, (ax,) = new_figure(6.4, 3.8)
    test = trace.result
    values = np.round(np.array(test.deltas), 9)
    shown, counts = np.unique(values, return_counts=True)
    width = 0.8 * (np.diff(shown).min() if len(shown) > 1 else 1.0)
    surprising = shown >= 2 * test.delta - 1e-9
    ax.bar(shown[~surprising], counts[~surprising], width, color=CLASS_COLOURS[0], alpha=0.75, label="no surprise")
    ax.bar(
        shown[surprising],
        counts[surprising],
        width,
        color=CLASS_COLOURS[1],
        label=f"δ ≥ 2 δ(x): p = {test.p_value:.3g}",
    )
    ax.axvline(test.delta, color=PATH, linewidth=1.4)
    ax.annotate(
        "δ(x)", (test.delta, 1.0), xycoords=("data", "axes fraction"), xytext=(3, -10), textcoords="offset points"
    )
    ax.set_xlabel("δ of a virtual test set")
    ax.set_ylabel("test sets")
    ax.legend(loc="upper left")
    ax.set_title(f"{trace.algorithm.title}: {len(test.deltas)} virtual test sets")
    return figure
