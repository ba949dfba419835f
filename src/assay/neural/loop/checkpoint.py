"""A training that was interrupted, in a file without code: it goes on as if nothing had happened."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import nn

from assay.errors import ModelFileError, ParameterError
from assay.neural.loop.history import Epoch
from assay.neural.loop.optimizers import Optimiser
from assay.neural.loop.stopping import EarlyStopping
from assay.tensor_file import read_tensor_file, write_tensor_file
from assay.wording import setting

__all__ = ["Checkpoint", "LoopProgress"]

_FORMAT = "training"
_VERSION = 1


@dataclass
class LoopProgress:
    """How far a training is.

    Attributes
    ----------
    epoch, step
        Finished epochs, and updates made in the one after them.
    loss_sum
        Of these updates.
    seconds
        Spent in this epoch.
    epochs
        What happened before.
    """

    epoch: int = 0
    step: int = 0
    loss_sum: float = 0.0
    seconds: float = 0.0
    epochs: list[Epoch] = field(default_factory=list)


@dataclass(frozen=True)
class Checkpoint:
    """Where the state of a training is kept.

    Attributes
    ----------
    path
        The file.
    purpose
        What is trained on what, as plain values: a training goes on only from its own file.
    """

    path: Path
    purpose: str

    def write(self, progress: LoopProgress, network: nn.Module, optimiser: Optimiser, stopping: EarlyStopping) -> None:
        """Write everything that the rest of the training depends on; the old file stays until the new one is whole."""
        moments, counts = optimiser.state()
        arrays = {"random": torch.get_rng_state()}
        arrays |= {f"network.{name}": values for name, values in network.state_dict().items()}
        arrays |= {f"optimiser.{name}": values for name, values in moments.items()}
        arrays |= {f"best.{name}": values for name, values in stopping.weights.items()}
        header = {
            "format": _FORMAT,
            "version": _VERSION,
            "purpose": self.purpose,
            "progress": asdict(progress),
            "optimiser": counts,
            "stopping": {"best": repr(stopping.best), "best_epoch": stopping.best_epoch, "epoch": stopping.epoch},
        }
        write_tensor_file(self.path, header, {name: values.detach().numpy() for name, values in arrays.items()})

    def restore(self, network: nn.Module, optimiser: Optimiser, stopping: EarlyStopping) -> LoopProgress:
        """Put everything back to where it was; the beginning where there is no file."""
        if not self.path.exists():
            return LoopProgress()
        file = read_tensor_file(self.path, {_FORMAT: _VERSION}, "training")
        if file.header.get("purpose") != self.purpose:
            raise ParameterError(
                f"{os.fspath(self.path)}: this is an interrupted training with other data or settings. Delete the file "
                f"to begin anew, or give the new training another name with {setting('checkpoint', option='-o')}."
            )
        try:
            arrays = {name: torch.from_numpy(values) for name, values in file.arrays.items()}
            network.load_state_dict(_part(arrays, "network."))
            optimiser.restore(_part(arrays, "optimiser."), file.header["optimiser"])
            kept: dict[str, Any] = file.header["stopping"]
            stopping.best, stopping.best_epoch = float(kept["best"]), kept["best_epoch"]
            stopping.epoch, stopping.weights = kept["epoch"], _part(arrays, "best.")
            torch.set_rng_state(arrays["random"])
            plain = dict(file.header["progress"])
            plain["epochs"] = [Epoch(**epoch) for epoch in plain["epochs"]]
            return LoopProgress(**plain)
        except (KeyError, RuntimeError, TypeError, ValueError, AttributeError) as error:
            found = " ".join(str(error).split())
            raise ModelFileError(
                f"{os.fspath(self.path)}: this file of an interrupted training is damaged ({found}). Delete it to "
                "begin anew."
            ) from None

    def remove(self) -> None:
        """The training is finished."""
        self.path.unlink(missing_ok=True)


def _part(arrays: dict[str, torch.Tensor], prefix: str) -> dict[str, torch.Tensor]:
    return {name.removeprefix(prefix): values for name, values in arrays.items() if name.startswith(prefix)}
