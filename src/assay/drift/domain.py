"""Whether new texts can be told from old ones by their words.

Two statistics of one similarity, the cosine of the texts' words (square roots of counts would do as well; tf-idf is
used), are held against what they are when the labels "old" and "new" are dealt out anew:

- the *distance* of the two mean texts, ‖mean of the new - mean of the old‖²;
- the *area*: each text is scored by how much nearer it is to the new than to the old texts of the other folds, and
  the area under the ROC curve is the chance that a new text scores above an old one: 1/2 where nothing tells them
  apart.

Whoever deals out the labels within each fold changes nothing where both sides come from one source: the p-value, that
of the larger of both statistics in standard deviations, is exact for any number of texts.

References
----------
Gretton et al. (2012), a kernel two-sample test; Lopez-Paz & Oquab (2017), classifiers as two-sample tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.data.profile.scripts import has_words
from assay.features.documents import as_documents
from assay.features.ngrams.analysis import Analysis
from assay.features.ngrams.counted_ngrams import count_ngrams, weighted_rows
from assay.features.ngrams.ngram_settings import NgramSettings
from assay.prediction.probabilities import Floats

__all__ = ["FEWEST", "MOST", "DomainTest", "test_domain"]

FEWEST = 20  # texts of either side, below which nothing is looked for
MOST = 2000  # texts of either side that are compared
_FOLDS = 10
_DEALS = 399
_OFTEN = 0.02  # of the texts: columns that are multiplied as a dense table


@dataclass(frozen=True)
class DomainTest:
    """How well new texts are told from old ones.

    Attributes
    ----------
    n_old, n_new
        Texts that were compared.
    area
        Chance that a new text looks newer than an old one.
    low, high
        Between which the area lies for `level` of the deals.
    p_value
        Share of deals in which the texts differ at least as much.
    could_be_seen
        The area that would have been found in four of five cases at this p-value's 1 - `level`.
    """

    n_old: int
    n_new: int
    area: float
    low: float
    high: float
    p_value: float
    could_be_seen: float


def test_domain(old: Sequence[str], new: Sequence[str], *, level: float, seed: int, threads: int) -> DomainTest:
    """Compare texts; `MOST` of each side at most are to be given.

    Examples
    --------
    >>> old = ["the card was lost", "my card is gone", "a lost card", "card gone again"] * 8
    >>> new = ["rain and wind", "wind in the morning", "a morning of rain", "rain again"] * 8
    >>> found = test_domain(old, new, level=0.95, seed=0, threads=1)
    >>> found.area > 0.9, found.p_value < 0.01
    (True, True)
    """
    similar = _similarities([*old, *new], threads)
    is_new = np.arange(len(old) + len(new)) >= len(old)
    random = np.random.default_rng(seed)
    fold_of = _folds(is_new, random)
    deals = _deals(is_new, fold_of, random)  # (n, 1 + _DEALS); the first is the truth
    weights = np.where(deals, 1 / is_new.sum(), -1 / (~is_new).sum())
    pulled = similar @ weights
    distances = (weights * pulled).sum(axis=0)
    areas = np.zeros(deals.shape[1])
    for fold in range(int(fold_of.max()) + 1):
        rows = np.flatnonzero(fold_of == fold)
        scores = pulled[rows] - similar[np.ix_(rows, rows)] @ weights[rows]  # by the other folds
        areas += _areas(scores, deals[rows])
    areas /= fold_of.max() + 1
    both = np.maximum(_standardized(distances), _standardized(areas))
    p_value = float((both >= both[0] - 1e-9).mean())
    dealt = areas[1:]
    low, high = np.quantile(dealt, [(1 - level) / 2, (1 + level) / 2])
    seen = float(np.quantile(dealt, level) + 0.84 * dealt.std())
    return DomainTest(len(old), len(new), float(areas[0]), float(low), float(high), p_value, min(seen, 1.0))


test_domain.__test__ = False  # type: ignore[attr-defined]  # a name that pytest would take for a test's


def _similarities(texts: Sequence[str], threads: int) -> Floats:
    """Cosines of tf-idf vectors, (n, n); of words, or of characters where no blanks divide words."""
    import pyarrow as pa
    from scipy.sparse import csr_matrix

    words = has_words(pa.chunked_array([pa.array(texts, pa.large_string())]))
    analysis = Analysis() if words else Analysis(unit="char", ngrams=(1, 3), tokens="none")
    counted = count_ngrams(as_documents(list(texts)), [NgramSettings(analysis)], threads)
    indptr, indices, data = weighted_rows(counted, threads=threads, dtype=np.float64)
    X = csr_matrix((data, indices, indptr))
    often = np.bincount(X.indices, minlength=X.shape[1]) > _OFTEN * len(texts)
    dense, sparse = X[:, often].toarray(), X[:, ~often]
    return np.asarray(dense @ dense.T + (sparse @ sparse.T).toarray())


def _folds(is_new: NDArray[np.bool_], random: np.random.Generator) -> NDArray[np.int64]:
    """A fold for each text, with the same share of both sides in each."""
    fold_of = np.empty(is_new.size, np.int64)
    n = int(min(_FOLDS, is_new.sum() // 2, (~is_new).sum() // 2))
    for side in (False, True):
        rows = np.flatnonzero(is_new == side)
        fold_of[random.permutation(rows)] = np.arange(rows.size) % n
    return fold_of


def _deals(is_new: NDArray[np.bool_], fold_of: NDArray[np.int64], random: np.random.Generator) -> NDArray[np.bool_]:
    dealt = np.repeat(is_new[:, None], _DEALS + 1, axis=1)
    for fold in range(int(fold_of.max()) + 1):
        rows = np.flatnonzero(fold_of == fold)
        dealt[rows, 1:] = random.permuted(dealt[rows, 1:], axis=0)
    return dealt


def _areas(scores: Floats, is_new: NDArray[np.bool_]) -> Floats:
    """The area under the ROC curve of every column; ties count a half where they are exact."""
    from scipy.stats import rankdata

    ranks = rankdata(scores.round(12), axis=0)
    n_new = is_new.sum(axis=0)
    n_old = is_new.shape[0] - n_new
    return np.asarray(((ranks * is_new).sum(axis=0) - n_new * (n_new + 1) / 2) / (n_new * n_old))


def _standardized(values: Floats) -> Floats:
    spread = values.std()
    return np.asarray((values - values.mean()) / spread if spread > 0 else np.zeros_like(values))
