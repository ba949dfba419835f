"""A cap on probabilities: a model never says that it is surer than its training could show."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError
from assay.prediction.probabilities import Floats

__all__ = ["ProbabilityCap"]


@dataclass(frozen=True, eq=False)
class ProbabilityCap:
    """The largest probability that each label may be given.

    What is above the cap is shared among the other labels, in proportion to what they have, or evenly where they have
    nothing. A cap is at least 1/2, so that at most one label of a text is above its own, and the most probable label
    stays the most probable. Where labels are independent, a text having several of them or none, nothing is shared.

    Attributes
    ----------
    labels
        Order of the columns.
    values
        One a label, from 1/2 to 1.
    independent
        Whether a text may have several labels.

    Examples
    --------
    >>> cap = ProbabilityCap.of_size(("ham", "spam"), 18)
    >>> cap.apply([[0.0, 1.0], [0.3, 0.7]]).round(2).tolist()
    [[0.05, 0.95], [0.3, 0.7]]
    """

    labels: tuple[Hashable, ...]
    values: Floats
    independent: bool = False

    def __post_init__(self) -> None:
        values = np.asarray(self.values)
        if values.shape != (len(self.labels),) or not ((values >= 0.5) & (values <= 1)).all():
            raise DataError(
                f"A cap on probabilities must be a number from 0.5 to 1 for each of the {len(self.labels)} labels. Got "
                f"{values[:5].tolist() if values.ndim else values} of shape {values.shape} instead."
            )

    @classmethod
    def of_size(cls, labels: Sequence[Hashable], n: int) -> ProbabilityCap:
        """By Laplace's rule of succession: of what came true n times in n, at most (n + 1) / (n + 2) is said."""
        return cls(tuple(labels), np.full(len(labels), (n + 1) / (n + 2)))

    @classmethod
    def of_held_out(cls, labels: Sequence[Hashable], probabilities: Any, classes: Any) -> ProbabilityCap:
        """The largest p that is at most (n + 1) / (n + 2), n texts having been at least as sure as p, and right.

        All labels share it: held-out texts of one label also show how far the probabilities of another can be trusted.

        Parameters
        ----------
        labels
            Order of the columns.
        probabilities
            (n, n_labels), of texts that the model was not trained on.
        classes
            True class index of each.

        Examples
        --------
        >>> says = [[0.01, 0.99], [0.02, 0.98], [0.1, 0.9], [0.8, 0.2]]
        >>> ProbabilityCap.of_held_out(("ham", "spam"), says, [1, 1, 1, 0]).values.tolist()  # three are as sure as 0.8
        [0.8, 0.8]
        """
        table, truth = np.asarray(probabilities, dtype=np.float64), np.asarray(classes)
        right = table.argmax(axis=1) == truth
        surest = np.sort(table.max(axis=1)[right])[::-1]
        n = np.arange(1, surest.size + 1)
        most = np.minimum(surest, (n + 1) / (n + 2)).max(initial=0.5)
        return cls(tuple(labels), np.full(len(labels), most))

    def apply(self, probabilities: Any) -> Floats:
        """Probabilities (n, n_labels) of which none is above its label's cap."""
        table = np.array(probabilities, dtype=np.float64)
        if self.independent:
            return np.minimum(table, self.values)
        rows, columns = np.nonzero(table > self.values)
        if not len(rows):
            return table
        most = self.values[columns]
        others = table[rows]
        others[np.arange(len(rows)), columns] = 0
        rest = others.sum(axis=1)
        even = rest <= 0
        others[even] = 1.0
        others[even, columns[even]] = 0
        rest[even] = len(self.labels) - 1
        table[rows] = others * ((1 - most) / rest)[:, None]
        table[rows, columns] = most
        return table

    def reordered(self, labels: Sequence[Hashable]) -> ProbabilityCap:
        """The same cap for columns in another order."""
        order = [self.labels.index(label) for label in labels]
        return ProbabilityCap(tuple(labels), self.values[order], self.independent)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Plain arrays from which `from_arrays` makes the cap again; the labels are not among them."""
        return {"values": np.asarray(self.values, dtype=np.float64)}

    @classmethod
    def from_arrays(
        cls, arrays: Mapping[str, NDArray[Any]], labels: Sequence[Hashable], *, independent: bool = False
    ) -> ProbabilityCap:
        """The cap that `to_arrays` took apart, after a look at it."""
        if set(arrays) != {"values"} or arrays["values"].dtype != np.float64:
            found = {name: str(values.dtype) for name, values in arrays.items()}
            raise DataError(f"These arrays are no cap on probabilities: they are {found}.")
        return cls(tuple(labels), arrays["values"], independent)
