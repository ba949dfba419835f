"""Rules of models that give several labels a text: from probabilities to a set of labels.

A rule is a few plain numbers, chosen by `assay.evaluation.choose_set_thresholds`. It is applied with numpy alone and
kept in a model file as it is.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError
from assay.label_sets import LabelSets
from assay.label_tree import ReachedLabels
from assay.prediction.probabilities import Floats

__all__ = ["SET_KINDS", "SetRule", "given_labels"]

SET_KINDS = ("each", "shared", "top", "at-least-one")


@dataclass(frozen=True, eq=False)
class SetRule:
    """Which labels a text is given.

    =============  =============================================================================  =================
    kind           answer                                                                         values
    =============  =============================================================================  =================
    each           the labels whose probability reaches their threshold                           one a label
    shared         the same with one threshold for all                                            the threshold
    top            the k most probable labels                                                     none
    at-least-one   as "each"; where none reaches its threshold, the label that comes nearest to   one a label
                   it, by the quotient of the two
    =============  =============================================================================  =================

    A threshold above 1 says that the label is never given.

    Attributes
    ----------
    labels
        Order of the columns.
    kind, values
        As above.
    k
        How many labels "top" gives.

    Examples
    --------
    >>> rule = SetRule(("sport", "politics"), "each", np.array([0.5, 0.2]))
    >>> rule.apply([[0.6, 0.3], [0.4, 0.1]]).names(rule.labels)
    [('sport', 'politics'), ()]
    >>> SetRule(("sport", "politics"), "at-least-one", np.array([0.5, 0.2])).apply([[0.4, 0.1]]).names(rule.labels)
    [('sport',)]
    """

    labels: tuple[Hashable, ...]
    kind: str = "shared"
    values: Floats = field(default_factory=lambda: np.array([0.5]))
    k: int = 0

    def __post_init__(self) -> None:
        n, values = len(self.labels), np.asarray(self.values, dtype=np.float64)
        if self.kind not in SET_KINDS:
            raise DataError(
                f"A rule for sets of labels must be one of {', '.join(map(repr, SET_KINDS))}. Got {self.kind!r} "
                "instead."
            )
        size = {"each": n, "shared": 1, "top": 0, "at-least-one": n}[self.kind]
        if values.shape != (size,) or not (np.isfinite(values) & (values >= 0)).all():
            raise DataError(
                f"A rule of kind {self.kind!r} for {n} labels must have {size} thresholds, finite and not below 0. Got "
                f"{values[:5].tolist() if values.ndim else values} of shape {values.shape} instead."
            )
        if (self.kind == "top") != (1 <= self.k <= n):
            raise DataError(
                f"A rule of kind {self.kind!r} for {n} labels cannot have k = {self.k}: 'top' gives from 1 to {n} "
                "labels, the other kinds have no k."
            )

    def apply(self, probabilities: Any) -> LabelSets:
        """The set of each text, of probabilities (n, n_labels)."""
        table = np.asarray(probabilities, dtype=np.float64)
        if table.ndim != 2 or table.shape[1] != len(self.labels):
            raise DataError(
                f"The probabilities have shape {table.shape} where (n, {len(self.labels)}) is needed: one column for "
                f"each of the labels {list(self.labels)!r}."
            )
        return LabelSets.of_table(given_labels(table, self.kind, self.values, self.k))

    def of_reached(self, probabilities: ReachedLabels) -> LabelSets:
        """The set of each text, of the labels that the search of a label tree came to: no other can be given."""
        sets, values = probabilities.sets, probabilities.values
        if self.kind == "top":
            return probabilities.where(probabilities.ranks() < self.k)
        needed = np.broadcast_to(self.values, len(self.labels))[sets.members]
        given = values >= needed
        if self.kind == "at-least-one":
            nearest = probabilities.with_values(values / np.maximum(needed, np.finfo(np.float64).tiny))
            without = np.bincount(sets.texts[given], minlength=len(sets)) == 0
            given |= without[sets.texts] & (nearest.ranks() == 0)
        return probabilities.where(given)

    def thresholds(self) -> Floats | None:
        """Of each label; None where the rule has none."""
        return None if self.kind == "top" else np.broadcast_to(self.values, len(self.labels)).copy()

    def reordered(self, labels: Sequence[Hashable]) -> SetRule:
        """The same rule for columns in another order."""
        order = [self.labels.index(label) for label in labels]
        values = self.values[order] if self.kind in ("each", "at-least-one") else self.values
        return SetRule(tuple(labels), self.kind, values, self.k)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Plain arrays from which `from_arrays` makes the rule again; the labels are not among them."""
        return {
            "rule": np.array([SET_KINDS.index(self.kind), self.k], dtype=np.int32),
            "values": np.asarray(self.values, dtype=np.float64),
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], labels: Sequence[Hashable]) -> SetRule:
        """The rule that `to_arrays` took apart, after its sizes have been checked."""
        header = np.asarray(arrays.get("rule", ()))
        if set(arrays) != {"rule", "values"} or header.shape != (2,) or not 0 <= header[0] < len(SET_KINDS):
            raise DataError(f"These arrays hold no rule for sets of labels: their 'rule' is {header.tolist()!r}.")
        return cls(tuple(labels), SET_KINDS[int(header[0])], arrays["values"], int(header[1]))


def given_labels(probabilities: Floats, kind: str, values: Floats, k: int) -> NDArray[np.bool_]:
    """Which labels each text is given, (n, n_labels), see `SetRule`; of equally probable labels the first is taken.

    Examples
    --------
    >>> given_labels(np.array([[0.5, 0.5, 0.1]]), "top", np.empty(0), 1).tolist()
    [[True, False, False]]
    """
    if kind == "top":
        given = np.zeros(probabilities.shape, bool)
        best = np.argsort(-probabilities, axis=1, kind="stable")[:, :k]
        np.put_along_axis(given, best, True, axis=1)
        return given
    given = np.asarray(probabilities >= values)
    if kind == "at-least-one":
        without = np.flatnonzero(~given.any(axis=1))
        nearness = probabilities[without] / np.maximum(values, np.finfo(np.float64).tiny)
        given[without, nearness.argmax(axis=1)] = True
    return given
