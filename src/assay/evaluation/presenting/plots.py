"""Figures of an evaluation: confusion matrix, reliability, ROC and precision–recall curves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import DataError, ParameterError
from assay.evaluation.metrics.outcomes import choices
from assay.evaluation.presenting.curves import coverage_curve
from assay.figures import new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from assay.evaluation.protocols.evaluation import Evaluation

__all__ = ["plot_evaluation"]

# Okabe and Ito's colours, which readers with any kind of colour vision can tell apart.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000", "#999999")
# Beside the colours: curves that cross are told apart by their dashes, also in print.
DASHES: tuple[tuple[float, ...], ...] = ((), (5, 1.5), (1, 1), (6, 1.5, 1, 1.5), (3, 1), (8, 1.5, 1, 1.5, 1, 1.5))
MOST_CURVES = 6
MOST_NUMBERS = 20
MANY_CLASSES = 10
PANEL_SIDE = 4.6  # inches


def plot_evaluation(evaluation: Evaluation, what: str | Sequence[str] | None) -> Figure:
    """One panel for each thing asked for; by default all that can be drawn."""
    if what is None:
        panels = ["confusion"]
        panels += ["reliability"] if evaluation.outcomes.probabilities is not None else []
        panels += ["roc", "precision_recall"] if evaluation.outcomes.confidence is not None else []
    else:
        panels = [what] if isinstance(what, str) else list(what)
    for panel in panels:
        if panel not in PANELS:
            raise ParameterError(f"plot() draws {choices(panel, PANELS)}. Got {panel!r} instead.")
    n = len(evaluation.labels)
    if "confusion" in panels and len(panels) > 1 and n > MANY_CLASSES:
        return _plot_under_matrix(evaluation, [panel for panel in panels if panel != "confusion"])
    columns = min(2, len(panels))
    rows = -(-len(panels) // columns)
    side = PANEL_SIDE if panels != ["confusion"] else _matrix_side(n)
    figure = new_figure(columns * side * 1.1, rows * side)
    for place, panel in enumerate(panels, start=1):
        PANELS[panel](evaluation, figure.add_subplot(rows, columns, place))
    return figure


def _plot_under_matrix(evaluation: Evaluation, others: Sequence[str]) -> Figure:
    """A large confusion matrix, and the other panels in a row below it."""
    side = _matrix_side(len(evaluation.labels))
    figure = new_figure(max(side * 1.1, PANEL_SIDE * len(others)), side + PANEL_SIDE)
    grid = figure.add_gridspec(2, len(others), height_ratios=[side, PANEL_SIDE])
    PANELS["confusion"](evaluation, figure.add_subplot(grid[0, :]))
    for place, panel in enumerate(others):
        PANELS[panel](evaluation, figure.add_subplot(grid[1, place]))
    return figure


def _matrix_side(n_classes: int) -> float:
    return float(np.clip(0.32 * n_classes + 2.6, PANEL_SIDE, 15.0))


def plain_axes(axes: Axes, title: str, x: str, y: str) -> None:
    """Title, axis names, and no frame where there is no axis."""
    axes.set_title(title, loc="left", fontsize=11, fontweight="bold")
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.spines[["top", "right"]].set_visible(False)


def _draw_confusion(evaluation: Evaluation, axes: Axes) -> None:
    """Colours show shares of the true class; numbers are documents."""
    counts = evaluation.confusion.counts
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    names = [_short(label) for label in evaluation.labels]
    n = len(names)
    axes.imshow(shares, cmap="Blues", vmin=0, vmax=1)
    if n <= MOST_NUMBERS:
        size = float(np.clip(70 / n, 6, 11))
        for i in range(n):
            for j in range(n):
                if counts[i, j] or n <= 8:
                    colour = "white" if shares[i, j] > 0.55 else ("#222222" if counts[i, j] else "#999999")
                    axes.text(j, i, f"{counts[i, j]:,}", ha="center", va="center", color=colour, fontsize=size)
    longest = max(map(len, names))
    tick_size = float(np.clip(560 / n, 6, 10))
    turned = longest * n > 36
    if turned and n <= MOST_NUMBERS:
        slant: dict[str, Any] = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"}
    else:
        slant = {"rotation": 90 if turned else 0}
    axes.set_xticks(range(n), names, fontsize=tick_size, **slant)
    axes.set_yticks(range(n), names, fontsize=tick_size)
    axes.tick_params(length=0)
    plain_axes(axes, "Confusion", "predicted (colour: share of the true class)", "truth")
    axes.spines[:].set_visible(False)


def _draw_reliability(evaluation: Evaluation, axes: Axes) -> None:
    curve = evaluation.reliability(10)
    x = [b.confidence for b in curve.bins]
    y = [b.frequency.value for b in curve.bins]
    below = [b.frequency.value - b.frequency.low for b in curve.bins]
    above = [b.frequency.high - b.frequency.value for b in curve.bins]
    axes.plot([0, 1], [0, 1], color="#999999", linestyle="--", linewidth=1, label="perfectly calibrated")
    style: dict[str, Any] = {"marker": "o", "markersize": 4, "linewidth": 1.2, "capsize": 2}
    axes.errorbar(x, y, yerr=[below, above], color=COLOURS[0], label="model", **style)
    twin = axes.inset_axes((0.0, 0.0, 1.0, 0.16), sharex=axes)
    sizes = [b.n_documents for b in curve.bins]
    bars = twin.bar([b.low for b in curve.bins], sizes, 0.1, align="edge", color="#D9E6F2")
    twin.set_axis_off()
    twin.set_zorder(-1)
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1.02)
    axes.set_aspect("equal")
    lines, names = axes.get_legend_handles_labels()
    axes.legend([*lines, bars], [*names, "documents"], loc="upper left", fontsize=8, edgecolor="none")
    error = evaluation["calibration_error"].value
    title = f"Reliability (calibration error {error:.3f})"
    plain_axes(axes, title, "probability of the predicted label", "share that was right")


def _draw_roc(evaluation: Evaluation, axes: Axes) -> None:
    axes.plot([0, 1], [0, 1], color="#999999", linestyle="--", linewidth=1)

    def draw(label: Any, colour: str) -> str:
        curve = evaluation.roc(label)
        axes.plot(curve.false_positive_rate, curve.true_positive_rate, color=colour, linewidth=1.4)
        return f"{_short(label)} ({curve.area:.3f})"

    _draw_classes(evaluation, axes, draw, "lower right", "roc_auc")
    plain_axes(axes, "ROC curves (area)", "false positive rate", "true positive rate")


def _draw_precision_recall(evaluation: Evaluation, axes: Axes) -> None:
    def draw(label: Any, colour: str) -> str:
        curve = evaluation.precision_recall(label)
        axes.step(curve.recall, curve.precision, where="post", color=colour, linewidth=1.4)
        return f"{_short(label)} ({curve.area:.3f})"

    _draw_classes(evaluation, axes, draw, "lower left", "average_precision")
    plain_axes(axes, "Precision and recall (average precision)", "recall", "precision")


def _draw_coverage(evaluation: Evaluation, axes: Axes) -> None:
    """What would be gained by answering only where the model is sure."""
    share, accuracy = coverage_curve(evaluation.outcomes)
    axes.step(share, accuracy, where="post", color=COLOURS[0], linewidth=1.4)
    overall = evaluation.accuracy.value
    axes.axhline(overall, color="#999999", linestyle="--", linewidth=1, label=f"all answered: {overall:.3f}")
    axes.legend(loc="lower left", fontsize=8, edgecolor="none")
    axes.set_xlim(0, 1.01)
    axes.set_ylim(max(0.0, float(accuracy.min()) - 0.05), 1.01)
    plain_axes(axes, "Accuracy where the model is surest", "share of documents answered", "share that was right")


def _draw_classes(evaluation: Evaluation, axes: Axes, draw: Callable[[Any, str], str], place: Any, area: str) -> None:
    """The curve of each class; where there are many, those with the smallest areas."""
    defined = [label for label in evaluation.labels if evaluation.classes[label][area].defined]
    if not defined:
        raise DataError("There is no curve to draw: no label has documents of it and of others.")
    if area == "roc_auc" and len(evaluation.labels) == 2:
        defined = defined[-1:]  # the curve of one of two classes is the other's, turned round
    shown = defined
    if len(defined) > MOST_CURVES:
        shown = sorted(defined, key=lambda label: evaluation.classes[label][area].value)[:MOST_CURVES]
    names = [draw(label, COLOURS[i]) for i, label in enumerate(shown)]
    title = None if len(shown) == len(defined) else f"the {len(shown)} lowest of {len(defined)}"
    lines = axes.get_lines()[-len(names) :]
    for line, label, dashes in zip(lines, shown, DASHES, strict=False):
        line.set_linestyle((0, dashes) if dashes else "-")
        # The whole name, for a page that has room for it in a legend of its own.
        line.set_label(f"{label} ({evaluation.classes[label][area].value:.3f})")
    style: dict[str, Any] = {"fontsize": 8, "title": title, "title_fontsize": 8, "edgecolor": "none"}
    if title:  # low curves pass where a legend would stand: it stands under them
        axes.legend(lines, names, loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=2, **style)
    else:
        axes.legend(lines, names, loc=place, **style)
    axes.set_xlim(-0.01, 1.01)
    axes.set_ylim(0, 1.02)
    axes.set_aspect("equal")


def _short(label: object) -> str:
    text = str(label)
    return text if len(text) <= 24 else text[:23] + "…"


PANELS: dict[str, Callable[[Evaluation, Axes], None]] = {
    "confusion": _draw_confusion,
    "reliability": _draw_reliability,
    "roc": _draw_roc,
    "precision_recall": _draw_precision_recall,
    "coverage": _draw_coverage,
}
