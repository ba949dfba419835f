"""How a network learned: loss and held-out metric, epoch by epoch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

from assay.report.chart import Axis, Drawing, Line, draw
from assay.report.wording import metric_name

if TYPE_CHECKING:
    from assay.training.run import TrainingRun

__all__ = ["CurvesSection", "curves_section"]


#: From so many epochs on, a line without a dot for each of them.
MANY_EPOCHS = 50
COLOURS = {"training": "var(--c1)", "held out": "var(--c2)"}
DASHES: dict[str, tuple[float, ...]] = {"training": (), "held out": (5, 1.5)}


@dataclass(frozen=True)
class CurvesSection:
    """What the section shows.

    Attributes
    ----------
    sentence
        What happened, in plain words.
    metric
        What held-out texts were measured by; None where none were held out.
    figures
        Title and figure of each curve.
    epochs, best
        What happened in each, and the number of the one whose weights were kept.
    """

    sentence: str
    metric: str | None
    figures: tuple[tuple[str, Drawing], ...]
    epochs: tuple[dict[str, Any], ...]
    best: int


def curves_section(run: TrainingRun) -> CurvesSection | None:
    """The learning curves of a network; None of other models."""
    history = getattr(run.model, "history_", None)
    if history is None:
        return None
    rows = tuple(history.rows())
    metric = None if rows[-1]["held_out_loss"] is None else metric_name(history.metric)
    times = "once" if len(rows) == 1 else f"{len(rows):,} times"
    sentence = f"It went over the training texts {times}; none were held out to stop by."
    losses = {"training": "loss"}
    if metric is not None:
        sentence = (
            f"It went over the training texts {times}. After each time it was measured on texts that it did not learn "
            f"from; the weights of number {history.best} were kept."
        )
        losses["held out"] = "held_out_loss"
    curves = [("What it tries to make small", "loss", losses)]
    if metric is not None:
        title = f"{metric[:1].upper()}{metric[1:]} on texts that it did not learn from"
        curves.append((title, metric, {"held out": "held_out_metric"}))
    figures = tuple((title, _figure(rows, axis, lines)) for title, axis, lines in curves)
    return CurvesSection(sentence, metric, figures, rows, history.best)


def _figure(rows: tuple[dict[str, Any], ...], axis: str, lines: dict[str, str]) -> Drawing:
    """Lines over the epochs: what each is called, and what of an epoch it shows."""
    what = f"{axis} after each pass over the training texts"
    epochs = [float(row["epoch"]) for row in rows]
    drawn = []
    for name, key in lines.items():
        values = [float(row[key]) for row in rows]
        dots, named = len(rows) < MANY_EPOCHS, name if len(lines) > 1 else ""
        drawn.append(Line(epochs, values, named, COLOURS[name], DASHES[name], dots=dots))
    values = [value for line in drawn for value in line.y if isfinite(value)] or [0.0]
    return draw(drawn, _around("epoch", epochs, whole=True), _around(axis, values), what)


def _around(title: str, values: Sequence[float], *, whole: bool = False) -> Axis:
    """An axis that is a little longer than from the lowest value to the highest."""
    low, high = min(values), max(values)
    room = 0.05 * (high - low) or 0.5
    return Axis(title, low - room, high + room, whole)
