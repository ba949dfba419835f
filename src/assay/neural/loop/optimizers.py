"""Who changes the weights: stochastic gradient descent and its relatives, for full and for sparse gradients."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import nn

__all__ = ["OPTIMISERS", "Optimiser"]

OPTIMISERS = ("sgd", "momentum", "adagrad", "adam", "adamw")


class Optimiser:
    """One of PyTorch's optimisers for the layers, and its like for tables whose gradients are sparse.

    Parameters
    ----------
    network
        Whose parameters to change; those that are fixed stay as they are.
    name
        One of `OPTIMISERS`. Adam keeps, for a sparse table, moments of the rows that a batch has (as SparseAdam does).
    rate
        The full learning rate.
    l2
        Pull of every weight towards 0: added to the gradient, or for adamw taken from the weight itself. Tables of
        word vectors have none: most of their rows would shrink without ever being used.
    """

    def __init__(self, network: nn.Module, name: str, rate: float, l2: float = 0.0) -> None:
        self.rate = rate
        sparse_names = _sparse_tables(network)
        named = [(key, value) for key, value in network.named_parameters() if value.requires_grad]
        dense = [value for key, value in named if key not in sparse_names]
        sparse = [value for key, value in named if key in sparse_names]
        self.parts: list[torch.optim.Optimizer] = []
        if dense:
            self.parts.append(_dense(name, dense, rate, l2))
        if sparse:
            self.parts.append(_sparse(name, sparse, rate))
        self.parameters = dense + sparse

    def set_rate(self, factor: float) -> None:
        """Use a share of the full learning rate from now on."""
        for part in self.parts:
            for group in part.param_groups:
                group["lr"] = self.rate * factor

    @property
    def current_rate(self) -> float:
        """The learning rate of the next update."""
        return float(self.parts[0].param_groups[0]["lr"])

    def clip(self, most: float) -> float:
        """Scale all gradients down together so that their length is at most `most`; gives the length before."""
        gradients = [_values(value) for value in self.parameters if value.grad is not None]
        length = float(torch.stack([values.norm() for values in gradients]).norm()) if gradients else 0.0
        if length > most:
            for values in gradients:
                values.mul_(most / length)
        return length

    def step(self) -> None:
        """Change the weights by their gradients, and forget these."""
        # Gradients come from PyTorch itself: that their rows exist need not be checked, nor warned about.
        with torch.sparse.check_sparse_tensor_invariants(enable=False):  # type: ignore[no-untyped-call]
            for part in self.parts:
                part.step()
                part.zero_grad(set_to_none=True)

    def state(self) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
        """Moments as arrays, and step counts as numbers, each under a name of its own."""
        arrays: dict[str, torch.Tensor] = {}
        numbers: dict[str, Any] = {}
        for i, part in enumerate(self.parts):
            for parameter, kept in part.state_dict()["state"].items():
                for key, value in kept.items():
                    if value is not None:
                        (arrays if isinstance(value, torch.Tensor) else numbers)[f"{i}.{parameter}.{key}"] = value
        return arrays, numbers

    def restore(self, arrays: dict[str, torch.Tensor], numbers: dict[str, Any]) -> None:
        """Go on from what `state` gave."""
        for i, part in enumerate(self.parts):
            described = part.state_dict()
            for name, value in {**arrays, **numbers}.items():
                number, parameter, key = name.split(".")
                if int(number) == i:
                    described["state"].setdefault(int(parameter), {})[key] = value
            part.load_state_dict(described)


def _sparse_tables(network: nn.Module) -> set[str]:
    """Names of the parameters whose gradients are sparse."""
    tables = [
        name
        for name, layer in network.named_modules()
        if isinstance(layer, nn.Embedding | nn.EmbeddingBag) and layer.sparse
    ]
    return {f"{name}.weight" for name in tables}


def _dense(name: str, parameters: Iterable[nn.Parameter], rate: float, l2: float) -> torch.optim.Optimizer:
    if name in ("sgd", "momentum"):
        return torch.optim.SGD(parameters, rate, momentum=0.9 if name == "momentum" else 0.0, weight_decay=l2)
    if name == "adagrad":
        return torch.optim.Adagrad(parameters, rate, weight_decay=l2)
    kind = torch.optim.AdamW if name == "adamw" else torch.optim.Adam
    return kind(parameters, rate, weight_decay=l2)


def _sparse(name: str, parameters: Iterable[nn.Parameter], rate: float) -> torch.optim.Optimizer:
    if name in ("sgd", "momentum"):
        # Momentum of a row goes on when the row is not in a batch: that would be a full update again.
        return torch.optim.SGD(parameters, rate)
    return torch.optim.Adagrad(parameters, rate) if name == "adagrad" else torch.optim.SparseAdam(parameters, rate)


def _values(parameter: nn.Parameter) -> torch.Tensor:
    """Numbers of a gradient, to be changed in place; a sparse one has each row once from now on."""
    gradient = parameter.grad
    assert gradient is not None
    if not gradient.is_sparse:
        return gradient
    parameter.grad = gradient.coalesce()
    return parameter.grad._values()
