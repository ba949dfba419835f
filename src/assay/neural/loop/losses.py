"""What a network is trained to make small."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch.nn import functional

__all__ = ["LOSSES", "Loss", "loss_function", "set_loss_function"]

#: From scores (n, n_classes) and classes (n,) to one number.
Loss = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]

LOSSES = ("cross-entropy", "hinge")


def loss_function(name: str, *, class_weights: torch.Tensor | None = None, label_smoothing: float = 0.0) -> Loss:
    """A loss by its name, a weighted mean over the examples of a batch.

    Cross-entropy is -ln softmax(scores)[class]; smoothing takes a share of the target away from the class and gives it
    to all classes alike. Hinge is max over the other classes of max(0, 1 + score - score of the class) (Crammer &
    Singer).

    Examples
    --------
    >>> scores, classes = torch.tensor([[2.0, 0.0], [0.5, 0.0]]), torch.tensor([0, 1])
    >>> round(float(loss_function("cross-entropy")(scores, classes)), 4)
    0.5505
    >>> float(loss_function("hinge")(scores, classes))
    0.75
    """
    if name == "cross-entropy":

        def cross_entropy(scores: torch.Tensor, classes: torch.Tensor) -> torch.Tensor:
            return functional.cross_entropy(scores, classes, weight=class_weights, label_smoothing=label_smoothing)

        return cross_entropy

    def hinge(scores: torch.Tensor, classes: torch.Tensor) -> torch.Tensor:
        own = scores.gather(1, classes[:, None])
        others = scores.scatter(1, classes[:, None], -torch.inf)
        margins = (1.0 + others.amax(dim=1) - own[:, 0]).clamp(min=0.0)
        if class_weights is None:
            return margins.mean()
        weights = class_weights[classes]
        return (weights * margins).sum() / weights.sum()

    return hinge


def set_loss_function(name: str, *, label_weights: torch.Tensor | None = None, label_smoothing: float = 0.0) -> Loss:
    """A loss of targets (n, n_labels) of 0 and 1: the sum over the labels of each one's own, a mean over the examples.

    Cross-entropy is that of the sigmoid of each score; smoothing pulls a target halfway to a half by that share. Hinge
    is max(0, 1 - score) for a label that a text has, max(0, 1 + score) for others. Weights count for labels that a
    text has.

    Examples
    --------
    >>> scores, targets = torch.tensor([[2.0, 0.0]]), torch.tensor([[1.0, 0.0]])
    >>> round(float(set_loss_function("cross-entropy")(scores, targets)), 4)
    0.8201
    >>> float(set_loss_function("hinge")(scores, targets))
    1.0
    """
    if name == "cross-entropy":

        def cross_entropy(scores: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
            smoothed = targets * (1 - label_smoothing) + 0.5 * label_smoothing
            each = functional.binary_cross_entropy_with_logits(
                scores, smoothed, pos_weight=label_weights, reduction="none"
            )
            return each.sum(dim=1).mean()

        return cross_entropy

    def hinge(scores: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        margins = (1.0 - (2 * targets - 1) * scores).clamp(min=0.0)
        weights = 1.0 if label_weights is None else 1.0 + targets * (label_weights - 1.0)
        return (weights * margins).sum(dim=1).mean()

    return hinge
