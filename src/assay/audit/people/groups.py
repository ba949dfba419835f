"""Groups: every metric for each value of a column, and whether groups differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isnan, nan
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.audit.scoring import Given, ProbedModel, given_any
from assay.errors import DataError
from assay.evaluation.metrics.catalogue import DocumentMetric, LabelMetric, Metric, parse_metric
from assay.evaluation.metrics.outcomes import Outcomes, from_model
from assay.evaluation.metrics.set_catalogue import TextMetric, parse_set_metric
from assay.evaluation.metrics.set_outcomes import SetOutcomes
from assay.evaluation.metrics.set_reading import sets_from_model
from assay.evaluation.protocols.evaluation import Evaluation
from assay.evaluation.uncertainty.estimate import Estimate
from assay.evaluation.uncertainty.resampling import Cells, Documents, Resampler, Resampling
from assay.evaluation.uncertainty.set_measuring import estimate_set_metrics
from assay.evaluation.uncertainty.set_resampling import SetTexts
from assay.evaluation.uncertainty.shares import fisher_p_value, newcombe, share
from assay.inference.variables import column_numbers
from assay.label_sets import LabelSets
from assay.suggest import quote, quoted
from assay.wording import setting

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["GroupDifference", "GroupResult", "GroupRow", "measure_groups"]

Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]
_OF_SETS = ("micro_f1", "macro_f1", "samples_f1", "subset_accuracy")
_OF_LABEL = ("f1", "precision", "recall")
_MOST_GROUPS = 30
_BINS = 5
_AVERAGES = ("micro_", "weighted_")  # accuracy under other names, or nearly so


@dataclass(frozen=True)
class GroupDifference:
    """A metric of one group against all other texts.

    Attributes
    ----------
    difference
        Group minus the others: Newcombe's interval for rates, the bootstrap's for other metrics.
    p_value
        Fisher's exact test for rates, the bootstrap's two-sided value for the rest.
    n, n_others
        Texts that the rate is over.
    """

    metric: str
    value: Estimate
    others: Estimate
    difference: Estimate
    p_value: float
    n: int
    n_others: int


@dataclass(frozen=True)
class GroupRow:
    """One value of the column."""

    group: str
    n: int
    metrics: dict[str, Estimate]
    differences: dict[str, GroupDifference]


@dataclass(frozen=True)
class GroupResult:
    """Every metric by the values of a column.

    Attributes
    ----------
    rates
        Names of the metrics on which the verdict rests: accuracy (of sets, the share that is exactly right), and the
        false-positive and false-negative rate of each outcome.
    """

    column: str
    n_texts: int
    rows: tuple[GroupRow, ...]
    rates: tuple[str, ...]

    def gap(self, metric: str) -> tuple[GroupRow, GroupRow] | None:
        """The groups with the highest and the lowest value of a metric."""
        known = [row for row in self.rows if metric in row.metrics and row.metrics[metric].defined]
        if len(known) < 2:
            return None
        return (
            max(known, key=lambda row: row.metrics[metric].value),
            min(known, key=lambda row: row.metrics[metric].value),
        )

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "column": self.column,
            "n_texts": self.n_texts,
            "rates": list(self.rates),
            "rows": [
                {
                    "group": row.group,
                    "n": row.n,
                    "metrics": {name: estimate.to_dict() for name, estimate in row.metrics.items()},
                    "differences": {
                        name: {"difference": d.difference.to_dict(), "p_value": None if isnan(d.p_value) else d.p_value}
                        for name, d in row.differences.items()
                    },
                }
                for row in self.rows
            ],
        }


def measure_groups(
    scorer: ProbedModel,
    corpus: Corpus,
    columns: Sequence[str],
    *,
    level: float = 0.95,
    n_resamples: int = 1000,
    seed: int = 0,
    threads: int | None = None,
) -> list[GroupResult]:
    """Measure a model on each value of some columns of a labelled corpus."""
    parts = {column: _parts(corpus, column) for column in columns}
    outcomes: Outcomes | SetOutcomes
    if scorer.task == "label-sets":
        outcomes = sets_from_model(scorer.model, corpus)
    else:
        outcomes = from_model(scorer.model, corpus, allow_one_class=True)
    plan = Resampling(n_resamples, seed, threads=threads)
    kept = np.arange(len(corpus)) if outcomes.answered is None else outcomes.answered
    results = []
    for column, groups in parts.items():
        inside = [(name, mask[kept]) for name, mask in groups if mask[kept].any()]
        measured = _Measured(outcomes, scorer, plan, level)
        rows = [measured.row(name, mask) for name, mask in inside]
        results.append(GroupResult(column, outcomes.n_documents, tuple(rows), measured.rate_names))
    return results


class _Measured:
    """All metrics of parts of the same outcomes."""

    def __init__(self, outcomes: Outcomes | SetOutcomes, scorer: ProbedModel, plan: Resampling, level: float) -> None:
        self.outcomes, self.plan, self.level = outcomes, plan, level
        index = {str(label): k for k, label in enumerate(outcomes.labels)}
        right = "exactly right" if isinstance(outcomes, SetOutcomes) else "accuracy"
        self._rates: dict[str, tuple[Mask, Mask]] = {right: (np.ones(outcomes.n_documents, bool), outcomes.correct)}
        truth, predicted = (_given(part) for part in (outcomes.truth, outcomes.predicted))
        for name, classes in scorer.outcomes(predicted):
            wanted = [index[scorer.labels[k]] for k in classes]
            true, said = given_any(truth, wanted), given_any(predicted, wanted)
            self._rates[f"false positive rate:{name}"] = (~true, said)
            self._rates[f"false negative rate:{name}"] = (true, ~said)

    @property
    def rate_names(self) -> tuple[str, ...]:
        return tuple(self._rates)

    def row(self, name: str, mask: Mask) -> GroupRow:
        metrics = self._metrics(mask)
        differences = {rate: self._rate_difference(rate, mask) for rate in self._rates}
        metrics |= {rate: found.value for rate, found in differences.items()}
        if not mask.all():
            differences |= self._other_differences([m for m in metrics if m not in self._rates], mask)
        return GroupRow(name, int(mask.sum()), metrics, differences)

    def _metrics(self, mask: Mask) -> dict[str, Estimate]:
        """Of one side: overall, and of each class or label."""
        if isinstance(self.outcomes, SetOutcomes):
            names = [*_OF_SETS, *(f"{kind}:{label}" for label in self.outcomes.labels for kind in _OF_LABEL)]
            metrics = [parse_set_metric(name, self.outcomes.labels) for name in names]
            inside = self.outcomes.among(np.flatnonzero(mask))
            return estimate_set_metrics(inside, metrics, self.plan, "auto", self.level, nan)
        part = Evaluation(_subset(self.outcomes, mask), self.plan, level=self.level)
        found = {key: value for key, value in part.metrics.items() if not key.startswith(_AVERAGES)}
        for label, of_class in part.classes.items():
            found |= {f"{kind}:{label}": value for kind, value in of_class.items()}
        return found

    def _rate_difference(self, rate: str, mask: Mask) -> GroupDifference:
        among, hit = self._rates[rate]
        (x, n), (y, m) = ((int((hit & among & side).sum()), int((among & side).sum())) for side in (mask, ~mask))
        value, others = share(x, n, self.level), share(y, m, self.level)
        if not n or not m:
            return GroupDifference(rate, value, others, Estimate(nan, reason="a side has no such texts"), nan, n, m)
        return GroupDifference(rate, value, others, newcombe(value, others), fisher_p_value(x, n, y, m), n, m)

    def _other_differences(self, names: Sequence[str], mask: Mask) -> dict[str, GroupDifference]:
        """Metrics that are no shares: the bootstrap of both sides, apart."""
        if isinstance(self.outcomes, SetOutcomes):
            return self._set_differences(names, mask)
        metrics: list[Metric] = [parse_metric(name, self.outcomes.labels) for name in names]
        found: dict[str, GroupDifference] = {}
        of_labels = [metric for metric in metrics if isinstance(metric, LabelMetric)]
        of_documents = [metric for metric in metrics if isinstance(metric, DocumentMetric)]
        for of_kind in (of_labels, of_documents):
            if not of_kind:
                continue
            sides = []
            for number, side in enumerate((mask, ~mask)):
                part, plan = [_subset(self.outcomes, side)], replace(self.plan, seed=self.plan.seed + number)
                sampler: Resampler = (
                    Cells(part, of_labels, plan) if of_kind is of_labels else Documents(part, of_documents, plan)
                )
                sides.append((sampler.observed[0], sampler.bootstrap()[:, 0]))
            names_of_kind = [metric.name for metric in (of_labels if of_kind is of_labels else of_documents)]
            found |= self._compared(names_of_kind, sides, mask)
        return found

    def _set_differences(self, names: Sequence[str], mask: Mask) -> dict[str, GroupDifference]:
        """The same of sets."""
        assert isinstance(self.outcomes, SetOutcomes)
        metrics = [parse_set_metric(name, self.outcomes.labels) for name in names]
        plain = [metric for metric in metrics if isinstance(metric, LabelMetric | TextMetric)]
        sides = []
        for number, side in enumerate((mask, ~mask)):
            plan = replace(self.plan, seed=self.plan.seed + number)
            sampler = SetTexts([self.outcomes.among(np.flatnonzero(side))], plain, plan)
            sides.append((sampler.observed[0], sampler.bootstrap()[:, 0]))
        return self._compared([metric.name for metric in plain], sides, mask)

    def _compared(
        self, names: Sequence[str], sides: Sequence[tuple[Floats, Floats]], mask: Mask
    ) -> dict[str, GroupDifference]:
        """Metrics of both sides, as they are and in every resample."""
        (own, own_samples), (rest, rest_samples) = sides
        sizes = int(mask.sum()), int((~mask).sum())
        found: dict[str, GroupDifference] = {}
        for m, name in enumerate(names):
            samples = own_samples[:, m] - rest_samples[:, m]
            difference, p = _bootstrap_difference(float(own[m] - rest[m]), samples, self.level)
            value, others = Estimate(float(own[m])), Estimate(float(rest[m]))
            found[name] = GroupDifference(name, value, others, difference, p, *sizes)
        return found


def _given(part: NDArray[np.integer[Any]] | LabelSets) -> Given:
    return part if isinstance(part, LabelSets) else part.astype(np.intp)


def _bootstrap_difference(lead: float, samples: NDArray[np.float64], level: float) -> tuple[Estimate, float]:
    known = samples[~np.isnan(samples)]
    if isnan(lead) or known.size == 0:
        return Estimate(nan, reason="undefined on a side"), nan
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    tail = min(np.count_nonzero(known <= 0), np.count_nonzero(known >= 0))
    return Estimate(lead, float(low), float(high), "percentile"), float(min(1.0, 2 * (1 + tail) / (1 + known.size)))


def _subset(outcomes: Outcomes, mask: Mask) -> Outcomes:
    return replace(
        outcomes,
        truth=outcomes.truth[mask],
        predicted=outcomes.predicted[mask],
        probabilities=None if outcomes.probabilities is None else outcomes.probabilities[mask],
        scores=None if outcomes.scores is None else outcomes.scores[mask],
        answered=None,
    )


def _parts(corpus: Corpus, column: str) -> list[tuple[str, Mask]]:
    """The texts of each value of a column; many numbers are cut into ranges with equally many texts."""
    values = ["" if value is None else str(value).strip() for value in corpus.column(column).to_pylist()]
    distinct = sorted(set(values))
    if len(distinct) == 1:
        raise DataError(
            f"{corpus.source}: column {quote(column)} has one value only, {quote(distinct[0])}, in all "
            f"{len(values):,} rows: there are no groups to compare. Name a column with two values or more with "
            f"{setting('groups', option='--group')}."
        )
    numbers = column_numbers(values) if len(distinct) > 2 * _BINS else None
    if numbers is not None and not np.isnan(numbers).any():
        edges = np.unique(np.quantile(numbers, np.linspace(0, 1, _BINS + 1), method="nearest"))
        bins = np.clip(np.searchsorted(edges, numbers, side="right") - 1, 0, len(edges) - 2)
        names = [f"{edges[b]:g} to {edges[b + 1]:g}" for b in range(len(edges) - 1)]
        return [(name, bins == b) for b, name in enumerate(names)]
    if len(distinct) > _MOST_GROUPS:
        raise DataError(
            f"{corpus.source}: column {quote(column)} has {len(distinct):,} different values, such as "
            f"{quoted(distinct[:3])}: too many groups (at most {_MOST_GROUPS}). Group them first, or name another "
            "column."
        )
    array = np.array(values)
    return [(value or "(missing)", np.asarray(array == value)) for value in distinct]
