"""The training loop: forward, loss, backward, update; and after every epoch, a look at held-out examples.

It knows nothing of words or classes: any network, batches and loss will do.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import nn

from assay.deferred_signals import Interruption
from assay.errors import AssayError
from assay.neural.loop.checkpoint import Checkpoint, LoopProgress
from assay.neural.loop.history import Epoch, History
from assay.neural.loop.losses import Loss
from assay.neural.loop.optimizers import Optimiser
from assay.neural.loop.schedules import rate_factor
from assay.neural.loop.stopping import EarlyStopping
from assay.neural.reading.batches import ExampleBatch

__all__ = ["DivergenceError", "HeldOut", "Plan", "TrainingWatcher", "train_network"]

#: Seconds between two checkpoints at least: of few examples, an epoch takes less time than writing one.
KEEP_EVERY = 5.0


class DivergenceError(AssayError):
    """The loss became infinite or NaN.

    Attributes
    ----------
    history
        Of the epochs before, whose best weights the network has again; None where there was none.
    """

    def __init__(self, message: str, history: History | None = None) -> None:
        super().__init__(message)
        self.history = history


class Batches(Protocol):
    """What an epoch consists of."""

    def __len__(self) -> int: ...

    def epoch(self, number: int, first: int = 0) -> Iterator[ExampleBatch]:
        """The batches of epoch `number`, from 0, without the first so many."""
        ...


class TrainingWatcher(Protocol):
    """Is told how far a training is."""

    def stage(self, text: str) -> None:
        """Whenever something else is being done than before; again and again where it lasts."""

    def step(self, epoch: int, epochs: int, step: int, steps: int, loss: float) -> None:
        """After an update: number of the epoch and of the update in it, both from 1, and the mean loss so far."""

    def epoch(self, number: int, epochs: int, found: Epoch, best: bool) -> None:
        """After an epoch."""


@dataclass(frozen=True)
class HeldOut:
    """What held-out examples say.

    Attributes
    ----------
    loss, metric
        The loss that is trained for, and what users ask for.
    merit
        What early stopping goes by; greater is better.
    """

    loss: float
    metric: float
    merit: float


@dataclass(frozen=True)
class Plan:
    """How to train.

    Attributes
    ----------
    epochs
        Passes over the examples at most.
    schedule, warm_up
        See `rate_factor`.
    clip
        Length of the gradient at most; None for any.
    patience
        Epochs without a better one before it stops; None for never.
    metric
        Name of `HeldOut.metric`.
    """

    epochs: int
    schedule: str = "constant"
    warm_up: float = 0.0
    clip: float | None = None
    patience: int | None = None
    metric: str = "accuracy"


def train_network(
    network: nn.Module,
    batches: Batches,
    loss: Loss,
    optimiser: Optimiser,
    plan: Plan,
    *,
    measure: Callable[[nn.Module], HeldOut] | None = None,
    after_step: Callable[[nn.Module], None] | None = None,
    checkpoint: Checkpoint | None = None,
    watcher: TrainingWatcher | None = None,
) -> History:
    """Train a network; it ends with the weights of its best epoch, or of the last one where nothing is held out.

    After Ctrl-C the state is written to the checkpoint, and so it is after an epoch, every few seconds. Called again
    with the same arguments, the training goes on from there, to the same weights.

    An epoch counts only if its weights give a loss that is a number, on the held-out examples or, without such, on the
    last batch again: what is kept can be used.

    Parameters
    ----------
    network, batches, loss, optimiser, plan
        ``loss(network(*batch.inputs), batch.targets)`` is made small.
    measure
        Measures the network, which is then in evaluation mode, on held-out examples.
    after_step
        Called after every update, as for weights that follow the network's.
    checkpoint
        Where to keep an interrupted training.
    watcher
        Is told how far it is.
    """
    stopping = EarlyStopping(plan.patience)
    progress = LoopProgress() if checkpoint is None else checkpoint.restore(network, optimiser, stopping)
    written = time.perf_counter()
    with Interruption() as interruption:
        while progress.epoch < plan.epochs and not stopping.enough:
            network.train()
            began = time.perf_counter() - progress.seconds
            _set_rate(
                optimiser, plan, progress, len(batches), max(0, progress.step - 1)
            )  # an epoch may be all but over
            for batch in batches.epoch(progress.epoch, progress.step):
                _set_rate(optimiser, plan, progress, len(batches), progress.step)
                value = loss(network(*batch.inputs), batch.targets)
                if not math.isfinite(value.item()):
                    place = f"update {progress.step + 1}"
                    raise _diverged(value.item(), place, network, optimiser, progress, stopping, plan, checkpoint)
                value.backward()  # type: ignore[no-untyped-call]
                if plan.clip is not None:
                    optimiser.clip(plan.clip)
                optimiser.step()
                if after_step is not None:
                    after_step(network)
                progress.step += 1
                progress.loss_sum += value.item()
                if watcher is not None:
                    mean = progress.loss_sum / progress.step
                    watcher.step(progress.epoch + 1, plan.epochs, progress.step, len(batches), mean)
                if interruption.asked:
                    progress.seconds = time.perf_counter() - began
                    if checkpoint is not None:
                        checkpoint.write(progress, network, optimiser, stopping)
                    raise KeyboardInterrupt
            found = _measured(network, measure)
            final = _loss_now(network, batches, loss, progress.epoch) if found is None else found.loss
            if not math.isfinite(final):
                place = "after its last update"
                raise _diverged(final, place, network, optimiser, progress, stopping, plan, checkpoint)
            # Where nothing is held out, the latest weights are the best.
            best = stopping.note(progress.epoch if found is None else found.merit, network)
            _end_epoch(progress, found, optimiser, time.perf_counter() - began)
            if watcher is not None:
                watcher.epoch(progress.epoch, plan.epochs, progress.epochs[-1], best)
            if checkpoint is not None and (interruption.asked or time.perf_counter() - written > KEEP_EVERY):
                checkpoint.write(progress, network, optimiser, stopping)
                written = time.perf_counter()
            if interruption.asked:
                raise KeyboardInterrupt
    if checkpoint is not None:
        checkpoint.remove()
    return _finished(network, progress, stopping, plan)


def _set_rate(optimiser: Optimiser, plan: Plan, progress: LoopProgress, steps: int, step: int) -> None:
    """The learning rate of an update of this epoch, which has so many steps."""
    done = progress.epoch * steps + step
    optimiser.set_rate(rate_factor(plan.schedule, done, plan.epochs * steps, plan.warm_up))


def _measured(network: nn.Module, measure: Callable[[nn.Module], HeldOut] | None) -> HeldOut | None:
    if measure is None:
        return None
    network.eval()
    with torch.inference_mode():
        return measure(network)


@torch.no_grad()
def _loss_now(network: nn.Module, batches: Batches, loss: Loss, epoch: int) -> float:
    """The loss of an epoch's last batch by the weights as they are at its end; random numbers stay as they were."""
    batch = next(iter(batches.epoch(epoch, len(batches) - 1)))
    with torch.random.fork_rng(devices=[]):
        return loss(network(*batch.inputs), batch.targets).item()


