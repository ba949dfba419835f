"""A model of the labels so far, learned within the time between two labels: logistic regression on the pool's rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.features.columns.text_matrix import CompressedRows
from assay.label_sets import LabelSets, Task
from assay.labeling.narrow_rows import NarrowColumns, products
from assay.learners.solvers.fit import fit_linear
from assay.learners.solvers.labelled_rows import LabelledRows
from assay.learners.solvers.logistic_settings import LogisticSettings
from assay.prediction.probabilities import link_scores
from assay.threads import count_threads

__all__ = ["QuickModel"]

Floats = NDArray[np.float64]

COST = 10.0  # C; decision 0077


@dataclass(frozen=True, eq=False)
class QuickModel:
    """Linear scores and probabilities.

    Attributes
    ----------
    names
        The labels.
    weights
        (n_features, n_labels) over `narrow.columns`; of two labels, of which a text has one, a single column for the
        second.
    """

    names: tuple[str, ...]
    task: Task
    narrow: NarrowColumns
    weights: NDArray[np.float32]
    bias: Floats

    @classmethod
    def learn(
        cls,
        rows: CompressedRows,
        classes: NDArray[np.int32] | LabelSets,
        names: tuple[str, ...],
        *,
        seed: int = 0,
        threads: int | None = None,
    ) -> QuickModel:
        """Learn from rows and their labels; a label may have none of them."""
        narrow = NarrowColumns.of(rows)
        labelled = LabelledRows(
            narrow.of_rows(rows), classes, names, seed=seed, n_threads=count_threads(threads),
            class_weight="balanced" if isinstance(classes, LabelSets) else None,
        )  # fmt: skip
        found = fit_linear(labelled, LogisticSettings(C=COST))
        task: Task = "label-sets" if isinstance(classes, LabelSets) else "labels"
        return cls(names, task, narrow, found.weights, found.intercept)

    def probabilities(self, rows: CompressedRows, threads: int | None = None) -> Floats:
        """Probability of each label, (n, n_labels)."""
        scores = products(self.narrow.of_rows(rows), self.weights, self.bias, count_threads(threads))
        if self.task == "label-sets":
            return link_scores(scores, "independent")
        return link_scores(scores[:, 0] if len(self.names) == 2 else scores, "softmax")

    def words_for(self, row: CompressedRows, k: int) -> NDArray[np.int64]:
        """Columns of the whole matrix, of one row, that speak for label k rather than the others, the loudest first."""
        narrow = self.narrow.of_rows(row)
        table = self.weights[narrow.indices]
        if table.shape[1] == 1 and self.task == "labels":
            for_label = table[:, 0] if k == 1 else -table[:, 0]
        else:
            for_label = table[:, k] - (table.mean(axis=1) if self.task == "labels" else 0)
        said = narrow.data * for_label
        order = np.argsort(-said, kind="stable")
        return np.asarray(self.narrow.columns[narrow.indices[order[said[order] > 0]]])
