"""Who is told how far a training is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from assay.neural.loop.history import Epoch
    from assay.training.trials import Trial

__all__ = ["Silent", "Watcher"]


class Watcher(Protocol):
    """Is told how far the search is."""

    def stage(self, text: str) -> None:
        """What is being done now."""

    def trials(self, round: int, of: int, trials: Sequence[Trial], n_recipes: int) -> None:
        """What has been tried in a round so far, the best first, and how many recipes it has."""

    def step(self, epoch: int, epochs: int, step: int, steps: int, loss: float) -> None:
        """Of a network's training: an update is made."""

    def epoch(self, number: int, epochs: int, found: Epoch, best: bool) -> None:
        """Of a network's training: an epoch has ended."""


class Silent:
    """Nobody watches."""

    def stage(self, text: str) -> None:
        """Say nothing."""

    def trials(self, round: int, of: int, trials: Sequence[Trial], n_recipes: int) -> None:
        """Show nothing."""

    def step(self, epoch: int, epochs: int, step: int, steps: int, loss: float) -> None:
        """Show nothing."""

    def epoch(self, number: int, epochs: int, found: Epoch, best: bool) -> None:
        """Show nothing."""
