"""How far two groupings of the same documents agree, whatever the groups are called.

With n_ij documents in group i of the one and group j of the other, sums a_i and b_j, and n in all:

    NMI     mutual information of the two, divided by the mean of their entropies: 0 independent, 1 the same
    ARI     pairs of documents that both put together or both keep apart, above what chance gives: 0 chance, 1 the same
    purity  Σ_j max_i n_ij / n: share of documents whose label is the most frequent one of their cluster

Purity rises with the number of clusters and is 1 when each document has its own; NMI rises a little; ARI does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.errors import DataError

__all__ = ["Agreement", "compare_groupings"]


@dataclass(frozen=True)
class Agreement:
    """Agreement of labels and clusters.

    Attributes
    ----------
    nmi
        Normalised mutual information, 0 to 1.
    ari
        Adjusted Rand index: 0 is what chance gives, 1 the same grouping.
    purity
        Share of documents whose label is the most frequent one of their cluster.
    """

    nmi: float
    ari: float
    purity: float


def compare_groupings(labels: Any, clusters: Any) -> Agreement:
    """Compare known labels with clusters, or two clusterings with each other.

    Parameters
    ----------
    labels, clusters
        One name or number a document.

    References
    ----------
    Strehl & Ghosh (2002) for NMI (with the arithmetic mean, as scikit-learn has it); Hubert & Arabie (1985) for ARI.

    Examples
    --------
    >>> compare_groupings(["a", "a", "b", "b"], [1, 1, 0, 0])
    Agreement(nmi=1.0, ari=1.0, purity=1.0)
    >>> found = compare_groupings(["a", "a", "b", "b"], [0, 0, 0, 1])
    >>> round(found.nmi, 3), round(found.ari, 3), found.purity
    (0.344, 0.0, 0.75)
    """
    counts = _contingency(labels, clusters)
    n = counts.sum()
    rows, columns = counts.sum(axis=1), counts.sum(axis=0)
    purity = float(counts.max(axis=0).sum() / n)
    if len(rows) == len(columns) == 1:
        return Agreement(1.0, 1.0, purity)
    return Agreement(_nmi(counts / n, rows / n, columns / n), _ari(counts, rows, columns), purity)


def _contingency(labels: Any, clusters: Any) -> npt.NDArray[np.int64]:
    first, second = np.asarray(labels), np.asarray(clusters)
    if first.ndim != 1 or first.shape != second.shape or not len(first):
        raise DataError(
            f"Groupings are compared document by document, but their shapes are {first.shape} and {second.shape}. "
            "Give one label and one cluster for each document, at least one."
        )
    names, row = np.unique(first, return_inverse=True)
    numbers, column = np.unique(second, return_inverse=True)
    cells = np.bincount(row * len(numbers) + column, minlength=len(names) * len(numbers))
    return cells.reshape(len(names), len(numbers)).astype(np.int64)


def _nmi(joint: npt.NDArray[np.float64], rows: npt.NDArray[np.float64], columns: npt.NDArray[np.float64]) -> float:
    seen = joint > 0
    information = float((joint[seen] * np.log(joint[seen] / np.outer(rows, columns)[seen])).sum())
    entropies = -float((rows * np.log(rows)).sum()) - float((columns * np.log(columns)).sum())
    return min(max(2 * information / entropies, 0.0), 1.0)


def _ari(counts: npt.NDArray[np.int64], rows: npt.NDArray[np.int64], columns: npt.NDArray[np.int64]) -> float:
    n = int(counts.sum())
    together, in_rows, in_columns = (
        int((numbers.astype(object) * (numbers - 1) // 2).sum()) for numbers in (counts, rows, columns)
    )
    pairs = n * (n - 1) // 2
    by_chance = in_rows * in_columns / pairs if pairs else 0.0
    most = (in_rows + in_columns) / 2
    return 1.0 if most == by_chance else (together - by_chance) / (most - by_chance)
