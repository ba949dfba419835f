"""How large a difference must be to be called one."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Thresholds"]


@dataclass(frozen=True)
class Thresholds:
    """How large a difference must be to be called one.

    Attributes
    ----------
    probability
        Of a mean probability between groups of sentences (or of a score between 0 and 1 where there are none).
    rate
        Of a rate (accuracy, false positives) between groups.
    single_term
        How many times as large these must be where one term stands for a group of sentences: whether other terms would
        show the same cannot be tested then, and the weight of a single word is partly chance. Not where the training
        texts show that it is none.
    accuracy_loss
        Under changes of the text.
    changed
        Share of answers that change with the text.
    fewest
        Texts on either side, below which nothing is said.
    """

    probability: float = 0.05
    rate: float = 0.05
    single_term: float = 2.0
    accuracy_loss: float = 0.03
    changed: float = 0.10
    fewest: int = 20
