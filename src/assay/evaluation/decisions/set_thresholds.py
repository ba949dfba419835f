"""Choosing when a label is given: a threshold a label, one for all, or so many of the most probable.

The F1 of a label is largest where the label is given from F*/2 on, F* being that largest F1, if probabilities are right
(Lipton, Elkan & Naryanaswamy 2014). Two things follow. A threshold that is searched on few texts of a label is as good
as these texts: it fits their chance, and held-out F1 suffers (Lin & Lin 2023). So each label's own threshold is drawn
to a shared one, the more the fewer texts have the label:

    t_k = exp((n_k log s_k + m log s) / (n_k + m))

with n_k texts of the label, s_k the best cut on them, s the shared cut and m texts that the shared one is worth, chosen
by cross-validating the choice itself on these texts. And where nothing tells a label, F*/2 is so low that it would be
given to everybody: such a label is *hopeless*, and gets the shared threshold.

All of it is chosen on out-of-fold probabilities, which no model has seen the label of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError, ParameterError
from assay.evaluation.metrics.outcomes import Label, choices
from assay.evaluation.parameters import is_whole
from assay.label_sets import LabelSets
from assay.prediction.set_rule import SetRule, given_labels

__all__ = ["SetThresholds", "choose_set_thresholds"]

Floats = NDArray[np.float64]
Kind = Literal["each", "shared", "top", "at-least-one"]
KINDS: tuple[Kind, ...] = ("each", "shared", "top", "at-least-one")
METRICS = ("micro_f1", "macro_f1", "samples_f1")
DRAWN = (0.0, 5.0, 20.0, 60.0, 200.0, np.inf)  # texts that the shared threshold is worth; none: each label's own
ALIKE = 0.995  # of the best score: what is above it is taken for as good
PARTS = 5  # of the texts, to choose among these
HOPELESS = 1.1  # a label is hopeless where its best F1 is at most so many times that of giving it to everybody
GRID = np.geomspace(0.005, 0.9, 80)  # shared thresholds that are tried for macro-F1
LOWEST, HIGHEST = 1e-6, 1 - 1e-6


@dataclass(frozen=True)
class SetThresholds:
    """What was chosen, in plain numbers, ready for a rule.

    Attributes
    ----------
    labels
        Every label, in the order of the probabilities' columns.
    kind
        ``"each"``: a threshold a label; ``"shared"``: one for all; ``"top"``: the `k` most probable labels;
        ``"at-least-one"``: as "each", and where no label reaches its threshold, the one with the largest ratio of
        probability and threshold.
    values
        Thresholds: one a label, or one; none for "top".
    k
        Of "top"; else 0.
    drawn
        How many texts the shared threshold was worth: infinite where every label has it.
    shared
        The shared threshold.
    hopeless
        Labels that nothing tells: the best that can be done for their F1 is to give them to nearly everybody.
    metric, expected
        What was made large, and its value on the same texts where the choice was made on the others.
    """

    labels: tuple[Label, ...]
    kind: Kind
    values: Floats
    k: int
    drawn: float
    shared: float
    hopeless: tuple[Label, ...]
    metric: str
    expected: float

    @property
    def rule(self) -> SetRule:
        """The same for a model."""
        return SetRule(self.labels, self.kind, self.values, self.k)

    def apply(self, probabilities: Floats) -> LabelSets:
        """The labels of each text."""
        return self.rule.apply(probabilities)


def choose_set_thresholds(
    probabilities: Floats,
    truth: LabelSets | NDArray[Any],
    labels: Sequence[Label],
    *,
    metric: str = "micro_f1",
    kind: Kind = "each",
    k: int | None = None,
    drawn: float | None = None,
) -> SetThresholds:
    """Choose thresholds on out-of-fold probabilities.

    Parameters
    ----------
    probabilities
        Shape (n, n_labels), of texts whose labels the model that gave them had not seen.
    truth
        The labels that the texts have: sets, or a table of 0 and 1 with a column a label.
    labels
        The names of the columns.
    metric
        ``"micro_f1"``, ``"macro_f1"`` or ``"samples_f1"``: decides how far labels keep thresholds of their own.
    kind
        See `SetThresholds`.
    k
        Of ``kind="top"``; by default the number with the largest metric.
    drawn
        Texts that the shared threshold is worth; by default chosen by cross-validation.

    Examples
    --------
    >>> probabilities = np.array([[0.9, 0.3], [0.8, 0.1], [0.2, 0.35], [0.1, 0.05]])
    >>> truth = LabelSets.of_rows([[0, 1], [0], [1], []], 2)
    >>> rule = choose_set_thresholds(probabilities, truth, ("news", "sport"), drawn=0)
    >>> [row.tolist() for row in rule.apply(probabilities)]
    [[0, 1], [0], [1], []]

    References
    ----------
    Lipton, Elkan & Naryanaswamy (2014); Lin & Lin (2023), On the thresholding strategy for infrequent labels; Fan & Lin
    (2007), who choose a threshold by cross-validation and fall back where it is worth nothing.
    """
    truth = truth if isinstance(truth, LabelSets) else LabelSets.of_table(truth)
    table = _checked(probabilities, truth, labels)
    if kind not in KINDS:
        raise ParameterError(f"kind must be one of {choices(kind, KINDS)}. Got {kind!r} instead.")
    if metric not in METRICS:
        raise ParameterError(f"Thresholds are chosen by one of {choices(metric, METRICS)}. Got {metric!r} instead.")
    if drawn is not None and not drawn >= 0:
        raise ParameterError(f"drawn must be a number of texts of at least 0. Got {drawn!r} instead.")
    true = truth.table()
    part = np.arange(len(true)) % PARTS  # rows that stand together may be alike: deal them out in turn
    if kind == "top":
        return _top(table, true, tuple(labels), metric, k)
    whole = _Cuts.of(table, true, metric)
    worths = [np.inf] if kind == "shared" else DRAWN if drawn is None else [float(drawn)]
    scored = dict.fromkeys(worths, 0.0)
    told = [
        (part == p, _Cuts.of(table[part != p], true[part != p], metric)) for p in range(PARTS) if len(true) >= 2 * PARTS
    ]
    for worth in scored:
        said = np.zeros_like(true)
        for rows, cuts in told:
            said[rows] = given_labels(table[rows], _plain(kind), cuts.thresholds(worth), 0)
        scored[worth] = _measured(true, said, metric)
    # Of those that chance alone may part, the one that leans on the shared threshold most: it has the least to fit.
    best = max(worth for worth, score in scored.items() if score >= ALIKE * max(scored.values()))
    values = whole.thresholds(best)
    if kind == "shared":
        values = np.array([whole.shared])
    return SetThresholds(
        tuple(labels),
        kind,
        values,
        0,
        best,
        whole.shared,
        tuple(labels[int(j)] for j in np.flatnonzero(whole.hopeless)),
        metric,
        scored[best],
    )


@dataclass(frozen=True)
class _Cuts:
    """The best cut of each label and the shared one, on some texts."""

    own: Floats
    shared: float
    texts: Floats
    hopeless: NDArray[np.bool_]

    @classmethod
    def of(cls, table: Floats, true: NDArray[np.bool_], metric: str) -> _Cuts:
        n_labels = table.shape[1]
        found = [best_cut_of_label(table[:, j], true[:, j]) for j in range(n_labels)]
        if metric == "macro_f1":
            shared = float(GRID[int(np.argmax(_macro_f1_at(table, true, GRID)))])
        else:
            shared, _ = best_cut_of_label(table.ravel(), true.ravel())
        texts = true.sum(axis=0).astype(np.float64)
        share = texts / max(len(true), 1)
        to_all = 2 * share / (1 + share)  # F1 of giving the label to everybody
        best = np.array([f1 for _, f1 in found])
        own = np.array([cut for cut, _ in found])
        said_to = np.array([(table[:, j] >= own[j]).mean() for j in range(n_labels)])
        hopeless = (best <= HOPELESS * to_all) & (said_to > 0.5) & (share < 0.5)
        return cls(own, shared, texts, hopeless)

    def thresholds(self, worth: float) -> Floats:
        """Each label's cut, drawn to the shared one as if that had been seen on so many texts."""
        if np.isinf(worth):
            return np.full(self.own.size, self.shared)
        weight = np.where(self.hopeless | (self.texts == 0), 0.0, self.texts / np.maximum(self.texts + worth, 1e-12))
        drawn = np.exp(weight * np.log(self.own) + (1 - weight) * np.log(self.shared))
        return np.asarray(np.clip(drawn, LOWEST, HIGHEST))


