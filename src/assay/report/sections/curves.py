"""How a network learned: loss and held-out metric, epoch by epoch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from assay.report.figures import figure_svg
from assay.report.wording import metric_name

if TYPE_CHECKING:
    from assay.training.run import TrainingRun

__all__ = ["CurvesSection", "curves_section"]


@dataclass(frozen=True)
class CurvesSection:
    """What the section shows."""

    sentence: str
    metric: str
    figure: Markup
    epochs: tuple[dict[str, Any], ...]
    best: int


def curves_section(run: TrainingRun) -> CurvesSection | None:
    """The learning curves of a network; None of other models."""
    history = getattr(run.model, "history_", None)
    if history is None:
        return None
    metric = metric_name(history.metric)
    rows = tuple(history.rows())
    held_out = rows[-1]["held_out_loss"] is not None
    sentence = (
        f"It went over the training texts {len(rows)} times. After each time it was measured on texts that it did not "
        f"learn from; the weights of number {history.best} were kept."
        if held_out
        else f"It went over the training texts {len(rows)} times; none were held out to stop by."
    )
    return CurvesSection(
        sentence, metric, figure_svg(lambda: _plot(rows, metric, held_out), "curves"), rows, history.best
    )


def _plot(rows: tuple[dict[str, Any], ...], metric: str, held_out: bool) -> Any:
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    from assay.evaluation.plots import COLOURS

    figure = Figure(figsize=(8, 3.2), layout="constrained")
    panels = figure.subplots(1, 2 if held_out else 1, squeeze=False)[0]
    epochs = [row["epoch"] for row in rows]
    panels[0].plot(epochs, [row["loss"] for row in rows], "o-", color=COLOURS[0], label="training")
    panels[0].set_ylabel("loss")
    if held_out:
        panels[0].plot(epochs, [row["held_out_loss"] for row in rows], "o-", color=COLOURS[1], label="held out")
        panels[0].legend(frameon=False)
        panels[1].plot(epochs, [row["held_out_metric"] for row in rows], "o-", color=COLOURS[1])
        panels[1].set_ylabel(f"{metric}, held out")
    for panel in panels:
        panel.set_xlabel("epoch")
        panel.xaxis.set_major_locator(MaxNLocator(integer=True))
        panel.spines[["top", "right"]].set_visible(False)
    return figure
