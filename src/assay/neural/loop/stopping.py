"""When to stop, by what held-out examples say; and the weights that were best until then."""

from __future__ import annotations

import torch
from torch import nn

__all__ = ["EarlyStopping", "copied_weights"]

Weights = dict[str, torch.Tensor]


def copied_weights(network: nn.Module) -> Weights:
    """The weights as they are now, whatever training does next."""
    return {name: values.detach().clone() for name, values in network.state_dict().items()}


class EarlyStopping:
    """Stops when `patience` epochs in a row have not been better than the best one before them.

    Parameters
    ----------
    patience
        Epochs to wait; None to go on to the end.

    Attributes
    ----------
    best
        The best value so far.
    best_epoch
        Its epoch, from 1; 0 before the first one.
    weights
        The network's weights at that time.
    """

    def __init__(self, patience: int | None = None) -> None:
        self.patience = patience
        self.best = -float("inf")
        self.best_epoch = 0
        self.epoch = 0
        self.weights: Weights = {}

    def note(self, value: float, network: nn.Module) -> bool:
        """Take note of an epoch's value (greater is better); says whether it is the best so far."""
        self.epoch += 1
        if not value > self.best:
            return False
        self.best, self.best_epoch, self.weights = value, self.epoch, copied_weights(network)
        return True

    @property
    def enough(self) -> bool:
        """Whether to stop."""
        return self.patience is not None and self.epoch - self.best_epoch >= self.patience
