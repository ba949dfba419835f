"""Decision rules: from probabilities to labels when the most probable label is not the best answer.

A rule is a few plain numbers, chosen by `assay.evaluation.choose_rule`. It is applied with numpy alone and kept in a
model file as it is.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError
from assay.prediction.probabilities import Floats

__all__ = ["KINDS", "DecisionRule"]

KINDS = ("largest", "threshold", "weights", "costs")


@dataclass(frozen=True, eq=False)
class DecisionRule:
    """How probabilities become a label, or an abstention.

    ===========  ================================================================  ==================
    kind         answer                                                            values
    ===========  ================================================================  ==================
    largest      the most probable label                                           none
    threshold    `positive` where its probability reaches it, else the largest     the threshold
                 of the others
    weights      the largest probability times weight                              one a label
    costs        the smallest expected cost Σ_k p[k] · costs[k, answer]            one a pair of labels
    ===========  ================================================================  ==================

    Attributes
    ----------
    labels
        Order of the columns.
    kind
        One of the above.
    values
        Its numbers.
    positive
        Class index of the label that a threshold is for.
    abstain_below
        No answer where the largest probability is smaller than this.
    """

    labels: tuple[Hashable, ...]
    kind: str = "largest"
    values: Floats = field(default_factory=lambda: np.empty(0))
    positive: int = -1
    abstain_below: float = 0.0

    def apply(self, probabilities: Any) -> NDArray[np.int32]:
        """Class index of each document's answer; -1 where the rule abstains."""
        table = np.asarray(probabilities, dtype=np.float64)
        if table.ndim == 1 and len(self.labels) == 2:
            table = np.column_stack([1 - table, table])
        if table.ndim != 2 or table.shape[1] != len(self.labels):
            raise DataError(
                f"The probabilities have shape {table.shape} where (n, {len(self.labels)}) is needed: one column for "
                f"each of the labels {list(self.labels)!r}."
            )
        answers = self._answers(table).astype(np.int32)
        return np.where(table.max(axis=1) < self.abstain_below, np.int32(-1), answers)

    def predict(self, probabilities: Any) -> NDArray[Any]:
        """Label of each document's answer; None where the rule abstains."""
        names = np.array([*self.labels, None], dtype=object)
        return np.asarray(names[self.apply(probabilities)])

    def reordered(self, labels: Sequence[Hashable]) -> DecisionRule:
        """The same rule for columns in another order."""
        order = [self.labels.index(label) for label in labels]
        values = self.values
        if self.kind == "weights":
            values = values[order]
        elif self.kind == "costs":
            values = values[np.ix_(order, order)]
        positive = order.index(self.positive) if self.kind == "threshold" else self.positive
        return DecisionRule(tuple(labels), self.kind, values, positive, self.abstain_below)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Plain arrays from which `from_arrays` makes the rule again; the labels are not among them."""
        return {
            "rule": np.array([KINDS.index(self.kind), self.positive], dtype=np.int32),
            "values": np.asarray(self.values, dtype=np.float64).ravel(),
            "abstain_below": np.array([self.abstain_below]),
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], labels: Sequence[Hashable]) -> DecisionRule:
        """The rule that `to_arrays` took apart, after its sizes have been checked."""
        header = np.asarray(arrays.get("rule", ()))
        if header.shape != (2,) or not 0 <= header[0] < len(KINDS):
            raise DataError(f"These arrays hold no decision rule: their 'rule' is {header.tolist()!r}.")
        kind, positive = KINDS[int(header[0])], int(header[1])
        n = len(labels)
        values = np.asarray(arrays.get("values", ()), dtype=np.float64)
        below = np.asarray(arrays.get("abstain_below", ()), dtype=np.float64)
        size = {"largest": 0, "threshold": 1, "weights": n, "costs": n * n}[kind]
        sound = values.shape == (size,) and below.shape == (1,) and np.isfinite([*values, *below]).all()
        if not sound or (kind == "threshold" and not 0 <= positive < n):
            raise DataError(
                f"A decision rule of kind {kind!r} for {n} labels does not have {values.size} values and the positive "
                f"class {positive}."
            )
        shaped = values.reshape(n, n) if kind == "costs" else values
        return cls(tuple(labels), kind, shaped, positive, float(below[0]))

    def _answers(self, table: Floats) -> NDArray[Any]:
        if self.kind == "weights":
            table = table * self.values
        elif self.kind == "costs":
            table = -(table @ self.values)
        elif self.kind == "threshold":
            others = table.copy()
            others[:, self.positive] = -np.inf
            return np.where(table[:, self.positive] >= self.values[0], self.positive, others.argmax(axis=1))
        return np.asarray(table.argmax(axis=1))
