"""`FeatureScaler`: scaling in scikit-learn's manners."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from assay.arguments import require_writable
from assay.errors import ParameterError
from assay.features.columns.scaling import METHODS, Scaling, ScalingMethod
from assay.sklearn_internals import StrOptions

__all__ = ["FeatureScaler"]


class FeatureScaler(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Brings the columns of a matrix to one size.

    Of a sparse matrix, zeros stay zeros: ``"z-score"`` only divides by the standard deviation, and ``"min-max"`` counts
    0 among the values and only divides by their range.

    Parameters
    ----------
    method
        ``"z-score"``: (x - μ) / σ; ``"min-max"``: (x - min) / (max - min); ``"max-abs"``: x / max |x|; ``"log"``:
        sign(x) · ln(1 + |x|).

    Attributes
    ----------
    scaling_
        What was learned: `shift` and `scale` of each column.

    Examples
    --------
    >>> FeatureScaler("min-max").fit_transform([[1, 5], [2, 5], [5, 5]])
    array([[0.  , 0.  ],
           [0.25, 0.  ],
           [1.  , 0.  ]])

    References
    ----------
    Jurafsky & Martin, *Speech and Language Processing*, chapter 4.3.2. Readable version: `assay.textbook.scaling`.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {"method": [StrOptions(set(METHODS))]}

    def __init__(self, method: ScalingMethod = "z-score") -> None:
        self.method = method

    def fit(self, X: Any, y: object = None) -> Self:
        """Learn the size of each column."""
        require_writable(self, self.get_params(deep=False))
        try:
            self._validate_params()
        except ValueError as error:
            raise ParameterError(str(error)) from None
        X = self._checked(X, reset=True)
        if _is_sparse(X):
            self.scaling_ = Scaling.of_sparse(self.method, X.indices, X.data.astype(np.float64), X.shape)
        else:
            self.scaling_ = Scaling.of_table(self.method, X.astype(np.float64))
        return self

    def transform(self, X: Any) -> Any:
        """Scale each column by what was learned."""
        check_is_fitted(self)
        X = self._checked(X, reset=False)
        if not _is_sparse(X):
            scaled: npt.NDArray[Any] = self.scaling_.table(X)
            return scaled.astype(X.dtype, copy=False)
        if self.scaling_.moves_zero:
            raise ParameterError(
                f"This FeatureScaler({self.method!r}) learned from a dense matrix to move 0 elsewhere, which would "
                "fill a sparse one. Fit it to a sparse matrix, or use 'max-abs' or 'log'."
            )
        return type(X)((self.scaling_.sparse(X.indices, X.data), X.indices.copy(), X.indptr.copy()), shape=X.shape)

    def _checked(self, X: Any, *, reset: bool) -> Any:
        X = validate_data(
            self, X, reset=reset, accept_sparse="csr", accept_large_sparse=True, dtype=[np.float64, np.float32]
        )
        if _is_sparse(X) and not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
        return X

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def _is_sparse(X: Any) -> bool:
    return sparse.issparse(X)