def best_cut_of_label(probabilities: Floats, true: NDArray[np.bool_]) -> tuple[float, float]:
    """The threshold with the largest F1, halfway to the next lower probability, and that F1.

    Of a label that no text has, F1 is 0 whatever the threshold: the cut is above every probability.

    Examples
    --------
    >>> cut, f1 = best_cut_of_label(np.array([0.9, 0.6, 0.4, 0.1]), np.array([True, True, False, False]))
    >>> round(cut, 3), f1
    (0.5, 1.0)
    """
    ranked, hit = np.sort(probabilities), np.sort(probabilities[true])
    if not hit.size:
        return float(np.clip((ranked[-1] + 1) / 2, LOWEST, HIGHEST)), 0.0
    # F1 only rises where a text with the label is reached. A cut at its probability leaves out all texts below it.
    left_out, missed = np.searchsorted(ranked, hit, "left"), np.searchsorted(hit, hit, "left")
    f1 = 2 * (hit.size - missed) / (ranked.size - left_out + hit.size)
    at = hit.size - 1 - int(np.argmax(f1[::-1]))  # the highest of equals
    below = ranked[left_out[at] - 1] if left_out[at] else 0.0
    return float(np.clip((hit[at] + below) / 2, LOWEST, HIGHEST)), float(f1[at])


