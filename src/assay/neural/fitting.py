"""From a classifier's settings and a corpus to a trained network."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray

from assay.classifier.provenance import data_provenance, now, plain_settings, versions
from assay.classifier.training_data import corpus_of, label_strings, training_corpus
from assay.errors import DataError
from assay.learners.labels import weigh_classes
from assay.neural.batches import Examples, TrainingBatches
from assay.neural.checkpoint import Checkpoint
from assay.neural.losses import Loss, loss_function
from assay.neural.network import Network
from assay.neural.network_model import NetworkModel, scores_of, torch_threads
from assay.neural.optimisers import Optimiser
from assay.neural.readers import Reader
from assay.neural.training_loop import DivergenceError, HeldOut, Plan, TrainingWatcher, train_network
from assay.threads import count_threads

if TYPE_CHECKING:
    from assay.data.corpus import Corpus
    from assay.neural.network_classifier import NetworkClassifier

__all__ = ["fit_classifier"]

#: They do not change what is learned.
_WITHOUT_EFFECT = ("checkpoint", "verbose")


def fit_classifier(
    classifier: NetworkClassifier, texts: Any, labels: Any, watcher: TrainingWatcher | None = None
) -> None:
    """Train by the settings of a classifier, which then has the model.

    Where the loss becomes NaN, the classifier has the model of the best epoch before that, and the error is raised.
    """
    corpus = training_corpus(texts, labels)
    names, _ = label_strings(corpus)
    notes = _small_class_notes(corpus)
    train, held_out = _divided(classifier, corpus, notes)
    threads = count_threads(classifier.threads)
    with torch_threads(threads), _seeded(classifier.seed):
        reader = classifier._learn_reader(train, threads)
        examples = reader.read(train.texts, threads)
        notes += _length_notes(classifier, examples, len(train))
        network = classifier._new_network(reader, len(names))
        classes = _classes(train, names)
        loss = _loss(classifier, names, classes)
        of_examples = classes if examples.text_of is None else classes[examples.text_of]
        batches = TrainingBatches(examples, of_examples, classifier.batch_size, classifier.seed)
        optimiser = Optimiser(network, classifier.optimiser, classifier.learning_rate, classifier.l2)
        measure = None
        if held_out is not None:
            measure = _measure(
                classifier.stop_by, loss, reader.read(held_out.texts, threads), _classes(held_out, names)
            )
        provenance = _provenance(classifier, corpus, threads)
        keep = _keeper(classifier, reader, network, names, notes, provenance)
        try:
            history = train_network(
                network,
                batches,
                loss,
                optimiser,
                _plan(classifier),
                measure=measure,
                checkpoint=_checkpoint(classifier, provenance),
                watcher=watcher or _shown(classifier),
            )
        except DivergenceError as error:
            if error.history is not None:
                keep(error.history)
            raise
    keep(history)


def _keeper(
    classifier: NetworkClassifier,
    reader: Reader,
    network: Network,
    names: tuple[str, ...],
    notes: list[str],
    provenance: dict[str, Any],
) -> Callable[[Any], None]:
    """A function that gives the classifier its model."""
    link: Any = None if classifier.loss == "hinge" else "sigmoid" if len(names) == 2 else "softmax"

    def keep(history: Any) -> None:
        classifier._set(NetworkModel(reader, network, names, link), history, tuple(notes), provenance)

    return keep


def _plan(classifier: NetworkClassifier) -> Plan:
    metric = "accuracy" if classifier.stop_by == "loss" else classifier.stop_by
    how = (classifier.schedule, classifier.warm_up, classifier.clip, classifier.patience)
    return Plan(classifier.epochs, *how, metric)


def _divided(classifier: NetworkClassifier, corpus: Corpus, notes: list[str]) -> tuple[Corpus, Corpus | None]:
    """The texts to train on, and those to stop by."""
    wanted = classifier.validation
    if not isinstance(wanted, int | float):
        held_out = corpus_of(*wanted) if isinstance(wanted, tuple) else corpus_of(wanted, None)
        strange = sorted(set(held_out.label_names) - set(corpus.label_names))
        if strange:
            raise DataError(
                f"{held_out.source}: the label {strange[0]!r} of the validation texts does not occur in the training "
                "texts. Leave such texts out, or add some of them to the training texts."
            )
        return corpus, held_out
    if wanted == 0:
        return corpus, None
    try:
        train, held_out = corpus.split(test=max(1, round(wanted * len(corpus))), seed=classifier.seed)
    except DataError:
        notes.append(
            f"{len(corpus):,} texts are too few to hold some out for early stopping: all of them were trained on, for "
            "all epochs"
        )
        return corpus, None
    return train, held_out


def _small_class_notes(corpus: Corpus) -> list[str]:
    once = [name for name, count in zip(corpus.label_names, corpus.class_counts, strict=True) if count == 1]
    if not once:
        return []
    shown = ", ".join(map(repr, once[:5])) + (f" and {len(once) - 5:,} more" if len(once) > 5 else "")
    return [f"Classes with one text only, which was trained on and could not be held out: {shown}"]


def _length_notes(classifier: NetworkClassifier, examples: Examples, n_texts: int) -> list[str]:
    most = getattr(classifier, "max_length", None)
    if most is None:
        return []
    if examples.text_of is not None:
        cut = int((np.bincount(examples.text_of, minlength=n_texts) > 1).sum())
        how = f"were read in pieces of {most:,}, whose scores are averaged"
    else:
        cut = getattr(examples, "cut", 0)
        how = f"were cut off after {most:,}"
    return (
        [f"{cut:,} of {n_texts:,} training texts have more than {most:,} words and {how} (max_length)"] if cut else []
    )


def _classes(corpus: Corpus, names: tuple[str, ...]) -> NDArray[np.int64]:
    """The class of each text, as a number in the order of the labels."""
    number = {name: k for k, name in enumerate(names)}
    place = np.array([number.get(name, -1) for name in corpus.label_names], dtype=np.int64)
    return place[corpus.classes]


def _loss(classifier: NetworkClassifier, names: tuple[str, ...], classes: NDArray[np.int64]) -> Loss:
    weights = None
    if classifier.class_weight is not None:
        ones = np.ones(len(classes))
        owner = type(classifier).__name__
        found = weigh_classes(classifier.class_weight, np.array(names), classes.astype(np.int32), ones, owner)
        weights = torch.tensor(found, dtype=torch.float32)
    return loss_function(classifier.loss, class_weights=weights, label_smoothing=classifier.label_smoothing)


def _measure(stop_by: str, loss: Loss, examples: Examples, classes: NDArray[np.int64]) -> Callable[[Any], HeldOut]:
    def measure(network: Network) -> HeldOut:
        scores = scores_of(network, examples)
        value = float(loss(torch.from_numpy(scores).float(), torch.from_numpy(classes)))
        predicted = scores.argmax(axis=1)
        metric = _macro_f1(classes, predicted) if stop_by == "macro_f1" else float(np.mean(predicted == classes))
        return HeldOut(value, metric, -value if stop_by == "loss" else metric)

    return measure


def _macro_f1(truth: NDArray[np.int64], predicted: NDArray[np.int64]) -> float:
    """Mean over the classes that occur of 2·right / (texts of the class + texts that got its label)."""
    n = int(max(truth.max(initial=0), predicted.max(initial=0))) + 1
    right = np.bincount(truth[truth == predicted], minlength=n)
    both = np.bincount(truth, minlength=n) + np.bincount(predicted, minlength=n)
    return float(np.mean(2 * right[both > 0] / both[both > 0]))


def _provenance(classifier: NetworkClassifier, corpus: Corpus, threads: int) -> dict[str, Any]:
    learner = plain_settings(classifier)
    learner["parameters"] = {k: v for k, v in learner["parameters"].items() if k not in _WITHOUT_EFFECT}
    # Another number of threads adds in another order: the last bits may differ.
    learner["parameters"]["threads"] = threads
    return {
        "data": data_provenance(corpus),
        "learner": learner,
        "calibration": None,
        "rule": None,
        "seed": classifier.seed,
        "versions": {**versions(), "torch": torch.__version__},
        "created": now(),
    }


def _checkpoint(classifier: NetworkClassifier, provenance: dict[str, Any]) -> Checkpoint | None:
    if classifier.checkpoint is None:
        return None
    purpose = json.dumps([provenance["data"], provenance["learner"]], sort_keys=True)
    return Checkpoint(Path(classifier.checkpoint), hashlib.sha256(purpose.encode()).hexdigest())


def _shown(classifier: NetworkClassifier) -> TrainingWatcher | None:
    if not classifier.verbose:
        return None
    from assay.neural.progress import LineWatcher

    return LineWatcher()


@contextmanager
def _seeded(seed: int) -> Iterator[None]:
    """Random numbers of PyTorch that depend on the seed, and leave those of others as they were."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        yield
