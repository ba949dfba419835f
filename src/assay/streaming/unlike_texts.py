"""How many of a file's first texts are unlike the training texts, where nobody asked for the novelty of each."""

from __future__ import annotations

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
        from scipy.special import bdtrc

        # P(binomial ≥ unlike)
        if not self.unlike or bdtrc(self.unlike - 1, self.looked_at, 2 * SHARE) > CHANCE:
            return ()
        of = "the one text" if self.looked_at == 1 else f"the first {counted(self.looked_at, 'text', 'texts')}"
        unlike = f"{of} is" if self.looked_at == 1 else f"{self.unlike:,} of {of} {('are', 'is')[self.unlike == 1]}"
        return (
            f"{source}: {unlike} unlike the training texts (of 100 of them, one looks as new): such labels may mean "
            f"nothing. {setting('novelty')} says which texts, {setting('queue')} FILE collects them",
        )