def _macro_f1_at(table: Floats, true: NDArray[np.bool_], cuts: Floats) -> Floats:
    """Macro-F1 where all labels have each of these thresholds."""
    total = np.zeros(cuts.size)
    for j in range(table.shape[1]):
        said, hits = (np.sort(values) for values in (table[:, j], table[true[:, j], j]))
        given, found = (values.size - np.searchsorted(values, cuts, "left") for values in (said, hits))
        total += 2 * found / np.maximum(given + hits.size, 1)
    return np.asarray(total / max(table.shape[1], 1))


def _top(
    table: Floats, true: NDArray[np.bool_], labels: tuple[Label, ...], metric: str, k: int | None
) -> SetThresholds:
    n_labels = len(labels)
    if k is not None and not is_whole(k, 1, n_labels + 1):
        raise ParameterError(f"k must be a whole number from 1 to {n_labels}, the number of labels. Got {k!r} instead.")
    tried = [int(k)] if k is not None else range(1, min(n_labels, 2 * int(np.ceil(true.sum(axis=1).mean())) + 2) + 1)
    none = np.empty(0)
    scored = {each: _measured(true, given_labels(table, "top", none, each), metric) for each in tried}
    best = max(scored, key=lambda each: (scored[each], -each))
    return SetThresholds(labels, "top", none, best, np.nan, np.nan, (), metric, scored[best])


def _plain(kind: Kind) -> Kind:
    return "each" if kind == "shared" else kind


def _measured(true: NDArray[np.bool_], said: NDArray[np.bool_], metric: str) -> float:
    """The metric, where 0/0 counts as 0 for labels and as 1 for texts that rightly got none."""
    axis = {"micro_f1": None, "macro_f1": 0, "samples_f1": 1}[metric]
    hits, sizes = (true & said).sum(axis=axis), true.sum(axis=axis) + said.sum(axis=axis)
    empty = 1.0 if metric == "samples_f1" else 0.0
    return float(np.mean(np.where(sizes > 0, 2 * hits / np.maximum(sizes, 1), empty)))


def _checked(probabilities: Floats, truth: LabelSets, labels: Sequence[Label]) -> Floats:
    table = np.asarray(probabilities, np.float64)
    if table.shape != (len(truth), len(labels)) or truth.n_classes != len(labels) or len(truth) == 0:
        raise DataError(
            f"The probabilities have shape {table.shape} where {len(truth):,} texts of {truth.n_classes:,} labels, of "
            f"which {len(labels):,} are named, need one row a text and one column a label."
        )
    if not ((table >= 0) & (table <= 1)).all():
        raise DataError(
            "Thresholds are chosen on probabilities from 0 to 1, and these are not. Calibrate the scores first."
        )
    return table
