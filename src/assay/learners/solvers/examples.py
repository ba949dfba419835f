"""Rows in the order in which a learner that learns from mistakes sees them.

The order is drawn from a seed and from what the rows hold, never from where they stand: files are often sorted by
class, and a perceptron that sees one class after the other learns only the last.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay import _native
from assay.errors import ParameterError
from assay.learners.solvers.labelled_rows import LabelledRows
from assay.learners.solvers.targets import native_targets
from assay.wording import parameter

__all__ = ["Examples"]


@dataclass(frozen=True, slots=True)
class Examples:
    """Rows to learn from, in a form that every epoch can be drawn from."""

    X: Any  # CSR
    y: NDArray[np.int32]  # of all rows, one after the other
    copies: NDArray[np.float64]  # how often each row is presented: its weight
    rows: NDArray[np.int64]  # rows of weight above zero; equal rows side by side when they are to be shuffled
    group_begin: NDArray[np.int64] | None  # where equal rows begin in `rows`; None keeps the order
    label_offsets: NDArray[np.int64] | None = None  # where the set of each row begins in `y`; None: one class a row

    @classmethod
    def prepare(cls, given: LabelledRows, *, shuffle: bool) -> Examples:
        """Put equal rows side by side, so that k copies of a row are the same as one row of weight k."""
        if given.have_sets and given.class_weight is not None:
            raise ParameterError(
                f"A perceptron is shown a row for all labels at once, and cannot weigh sets of labels by "
                f"{parameter('class_weight')}. Leave it out, or use a learner with a cost, such as a support vector "
                "machine."
            )
        X, weights = given.X, given.weights_with_classes
        y, offsets = native_targets(given.classes)
        rows = np.flatnonzero(weights > 0)
        if not shuffle:
            return cls(X, y, weights, rows, None, offsets)
        prints = _native.fingerprint_rows(X.indptr, X.indices, X.data, X.shape[1], y, given.n_threads, offsets)[rows]
        by_print = np.argsort(prints, kind="stable")
        changes = np.flatnonzero(np.diff(prints[by_print])) + 1
        return cls(X, y, weights, rows[by_print], np.concatenate([[0], changes, [len(rows)]]), offsets)

    def order(self, seed: int, epoch: int) -> NDArray[np.int64]:
        """Return the rows of one epoch in the order of their presentation."""
        if self.group_begin is None:
            return self.rows
        order: NDArray[np.int64] = _native.shuffle_groups(self.rows, self.group_begin, seed, epoch)
        return order

    @property
    def arrays(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[np.int32], NDArray[np.float64]]:
        """What a native epoch is given before the order."""
        return self.X.indptr, self.X.indices, self.X.data, self.y, self.copies
