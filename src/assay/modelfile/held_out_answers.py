"""What a model file says of the answers to held-out training texts: labels given for labels, and how sure they were.

Every training text was answered once by a model that had not seen it. The counts and the hundredths of the
probabilities of these answers are what later answers are held against; no text is kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError
from assay.modelfile.attachment import Attachment
from assay.prediction.probabilities import Floats

__all__ = ["METHOD", "QUANTILES", "HeldOutAnswers"]

METHOD = "held-out-answers"

#: Which quantiles of the probabilities of the given labels are kept: every two-hundredth.
QUANTILES = np.linspace(0, 1, 201)

_NONE = np.empty(0)


@dataclass(frozen=True, eq=False)
class HeldOutAnswers:
    """Counts of answers, and how sure they were.

    Attributes
    ----------
    truth, given, counts
        So many texts of a class were given a class; classes are numbers of the model's labels, in its order.
    sureness
        Hundredths of the probability of the given label, rising, see `QUANTILES`; empty where there were none.

    Examples
    --------
    >>> kept = HeldOutAnswers.of(np.array([0, 0, 1]), np.array([0, 1, 1]), np.array([0.9, 0.6, 0.8]))
    >>> kept.confusion(2).tolist(), kept.texts, kept.right
    ([[1, 1], [0, 1]], 3, 2)
    """

    truth: NDArray[np.int32]
    given: NDArray[np.int32]
    counts: NDArray[np.int64]
    sureness: Floats = field(default_factory=lambda: _NONE)

    @classmethod
    def of(cls, truth: NDArray[np.integer], given: NDArray[np.integer], sureness: Floats | None) -> HeldOutAnswers:
        """Of the class of each text, the class that it was given, and the probability of that."""
        n = int(max(truth.max(initial=0), given.max(initial=0))) + 1
        pairs, counts = np.unique(truth.astype(np.int64) * n + given, return_counts=True)
        quantiles = _NONE if sureness is None else np.quantile(sureness, QUANTILES)
        return cls((pairs // n).astype(np.int32), (pairs % n).astype(np.int32), counts.astype(np.int64), quantiles)

    @property
    def texts(self) -> int:
        """Held-out texts."""
        return int(self.counts.sum())

    @property
    def right(self) -> int:
        """Those that got their own label."""
        return int(self.counts[self.truth == self.given].sum())

    def confusion(self, n_classes: int) -> NDArray[np.int64]:
        """Texts of each class (rows) that were given each class (columns)."""
        table = np.zeros((n_classes, n_classes), np.int64)
        table[self.truth, self.given] = self.counts
        return table

    def to_attachment(self) -> Attachment:
        """As arrays of a model file."""
        arrays: dict[str, NDArray[Any]] = {"truth": self.truth, "given": self.given, "counts": self.counts}
        return Attachment(METHOD, {}, arrays | ({"sureness": self.sureness} if self.sureness.size else {}))

    @classmethod
    def from_attachment(cls, kept: Attachment | None, n_classes: int) -> HeldOutAnswers | None:
        """The inverse, for data of unknown origin; None where there is nothing, or it was made by a newer method."""
        if kept is None or kept.method != METHOD:
            return None
        arrays = kept.arrays
        pairs = [arrays.get(name, _NONE) for name in ("truth", "given")]
        counts, sureness = arrays.get("counts", _NONE), arrays.get("sureness", _NONE)
        fits = (
            set(arrays) <= {"truth", "given", "counts", "sureness"}
            and counts.ndim == 1
            and counts.size > 0
            and counts.dtype.kind == "i"
            and counts.min() > 0
            and int(counts.max()) < 2**40
            and all(part.shape == counts.shape and part.dtype.kind == "i" for part in pairs)
            and all(part.min() >= 0 and part.max() < n_classes for part in pairs)
            and np.unique(pairs[0].astype(np.int64) * n_classes + pairs[1]).size == counts.size
            and sureness.shape in (QUANTILES.shape, (0,))
            and sureness.dtype.kind == "f"
            and bool((np.diff(sureness) >= 0).all())
            and (not sureness.size or (sureness[0] >= 0 and sureness[-1] <= 1))
        )
        if not fits:
            sizes = {name: values.shape for name, values in arrays.items()}
            raise DataError(
                f"What this model file says of the answers to held-out texts is not of the form that assay writes for "
                f"{n_classes} labels: its arrays are {sizes}."
            )
        truth, given = (part.astype(np.int32) for part in pairs)
        return cls(truth, given, counts.astype(np.int64), sureness.astype(np.float64))
