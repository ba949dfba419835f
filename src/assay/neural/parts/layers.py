"""What the networks are made of beyond word vectors: bends, stacks of layers, and pooling of words into a text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import nn

from assay.errors import ParameterError

__all__ = ["ACTIVATIONS", "check_sizes", "hidden_layers", "masked_max", "masked_mean", "word_mask"]

ACTIVATIONS: dict[str, type[nn.Module]] = {
    "relu": nn.ReLU,
    "tanh": nn.Tanh,
    "sigmoid": nn.Sigmoid,
    "gelu": nn.GELU,
}


def check_sizes(classifier: object, name: str, *, least: int = 0) -> None:
    """Complain unless the parameter `name` is a sequence of whole numbers above 0, not too many, and at least some."""
    value = getattr(classifier, name)
    good = isinstance(value, Sequence) and not isinstance(value, str) and least <= len(value) <= 100
    if not good or not all(type(size) is int and size > 0 for size in value):
        raise ParameterError(
            f"The {name!r} parameter of {type(classifier).__name__} must be whole numbers above 0, such as (3, 4). Got "
            f"{value!r} instead."
        )


def hidden_layers(sizes: Sequence[int], activation: str, dropout: float) -> nn.Sequential:
    """From sizes[0] numbers to sizes[-1]: each layer linear, bent by the activation, and thinned out in training."""
    layers: list[nn.Module] = []
    for n_in, n_out in pairwise(sizes):
        layers += [nn.Linear(n_in, n_out), ACTIVATIONS[activation](), nn.Dropout(dropout)]
    return nn.Sequential(*layers)


def word_mask(lengths: torch.Tensor, width: int) -> torch.Tensor:
    """Where there is a word and no padding, (n, width)."""
    return torch.arange(width) < lengths[:, None]


def masked_max(states: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Greatest number over the words, (n, width, size) → (n, size)."""
    return states.masked_fill(~mask[..., None], -torch.inf).amax(dim=1)


def masked_mean(states: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Mean over the words, (n, width, size) → (n, size)."""
    return (states * mask[..., None]).sum(dim=1) / mask.sum(dim=1, keepdim=True)
