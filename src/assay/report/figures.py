"""The curves of an evaluation in a page: how far its probabilities come true, and what a stricter threshold buys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.evaluation.presenting.plots import DASHES, MOST_CURVES
from assay.report.chart import Axis, Bars, Drawing, Line, draw

if TYPE_CHECKING:
    from assay.evaluation.protocols.evaluation import Evaluation

__all__ = ["precision_recall_figure", "reliability_figure"]

RELIABILITY = "Share of texts that were right, by the probability of the predicted label"
PRECISION_RECALL = "Precision and recall of each class at every threshold"
CHANCE = ("var(--axis)", (3.7, 1.6))
BINS = 10


def reliability_figure(evaluation: Evaluation) -> Drawing:
    """How often what was said with a probability was true, and of how many texts it was said."""
    bins = evaluation.reliability(BINS).bins
    model = Line(
        [one.confidence for one in bins],
        [one.frequency.value for one in bins],
        "model",
        dots=True,
        ranges=[(one.frequency.low, one.frequency.high) for one in bins],
    )
    bars = Bars([one.low for one in bins], [one.n_documents for one in bins], 1 / BINS, "documents")
    return draw(
        [Line([0, 1], [0, 1], "perfectly calibrated", *CHANCE), model],
        Axis("probability of the predicted label", 0, 1),
        Axis("share that was right", 0, 1.02),
        RELIABILITY,
        bars=bars,
        square=True,
    )


def precision_recall_figure(evaluation: Evaluation) -> Drawing:
    """A curve for each class that has one; where there are many, for those with the smallest areas."""
    areas = {label: evaluation.classes[label]["average_precision"] for label in evaluation.labels}
    defined = [label for label, area in areas.items() if area.defined]
    shown = defined
    if len(defined) > MOST_CURVES:
        shown = sorted(defined, key=lambda label: areas[label].value)[:MOST_CURVES]
    lines = []
    for number, (label, dashes) in enumerate(zip(shown, DASHES, strict=False), start=1):
        curve = evaluation.precision_recall(label)
        name = f"{label} ({areas[label].value:.3f})"
        lines.append(Line(curve.recall.tolist(), curve.precision.tolist(), name, f"var(--c{number})", dashes, True))
    few = "" if len(shown) == len(defined) else f"the {len(shown)} lowest of {len(defined)}"
    axes = Axis("recall", -0.01, 1.01), Axis("precision", 0, 1.02)
    return draw(lines, *axes, PRECISION_RECALL, square=True, legend=few)
