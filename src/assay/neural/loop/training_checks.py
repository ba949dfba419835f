"""Whether the settings of a training can be: what can be found out before it has begun."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from assay.errors import ParameterError
from assay.learners.parameters import check_choice, check_flag, check_number
from assay.neural.loop.losses import LOSSES
from assay.neural.loop.optimizers import OPTIMISERS
from assay.neural.loop.schedules import SCHEDULES

if TYPE_CHECKING:
    from assay.neural.networks.network_classifier import NetworkClassifier

__all__ = ["check_training"]

STOP_BY = ("loss", "accuracy", "macro_f1")
HIGHEST_RATE = 1e30  # a step may be ten times as long, and far more is no float32 any more


def check_training(classifier: NetworkClassifier) -> None:
    """Complain about the first setting of the training that has a value it cannot have."""
    if classifier.epochs is not None:
        check_number(classifier, "epochs", at_least=1, integer=True)
    check_number(classifier, "batch_size", at_least=1, integer=True)
    check_choice(classifier, "optimiser", OPTIMISERS)
    check_number(classifier, "learning_rate", above=0, at_most=HIGHEST_RATE)
    check_choice(classifier, "schedule", SCHEDULES)
    check_number(classifier, "warm_up", at_least=0, at_most=1)
    check_number(classifier, "l2", at_least=0, below=float("inf"))
    if classifier.clip is not None:
        check_number(classifier, "clip", above=0)
    _check_loss(classifier)
    _check_validation(classifier)
    if classifier.patience is not None:
        check_number(classifier, "patience", at_least=1, integer=True)
    check_choice(classifier, "stop_by", STOP_BY)
    check_number(classifier, "seed", at_least=0, below=2**63, integer=True)
    _check_threads(classifier)
    for name in ("learn_novelty", "sketch", "verbose"):
        check_flag(classifier, name)
    _check_checkpoint(classifier)


def _check_loss(classifier: NetworkClassifier) -> None:
    check_choice(classifier, "loss", LOSSES)
    check_number(classifier, "label_smoothing", at_least=0, below=1)
    if classifier.loss == "hinge" and classifier.label_smoothing:
        raise ParameterError(
            f"{type(classifier).__name__}(loss='hinge') has no target that could be smoothed. Got label_smoothing="
            f"{classifier.label_smoothing!r}. Leave it out, or use loss='cross-entropy'."
        )


def _check_validation(classifier: NetworkClassifier) -> None:
    if isinstance(classifier.validation, int | float):
        check_number(classifier, "validation", at_least=0, below=1)
    elif classifier.validation is None:
        raise ParameterError(
            f"The 'validation' parameter of {type(classifier).__name__} must be a share of the texts, a corpus, or "
            "texts and their labels. Got None instead. 0 holds nothing out."
        )


def _check_threads(classifier: NetworkClassifier) -> None:
    if classifier.threads is not None and (type(classifier.threads) is not int or classifier.threads == 0):
        raise ParameterError(
            f"The 'threads' parameter of {type(classifier).__name__} must be a positive number of threads, -1 for "
            f"every core, or None. Got {classifier.threads!r} instead."
        )


def _check_checkpoint(classifier: NetworkClassifier) -> None:
    """Now rather than after an epoch."""
    if classifier.checkpoint is None:
        return
    place = Path(classifier.checkpoint)
    if place.is_dir() or not place.parent.is_dir():
        what = "is a folder" if place.is_dir() else f"lies in a folder {str(place.parent)!r} that does not exist"
        raise ParameterError(
            f"The 'checkpoint' parameter of {type(classifier).__name__} must be the name of a file. Got "
            f"{str(place)!r}, which {what}."
        )
