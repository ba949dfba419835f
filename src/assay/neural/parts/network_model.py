"""A trained network with what it needs to read texts: all that prediction uses."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from assay.label_sets import Task
from assay.label_types import LabelType
from assay.neural.parts.network import Network
from assay.neural.reading.batches import NetworkExamples, batches_in_order
from assay.neural.reading.readers import InputReader
from assay.prediction.decision import Decision
from assay.prediction.probabilities import Floats, Link
from assay.prediction.probability_cap import ProbabilityCap
from assay.prediction.scoring import finite_scores
from assay.prediction.set_decision import decision_of
from assay.prediction.set_rule import SetRule
from assay.threads import count_threads

__all__ = ["NetworkModel", "scores_of", "torch_threads"]

_PROCESS = os.getpid()  # in which PyTorch was loaded, and whose threads it has


@dataclass(frozen=True, eq=False)
class NetworkModel:
    """A reader, a network, labels, and what follows the scores.

    Attributes
    ----------
    reader
        From texts to examples.
    network
        From examples to scores (n, n_labels).
    labels
        Names of the classes, in order.
    link
        What makes probabilities of the scores; None where they are only scores.
    label_type
        What the labels were before they became text.
    cap
        The largest probability of each label; None where scores are only scores.
    rule
        Thresholds, where texts are given several labels; None: a half for all.
    task
        What a text is given: "labels", one label, or "label-sets".
    """

    reader: InputReader
    network: Network
    labels: tuple[str, ...]
    link: Link | None
    label_type: LabelType = "text"
    cap: ProbabilityCap | None = None
    rule: SetRule | None = None
    task: Task = "labels"

    @cached_property
    def decision(self) -> Decision:
        """What follows the scores."""
        parts: dict[str, Any] = {"rule": self.rule, "cap": self.cap, "label_type": self.label_type}
        return decision_of(self.task)(self.labels, self.link, **parts)

    @property
    def n_parameters(self) -> int:
        """Numbers in the network."""
        return sum(values.numel() for values in self.network.parameters())

    def decision_function(self, texts: Any, *, threads: int | None = None) -> Floats:
        """Scores (n, n_labels); of two labels one number a text, (n,), above 0 for the second."""
        n_threads = count_threads(threads)
        with torch_threads(n_threads):
            scores = scores_of(self.network, self.reader.read(texts, n_threads))
        of_two = self.task == "labels" and scores.shape[1] == 2
        return finite_scores(scores[:, 1] - scores[:, 0] if of_two else scores)

    def predict_proba(self, texts: Any, *, threads: int | None = None) -> Floats:
        """Probability of each label, (n, n_labels)."""
        self.decision.require_probabilities()
        return self.decision.probabilities(self.decision_function(texts, threads=threads))

    def predict(self, texts: Any, *, threads: int | None = None) -> NDArray[Any]:
        """Label of each text, as text."""
        return self.decision.predict(self.decision_function(texts, threads=threads))


@torch.inference_mode()
def scores_of(network: Network, examples: NetworkExamples) -> Floats:
    """Scores (n_texts, n_classes); of a text in pieces, the mean of theirs."""
    network.eval()
    parts = [(rows, network(*inputs).double().numpy()) for rows, inputs in batches_in_order(examples)]
    if not parts:
        return np.empty((0, network.settings["n_classes"]))
    scores = np.empty((len(examples), parts[0][1].shape[1]))
    for rows, found in parts:
        scores[rows] = found
    if examples.text_of is None:
        return scores
    first = np.flatnonzero(np.diff(examples.text_of, prepend=-1))  # pieces of a text stand side by side
    pieces = np.diff(first, append=len(scores))
    return np.asarray(np.add.reduceat(scores, first) / pieces[:, None])


@contextmanager
def torch_threads(threads: int) -> Iterator[None]:
    """Let PyTorch use so many threads for a while; in a process that was forked, one from then on.

    A child has none of its parent's threads, and PyTorch would wait for them for ever.
    """
    before = torch.get_num_threads()
    if os.getpid() != _PROCESS:
        before = threads = 1
    torch.set_num_threads(threads)
    try:
        yield
    finally:
        torch.set_num_threads(before)
