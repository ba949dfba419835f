"""Labels, as the user wrote them, to class indices, and the weights of examples."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError
from assay.suggest import nearest_first, quote, quoted

__all__ = ["check_sample_weight", "encode_labels", "index_labels"]


def encode_labels(y: Any, owner: str) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """Return the sorted distinct labels of `y` and, for each row, the index of its label among them."""
    labels = _label_array(y, owner)
    if labels.dtype.kind == "O":
        classes = np.empty(len(distinct := sorted(set(labels.tolist()))), dtype=object)
        classes[:] = distinct
        return classes, index_labels(labels, classes, owner)
    classes, indices = np.unique(labels, return_inverse=True)
    return classes, indices.astype(np.int32)


def index_labels(y: Any, classes: NDArray[Any], owner: str) -> NDArray[np.int32]:
    """Return the index of each label of `y` among `classes`; a label that is not there is an error."""
    labels = _label_array(y, owner)
    index_of = {label: index for index, label in enumerate(classes.tolist())}
    indices = np.fromiter((index_of.get(label, -1) for label in labels.tolist()), np.int32, len(labels))
    if len(labels) and indices.min() < 0:
        row = int(np.argmin(indices))
        raise DataError(
            f"y[{row}]: the label {quote(labels.tolist()[row])} is not one of the classes that {owner} knows: "
            f"{_listing(classes, labels.tolist()[row])}. Name all in `classes` at the first partial_fit."
        )
    return indices


def check_sample_weight(sample_weight: Any, n_rows: int) -> NDArray[np.float64]:
    """Return one finite weight ≥ 0 for each row; None gives ones, a number gives that number to all."""
    if sample_weight is None:
        return np.ones(n_rows)
    try:
        weights = np.array(sample_weight, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError("sample_weight must hold numbers, one for each row of X.") from None
    if weights.ndim == 0:
        weights = np.full(n_rows, float(weights))
    if weights.ndim != 1 or len(weights) != n_rows:
        raise DataError(
            f"sample_weight has shape {weights.shape} but X has {n_rows} rows. Give one weight for each row."
        )
    if (bad := ~(np.isfinite(weights) & (weights >= 0))).any():
        row = int(np.argmax(bad))
        raise DataError(f"sample_weight[{row}]: {weights[row]} is not a finite weight of 0 or more.")
    if not weights.any():
        raise DataError("sample_weight is zero for every row. Give at least one row a weight above zero.")
    return weights


def _label_array(y: Any, owner: str) -> NDArray[Any]:
    from sklearn.utils import column_or_1d
    from sklearn.utils.multiclass import check_classification_targets

    if y is None:
        raise DataError(f"{owner} requires y to be passed, but the target y is None. Give one label a row.")
    _refuse_collections(y)
    try:
        labels = np.asarray(column_or_1d(y, warn=True))
    except ValueError as error:
        raise DataError(f"{error} Give one label a row.") from None
    if labels.dtype.kind == "O":
        _refuse_mixed_labels(labels)
        if len(labels) and not isinstance(labels[0], str):
            labels = np.array(labels.tolist())
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        row = int(np.argmin(np.isfinite(labels)))
        raise DataError(f"y[{row}]: the label is {labels[row]} (NaN or inf). Leave out rows without a label.")
    if labels.dtype.kind not in "OUS":
        try:
            check_classification_targets(labels)
        except ValueError as error:
            raise DataError(f"{error} Labels are names or whole numbers.") from None
    return labels


def _refuse_collections(y: Any) -> None:
    """Refuse labels of which each is several: lists of different lengths, sets."""
    listed = isinstance(y, list | tuple) or (isinstance(y, np.ndarray) and y.ndim == 1 and y.dtype.kind == "O")
    if not listed or not len(y) or not isinstance(y[0], set | frozenset | list | tuple):
        return
    for row, several in enumerate(y):
        if isinstance(several, list | tuple) and len(several) == 1:
            continue
        raise DataError(
            f"y[{row}] is a {type(several).__name__}, {quote(several)}, not a label. Give label sets as a matrix of 0 "
            "and 1 with a column for each label, as scikit-learn's MultiLabelBinarizer makes it, or one label a row."
        )


def _refuse_mixed_labels(labels: NDArray[Any]) -> None:
    first_row_of: dict[str, int] = {}
    for row, label in enumerate(labels.tolist()):
        if label is None or label != label:
            raise DataError(f"y[{row}]: the label is missing ({quote(label)}, NaN or None). Leave such rows out.")
        kind = "text" if isinstance(label, str) else "bytes" if isinstance(label, bytes) else "number"
        first_row_of.setdefault(kind, row)
    if len(first_row_of) > 1:
        found = " and ".join(f"{quote(labels[row])} (y[{row}])" for row in first_row_of.values())
        raise DataError(f"y mixes labels of different types: {found}. Make all labels text or all numbers.")


def _listing(classes: NDArray[Any], stranger: object) -> str:
    return quoted(nearest_first(str(stranger), map(str, classes.tolist())))
