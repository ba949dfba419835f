"""What labels have bought: accuracy as they came in, what more of them would bring, and whether that is worth it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from assay.arguments import in_our_words
from assay.errors import DataError, ParameterError
from assay.evaluation.presenting.percentages import percent
from assay.evaluation.uncertainty.score_forecast import FEWEST_SIZES, FEWEST_TEXTS, ScoreForecast, forecast_score
from assay.evaluation.uncertainty.share_intervals import share_interval
from assay.labeling.aside import SHARE
from assay.labeling.curve import cross_checked, curve_sizes, right_on
from assay.labeling.known import KnownLabels
from assay.labeling.pool import TextPool
from assay.suggest import counted
from assay.tables import Page, Shown, Table
from assay.wording import parameter

__all__ = ["CurvePoint", "LabelsBought", "labels_bought"]

MORE = (100, 1000)
WORTH = 0.01
_LEVEL = 0.9
_CURVE_LEVEL = 0.95

Kind = Literal["as they came", "random", "cross-validated"]
Verdict = Literal["enough", "not yet", "too few"]


@dataclass(frozen=True)
class CurvePoint:
    """What a model of so many labels gets right.

    Attributes
    ----------
    kind
        ``as they came``: the first labels, measured on texts that were kept aside; ``random``: labels of these texts
        themselves, by cross-validation; ``cross-validated``: labels of all texts, where too few were kept aside.
    labels
        It was trained with.
    accuracy, low, high
        Share of texts that got just their label, or just their set of labels, and its 95 % interval.
    """

    kind: Kind
    labels: int
    accuracy: float
    low: float
    high: float


@dataclass(frozen=True)
class LabelsBought(Shown):
    """Accuracy by labels.

    Attributes
    ----------
    points
        The curves.
    forecast
        With 100 and 1,000 labels more; empty where there is too little to go by.
    n_labels, n_measured
        Labels that were learned from, and texts that it was measured on.
    verdict
        ``enough``: even 1,000 labels more would hardly bring more than `worth`; ``not yet``; or ``too few``.
    sentence
        The same with the numbers.
    notes
        What should be known of the measure.
    """

    points: tuple[CurvePoint, ...]
    forecast: tuple[ScoreForecast, ...]
    n_labels: int
    n_measured: int
    verdict: Verdict
    sentence: str
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "kind": "labels_bought",
            "version": 1,
            "labels": self.n_labels,
            "measured": self.n_measured,
            "points": [asdict(point) for point in self.points],
            "forecast": [asdict(item) for item in self.forecast],
            "verdict": self.verdict,
            "sentence": self.sentence,
            "notes": list(self.notes),
        }

    def _page(self) -> Page:
        rows = [
            (f"{point.labels:,} {point.kind}", percent(point.accuracy, 1), _range(point.low, point.high))
            for point in self.points
        ]
        rows += [(f"{item.more:,} more, likely", percent(item.value, 1), _range(item.low, item.high))
                 for item in self.forecast]  # fmt: skip
        tables = [Table("What labels have bought", ("labels", "accuracy", "from … to"), rows)] if rows else []
        return self.sentence, tables, self.notes


@in_our_words
def labels_bought(
    pool: Any,
    labels: Any,
    *,
    order: Iterable[int] | None = None,
    measured: Iterable[int] | None = None,
    worth: float = WORTH,
    share: float = SHARE,
    seed: int = 0,
    threads: int | None = None,
) -> LabelsBought:
    """What labels have bought so far, and what more of them would bring.

    Quick models are trained with growing parts of the labels, in the order in which they came, and asked about texts
    that were kept aside and drawn by chance. Where fewer than thirty of these have a label, all labels are
    cross-validated instead: of texts that were picked because they are hard, that shows too little.

    Parameters
    ----------
    pool
        A `TextPool`; or texts, of which one is made.
    labels
        As for `TextPool.pick`.
    order
        The labelled rows in the order in which their labels came; None: by their numbers.
    measured
        The labelled rows that measure, where somebody else knows which were drawn by chance; None: those that the pool
        keeps aside, in the order in which they are drawn, up to the first without a label.
    worth
        How much accuracy 1,000 labels have to bring to be worth it.
    share, seed, threads
        Of the pool, where one is made.

    Examples
    --------
    >>> texts = [f"{word} {i}" for i in range(400) for word in ("good film", "bad film")]
    >>> bought = labels_bought(texts, dict(enumerate(["pos", "neg"] * 400)))
    >>> bought.verdict, bought.points[-1].accuracy
    ('enough', 1.0)
    """
    if not 0 < worth < 1:
        raise ParameterError(f"{parameter('worth')} is a share of the texts, such as 0.01. Got {worth!r} instead.")
    if not isinstance(pool, TextPool):
        pool = TextPool(pool, share=share, seed=seed, threads=threads)
    known = KnownLabels.of(labels, len(pool))
    came = _in_order(known, order)
    aside, drawn = pool.aside, _drawn(pool, known)
    if measured is not None:
        drawn = np.zeros(len(pool), bool)
        drawn[pool.checked_rows(measured, "measured")] = True
        aside = drawn
    asked, group = known.where(drawn), pool.corpus.near_copies.first
    learned = known.where(~np.isin(group, group[aside]))  # nothing that is nearly the same as what measures
    if len(asked) < FEWEST_TEXTS:
        sizes, right = cross_checked(pool, known, pool.seed) if known.can_teach else ([], np.zeros((0, 0), bool))
        points = _points("cross-validated", sizes, right)
        notes = [_by_cross_validation(len(asked))] if points else []
        return _told(points, sizes, right, len(known), len(known), worth, notes)
    place = {int(row): at for at, row in enumerate(learned.rows)}
    at = np.array([place[row] for row in came if row in place], np.intp)
    sizes = curve_sizes(len(at)) if learned.can_teach else []
    right = np.array([right_on(pool, learned, at, asked, size) for size in sizes]).reshape(len(sizes), len(asked))
    points = _points("as they came", sizes, right)
    if asked.can_teach:
        points += _points("random", *cross_checked(pool, asked, pool.seed))
    return _told(points, sizes, right, len(learned), len(asked), worth, [])


def _in_order(known: KnownLabels, order: Iterable[int] | None) -> list[int]:
    """The labelled rows as they came."""
    rows: list[int] = known.rows.tolist()
    if order is None:
        return rows
    given = [int(row) for row in order]
    strange = set(given) - set(rows)
    if strange or len(set(given)) != len(given):
        what = f"row {min(strange)}, which has no label" if strange else "a row twice"
        raise DataError(f"{parameter('order')} names {what}. Give each labelled row once, as the labels came.")
    return [*given, *sorted(set(rows) - set(given))]


def _drawn(pool: TextPool, known: KnownLabels) -> NDArray[np.bool_]:
    """The texts that were drawn by chance so far: those kept aside, in their order, up to the first without a label.

    What was labelled beyond that was not drawn yet, and somebody had another reason.
    """
    aside = np.flatnonzero(pool.aside)
    order = aside[np.argsort(pool.places[aside], kind="stable")]
    is_labelled = known.is_labelled[order]
    same = np.isin(pool.places[order], pool.places[order[is_labelled]])  # copies are asked about once
    ends = np.flatnonzero(~same)
    drawn = np.zeros(len(pool), bool)
    drawn[order[: ends[0] if len(ends) else len(order)]] = True
    return drawn


def _points(kind: Kind, sizes: Sequence[int], right: NDArray[np.bool_]) -> tuple[CurvePoint, ...]:
    n = right.shape[1] if right.size else 0
    return tuple(
        CurvePoint(kind, size, float(row.mean()), *share_interval(float(row.sum()), n, _CURVE_LEVEL))
        for size, row in zip(sizes, right, strict=True)
    )


def _told(
    points: tuple[CurvePoint, ...],
    sizes: Sequence[int],
    right: NDArray[np.bool_],
    n_labels: int,
    n_measured: int,
    worth: float,
    notes: list[str],
) -> LabelsBought:
    if len(sizes) < FEWEST_SIZES or n_measured < FEWEST_TEXTS:
        sentence = (
            f"Too few to say: {counted(n_labels, 'label', 'labels')} to learn from and "
            f"{counted(n_measured, 'text', 'texts')} to measure on. Go on labelling."
        )
        return LabelsBought(points, (), n_labels, n_measured, "too few", sentence, tuple(notes))
    forecast = forecast_score(sizes, right, MORE, level=_LEVEL)
    now, (soon, later) = float(right[-1].mean()), forecast
    enough = later.gain_high < worth
    said = f"{percent(now, 1)} are right with {sizes[-1]:,} labels"
    if enough:
        sentence = (
            f"Enough: {said}, and even {later.more:,} more would likely bring at most {_points_more(later.gain_high)}."
        )
    else:
        sentence = (
            f"Not yet: {said}; {soon.more:,} more would likely bring {_points_more(soon.gain_low, soon.gain_high)}, "
            f"{later.more:,} more {_points_more(later.gain_low, later.gain_high)} "
            f"(to {_range(later.low, later.high)})."
        )
    return LabelsBought(
        points, tuple(forecast), n_labels, n_measured, "enough" if enough else "not yet", sentence, tuple(notes)
    )


def _points_more(low: float, high: float | None = None) -> str:
    """A gain, in percentage points."""
    shown = f"{100 * low:.1f}" if high is None else f"{100 * low:.1f} to {100 * high:.1f}"
    return f"{shown} percentage points"


def _range(low: float, high: float) -> str:
    return f"{percent(low, 1)} to {percent(high, 1)}"


def _by_cross_validation(n: int) -> str:
    return (
        f"{counted(n, 'text that was', 'texts that were')} drawn by chance and labelled: too few to measure on, so all "
        "labels were cross-validated. Of texts that were picked because they are hard, this shows too little"
    )
