"""When to give a label: the threshold with the largest F1.

    texts in descending order of the label's probability
    for each place i:  give the label to the first i texts
        F1 = 2 TP / (i + P)          P texts have the label, TP of the first i do
    take the place with the largest F1, F*; the threshold lies halfway to the next probability

Half is seldom best: of a label that few texts have, probabilities are small, and F1 has more to gain from a hit than to
lose from a false alarm. If the probabilities are right, giving one text more is worth it as long as its probability is
above F*/2, so the best threshold is F*/2, and never above a half. Where nothing tells the label, F*/2 is below every
probability, and the label goes to every text.

References
----------
Lipton, Elkan & Naryanaswamy (2014), Optimal thresholding of classifiers to maximize F1 measure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assay.textbook.inputs import InputError, as_labels, as_vector
from assay.textbook.steps import Step, Steps, finish

__all__ = ["LabelThreshold", "label_threshold", "label_threshold_steps"]


@dataclass(frozen=True)
class LabelThreshold:
    """The threshold, its F1, and the half of that F1, where the threshold would be if probabilities were right."""

    threshold: float
    f1: float

    @property
    def half_of_f1(self) -> float:
        """F*/2."""
        return self.f1 / 2


def label_threshold_steps(probabilities: Sequence[float], gold: Iterable[bool]) -> Steps[LabelThreshold]:
    """Give the label to one text more at a time; see `label_threshold`."""
    numbers = as_vector(probabilities, "probabilities")
    truth = [bool(value) for value in as_labels(gold, len(numbers))]
    if not any(truth):
        raise InputError("No text has the label. Give at least one that does.")
    order = sorted(range(len(numbers)), key=lambda i: -numbers[i])
    best, f1, hits = 1.0, 0.0, 0
    for place, i in enumerate(order, start=1):
        hits += truth[i]
        value = 2 * hits / (place + sum(truth))
        below = numbers[order[place]] if place < len(order) else 0.0
        tied = place < len(order) and below == numbers[i]
        better = value > f1 and not tied
        if better:
            best, f1 = (numbers[i] + below) / 2, value
        yield Step(
            place,
            seen=f"#{i + 1}",
            score=numbers[i],
            decision="has it" if truth[i] else "has it not",
            update=f"threshold {best:g}" if better else "none",
            parameters={"F1": value, "best F1": f1},
            loss=1 - value,
            why="the next has the same probability" if tied else "the best so far" if better else "no better",
        )
    return LabelThreshold(best, f1)


def label_threshold(probabilities: Sequence[float], gold: Iterable[bool]) -> LabelThreshold:
    """Find the threshold with the largest F1 on texts whose labels are known, and were not learned from.

    Parameters
    ----------
    probabilities
        Of the label, one a text.
    gold
        Whether each text has the label.

    Examples
    --------
    >>> found = label_threshold([0.8, 0.6, 0.35, 0.3, 0.2, 0.1], [True, False, True, True, False, False])
    >>> round(found.threshold, 3), round(found.f1, 3), round(found.half_of_f1, 3)
    (0.25, 0.857, 0.429)
    """
    return finish(label_threshold_steps(probabilities, gold))
