"""How many of a file's first texts are unlike the training texts, where nobody asked for the novelty of each."""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
import pyarrow as pa

from assay.suggest import counted
from assay.wording import setting

__all__ = ["UnlikeTexts"]

LOOKED_AT = 500  # texts: enough to see it, and no file takes longer for it
SHARE = 0.01  # of held-out training texts that are as new as this
CHANCE = 0.025  # that twice that share shows as many


class UnlikeTexts:
    """Counts texts as new as one in a hundred of the training texts, among the first 500 of a file that are not empty.

    It says something where even twice that share would hardly show as many.

    Parameters
    ----------
    model
        A classifier; of one that knows no novelty nothing is said.
    """

    def __init__(self, model: Any) -> None:
        self._model = model
        self._left = LOOKED_AT if model.record.novelty is not None else 0
        self.looked_at = self.unlike = 0

    def look(self, texts: pa.Array) -> None:
        """Look at the next texts of the file."""
        if not self._left:
            return
        first = [text for text in texts.slice(0, self._left).to_pylist() if text and text.strip()]
        self._left -= min(len(texts), self._left)
        if first:
            self.looked_at += len(first)
            self.unlike += int(np.count_nonzero(self._model.novelty(first) >= self._model.known_texts.limit(SHARE)))

    def notes(self, source: str) -> tuple[str, ...]:
        """A sentence where the file's texts are unlike the training texts more often than by chance."""
        if not self.unlike or chance_of(self.unlike, self.looked_at, 2 * SHARE) > CHANCE:
            return ()
        of = "the one text" if self.looked_at == 1 else f"the first {counted(self.looked_at, 'text', 'texts')}"
        unlike = f"{of} is" if self.looked_at == 1 else f"{self.unlike:,} of {of} {('are', 'is')[self.unlike == 1]}"
        return (
            f"{source}: {unlike} unlike the training texts (of 100 of them, one looks as new): such labels may mean "
            f"nothing. {setting('novelty')} says which texts, {setting('review')} FILE collects them",
        )


def chance_of(at_least: int, n: int, share: float) -> float:
    """Chance that so many or more of n are of a kind that has this share; scipy, which has it, takes long to load.

    Examples
    --------
    >>> round(chance_of(1, 2, 0.5), 3), round(chance_of(3, 5, 0.02), 6)
    (0.75, 7.8e-05)
    """
    return max(0.0, 1.0 - sum(comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(at_least)))
