"""How much more data would help: scores over growing parts of the training data."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.arguments import in_our_words
from assay.errors import ParameterError
from assay.evaluation.metrics.catalogue import parse_metric
from assay.evaluation.metrics.outcomes import Outcomes, as_corpus, true_classes_of
from assay.evaluation.presenting.plots import COLOURS, plain_axes
from assay.evaluation.protocols.cross_validation import pooled_outcomes
from assay.evaluation.protocols.folds import FoldPlan, check_two_classes, make_folds, stratified_order
from assay.evaluation.protocols.trainers import trainer_for
from assay.evaluation.uncertainty.estimate import Estimate, number
from assay.evaluation.uncertainty.fold_mean import from_answers, mean_of_folds
from assay.evaluation.uncertainty.intervals import Floats, check_level
from assay.evaluation.uncertainty.measuring import estimate_metrics
from assay.evaluation.uncertainty.metric_value import MetricLike, measure, metric_name
from assay.evaluation.uncertainty.resampling import Resampling
from assay.figures import new_figure
from assay.optional import require
from assay.tables import Page, Shown, Table

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

__all__ = ["LearningCurve", "learning_curve"]


@in_our_words
def learning_curve(
    model: Any,
    corpus: Any,
    *,
    metric: MetricLike = "macro_f1",
    sizes: Sequence[float] = (0.1, 0.2, 0.4, 0.7, 1.0),
    folds: int = 5,
    level: float = 0.95,
    small_classes: str = "error",
    seed: int = 0,
    threads: int | None = None,
) -> LearningCurve:
    """Cross-validate with parts of each fold's training documents, each part holding the smaller ones.

    Parameters
    ----------
    model
        As in `assay.cross_validate`.
    corpus
        A `Corpus`, or anything `assay.read` takes.
    metric
        What is measured on each fold's test documents.
    sizes
        Shares (up to 1.0) or numbers of the training documents.
    folds
        Parts.
    level
        Coverage of the intervals.
    small_classes
        ``"error"`` or ``"allow"`` classes with fewer documents than folds.
    seed
        Where the randomness comes from.
    threads
        Trained at the same time; None: as many as there are processors.
    """
    check_level(level)
    corpus = as_corpus(corpus)
    classes, labels = true_classes_of(corpus)
    check_two_classes(classes, labels)
    plan = FoldPlan(folds, small_classes=small_classes, seed=seed)
    parts = make_folds(classes, labels, plan, together=corpus.near_copies.first)
    smallest = min(fold.train.size for fold in parts)
    counts = sorted({_count(size, smallest) for size in sizes})
    orders = [stratified_order(classes, fold.train, seed + 1) for fold in parts]
    workers = Resampling(1, seed, threads=threads).n_threads
    trainer = trainer_for(model, corpus, 1)

    def answers(task: tuple[int, int]) -> Outcomes:
        n, i = task
        return trainer.outcomes(orders[i][:n], parts[i].test, {})

    tasks = [(n, i) for n in counts for i in range(len(parts))]
    with ThreadPoolExecutor(workers if hasattr(model, "fit") else 1) as pool:
        tested = list(pool.map(answers, tasks))
    scores = np.array([measure(metric, outcomes) for outcomes in tested]).reshape(len(counts), len(parts))
    test_size = float(np.mean([fold.test.size for fold in parts]))
    together: list[Estimate] = []
    if isinstance(metric, str):
        named = parse_metric(metric, labels)
        for begin in range(0, len(tasks), len(parts)):
            [pooled] = pooled_outcomes(parts, tested[begin : begin + len(parts)], classes.size, 1)
            together.append(estimate_metrics(pooled, [named], Resampling(seed=seed), level=level)[metric])
    return LearningCurve(metric_name(metric), tuple(counts), scores, test_size, level, tuple(together))


@dataclass(frozen=True, eq=False)
class LearningCurve(Shown):
    """Mean score for each number of training documents.

    Attributes
    ----------
    sizes
        Numbers of training documents.
    scores
        Shape (n_sizes, n_folds).
    together
        Of each size, the metric of the answers of all folds together; empty where it is a function.
    """

    metric: str
    sizes: tuple[int, ...]
    scores: Floats
    test_size: float
    level: float
    together: tuple[Estimate, ...] = ()

    @property
    def estimates(self) -> tuple[Estimate, ...]:
        """Mean score of each size, with its interval as in a cross-validation."""
        if self.together:
            return tuple(
                from_answers(self.metric, float(scores.mean()), [pooled], self.test_size / n)
                for n, scores, pooled in zip(self.sizes, self.scores, self.together, strict=True)
            )
        n_tested = self.test_size * self.scores.shape[1]
        return tuple(
            mean_of_folds(self.metric, scores, n_tested, self.test_size / n, self.level)
            for n, scores in zip(self.sizes, self.scores, strict=True)
        )

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        points = [
            {"size": n, **estimate.to_dict(), "scores": [number(score) for score in scores]}
            for n, estimate, scores in zip(self.sizes, self.estimates, self.scores, strict=True)
        ]
        return {
            "kind": "learning_curve",
            "version": 1,
            "metric": self.metric,
            "level": self.level,
            "points": points,
        }

    def to_frame(self) -> pd.DataFrame:
        """One row a size in a pandas table."""
        pandas: Any = require("pandas", "Tables made by to_frame()")
        rows = [
            {"size": n, "mean": e.value, "low": e.low, "high": e.high}
            for n, e in zip(self.sizes, self.estimates, strict=True)
        ]
        return pandas.DataFrame(rows)

    def plot(self) -> Figure:
        """Mean score against the number of training documents, with the interval as a band."""
        figure = new_figure(5.2, 3.8)
        axes = figure.add_subplot()
        found = self.estimates
        low, high = [e.low for e in found], [e.high for e in found]
        axes.fill_between(self.sizes, low, high, color=COLOURS[0], alpha=0.18, linewidth=0)
        axes.plot(self.sizes, [e.value for e in found], color=COLOURS[0], marker="o", markersize=4, linewidth=1.4)
        axes.set_xscale("log")
        axes.set_xticks(self.sizes, [f"{n:,}" for n in self.sizes])
        axes.minorticks_off()
        plain_axes(axes, f"Learning curve ({self.level:.0%} intervals)", "training documents", self.metric)
        return figure

    def _page(self) -> Page:
        rows = [(f"{n:,}", e.cell()) for n, e in zip(self.sizes, self.estimates, strict=True)]
        heading = f"Learning curve over {self.scores.shape[1]} folds, with {self.level:.0%} intervals"
        return heading, [Table(self.metric, ("training documents", "mean"), rows)], ()


def _count(size: float, available: int) -> int:
    share = isinstance(size, float) and 0 < size <= 1
    count = round(size * available) if share else size
    if isinstance(size, bool) or count != int(count) or not 2 <= count <= available:
        raise ParameterError(
            f"sizes must be shares up to 1.0, or numbers from 2 to the {available} training documents of a fold. Got "
            f"{size!r}."
        )
    return int(count)