def _end_epoch(progress: LoopProgress, found: HeldOut | None, optimiser: Optimiser, seconds: float) -> None:
    mean = progress.loss_sum / max(1, progress.step)
    loss, metric = (None, None) if found is None else (found.loss, found.metric)
    progress.epochs.append(Epoch(mean, loss, metric, optimiser.current_rate, seconds))
    progress.epoch += 1
    progress.step, progress.loss_sum, progress.seconds = 0, 0.0, 0.0


def _finished(network: nn.Module, progress: LoopProgress, stopping: EarlyStopping, plan: Plan) -> History:
    """Give the network the best weights."""
    network.load_state_dict(stopping.weights)
    network.eval()
    return History(tuple(progress.epochs), stopping.best_epoch, plan.metric)


def _diverged(
    value: float,
    place: str,
    network: nn.Module,
    optimiser: Optimiser,
    progress: LoopProgress,
    stopping: EarlyStopping,
    plan: Plan,
    checkpoint: Checkpoint | None,
) -> DivergenceError:
    """What to say; the network gets its best weights back, where there are any, and the checkpoint goes."""
    if checkpoint is not None:
        checkpoint.remove()  # from there, it would diverge again
    place = f"epoch {progress.epoch + 1}, {place}"
    finite = all(torch.isfinite(values).all() for values in network.state_dict().values())
    if finite and progress.epoch == progress.step == 0:
        cause = "The first examples give it already: look for enormous numbers among the features or vectors"
    else:
        limit = "" if plan.clip is not None else ", or limit the gradient with clip=1.0"
        cause = f"The likely cause is a learning rate that is too high, {optimiser.rate:g}: divide it by ten{limit}"
    if not stopping.weights:
        return DivergenceError(f"The loss became {value} in {place}. {cause}. No epoch had ended: there is no model.")
    history = _finished(network, progress, stopping, plan)
    return DivergenceError(
        f"The loss became {value} in {place}. {cause}. The weights of epoch {history.best} are kept.", history
    )
