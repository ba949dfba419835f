"""The matrix of a regression, and whether it can be solved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.errors import DataError
from assay.inference.newton import Floats
from assay.inference.variables import Variable
from assay.suggest import quote, quoted

__all__ = ["Design", "check_rank"]

_RANK_TOLERANCE = 1e-9


@dataclass(frozen=True)
class Design:
    """Features and controls side by side, after a column of ones."""

    variables: tuple[Variable, ...]
    X: Floats
    names: tuple[str, ...]

    @classmethod
    def of(cls, variables: Sequence[Variable], n: int) -> Design:
        """The matrix of these variables."""
        X = np.column_stack([np.ones(n), *(variable.columns for variable in variables)])
        return cls(tuple(variables), X, ("(intercept)", *(name for v in variables for name in v.column_names)))

    def slots(self, variable: Variable) -> slice:
        """Where the columns of a variable stand."""
        begin = 1
        for other in self.variables:
            if other is variable:
                return slice(begin, begin + len(other.column_names))
            begin += len(other.column_names)
        raise KeyError(variable.name)

    def without(self, variable: Variable) -> Floats:
        """The matrix without the columns of a variable."""
        slots = self.slots(variable)
        return np.delete(self.X, range(slots.start, slots.stop), axis=1)


def check_rank(design: Design, source: str) -> None:
    """Complain about columns that are constant, or that follow from others: their effects cannot be told apart."""
    X, n = design.X, len(design.X)
    for variable in design.variables:
        for name, column in zip(variable.column_names, variable.columns.T, strict=True):
            if np.all(column == column[0]):
                what = "control" if variable.is_control else "feature"
                held = f"every text has it as often ({column[0]:g})" if column[0] else "no text has it"
                raise DataError(
                    f"{source}: the {what} {quote(name)} is the same everywhere: {held}. Nothing can be said about it: "
                    "leave it out, or check how it is written."
                )
    scale = np.linalg.norm(X, axis=0)
    basis = np.empty((n, 0))
    for index, name in enumerate(design.names):
        column = X[:, index] / scale[index]
        rest = column - basis @ (basis.T @ column)
        rest -= basis @ (basis.T @ rest)
        length = float(np.linalg.norm(rest))
        if length < _RANK_TOLERANCE:
            weights = np.linalg.lstsq(X[:, :index], X[:, index], rcond=None)[0]
            others = [design.names[j] for j in np.flatnonzero(np.abs(weights * scale[:index]) > 1e-6 * scale[index])]
            raise DataError(
                f"{source}: {quote(name)} follows exactly from "
                f"{quoted([o for o in others if o != '(intercept)'] or others)}, so their effects cannot be told "
                "apart (the design is singular). Leave one of them out."
            )
        basis = np.column_stack([basis, rest / length])
