"""How much a feature says by how few documents have it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from assay.logarithms import log

__all__ = ["inverse_document_frequencies"]


def inverse_document_frequencies(
    frequencies: npt.NDArray[Any], n_documents: int, *, smooth: bool = True
) -> npt.NDArray[np.float64]:
    """ln(n / df) + 1; smoothed, as if one more document had everything, ln((n + 1) / (df + 1)) + 1.

    Examples
    --------
    >>> inverse_document_frequencies(np.array([4, 1]), 4).round(4).tolist()
    [1.0, 1.9163]
    """
    with np.errstate(divide="ignore"):  # not smoothed, a feature that no document has weighs without limit
        return log((n_documents + smooth) / (frequencies.astype(np.float64) + smooth)) + 1.0
