"""What long work on word vectors says about itself while it runs."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

__all__ = ["OnProgress", "ProgressTeller", "TrainingProgress"]


@dataclass(frozen=True)
class TrainingProgress:
    """How far the work has come.

    Parameters
    ----------
    stage
        ``"reading"`` the text, ``"counting"`` pairs of words, or ``"learning"`` vectors.
    words_done
        Words of this stage so far; in ``"learning"``, every epoch counts them again.
    share_done
        Share of the stage, from 0 to 1.
    seconds
        Since the stage began.
    epoch, epochs
        The pass over the text that is under way, counted from 1, and how many there will be.
    rate
        The learning rate now; 0 where nothing is learned.

    Examples
    --------
    >>> progress = TrainingProgress("learning", words_done=300_000, share_done=0.25, seconds=2.0, epoch=2, epochs=5)
    >>> progress.words_per_second, progress.seconds_left
    (150000.0, 6.0)
    >>> str(progress)
    'learning, epoch 2 of 5: 25%, 150,000 words/s, 6 s left'
    """

    stage: Literal["reading", "counting", "learning"]
    words_done: int
    share_done: float
    seconds: float
    epoch: int = 1
    epochs: int = 1
    rate: float = 0.0

    @property
    def words_per_second(self) -> float:
        """Mean speed of this stage."""
        return self.words_done / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """How long this stage will take from here, at the speed so far; None before anything is done."""
        return self.seconds * (1 / self.share_done - 1) if self.share_done > 0 else None

    def __str__(self) -> str:
        epoch = f", epoch {self.epoch} of {self.epochs}" if self.epochs > 1 else ""
        left = "" if self.seconds_left is None else f", {self.seconds_left:,.0f} s left"
        return f"{self.stage}{epoch}: {self.share_done:.0%}, {self.words_per_second:,.0f} words/s{left}"


OnProgress = Callable[[TrainingProgress], None]


class ProgressTeller:
    """Tells a function about one stage, if there is one to tell.

    Parameters
    ----------
    on_progress
        The function.
    stage
        The stage, which begins now.
    epochs
        Passes over the text.
    """

    def __init__(
        self, on_progress: OnProgress | None, stage: Literal["reading", "counting", "learning"], epochs: int = 1
    ) -> None:
        self._on_progress = on_progress
        self._stage = stage
        self._epochs = epochs
        self._began = time.monotonic()

    def tell(self, words_done: int, share_done: float, *, epoch: int = 1, rate: float = 0.0) -> None:
        """Say how far it has come."""
        if self._on_progress is not None:
            seconds = time.monotonic() - self._began
            self._on_progress(TrainingProgress(self._stage, words_done, share_done, seconds, epoch, self._epochs, rate))
