"""Choosing settings by cross-validation inside a training part."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from assay.data.corpus.near_copies import first_among
from assay.errors import ParameterError
from assay.evaluation.protocols.folds import FoldPlan, Rows, make_folds
from assay.evaluation.protocols.trainers import Measured, Parameters, Trainer, taken

__all__ = ["candidates", "choose"]


def candidates(grid: Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Sequence[Any]]] | None) -> list[Parameters]:
    """Every combination of settings in a grid, written as scikit-learn writes it.

    Examples
    --------
    >>> candidates({"svc__C": [0.1, 1.0]})
    [{'svc__C': 0.1}, {'svc__C': 1.0}]
    """
    if grid is None:
        return [{}]
    from sklearn.model_selection import ParameterGrid

    found = list(ParameterGrid(grid))
    if not found:
        raise ParameterError(f"param_grid holds no combination of settings. Got {grid!r}.")
    return found


def choose(
    trainer: Trainer,
    rows: Rows,
    grid: Sequence[Parameters],
    score: Callable[[Measured], float],
    plan: FoldPlan,
    together: Rows | None,
) -> Parameters:
    """The settings with the highest mean score over folds of these rows; the first of equals.

    `together` names for every document the first of those that stay in one fold.
    """
    classes = taken(trainer.classes, rows)
    copies = None if together is None else first_among(together, rows)
    folds = make_folds(classes, trainer.names, plan, together=copies)
    means = [
        float(np.mean([score(trainer.outcomes(rows[f.train], rows[f.test], parameters)) for f in folds]))
        for parameters in grid
    ]
    return grid[int(np.nanargmax(means))] if not np.isnan(means).all() else grid[0]
