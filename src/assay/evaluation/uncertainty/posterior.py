"""Intervals of averages over classes, Matthews' correlation and kappa: draws of the law that the documents follow.

A resample of documents holds a class that had no mistake without a mistake, however few its documents are: a bootstrap
takes what was not seen for impossible. Here each class has a law of what it is called, and that law is drawn from its
posterior, in which an unseen mistake has half a document (Jeffreys' prior, the misses spread as predictions are). Of
one class alone this is Jeffreys' interval of its recall; of a mean it is narrower as the classes' chances cancel out.

Where one class has all the variance, the quantiles of the draws are the ends. Where many share in it, they are moved
and spread so that they cover, and in between the ends are mixed:

- the mean of the draws is moved to θ̂ - bias + κ₃/2κ₂, with the cumulants of θ̂ in sampling: the prior pulls each class
  to a half, and a mean of K classes may be pulled by a K-th of that only, which is what skewness asks for;
- bias is what the curvature of the metric adds, the mean of the draws less the metric at their centre;
- spread is raised to that of an unbiased estimate from few documents a class.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay import _native
from assay.evaluation.metrics.catalogue import AVERAGES, MEASURES, LabelMetric, encode_metrics, metric_range
from assay.evaluation.metrics.confusion import ConfusionMatrix
from assay.evaluation.uncertainty.intervals import Floats
from assay.evaluation.uncertainty.resampling import Resampling

__all__ = ["MOST_CLASSES", "posterior_intervals"]

MOST_CLASSES = 1000  # the tables of a metric's slopes have the square of their number

PRIOR = 0.5  # documents, of a hit and of all misses of a class together
NUMBERS_AT_ONCE = 4_000_000  # drawn at a time: 32 MB
STEP = 1e-5  # of the numeric derivatives, relative


def posterior_intervals(
    matrix: ConfusionMatrix, metrics: Sequence[LabelMetric], plan: Resampling, level: float, undefined: float
) -> dict[str, tuple[float, float]]:
    """Ends of the interval of each metric, by its name. All metrics must be defined.

    Precision is a share of what was called so: its laws are those of the truth given what a document was called.

    References
    ----------
    Rubin (1981), the Bayesian bootstrap; Brown, Cai & DasGupta (2001), Jeffreys' interval; Cai (2005), the skewness of
    intervals of proportions.
    """
    order = np.argsort([str(label) for label in matrix.labels], kind="stable")
    counts = matrix.counts[np.ix_(order, order)].astype(np.float64)
    place = np.argsort(order).astype(np.int32)
    found: dict[str, tuple[float, float]] = {}
    for by_prediction in (False, True):
        group = [metric for metric in metrics if (metric.code[0] == MEASURES["precision"]) == by_prediction]
        if group:
            laws = _Laws(counts.T if by_prediction else counts, by_prediction, group, place, plan.n_threads, undefined)
            for metric, ends in zip(group, laws.intervals(plan, level), strict=True):
                found[metric.name] = ends
    return found


@dataclass
class _Laws:
    """Rows: what each class is called (or, by prediction, what it is). Columns: the other side."""

    counts: Floats  # (K, K)
    by_prediction: bool
    metrics: Sequence[LabelMetric]
    place: np.ndarray
    threads: int
    undefined: float

    def intervals(self, plan: Resampling, level: float) -> list[tuple[float, float]]:
        """Ends for each metric."""
        sizes = self.counts.sum(axis=1)
        smoothed = self.counts + self._prior()
        centre = smoothed / np.where(sizes > 0, smoothed.sum(axis=1), 1)[:, None]  # rows: laws
        shares = sizes / sizes.sum()
        at_centre = self._measure((centre * shares[:, None])[None])[0]
        observed = self._measure(self.counts[None])[0]
        draws = self._draws(smoothed, sizes, plan)
        ends = []
        for m, metric in enumerate(self.metrics):
            bias = draws[:, m].mean() - at_centre[m]
            slopes = self._slopes(centre * shares[:, None], m)
            variance, third = _cumulants(centre, shares, sizes, slopes, plan.stratified)
            one, unbiased = self._shared(slopes[0], shares, sizes, centre, variance)
            spread = float(draws[:, m].var())
            own = np.quantile(draws[:, m], [(1 - level) / 2, (1 + level) / 2])
            low, high = own
            if variance > 0 and spread > 0:
                widening = np.sqrt(max(1.0, unbiased / spread)) if _is_average(metric) else 1.0
                moved = observed[m] - bias + third / (2 * variance) + widening * (own - draws[:, m].mean())
                low, high = one * own + (1 - one) * moved
            least, most = metric_range(metric.name)
            value = float(observed[m])
            ends.append((max(least, min(float(low), value)), min(most, max(float(high), value))))
        return ends

    def _prior(self) -> Floats:
        """Half a document for a hit and half for a miss, spread over the others as all documents are spread."""
        columns, rows = self.counts.sum(axis=0), self.counts.sum(axis=1)
        used = (columns + rows) > 0  # a label that neither occurs nor was said stays out of averages
        spread = np.tile(np.where(used, columns + PRIOR, 0.0), (columns.size, 1))
        np.fill_diagonal(spread, 0.0)
        total = spread.sum(axis=1, keepdims=True)
        prior = PRIOR * spread / np.where(total > 0, total, 1.0)
        np.fill_diagonal(prior, PRIOR)
        return np.where((rows > 0)[:, None], prior, 0.0)

    def _draws(self, smoothed: Floats, sizes: Floats, plan: Resampling) -> Floats:
        """The metrics of each drawn law, shape (n_resamples, n_metrics)."""
        random = np.random.Generator(np.random.Philox(plan.seed))
        shares = random.standard_gamma(sizes, size=(plan.n_resamples, sizes.size))
        if plan.stratified:
            shares = np.broadcast_to(sizes, shares.shape)
        shares = shares / shares.sum(axis=1, keepdims=True)
        cells = DrawnCells(self.counts, smoothed)
        # As many at once as memory allows, which the table alone decides.
        step = max(1, NUMBERS_AT_ONCE // cells.shapes.size)
        return np.concatenate(
            [
                self._of_tallies(*cells.draw(shares[begin : begin + step], random))
                for begin in range(0, plan.n_resamples, step)
            ]
        )

    def _measure(self, tables: Floats) -> Floats:
        """The metrics of tables of counts or shares, shape (n_tables, n_metrics)."""
        return self._of_tallies(np.einsum("bkk->bk", tables), tables.sum(axis=1), tables.sum(axis=2))

    def _of_tallies(self, hits: Floats, columns: Floats, rows: Floats) -> Floats:
        codes, betas = encode_metrics(self.metrics)
        codes[:, 2] = self.place[codes[:, 2]]
        predicted, truth = (rows, columns) if self.by_prediction else (columns, rows)
        values = np.empty((len(hits), len(self.metrics)))
        tallies = np.ascontiguousarray(np.stack([hits, predicted, truth], axis=1))
        _native.tally_metrics(tallies, codes, betas, float(self.undefined), self.threads, values)
        return values

    def _slopes(self, table: Floats, m: int) -> tuple[Floats, Floats]:
        """By how much the metric rises with the mass of a cell, (K, K), and with that of a row beside, (K,)."""
        tallies = [np.diagonal(table), table.sum(axis=0), table.sum(axis=1)]  # hits, columns, rows
        n = tallies[0].size
        steps = [np.where(tally > 0, tally * STEP, 1.0) for tally in tallies]
        rows = [np.tile(tally, (3 * n + 1, 1)) for tally in tallies]
        for t, step in enumerate(steps):
            rows[t][1 + t * n + np.arange(n), np.arange(n)] += np.where(tallies[t] > 0, step, 0.0)
        values = self._of_tallies(*rows)[:, m]
        slopes = [(values[1 + t * n : 1 + (t + 1) * n] - values[0]) / step for t, step in enumerate(steps)]
        return np.tile(slopes[1], (n, 1)) + np.diag(slopes[0]), slopes[2]

    def _shared(
        self, slopes: Floats, shares: Floats, sizes: Floats, centre: Floats, variance: float
    ) -> tuple[float, float]:
        """How far one class has all the variance (1, or 1/K where K share in it), and the variance without bias.

        Of a class with few documents p(1 - p) is too small on average, and a mean of many classes has nothing but
        averages. A class's law is drawn to that of all classes by one document, and p(1 - p) of it is on average
        (1 - n/(n + 1)²) of what it should be.
        """
        there = sizes > 0
        recalls = np.diagonal(self.counts)[there] / sizes[there]
        pooled = (recalls.sum() + PRIOR) / (recalls.size + 2 * PRIOR)
        prior = self._prior() / PRIOR * (1 - pooled)
        np.fill_diagonal(prior, np.where(there, pooled, 0.0))
        drawn = (self.counts + prior) / (sizes + 1)[:, None]
        by_class = _within(drawn, shares, sizes, slopes, 2)[there] / (1 - sizes[there] / (sizes[there] + 1) ** 2)
        unbiased = by_class.sum() + variance - _within(centre, shares, sizes, slopes, 2).sum()
        together = float(by_class.sum())
        return float((by_class**2).sum() / together**2) if together > 0 else 1.0, float(unbiased)


class DrawnCells:
    """The cells of a table that hold documents or are hits; the others of a row are drawn together.

    Of their prior of less than half a document nearly all falls to one cell in any one draw: the cell is drawn by the
    prior's shares, and has it all. A draw so has as many numbers as there are different outcomes, and not the square of
    the number of classes.
    """

    def __init__(self, counts: Floats, smoothed: Floats) -> None:
        n = len(counts)
        used = counts.sum(axis=1) > 0
        alone = used[:, None] & ((counts > 0) | np.eye(n, dtype=bool))
        self.rows, self.columns = np.nonzero(alone)
        others = np.where(alone, 0.0, smoothed)
        self.n_classes = n
        self.shapes = np.concatenate([smoothed[alone], others.sum(axis=1)])  # cells, then the rest of each row
        self.row_of = np.concatenate([self.rows, np.arange(n)])
        self.hits = np.flatnonzero(self.rows == self.columns)
        totals = self.shapes[-n:]
        self.chances = others.cumsum(axis=1) / np.where(totals > 0, totals, 1.0)[:, None]

    def draw(self, shares: Floats, random: np.random.Generator) -> tuple[Floats, Floats, Floats]:
        """Hits, columns and rows of tables whose rows have these shares, shape (n_draws, K) each."""
        n_draws, n = len(shares), self.n_classes
        masses = random.standard_gamma(self.shapes, size=(n_draws, self.shapes.size))
        uniform = random.random((n_draws, n))
        rest = [np.searchsorted(self.chances[k], uniform[:, k], "right") for k in range(n)]
        into = np.column_stack([np.broadcast_to(self.columns, (n_draws, self.columns.size)), *rest])
        totals = _summed(masses, np.broadcast_to(self.row_of, masses.shape), n)
        masses *= (shares / np.where(totals > 0, totals, 1.0))[:, self.row_of]
        hits = np.zeros((n_draws, n))
        hits[:, self.rows[self.hits]] = masses[:, self.hits]
        return hits, _summed(masses, np.minimum(into, n - 1), n), np.where(totals > 0, shares, 0.0)


def _summed(masses: Floats, into: np.ndarray, n: int) -> Floats:
    """Of each row of masses, those that belong to the same of n places, added up."""
    places = into + n * np.arange(len(masses))[:, None]
    return np.asarray(np.bincount(places.ravel(), masses.ravel(), n * len(masses)).reshape(-1, n), np.float64)


def _is_average(metric: LabelMetric) -> bool:
    return metric.code[1] != AVERAGES[""] or metric.code[0] == MEASURES["balanced_accuracy"]


def _within(laws: Floats, shares: Floats, sizes: Floats, slopes: Floats, power: int) -> Floats:
    """Each class's part of a central moment of the linearised metric, its own documents being redrawn."""
    centred = slopes - (laws * slopes).sum(axis=1, keepdims=True)
    moments = (laws * centred**power).sum(axis=1)
    return np.asarray(shares**power * moments / np.maximum(sizes, 1.0) ** (power - 1))


def _cumulants(
    laws: Floats, shares: Floats, sizes: Floats, slopes: tuple[Floats, Floats], stratified: bool
) -> tuple[float, float]:
    """Variance and third cumulant of the linearised metric in samples of so many documents."""
    of_cells, of_rows = slopes
    variance, third = (float(_within(laws, shares, sizes, of_cells, power).sum()) for power in (2, 3))
    if not stratified:
        by_row = (laws * of_cells).sum(axis=1) + of_rows
        centred = by_row - (shares * by_row).sum()
        variance += float((shares * centred**2).sum() / sizes.sum())
        third += float((shares * centred**3).sum() / sizes.sum() ** 2)
    return variance, third
