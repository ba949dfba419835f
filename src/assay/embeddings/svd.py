"""`SVDVectors`: word vectors by truncated singular value decomposition of what words stand beside.

    M ≈ U Σ Vᵀ, of rank k;    the vector of word i is row i of U Σᵖ

M is usually the positive pointwise mutual information of words and their neighbours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Self, cast

import numpy as np
import numpy.typing as npt

from assay.embeddings.settings import check_number, check_whole
from assay.embeddings.word_vectors import WordVectors
from assay.errors import DataError, NotFittedError, ParameterError
from assay.suggest import check_choice
from assay.wording import parameter

if TYPE_CHECKING:
    from assay.embeddings.cooccurrence import Cooccurrence

__all__ = ["SVDVectors", "truncated_svd"]

Floats = npt.NDArray[np.float64]
Method = Literal["arpack", "randomized"]


class SVDVectors:
    """Word vectors of the k most important topics of a matrix.

    Parameters
    ----------
    k
        Topics, which are the dimensions of the vectors.
    exponent
        p: 1 keeps the sizes of the topics, 0 gives all the same; 0.5 usually judges similarity best (Levy, Goldberg &
        Dagan 2015).
    method
        ``"arpack"`` is exact; ``"randomized"`` (Halko, Martinsson & Tropp 2011) is near, and faster for many topics.
    seed
        Of the vector, or the vectors, that the decomposition starts from.

    Attributes
    ----------
    words_, counts_
        The words, and how often each was seen, where that is known.
    singular_values_
        Size of each topic, the largest first.
    left_
        U, (n_words, k): the largest entry of each topic is positive.

    Examples
    --------
    >>> words = ["bread", "cake", "car", "bus"]
    >>> svd = SVDVectors(k=2, exponent=1).fit((words, [[3, 1, 0, 0], [1, 2, 0, 0], [0, 0, 1.5, 1], [0, 0, 1, 1]]))
    >>> svd.singular_values_.round(3).tolist()
    [3.618, 2.281]
    >>> [[word for word, _ in topic] for topic in svd.topics(top=2)]
    [['bread', 'cake'], ['car', 'bus']]
    >>> svd.vectors().neighbors("car", top=1)[0][0]
    'bus'

    References
    ----------
    Levy, Goldberg & Dagan (2015). Readable version: `assay.textbook.svd`.
    """

    words_: tuple[str, ...]
    counts_: Any
    singular_values_: Floats
    left_: Floats

    def __init__(self, k: int = 100, *, exponent: float = 0.5, method: Method = "arpack", seed: int = 0) -> None:
        self.k = k
        self.exponent = exponent
        self.method = method
        self.seed = seed

    def fit(self, source: Cooccurrence | tuple[Any, ...]) -> Self:
        """Decompose the PPMI of a fitted `Cooccurrence`, or any matrix.

        Parameters
        ----------
        source
            A fitted `Cooccurrence`; or words, a matrix with a row for each (dense, or sparse of scipy) and, where
            known, their counts.
        """
        check_whole("SVDVectors", "k", self.k, least=1)
        check_number("SVDVectors", "exponent", self.exponent, least=0, most=10)
        check_choice(parameter("method", of="SVDVectors"), self.method, ("arpack", "randomized"))
        check_whole("SVDVectors", "seed", self.seed, least=0)
        if isinstance(source, tuple):
            words, matrix, counts = (*source, None)[:3]
        else:
            if not hasattr(source, "ppmi"):
                raise ParameterError(
                    "fit takes a fitted Cooccurrence, or a tuple of words and a matrix. Got "
                    f"{type(source).__name__} instead."
                )
            words, matrix, counts = source.words_, source.ppmi(), source.counts_
        left, sizes, _ = truncated_svd(matrix, self.k, method=self.method, seed=self.seed)
        if len(left) != len(words):
            raise DataError(
                f"There are {len(words):,} words, but the matrix has {len(left):,} rows. Give each its row."
            )
        self.words_, self.counts_ = tuple(words), counts
        self.left_, self.singular_values_ = left, sizes
        return self

    def vectors(self) -> WordVectors:
        """The word vectors."""
        self._check_fitted()
        return WordVectors(self.words_, self.left_ * self.singular_values_**self.exponent, self.counts_)

    def topics(self, top: int = 10) -> list[list[tuple[str, float]]]:
        """The strongest words of each topic, with their entries; words of opposite signs are at its opposite ends."""
        self._check_fitted()
        order = np.argsort(-np.abs(self.left_), axis=0, kind="stable")[:top].T
        return [[(self.words_[i], float(self.left_[i, j])) for i in strongest] for j, strongest in enumerate(order)]

    def _check_fitted(self) -> None:
        if not hasattr(self, "left_"):
            raise NotFittedError("this SVDVectors has learned nothing yet: call 'fit' first.")


def truncated_svd(matrix: Any, k: int, *, method: Method = "arpack", seed: int = 0) -> tuple[Floats, Floats, Floats]:
    """U (n_rows, k), the k largest singular values, Vᵀ (k, n_columns); the largest entry of a column of U is positive.

    Examples
    --------
    >>> left, sizes, right = truncated_svd([[3, 0], [0, -2]], k=2)
    >>> sizes.tolist(), (left * sizes @ right).tolist()
    ([3.0, 2.0], [[3.0, 0.0], [0.0, -2.0]])
    """
    from scipy import sparse

    given: Any = matrix if sparse.issparse(matrix) else np.asarray(matrix, dtype=np.float64)
    given = given.astype(np.float64)
    if given.ndim != 2:
        raise DataError(f"The matrix must have rows and columns. Got an array of shape {given.shape}.")
    least = min(given.shape)
    if k > least:
        raise ParameterError(
            f"{parameter('k', option='--dimensions')} is {k:,}, but a matrix of {given.shape[0]:,} × "
            f"{given.shape[1]:,} has at most {least:,}. Lower it, or count more words."
        )
    values = given if isinstance(given, np.ndarray) else given.data
    if not np.isfinite(values).all():
        raise DataError("The matrix holds NaN or infinity, and cannot be decomposed.")
    if not np.any(values):
        raise DataError("The matrix is all zeros: no word has anything to do with another. Give more text.")
    left, sizes, right = _decomposed(given, k, method, seed)
    order = np.argsort(-sizes, kind="stable")
    left, sizes, right = left[:, order], sizes[order], right[order]
    signs = np.where(left[np.abs(left).argmax(axis=0), np.arange(k)] < 0, -1.0, 1.0)
    return left * signs, sizes, right * signs[:, None]


def _decomposed(given: Any, k: int, method: Method, seed: int) -> tuple[Floats, Floats, Floats]:
    random = np.random.default_rng(seed)
    if method == "randomized":
        from sklearn.utils.extmath import randomized_svd

        start = int(random.integers(2**31))
        return cast(tuple[Floats, Floats, Floats], randomized_svd(given, k, n_iter=7, random_state=start))
    if k > min(given.shape) // 3 or min(given.shape) < 50:  # Lanczos is for few topics of many
        left, sizes, right = np.linalg.svd(given if isinstance(given, np.ndarray) else given.toarray(), False)
        return left[:, :k], sizes[:k], right[:k]
    from scipy.sparse.linalg import svds

    start_vector = random.uniform(-1, 1, min(given.shape))
    return cast(tuple[Floats, Floats, Floats], svds(given, k, v0=start_vector, solver="arpack"))
