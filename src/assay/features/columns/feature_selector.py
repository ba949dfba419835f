"""`FeatureSelector`: selection in scikit-learn's manners."""

from __future__ import annotations

from dataclasses import replace
from numbers import Integral, Real
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from assay.errors import ParameterError
from assay.features.columns.measures import Measure
from assay.features.columns.ranking import FeatureRanking, check_measure, rank_features

__all__ = ["FeatureSelector"]


class FeatureSelector(SelectorMixin, BaseEstimator):
    """Keeps the columns that tell most about the labels.

    Parameters
    ----------
    measure
        ``"information-gain"``, ``"chi2"``, ``"pmi"``, ``"gini"``, ``"df"`` or ``"l1"``.
    k
        How many columns at most; None for all that `threshold` leaves.
    threshold
        Leave out columns whose score is not above it. None: only ``"l1"`` leaves any out, those of weight 0.
    label
        Select by what tells this class from all others; None: by what tells the classes apart.
    min_df
        Leave out columns that fewer documents have.
    C
        Of ``"l1"``: the smaller, the fewer columns have a score above 0.
    n_jobs
        Threads; None for every core. The result is the same for any number.

    Attributes
    ----------
    scores_
        Of all columns.
    ranking_
        The selected columns, the most telling first, as a `FeatureRanking`.

    Examples
    --------
    >>> X = [[1, 0, 1], [2, 0, 0], [0, 1, 1], [0, 3, 0]]
    >>> selector = FeatureSelector("chi2", k=2).fit(X, ["+", "+", "-", "-"])
    >>> selector.get_support(indices=True).tolist(), selector.scores_.tolist()
    ([0, 1], [4.0, 4.0, 0.0])
    """

    def __init__(
        self,
        measure: Measure = "information-gain",
        *,
        k: int | None = 1000,
        threshold: float | None = None,
        label: Any = None,
        min_df: int = 1,
        C: float = 1.0,
        n_jobs: int | None = None,
    ) -> None:
        self.measure = measure
        self.k = k
        self.threshold = threshold
        self.label = label
        self.min_df = min_df
        self.C = C
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any) -> Self:
        """Measure all columns."""
        self._check_parameters()
        X = validate_data(self, X, accept_sparse="csr", accept_large_sparse=True, dtype=[np.float64, np.float32])
        ranking = rank_features(
            X,
            y,
            getattr(self, "feature_names_in_", None),
            measure=self.measure,
            label=self.label,
            top=self.k,
            min_df=self.min_df,
            C=self.C,
            n_jobs=self.n_jobs,
        )
        threshold = 0.0 if self.threshold is None and self.measure == "l1" else self.threshold
        if threshold is not None:
            kept = ranking.columns[ranking.scores[ranking.columns] > threshold]
            ranking = replace(ranking, columns=kept)
        self.scores_: npt.NDArray[np.float64] = ranking.scores
        self.ranking_: FeatureRanking = ranking
        return self

    def _get_support_mask(self) -> npt.NDArray[np.bool_]:
        check_is_fitted(self)
        mask = np.zeros(len(self.scores_), dtype=bool)
        mask[self.ranking_.columns] = True
        return mask

    def _check_parameters(self) -> None:
        check_measure(self.measure, "FeatureSelector")
        for name, least, empty in (("k", 1, True), ("min_df", 1, False)):
            value = getattr(self, name)
            if not (value is None and empty) and not (isinstance(value, Integral) and int(value) >= least):
                raise ParameterError(
                    f"The {name!r} parameter of FeatureSelector must be a whole number of at least {least}"
                    f"{' or None' if empty else ''}. Got {value!r} instead."
                )
        if not (isinstance(self.C, Real) and 0 < self.C < float("inf")):
            raise ParameterError(f"The 'C' parameter of FeatureSelector must be above 0. Got {self.C!r} instead.")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags
