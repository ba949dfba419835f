"""Mean teacher: a network that also learns to agree, on texts without labels, with the mean of what it has been."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import torch
from torch import nn

from assay.errors import DataError, ParameterError
from assay.learners.parameters import check_number
from assay.neural.loop.fitting import Regime, fit_classifier
from assay.neural.loop.losses import Loss
from assay.neural.networks.network_classifier import NetworkClassifier
from assay.neural.parts.network import Network
from assay.neural.reading.batches import ExampleBatch, NetworkExamples, TrainingBatches
from assay.neural.reading.readers import InputReader
from assay.prediction.scoring import documents_of

__all__ = ["MeanTeacher", "WithTeacher"]


class WithTeacher(nn.Module):
    """A network, the student, and its running mean, the teacher, who answers outside training.

    Parameters
    ----------
    student
        The network that is trained.
    decay
        After each update, teacher = decay · teacher + (1 - decay) · student.
    """

    def __init__(self, student: Network, decay: float) -> None:
        super().__init__()
        self.student = student
        self.teacher = deepcopy(student).requires_grad_(False)
        self.decay = decay
        self.settings = student.settings
        self.updates: torch.Tensor
        self.register_buffer("updates", torch.zeros(1))

    def forward(self, *inputs: torch.Tensor) -> torch.Tensor:
        """Outside training, the teacher's scores (n, n_classes).

        In training, inputs are those of labelled and then those of unlabelled texts; scores of the student and of the
        teacher, each thinned out by a dropout of its own, (2, n, n_classes).
        """
        if not self.training:
            return self.teacher(*inputs)  # type: ignore[no-any-return]
        half = len(inputs) // 2
        parts = inputs[:half], inputs[half:]
        own = torch.cat([self.student(*part) for part in parts])
        with torch.no_grad():
            guide = torch.cat([self.teacher(*part) for part in parts])
        return torch.stack([own, guide])

    @torch.no_grad()
    def follow(self) -> None:
        """Move the teacher after an update; at first, when the student changes fast, faster."""
        self.updates += 1
        decay = min(self.decay, 1 - 1 / (float(self.updates) + 1))
        for mean, value in zip(self.teacher.parameters(), self.student.parameters(), strict=True):
            mean.lerp_(value, 1 - decay)


@dataclass(frozen=True, eq=False)
class _MixedBatches:
    """Batches of labelled texts, each with as many texts without labels."""

    labelled: TrainingBatches
    unlabelled: NetworkExamples

    def __len__(self) -> int:
        return len(self.labelled)

    def epoch(self, number: int, first: int = 0) -> Iterator[ExampleBatch]:
        """The batches of one pass over the labelled texts, from number `first` on."""
        order = np.random.default_rng([self.labelled.seed, number, 1]).permutation(len(self.unlabelled))
        for step, batch in enumerate(self.labelled.epoch(number, first), start=first):
            rows = np.take(order, np.arange(step * self.labelled.size, (step + 1) * self.labelled.size), mode="wrap")
            yield ExampleBatch((*batch.inputs, *self.unlabelled.inputs(rows)), batch.targets, batch.rows)


@dataclass(frozen=True, eq=False)
class _Teaching(Regime):
    """What the training loop is given instead of the network, its batches and its loss."""

    texts: list[str]
    decay: float
    weight: float
    ramp_up: int

    def around(self, network: Network, batches: TrainingBatches, loss: Loss, reader: InputReader, threads: int) -> Any:
        if batches.classes.ndim == 2:
            raise DataError(
                "MeanTeacher lets two networks agree on one label a text, and these texts have sets of labels. Train "
                "the network itself on them."
            )
        both = WithTeacher(network, self.decay)

        def agreeing(scores: torch.Tensor, classes: torch.Tensor) -> torch.Tensor:
            if scores.ndim == 2:  # held-out texts
                return loss(scores, classes)
            own, guide = scores.softmax(dim=-1)
            share = math.exp(-5 * (1 - min(1.0, float(both.updates) / max(1, self.ramp_up))) ** 2)
            apart: torch.Tensor = ((own - guide) ** 2).sum(-1).mean()
            return loss(scores[0, : len(classes)], classes) + self.weight * share * apart

        return both, _MixedBatches(batches, reader.read(self.texts, threads)), agreeing

    def settings(self) -> dict[str, Any]:
        """Of the teacher, and which texts have no labels."""
        texts = hashlib.sha256("\0".join(self.texts).encode("utf-8", "surrogatepass")).hexdigest()
        return {"decay": self.decay, "weight": self.weight, "ramp_up": self.ramp_up, "unlabelled": texts}

    def after_step(self, network: nn.Module) -> None:
        """The teacher follows."""
        assert isinstance(network, WithTeacher)
        network.follow()

    def result(self, network: Any) -> Network:
        """The teacher."""
        teacher: Network = network.teacher
        return teacher


@dataclass(kw_only=True, eq=False)
class MeanTeacher:
    """Train a network on labels, and on agreeing with its own running mean about texts without labels.

        loss = loss of the labelled texts + weight · ‖softmax(student) - softmax(teacher)‖² over all texts

    The teacher's weights are the running mean of the student's; both see the texts through a dropout of their own. The
    teacher is what remains.

    Parameters
    ----------
    network
        A network of `assay.neural`, whose settings are used.
    decay
        How slowly the teacher follows.
    weight
        How much agreeing counts.
    ramp_up
        Updates in which that grows to its full value.

    Attributes
    ----------
    classifier_
        The trained network, to be used and saved like any other.

    Examples
    --------
    >>> from assay.neural import AveragingNetwork
    >>> network = AveragingNetwork(embedding_size=8, epochs=40, learning_rate=0.05)
    >>> teacher = MeanTeacher(network=network, decay=0.8)
    >>> labelled = ["loved it", "so dull", "great fun", "a dull mess"]
    >>> teacher = teacher.fit(labelled, ["pos", "neg"] * 2, ["loved it, great fun", "a mess, so dull"])
    >>> teacher.classifier_.predict(["great fun", "a dull mess"]).tolist()
    ['pos', 'neg']

    References
    ----------
    Tarvainen & Valpola (2017), "Mean teachers are better role models".
    """

    network: NetworkClassifier
    decay: float = 0.99
    weight: float = 5.0
    ramp_up: int = 100

    def fit(self, texts: Any, labels: Any, unlabelled: Any) -> Self:
        """Learn from texts and their labels (or a corpus and None), and from texts without labels."""
        check_number(self, "decay", at_least=0, below=1)
        check_number(self, "weight", at_least=0, below=float("inf"))
        check_number(self, "ramp_up", at_least=0, integer=True)
        self._check_network()
        others = documents_of(unlabelled).strings()
        if not others:
            raise DataError("There are no texts without labels. A mean teacher needs some: give them as unlabelled.")
        classifier = type(self.network)(**self.network.get_params())
        classifier._check()
        fit_classifier(classifier, texts, labels, regime=_Teaching(others, self.decay, self.weight, self.ramp_up))
        own = {"decay": self.decay, "weight": self.weight, "ramp_up": self.ramp_up, "unlabelled": len(others)}
        classifier.provenance["mean_teacher"] = own
        self.classifier_ = classifier
        return self

    def _check_network(self) -> None:
        if not isinstance(self.network, NetworkClassifier):
            raise ParameterError(
                "The 'network' parameter of MeanTeacher must be a network of assay.neural, such as "
                f"AveragingNetwork(). Got {self.network!r} instead."
            )
        if self.network.get_params().get("tuning") == "head":
            raise ParameterError(
                "A mean teacher trains all weights of a network, and EncoderClassifier(tuning='head') leaves those of "
                "the encoder as they are. Use tuning='all', or assay.adaptation.SelfTraining."
            )
