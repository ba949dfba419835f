"""From a classifier's settings and a corpus to a trained network."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from assay.evaluation.decisions.set_calibration import choose_set_cap
from assay.evaluation.decisions.set_thresholds import choose_set_thresholds
from assay.label_sets import LabelSets
from assay.label_types import label_values
from assay.learners.solvers.class_weights import class_factors, resolved_class_weight
from assay.modelfile.attachment import Attachment
from assay.modelfile.provenance import Component, MadeBy, Provenance
from assay.modelfile.record import ModelRecord
from assay.neural.loop.checkpoint import Checkpoint
from assay.neural.loop.history import History
from assay.neural.loop.losses import Loss, loss_function, set_loss_function
from assay.neural.loop.optimizers import Optimiser
from assay.neural.loop.training_loop import DivergenceError, HeldOut, Plan, TrainingWatcher, train_network
from assay.neural.parts.network import Network
from assay.neural.parts.network_model import NetworkModel, scores_of, torch_threads
from assay.neural.reading.batches import TrainingBatches
from assay.neural.reading.preparing import Prepared
from assay.neural.reading.readers import InputReader
from assay.prediction.probabilities import Link, link_scores, softmax
from assay.prediction.probability_cap import ProbabilityCap
from assay.prediction.set_rule import SetRule
from assay.threads import count_threads

if TYPE_CHECKING:
    from assay.neural.networks.network_classifier import NetworkClassifier

__all__ = ["Regime", "fit_classifier", "watched"]

USUAL_EPOCHS = 10
LEAST_UPDATES = 2500

# Random numbers and the number of threads are PyTorch's own, and there is one of each in a process.
_ONE_AT_A_TIME = RLock()


class Regime:
    """What is trained in place of a network, its batches and its loss: themselves, unless a subclass says otherwise."""

    def around(self, network: Network, batches: TrainingBatches, loss: Loss, reader: InputReader, threads: int) -> Any:
        """What the training loop is given."""
        return network, batches, loss

    def settings(self) -> dict[str, Any]:
        """What makes it another training: one that was interrupted goes on only if they are the same."""
        return {}

    def after_step(self, network: nn.Module) -> None:
        """Called after every update."""

    def result(self, network: Any) -> Network:
        """The network that is kept."""
        kept: Network = network
        return kept


def fit_classifier(
    classifier: NetworkClassifier,
    texts: Any,
    labels: Any,
    watcher: TrainingWatcher | None = None,
    *,
    regime: Regime | None = None,
) -> None:
    """Train by the settings of a classifier, which then has the model.

    Where the loss becomes NaN, the classifier has the model of the best epoch before that, and the error is raised.
    """
    regime = regime or Regime()
    threads = count_threads(classifier.threads)
    with _ONE_AT_A_TIME, torch_threads(threads), _seeded(classifier.seed):
        data = classifier._prepare(texts, labels, threads)
        network = classifier._new_network(data.reader, len(data.labels))
        own = TrainingBatches(data.train, data.train_classes, classifier.batch_size, classifier.seed)
        trained, batches, loss = regime.around(network, own, _loss(classifier, data), data.reader, threads)
        provenance = _provenance(classifier, data.provenance, threads)
        try:
            with watched(classifier, watcher) as told:
                history = train_network(
                    trained,
                    batches,
                    loss,
                    Optimiser(trained, classifier.optimiser, classifier.learning_rate, classifier.l2),
                    _plan(classifier, len(batches)),
                    measure=_measure(classifier.stop_by, loss, data),
                    after_step=regime.after_step,
                    checkpoint=_checkpoint(classifier, regime, provenance),
                    watcher=told,
                )
        except DivergenceError as error:
            if error.history is not None:
                _keep(classifier, data, regime.result(trained), error.history, provenance)
            raise
    _keep(classifier, data, regime.result(trained), history, provenance)


def _keep(
    classifier: NetworkClassifier, data: Prepared, network: Network, history: History, provenance: dict[str, Any]
) -> None:
    """Give the classifier its model."""
    of_sets = data.task == "label-sets"
    link: Link | None = "independent" if of_sets else "sigmoid" if len(data.labels) == 2 else "softmax"
    if classifier.loss == "hinge":
        link = None
    cap = None if link is None else _cap(data, network)
    rule = None if cap is None or not of_sets else _thresholds(data, network, cap)
    model = NetworkModel(data.reader, network, data.labels, link, data.label_type, cap, rule, data.task)
    record = ModelRecord(provenance, novelty=None if data.novelty is None else Attachment.of_novelty(data.novelty))
    if classifier.sketch and data.texts is not None:
        record.remember(data.texts, classifier.threads)
    classifier._set(model, history, data.notes, record)


def _cap(data: Prepared, network: Network) -> ProbabilityCap:
    """What the held-out texts can bear out; without any, what so many texts could if all of them were right."""
    if data.held_out is None:
        of_size = ProbabilityCap.of_size(data.labels, len(data.train_classes))
        return replace(of_size, independent=data.task == "label-sets")
    if data.task == "label-sets":
        probabilities = link_scores(scores_of(network, data.held_out), "independent")
        return choose_set_cap(probabilities, LabelSets.of_table(data.held_out_classes), data.labels)
    return ProbabilityCap.of_held_out(data.labels, softmax(scores_of(network, data.held_out)), data.held_out_classes)


def _thresholds(data: Prepared, network: Network, cap: ProbabilityCap) -> SetRule | None:
    """Thresholds of the labels that are best on the held-out texts; None, which is a half for all, without any."""
    if data.held_out is None:
        return None
    probabilities = cap.apply(link_scores(scores_of(network, data.held_out), "independent"))
    return choose_set_thresholds(probabilities, LabelSets.of_table(data.held_out_classes), data.labels).rule


def _plan(classifier: NetworkClassifier, updates: int) -> Plan:
    """How to train where an epoch has so many updates."""
    metric = "accuracy" if classifier.stop_by == "loss" else classifier.stop_by
    epochs = classifier.epochs or max(USUAL_EPOCHS, -(-LEAST_UPDATES // updates))
    patience = classifier.patience or max(3, epochs // 10)
    return Plan(epochs, classifier.schedule, classifier.warm_up, classifier.clip, patience, metric)


def _loss(classifier: NetworkClassifier, data: Prepared) -> Loss:
    weights = None
    if classifier.class_weight is not None:
        names = label_values(data.labels, data.label_type).tolist()
        wanted = resolved_class_weight(classifier.class_weight, names, type(classifier).__name__)
        weights = torch.tensor(_factors(wanted, data), dtype=torch.float32)
    if data.task == "label-sets":
        return set_loss_function(classifier.loss, label_weights=weights, label_smoothing=classifier.label_smoothing)
    return loss_function(classifier.loss, class_weights=weights, label_smoothing=classifier.label_smoothing)


def _factors(wanted: Any, data: Prepared) -> NDArray[np.float64]:
    """Of each class; balanced, a label that few of many texts have counts as much as its absence."""
    if data.task == "labels":
        sizes = np.bincount(data.train_classes, minlength=len(data.labels)).astype(np.float64)
        return class_factors(wanted, sizes)
    if isinstance(wanted, str):
        having = data.train_classes.sum(axis=0, dtype=np.float64)
        return np.asarray((len(data.train_classes) - having) / np.maximum(having, 1.0), np.float64)
    return np.asarray(wanted, np.float64)


def _measure(stop_by: str, loss: Loss, data: Prepared) -> Callable[[Any], HeldOut] | None:
    """A function that measures a network on the held-out texts; None where there are none."""
    examples, classes = data.held_out, data.held_out_classes
    if examples is None:
        return None

    def measure(network: Network) -> HeldOut:
        scores = scores_of(network, examples)
        value = float(loss(torch.from_numpy(scores).float(), torch.from_numpy(classes)))
        if data.task == "label-sets":
            given = scores > 0
            metric = (
                _macro_f1_of_sets(classes, given) if stop_by == "macro_f1" else float((given == classes).all(1).mean())
            )
        else:
            predicted = scores.argmax(axis=1)
            metric = _macro_f1(classes, predicted) if stop_by == "macro_f1" else float(np.mean(predicted == classes))
        # Of equal metrics, as few texts often have them, the smaller loss is better.
        return HeldOut(value, metric, -value if stop_by == "loss" else metric - 1e-6 * min(value, 1e3))

    return measure


def _macro_f1(truth: NDArray[np.int64], predicted: NDArray[np.int64]) -> float:
    """Mean over the classes that occur of 2·right / (texts of the class + texts that got its label)."""
    n = int(max(truth.max(initial=0), predicted.max(initial=0))) + 1
    right = np.bincount(truth[truth == predicted], minlength=n)
    both = np.bincount(truth, minlength=n) + np.bincount(predicted, minlength=n)
    return float(np.mean(2 * right[both > 0] / both[both > 0]))


def _macro_f1_of_sets(truth: NDArray[Any], given: NDArray[np.bool_]) -> float:
    """The same of sets of labels."""
    right, both = (given & (truth > 0)).sum(axis=0), given.sum(axis=0) + truth.sum(axis=0)
    return float(np.mean(2 * right[both > 0] / both[both > 0]))


def _provenance(classifier: NetworkClassifier, data: dict[str, Any], threads: int) -> dict[str, Any]:
    made_by = MadeBy.of(classifier)
    # Another number of threads adds in another order: the last bits may differ.
    learner = MadeBy(made_by.name, {**made_by.parameters, "threads": threads})
    return Provenance(data, [Component(learner)], classifier.seed, versions={"torch": torch.__version__}).to_dict()


def _checkpoint(classifier: NetworkClassifier, regime: Regime, provenance: dict[str, Any]) -> Checkpoint | None:
    if classifier.checkpoint is None:
        return None
    purpose = json.dumps([provenance["data"], provenance["learner"], regime.settings()], sort_keys=True)
    return Checkpoint(Path(classifier.checkpoint), hashlib.sha256(purpose.encode()).hexdigest())


@contextmanager
def watched(classifier: NetworkClassifier, watcher: TrainingWatcher | None) -> Iterator[TrainingWatcher | None]:
    """Who is told: the watcher that was given, or lines where the classifier is to be verbose."""
    if watcher is not None or not classifier.verbose:
        yield watcher
        return
    from assay.neural.loop.progress import LineWatcher

    lines = LineWatcher()
    try:
        yield lines
    finally:
        lines.close()


@contextmanager
def _seeded(seed: int) -> Iterator[None]:
    """Random numbers of PyTorch that depend on the seed, and leave those of others as they were."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        yield
