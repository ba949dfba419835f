"""What happened in each epoch of a training: the learning curves."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

from assay.header_checks import entry, whole_number

__all__ = ["Epoch", "History"]


@dataclass(frozen=True)
class Epoch:
    """One pass over the training examples.

    Attributes
    ----------
    loss
        Mean over the batches, while the weights changed.
    held_out_loss, held_out_metric
        Afterwards, on examples that are not trained on; None without such.
    rate
        Learning rate at the end.
    seconds
        What it took.
    """

    loss: float
    held_out_loss: float | None
    held_out_metric: float | None
    rate: float
    seconds: float


@dataclass(frozen=True)
class History:
    """All epochs.

    Attributes
    ----------
    epochs
        In order.
    best
        Number of the epoch, from 1, whose weights were kept.
    metric
        Name of what was measured on held-out examples.
    """

    epochs: tuple[Epoch, ...]
    best: int
    metric: str

    def to_dict(self) -> dict[str, Any]:
        """Plain values, without times: the same training gives the same ones."""
        kept = [field.name for field in fields(Epoch) if field.name != "seconds"]
        rounded = [{name: _rounded(getattr(epoch, name)) for name in kept} for epoch in self.epochs]
        return {"epochs": rounded, "best": self.best, "metric": self.metric}

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> History:
        """The inverse of `to_dict`, for plain values of unknown origin: ValueError where they are no such history."""
        epochs = tuple(Epoch(**{"seconds": 0.0, **epoch}) for epoch in entry(plain, "epochs", list))
        for number, epoch in enumerate(epochs, start=1):
            for name, value in asdict(epoch).items():
                if not (isinstance(value, int | float) or (value is None and name.startswith("held_out"))):
                    raise ValueError(f"'{name}' of epoch {number} is {value!r}, which is no number")
        return cls(epochs, whole_number(plain, "best", 0, len(epochs)), entry(plain, "metric", str))

    def rows(self) -> list[dict[str, Any]]:
        """One dict an epoch, for tables and figures."""
        return [{"epoch": number, **asdict(epoch)} for number, epoch in enumerate(self.epochs, start=1)]


def _rounded(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.6g}")
