"""Learning batch by batch: the classes are named once, before all of them have been seen."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError, ParameterError
from assay.learners.estimators.indicators import is_indicator
from assay.learners.estimators.labels import encode_labels

__all__ = ["agree_on_classes"]


def agree_on_classes(learner: Any, y: Any, classes: Any) -> NDArray[Any]:
    """Return the sorted classes that `partial_fit` works with: those named at the first call, or the columns of y."""
    owner = type(learner).__name__
    if y is not None and is_indicator(y):
        return np.arange(np.shape(y)[1]) if classes is None else encode_labels(classes, owner)[0]
    known: NDArray[Any] | None = getattr(learner, "classes_", None)
    if classes is None:
        if known is None:
            raise ParameterError(
                f"classes must be passed on the first call to partial_fit of {owner}: a batch may not hold "
                "every class. Give all labels that can occur, as in partial_fit(X, y, classes=['ham', "
                "'spam'])."
            )
        return known
    named, _ = encode_labels(classes, owner)
    if known is not None and not np.array_equal(named, known):
        raise ParameterError(
            f"classes={named.tolist()} is not the same as on the first call to partial_fit of {owner}, "
            f"{known.tolist()}. Leave `classes` out after the first call, or start a new {owner}."
        )
    if len(named) < 2:
        raise DataError(
            f"classes={named.tolist()} names one class only; {owner} needs at least 2. Name every label that can occur."
        )
    return named
