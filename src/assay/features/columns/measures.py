"""Which features tell the classes apart: six measures, all but the last from one pass over the matrix.

    information-gain   bits that the presence of the feature saves in telling the class
    chi2               how far presence and class are from having nothing to do with each other
    pmi                pointwise mutual information of the feature and the class that it points to most, in bits
    gini               by how much the presence of the feature lowers the Gini impurity
    df                 number of documents that have the feature
    l1                 largest weight in a linear support vector machine that is made to leave features out

The first five ask only whether a document has the feature: weights such as tf-idf make no difference.

References
----------
Yang & Pedersen (1997), A comparative study on feature selection in text categorization. Readable versions with their
formulas: `assay.textbook.selection`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt
from scipy import sparse

from assay import _native
from assay.data.corpus.two_classes import one_class_only
from assay.errors import DataError, ParameterError
from assay.features.ngrams.column_choice import descending
from assay.suggest import nearest_first, quote, quoted
from assay.threads import count_threads

__all__ = ["MEASURES", "FeatureMeasures", "Measure", "l1_weights", "measure_features"]

Measure = Literal["information-gain", "chi2", "pmi", "gini", "df", "l1"]
MEASURES: tuple[Measure, ...] = ("information-gain", "chi2", "pmi", "gini", "df", "l1")

Floats = npt.NDArray[np.float64]
_L1_TOLERANCE = 1e-2
_L1_COLUMNS = 30_000  # more would take minutes, and nearly all of them end at zero


@dataclass(frozen=True, eq=False)
class FeatureMeasures:
    """What was measured of each feature.

    Attributes
    ----------
    classes
        The labels, sorted.
    n_documents
        How many there were.
    document_frequency
        Documents that have the feature.
    information_gain, chi2, gini
        Of the feature and all classes, or the one asked for against the others.
    pmi
        Of the feature and its telling class; minus infinity where the two never meet.
    telling_class
        Index of the class whose documents have the feature most often, for their number, or of the one asked for; -1
        for a feature that no document has.
    telling_count
        Documents of that class that have the feature.
    """

    classes: npt.NDArray[Any]
    n_documents: int
    document_frequency: npt.NDArray[np.int64]
    information_gain: Floats
    chi2: Floats
    pmi: Floats
    gini: Floats
    telling_class: npt.NDArray[np.int32]
    telling_count: npt.NDArray[np.int64]

    def scores(self, measure: Measure) -> Floats:
        """One of the measures by name, as numbers."""
        names = {"information-gain": "information_gain", "df": "document_frequency"}
        return np.asarray(getattr(self, names.get(measure, measure)), dtype=np.float64)


def measure_features(X: Any, y: Any, *, label: Any = None, n_jobs: int | None = None) -> FeatureMeasures:
    """Measure all features of a matrix at once.

    Parameters
    ----------
    X
        Documents by features, sparse or dense; what is not zero is there.
    y
        Label of each document.
    label
        Measure what tells this class from all others; None: what tells the classes apart.
    n_jobs
        Threads; None for every core. The result is the same for any number.

    Examples
    --------
    >>> X = [[1, 0, 1], [2, 0, 0], [0, 1, 1], [0, 3, 0]]
    >>> measures = measure_features(X, ["+", "+", "-", "-"])
    >>> measures.information_gain.tolist(), measures.chi2.tolist()
    ([1.0, 1.0, 0.0], [4.0, 4.0, 0.0])
    """
    matrix = as_rows(X)
    classes, indices = label_indices(y, matrix.shape[0])
    target = -1
    if label is not None:
        indices = (indices == label_index(label, classes)).astype(np.int32)
        target = 1
    found = _native.measure_features(
        matrix.shape[1], matrix.indptr, matrix.indices, matrix.data, indices, max(len(classes), 2), target,
        count_threads(n_jobs),
    )  # fmt: skip
    telling = found["telling_class"]
    if label is not None:
        telling = np.full(len(telling), label_index(label, classes), dtype=np.int32)
    return FeatureMeasures(
        classes,
        matrix.shape[0],
        found["document_frequency"],
        found["information_gain"],
        found["chi_squared"],
        found["mutual_information"],
        found["gini"],
        telling,
        found["telling_count"],
    )


def l1_weights(
    X: Any,
    y: Any,
    *,
    C: float = 1.0,
    label: Any = None,
    measured: FeatureMeasures | None = None,
    n_jobs: int | None = None,
) -> Floats:
    """Largest absolute weight of each feature over the one-vs-rest problems of an L1-regularised squared-hinge SVM.

    Of more than 30,000 columns, those with the highest χ² are looked at, and the others get 0. Values count here: rows
    of length one, as tf-idf makes them, are solved several times sooner than plain counts.

    Parameters
    ----------
    X, y, label, n_jobs
        As for `measure_features`.
    C
        The smaller, the fewer features are left.
    measured
        What `measure_features` found, if it is known already.

    Examples
    --------
    >>> l1_weights([[1.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 1.0], [0.0, 1.0, 0.0]], [1, 1, 0, 0]).round().tolist()
    [1.0, 1.0, 0.0]
    """
    matrix = as_rows(X)
    if matrix.shape[1] > _L1_COLUMNS:
        known = measure_features(matrix, y, label=label, n_jobs=n_jobs) if measured is None else measured
        columns = np.sort(descending(known.chi2, _L1_COLUMNS))
        found = np.zeros(matrix.shape[1])
        found[columns] = l1_weights(matrix[:, columns], y, C=C, label=label, n_jobs=n_jobs)
        return found
    classes, indices = label_indices(y, matrix.shape[0])
    if label is not None:
        indices = (indices == label_index(label, classes)).astype(np.int32)
    n_problems = 1 if label is not None or len(classes) == 2 else len(classes)
    weights = np.zeros((matrix.shape[1], n_problems), dtype=matrix.dtype)
    _native.train_sparse(
        matrix.shape[1],
        matrix.indptr,
        matrix.indices,
        matrix.data,
        indices,
        np.full(matrix.shape[0], float(C)),
        np.ones(n_problems),
        first_label=1 if n_problems == 1 else 0,
        loss="squared_hinge",
        penalty=1.0,
        intercept_scale=1.0,
        tolerance=_L1_TOLERANCE,
        max_iterations=100,
        n_threads=count_threads(n_jobs),
        coefficients=weights.reshape(-1),
        intercept=np.zeros(n_problems),
    )
    largest: Floats = np.abs(weights).max(axis=1, initial=0.0).astype(np.float64)
    return largest


def as_rows(X: Any) -> Any:
    """A matrix in compressed rows of floats, each column at most once in a row."""
    if not sparse.issparse(X):
        X = np.asarray(X)
        if X.ndim != 2:
            raise DataError(f"X must be a matrix, documents by features. Got shape {X.shape} instead.")
    matrix = cast(Any, sparse.csr_array(X))
    if matrix.dtype not in (np.float32, np.float64):
        matrix = matrix.astype(np.float64)
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    if matrix.indptr.dtype != matrix.indices.dtype:
        matrix.indptr, matrix.indices = matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64)
    if not np.isfinite(matrix.data).all():
        raise DataError("X holds NaN or infinity. Features are selected by finite numbers: replace such values.")
    return matrix


def label_indices(y: Any, n_rows: int) -> tuple[npt.NDArray[Any], npt.NDArray[np.int32]]:
    """The labels, sorted, and for each document the place of its own."""
    if y is None:
        raise ParameterError("Selecting features requires y to be passed, but the target y is None. Give the labels.")
    labels = np.asarray(y)
    if labels.shape != (n_rows,):
        raise DataError(f"X has {n_rows} rows, but y has shape {labels.shape}. Give one label a row.")
    classes, indices = np.unique(labels, return_inverse=True)
    if len(classes) == 0:
        raise DataError("y holds no label: features are selected by how they tell classes apart. Give one label a row.")
    if len(classes) == 1:
        who, way_out = "Selecting features", "Check that the right column was taken for the labels."
        unit = "row has", "rows have"
        raise one_class_only("y", n_rows, classes.tolist()[0], unit=unit, who=who, way_out=way_out)
    return classes, indices.astype(np.int32)


def label_index(label: Any, classes: npt.NDArray[Any]) -> int:
    """The place of a label among the classes."""
    named = [str(name) for name in classes.tolist()]
    if str(label) not in named:
        raise ParameterError(
            f"There is no label {quote(label)} in y. Labels are {quoted(nearest_first(str(label), named))}."
        )
    return named.index(str(label))
