"""The voted perceptron: every weight vector that learning passed through has a vote.

    survival   a weight vector starts with one vote and gets another for each example that it decides right
    decision   Yes if Σₖ cₖ · sign(wₖ · x + bₖ) > 0, where cₖ are the votes; else No

Its boundary need not be straight: it is an ensemble. Its price is that all vectors are kept and all are
asked. The vectors' mean, weighted with their votes, is the perceptron averaged over examples.

References
----------
Surdeanu & Valenzuela-Escárcega, section 2.5; Freund & Schapire (1999), which counts the votes as here: the
zeros at the beginning get no vote for being born.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from assay.textbook.inputs import Label, Points, Vector, as_points
from assay.textbook.perceptron import Order, decide, perceptron_steps
from assay.textbook.steps import Run, Steps, finish

__all__ = ["Survivor", "VotedPerceptron", "voted_perceptron", "voted_perceptron_steps"]


@dataclass(frozen=True)
class Survivor:
    """Weights that learning passed through, and the examples that they survived."""

    w: tuple[float, ...]
    b: float
    votes: int


@dataclass(frozen=True)
class VotedPerceptron:
    """All the weight vectors of one perceptron's training."""

    survivors: tuple[Survivor, ...]
    positive: Label
    negative: Label

    def score(self, x: Vector) -> int:
        """Give the votes for Yes minus the votes for No."""
        return sum(s.votes if decide(x, s.w, s.b) else -s.votes for s in self.survivors)

    def predict(self, x: Vector) -> Label:
        """Give the label with the most votes; a tie is No."""
        return self.positive if self.score(x) > 0 else self.negative

    def at_least(self, min_survival: int) -> VotedPerceptron:
        """Keep only the weight vectors with so many votes."""
        kept = tuple(s for s in self.survivors if s.votes >= min_survival)
        return VotedPerceptron(kept, self.positive, self.negative)


def voted_perceptron_steps(
    X: Points,
    y: Iterable[Any],
    positive: Label | None = None,
    epochs: int = 100,
    stop_early: bool = True,
    order: Order | None = None,
) -> Steps[VotedPerceptron]:
    """Show who is born and who survives; see `voted_perceptron`."""
    survivors = [Survivor((0.0,) * len(as_points(X)[0]), 0.0, votes=0)]
    run = Run(perceptron_steps(X, y, positive, epochs, stop_early, order))
    for step in run:
        if step.right:
            survivors[-1] = replace(survivors[-1], votes=survivors[-1].votes + 1)
        else:
            survivors.append(Survivor(step.parameters["w"], step.parameters["b"], votes=1))
        yield replace(
            step,
            parameters={**step.parameters, "votes": [s.votes for s in survivors]},
            why="right: +1 vote" if step.right else "mistake: a new one",
        )
    return VotedPerceptron(tuple(survivors), run.result.positive, run.result.negative)


def voted_perceptron(
    X: Points,
    y: Iterable[Any],
    positive: Label | None = None,
    epochs: int = 100,
    stop_early: bool = True,
    order: Order | None = None,
) -> VotedPerceptron:
    """Train one perceptron and keep every weight vector with the number of examples that it survived.

    The parameters are those of `perceptron`.

    Examples
    --------
    >>> model = voted_perceptron([[1], [10], [2], [20]], ["-", "+", "-", "+"])
    >>> [(s.w[0], s.b, s.votes) for s in model.survivors]
    [(0.0, 0.0, 1), (10.0, 1.0, 1), (8.0, 0.0, 2), (7.0, -1.0, 2), (5.0, -2.0, 2), (4.0, -3.0, 2), (2.0, -4.0,
    6)]
    """
    return finish(voted_perceptron_steps(X, y, positive, epochs, stop_early, order))
