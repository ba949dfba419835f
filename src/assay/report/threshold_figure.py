"""What becomes of one label as its threshold moves: precision, recall and F1, as a small drawing."""

from __future__ import annotations

import numpy as np
from markupsafe import Markup, escape
from numpy.typing import NDArray

__all__ = ["ThresholdCurve", "threshold_curve", "threshold_figure"]

Floats = NDArray[np.float64]
ThresholdCurve = dict[str, Floats]
STEPS = 101
WIDTH, HEIGHT = 240, 130
LEFT, RIGHT, TOP, BOTTOM = 26, 6, 6, 20
LINES = {"precision": ("var(--c1)", ""), "recall": ("var(--c2)", "5 3"), "F1": ("currentColor", "1.5 2.5")}


def threshold_curve(probabilities: Floats, has_it: NDArray[np.bool_]) -> ThresholdCurve:
    """Precision, recall and F1 of a label at thresholds from 0 to 1; NaN where they are 0/0.

    Examples
    --------
    >>> curve = threshold_curve(np.array([0.9, 0.4, 0.2]), np.array([True, False, True]))
    >>> [round(float(curve[name][30]), 2) for name in ("threshold", "precision", "recall", "F1")]
    [0.3, 0.5, 0.5, 0.5]
    """
    steps = np.linspace(0.0, 1.0, STEPS)
    given = len(probabilities) - np.searchsorted(np.sort(probabilities), steps)
    own = np.sort(probabilities[has_it])
    hits = len(own) - np.searchsorted(own, steps)
    with np.errstate(invalid="ignore"):
        precision, recall = hits / np.where(given, given, np.nan), hits / (len(own) or np.nan)
        both = 2 * hits / (given + len(own) if len(own) else np.nan)
    return {"threshold": steps, "precision": precision, "recall": recall, "F1": both}


def threshold_figure(curve: ThresholdCurve, threshold: float | None, label: str) -> Markup:
    """The curve as SVG; the threshold of the model is a line from top to bottom."""

    def x(value: float) -> float:
        return LEFT + value * (WIDTH - LEFT - RIGHT)

    def y(value: float) -> float:
        return TOP + (1 - value) * (HEIGHT - TOP - BOTTOM)

    parts = [
        f'<path d="M{x(0):.0f} {y(1):.0f}V{y(0):.0f}H{x(1):.0f}" fill="none" stroke="var(--axis)"/>',
        *(f'<text x="{x(v):.0f}" y="{HEIGHT - 6}" text-anchor="middle">{v:g}</text>' for v in (0, 0.5, 1)),
        *(f'<text x="{LEFT - 5}" y="{y(v) + 3:.0f}" text-anchor="end">{v:g}</text>' for v in (0, 1)),
    ]
    if threshold is not None and threshold <= 1:
        at = x(threshold)
        parts.append(f'<path d="M{at:.1f} {y(1):.0f}V{y(0):.0f}" stroke="var(--c3)" stroke-width="1.5"/>')
    for name, (colour, dashes) in LINES.items():
        points = zip(curve["threshold"].tolist(), curve[name].tolist(), strict=True)
        path, pen = "", "M"
        for at, value in points:
            if value == value:
                path, pen = f"{path}{pen}{x(at):.1f} {y(value):.1f}", "L"
            else:
                pen = "M"
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        parts.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.6"{dashed}/>')
    what = f"Precision, recall and F1 of {label} by its threshold"
    return Markup(
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(what)}" font-size="10" '
        f'fill="currentColor">{"".join(parts)}</svg>'
    )
