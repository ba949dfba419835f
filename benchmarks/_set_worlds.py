"""Laws that texts with sets of labels follow, and the answers of a model to them: for simulations.

Label k is one of a text's where a normal number is above the point that gives the label its share. Labels of a group
(three of them, dealt out in turn) share a part of their number, so that they come together. Scores are N(0, 1), raised
by the label's own lift where the text has the label, and share a part of their noise within a text, so that mistakes
come together, too. A probability is the exact one of the label's own score.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, ndtri

from assay.evaluation.metrics.set_outcomes import SetOutcomes
from assay.label_sets import LabelSets

__all__ = ["SetWorld"]

N_GROUPS = 3


@dataclass(frozen=True)
class SetWorld:
    """A law of texts, their labels and a model's scores.

    Attributes
    ----------
    n_labels, cardinality
        Labels, and how many a text has on average.
    zipf
        Whether label k is 1/k times as frequent as the first; else all are alike.
    lift
        How well the model tells labels apart: 1 is poor, 3 is good.
    together
        How much labels of a group have in common, and mistakes within a text.
    threshold
        Probability from which a label is given.
    """

    n_labels: int
    cardinality: float
    zipf: bool = True
    lift: float = 2.0
    together: float = 0.4
    threshold: float = 0.4

    def __str__(self) -> str:
        shares = "zipf" if self.zipf else "alike"
        return f"{self.n_labels} labels ({shares}), {self.cardinality:g} a text, lift {self.lift:g}"

    def shares(self) -> np.ndarray:
        """How many of the texts have each label."""
        sizes = 1.0 / np.arange(1, self.n_labels + 1) if self.zipf else np.ones(self.n_labels)
        return np.minimum(self.cardinality * sizes / sizes.sum(), 0.6)

    def draw(self, n: int, random: np.random.Generator) -> SetOutcomes:
        """So many texts and what the model says of them."""
        truth = self.truth(n, random)
        return self.answers(truth, self._noise(n, random))

    def draw_pair(
        self, other: SetWorld, n: int, shared: float, random: np.random.Generator
    ) -> tuple[SetOutcomes, SetOutcomes]:
        """The answers of this model and of another one, whose scores' noise has so large a correlation."""
        truth = self.truth(n, random)
        common, *own = (self._noise(n, random) for _ in range(3))
        first, second = (np.sqrt(shared) * common + np.sqrt(1 - shared) * noise for noise in own)
        return self.answers(truth, first), other.answers(truth, second)

    def truth(self, n: int, random: np.random.Generator) -> np.ndarray:
        """Which texts have which labels, shape (n, n_labels)."""
        group = np.arange(self.n_labels) % N_GROUPS
        common = random.normal(size=(n, N_GROUPS))[:, group]
        numbers = np.sqrt(self.together) * common + np.sqrt(1 - self.together) * random.normal(size=(n, self.n_labels))
        return numbers > ndtri(1 - self.shares())

    def _noise(self, n: int, random: np.random.Generator) -> np.ndarray:
        common = random.normal(size=(n, 1))
        return np.sqrt(self.together) * common + np.sqrt(1 - self.together) * random.normal(size=(n, self.n_labels))

    def answers(self, truth: np.ndarray, noise: np.ndarray) -> SetOutcomes:
        """What the model says of texts with these labels."""
        lifts = self.lift * np.linspace(1.1, 0.9, self.n_labels)
        shares = self.shares()
        scores = noise + lifts * truth
        probabilities = expit(lifts * scores - lifts**2 / 2 + np.log(shares / (1 - shares)))
        labels = tuple(f"{k:02d}" for k in range(self.n_labels))
        sets = (LabelSets.of_table(table) for table in (truth, probabilities >= self.threshold))
        return SetOutcomes(labels, *sets, probabilities)
