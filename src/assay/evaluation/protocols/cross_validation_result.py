"""What `assay.cross_validate` gives: scores of folds, their means, and out-of-fold predictions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import ParameterError
from assay.evaluation.metrics.catalogue import parse_metric
from assay.evaluation.metrics.outcomes import Label, Outcomes, choices
from assay.evaluation.protocols.evaluation import Evaluation
from assay.evaluation.protocols.folds import Fold
from assay.evaluation.uncertainty.estimate import Estimate, number
from assay.evaluation.uncertainty.fold_mean import from_answers, mean_of_folds, of_copies, without_optimism
from assay.evaluation.uncertainty.intervals import Floats
from assay.evaluation.uncertainty.measuring import estimate_metrics
from assay.evaluation.uncertainty.resampling import Resampling
from assay.optional import require
from assay.tables import Page, Shown, Table

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["CrossValidation"]


@dataclass(frozen=True)
class CrossValidation(Shown):
    """Scores of every fold, and what was predicted for every document by a model that had not seen it.

    ``result["macro_f1"]`` is the mean over folds, with the interval of the answers of all folds together, made wider
    since the training parts of folds overlap.

    Attributes
    ----------
    labels
        Every label.
    folds
        Rows trained on and tested, for each fold of each repeat.
    scores
        One score a fold, by metric.
    repeats
        Out-of-fold outcomes of all documents, for each repeat.
    chosen
        Settings chosen inside each fold, where something was tuned.
    notes
        What a reader should know before believing the numbers.
    optimism
        By metric, what the choice of a recipe by these folds has added to the mean: the estimates are without it.
    functions
        Metrics that were given as functions: their intervals are Nadeau and Bengio's, from the folds' scores alone.
    """

    labels: tuple[Label, ...]
    folds: tuple[Fold, ...]
    scores: dict[str, Floats]
    repeats: tuple[Outcomes, ...]
    chosen: tuple[Mapping[str, Any], ...]
    leave_one_out: bool
    level: float
    seed: int
    corpus: Any
    fold_notes: tuple[str, ...]
    optimism: Mapping[str, float] = field(default_factory=dict)
    functions: frozenset[str] = frozenset()

    @property
    def outcomes(self) -> Outcomes:
        """Out-of-fold outcomes of the first repeat, in the corpus's order: what `assay.compare` takes."""
        return self.repeats[0]

    @property
    def predictions(self) -> NDArray[Any]:
        """The label predicted for each document by a model that had not seen it (first repeat)."""
        return np.array(self.labels, dtype=object)[self.outcomes.predicted]

    @cached_property
    def metrics(self) -> dict[str, Estimate]:
        """Mean score of each metric, with its interval."""
        return {name: self._estimate(name) for name in self.scores}

    def __getitem__(self, name: str) -> Estimate:
        if name not in self.metrics:
            raise ParameterError(
                f"{name!r} was not measured on the folds. Measured were {choices(name, self.metrics)}; ask "
                "cross_validate(metrics=[...]) for more, or evaluation() for any metric of the pooled predictions."
            )
        return self.metrics[name]

    def evaluation(self, **settings: Any) -> Evaluation:
        """Evaluation of the out-of-fold predictions pooled over folds (first repeat)."""
        return Evaluation(self.outcomes, Resampling(seed=self.seed), corpus=self.corpus, level=self.level, **settings)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know before believing the numbers."""
        notes = list(self.fold_notes)
        if self.leave_one_out:
            notes.append("A fold tests one document or group: metrics are those of the pooled predictions.")
        for name, scores in self.scores.items():
            missing = int(np.isnan(scores).sum())
            if missing and not self.leave_one_out:
                notes.append(f"{name} is undefined in {missing} of {scores.size} folds, which its mean leaves out.")
        return tuple(notes)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready: scores of folds, means, and out-of-fold predictions of the first repeat."""
        return {
            "kind": "cross_validation",
            "version": 1,
            "n_documents": self.outcomes.n_documents,
            "labels": list(self.labels),
            "n_folds": len(self.folds) // len(self.repeats),
            "n_repeats": len(self.repeats),
            "leave_one_out": self.leave_one_out,
            "level": self.level,
            "seed": self.seed,
            "metrics": {name: estimate.to_dict() for name, estimate in self.metrics.items()},
            "optimism": dict(self.optimism),
            "scores": {name: [number(score) for score in scores] for name, scores in self.scores.items()},
            "chosen": [{name: _plain(value) for name, value in chosen.items()} for chosen in self.chosen],
            "predictions": self.predictions.tolist(),
            "notes": list(self.notes),
        }

    def to_frame(self) -> pd.DataFrame:
        """One row a fold in a pandas table: repeat, fold, numbers of documents, scores."""
        pandas: Any = require("pandas", "Tables made by to_frame()")
        rows = [
            {
                "repeat": fold.repeat,
                "fold": fold.number,
                "n_train": fold.train.size,
                "n_test": fold.test.size,
                **{name: scores[i] for name, scores in self.scores.items()},
            }
            for i, fold in enumerate(self.folds)
        ]
        return pandas.DataFrame(rows)

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={estimate.value:.4f}" for name, estimate in self.metrics.items())
        return f"<CrossValidation of {len(self.folds)} folds: {shown}>"

    def _page(self) -> Page:
        n, k = self.outcomes.n_documents, len(self.folds) // len(self.repeats)
        times = f", {len(self.repeats)} times" if len(self.repeats) > 1 else ""
        heading = f"Cross-validation of {n:,} documents in {k:,} folds{times}, with {self.level:.0%} intervals"
        rows = []
        for name, estimate in self.metrics.items():
            scores = self.scores[name][~np.isnan(self.scores[name])]
            known = scores.size and not self.leave_one_out
            spread = (f"{scores.min():.3f}", f"{scores.max():.3f}") if known else ("", "")
            rows.append((name, estimate.cell(), *spread))
        return heading, [Table("Mean over folds", ("metric", "mean", "lowest", "highest"), rows)], self.notes

    @cached_property
    def _pooled(self) -> list[dict[str, Estimate]]:
        """The metrics of the answers of all folds together, for each repeat."""
        metrics = [parse_metric(name, self.labels) for name in self.scores if name not in self.functions]
        plan = Resampling(seed=self.seed)
        return [estimate_metrics(outcomes, metrics, plan, level=self.level) for outcomes in self.repeats]

    @cached_property
    def _copies(self) -> float:
        """How many times as large copies and near-copies among the documents make the variance of a mean."""
        return of_copies(self.outcomes.correct, self.corpus.near_copies.first)

    def _estimate(self, name: str) -> Estimate:
        if self.leave_one_out:
            return self.evaluation()[name]
        scores = self.scores[name][~np.isnan(self.scores[name])]
        if scores.size == 0:
            return Estimate(float("nan"), reason="it is undefined in every fold")
        # With folds of unequal sizes the correction takes their mean ratio.
        share = float(np.mean([fold.test.size / fold.train.size for fold in self.folds]))
        if name in self.functions:
            found = mean_of_folds(name, scores, self.outcomes.n_documents, share, self.level)
        else:
            pooled = [each[name] for each in self._pooled]
            found = from_answers(name, float(scores.mean()), pooled, share, self._copies)
        if name not in self.optimism:
            return found
        n = self.outcomes.n_documents
        return without_optimism(name, found, self.optimism[name], n, share, self.level, self._copies)


def _plain(value: Any) -> Any:
    return value if isinstance(value, (str, int, float, bool, type(None))) else repr(value)
