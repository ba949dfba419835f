"""One look for all pictures: colours that everybody can tell apart, no clutter, the same file every time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

__all__ = ["CLASS_COLOURS", "FAINT", "MARKERS", "PATH", "STYLE", "few", "new_figure", "write_words"]

# Okabe & Ito (2008): distinguishable with every kind of colour vision.
CLASS_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
MARKERS = ("o", "s", "^", "D", "v", "P")
PATH = "#333333"
FAINT = "#8a8a8a"

STYLE: dict[Any, Any] = {
    "svg.hashsalt": "assay",
    "svg.fonttype": "none",
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#666666",
    "axes.labelcolor": "#222222",
    "xtick.color": "#444444",
    "ytick.color": "#444444",
    "legend.frameon": True,
    "legend.framealpha": 0.85,
    "legend.edgecolor": "none",
    "legend.fontsize": 9,
    "savefig.dpi": 110,
}


def new_figure(width: float = 6.4, height: float = 4.2, rows: int = 1, columns: int = 1) -> tuple[Figure, list[Axes]]:
    """Give an empty figure and its axes, row by row."""
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False)
    return figure, [ax for row in axes for ax in row]


def few(items: Sequence[Any], n: int) -> list[Any]:
    """Choose at most n items, the first and the last among them, close together where most happens: at first.

    Examples
    --------
    >>> few(range(100), 4), few(range(3), 4)
    ([0, 4, 21, 99], [0, 1, 2])
    """
    if len(items) <= n:
        return list(items)
    numbers = {round(len(items) ** (k / (n - 1))) - 1 for k in range(n)}
    return [items[i] for i in sorted(numbers)]


def write_words(ax: Axes, positions: np.ndarray[Any, Any], words: list[str]) -> None:
    """Write each word beside its point, on the first side where it covers no other word."""
    scale = np.array([400 / np.ptp(ax.get_xlim()), 300 / np.ptp(ax.get_ylim())])  # roughly: points per unit
    taken: list[tuple[float, float, float]] = []  # left, baseline, right
    for place, word in zip(positions, words, strict=True):
        length = 4.8 * len(word)
        offsets = [(5, 3), (5, -9), (-5 - length, 3), (-5 - length, -9), (-length / 2, 10), (-length / 2, -16)]
        for dx, dy in offsets:
            x, y = place * scale + (dx, dy)
            if all(x > right or x + length < left or abs(y - other) > 8 for left, other, right in taken):
                break
        taken.append((x, y, x + length))
        ax.annotate(word, place, xytext=(dx, dy), textcoords="offset points", fontsize=8)
