"""Documents of a test that the model has seen in its training, by what its file remembers of the training texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.modelfile.text_sketch import TextSketch
from assay.suggest import counted

__all__ = ["SeenTexts", "seen_texts"]


@dataclass(frozen=True, eq=False)
class SeenTexts:
    """Which documents were trained on.

    Attributes
    ----------
    same
        Documents with the words of a training text, in their order.
    near
        Documents that are those, or nearly the same as a training text.
    is_sample
        Whether there were more training texts than the model remembers, so that there may be more such documents.
    """

    same: NDArray[np.bool_]
    near: NDArray[np.bool_]
    is_sample: bool

    @property
    def counts(self) -> tuple[int, int]:
        """How many documents it knows, or nearly, and how many there are."""
        return int(self.near.sum()), self.near.size

    @property
    def sentence(self) -> str:
        """How many, and what it means."""
        (n, n_all), n_same = self.counts, int(self.same.sum())
        some = f"{n:,} of {counted(n_all, 'document', 'documents')} {'is' if n == 1 else 'are'}"
        of_all = f"All {n_all:,} documents are" if n == n_all > 1 else some
        kinds = f"{n_same:,} the same, {n - n_same:,} nearly the same"
        more = "; the model remembers a part of its training texts only, so there may be more" if self.is_sample else ""
        return (
            f"{of_all} known to the model from its training ({kinds}{more}): it may have learned them by heart, and so "
            "every score here is too good."
        )

    def among(self, rows: NDArray[np.int64] | None) -> SeenTexts:
        """Of some of the documents."""
        return self if rows is None else SeenTexts(self.same[rows], self.near[rows], self.is_sample)

    def to_dict(self) -> dict[str, Any]:
        """Numbers, ready for JSON."""
        return {"same": int(self.same.sum()), "near": int((self.near & ~self.same).sum()), "sample": self.is_sample}


def seen_texts(model: Any, corpus: Any) -> SeenTexts | None:
    """What a model remembers of a corpus; None where that is nothing, or where it remembers no texts at all.

    Of an evaluation, what was found when it was made.
    """
    if hasattr(model, "seen"):
        found: SeenTexts | None = model.seen
        return found
    sketch = TextSketch.from_attachment(getattr(getattr(model, "record", None), "sketch", None))
    if sketch is None:
        return None
    same, near = sketch.known(corpus.texts)
    return SeenTexts(same, near, sketch.is_sample) if near.any() else None
