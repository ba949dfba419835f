"""How good are sets of labels: three averages of F1 that answer three questions.

Every pair of a text and a label is a decision: TP if the label is in both sets, FP if it was only said, FN if it is
only true.

    F1          2 TP / (2 TP + FP + FN)
    micro       the F1 of all decisions together: frequent labels count most
    macro       the mean of the labels' F1: every label counts the same
    samples     the mean of the texts' F1: every text counts the same

0 / 0, as of a text without labels that was given none, is undefined and left out of a mean; None where nothing is left.

Some call another thing macro-F1: the F1 of the mean precision and the mean recall. It can be far from the mean of the
labels' F1, and is not meant here.

References
----------
Sorower (2010), A literature survey on algorithms for multi-label learning; Opitz & Burst (2019), Macro F1 and macro F1.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from assay.textbook.inputs import InputError, Label
from assay.textbook.label_sets import as_label_sets, show_set
from assay.textbook.metrics import Outcomes
from assay.textbook.steps import Step, Steps, finish

__all__ = ["SetAverages", "set_averages", "set_averages_steps"]


@dataclass(frozen=True)
class SetAverages:
    """What was counted: of each label, and of each text."""

    by_label: dict[Label, Outcomes]
    by_text: tuple[Outcomes, ...]

    @property
    def micro(self) -> float | None:
        """F1 of all decisions together."""
        return _added(self.by_label.values()).f()

    @property
    def macro(self) -> float | None:
        """Mean of the labels' F1."""
        return _mean(outcomes.f() for outcomes in self.by_label.values())

    @property
    def samples(self) -> float | None:
        """Mean of the texts' F1."""
        return _mean(outcomes.f() for outcomes in self.by_text)

    @property
    def subset_accuracy(self) -> float:
        """Share of texts that were given exactly their set."""
        return sum(not outcomes.fp and not outcomes.fn for outcomes in self.by_text) / len(self.by_text)

    @property
    def hamming_loss(self) -> float:
        """Share of wrong decisions among all pairs of text and label."""
        wrong = sum(outcomes.fp + outcomes.fn for outcomes in self.by_text)
        return wrong / (len(self.by_text) * len(self.by_label))


def set_averages_steps(gold: Iterable[Collection[Label]], predicted: Iterable[Collection[Label]]) -> Steps[SetAverages]:
    """Count the decisions of one text after the other; see `set_averages`."""
    truth = as_label_sets(gold)
    if not truth:
        raise InputError("There are no gold sets. Give at least one.")
    answers = as_label_sets(predicted, len(truth))
    labels = sorted(frozenset().union(*truth, *answers), key=str)
    if not labels:
        raise InputError("No text has a label and none was given one. Give at least one label.")
    by_label = dict.fromkeys(labels, Outcomes(0, 0, 0, 0))
    by_text: list[Outcomes] = []
    for number, (y, said) in enumerate(zip(truth, answers, strict=True), start=1):
        for label in labels:
            by_label[label] = _added([by_label[label], _decision(label in y, label in said)])
        by_text.append(_added(_decision(label in y, label in said) for label in labels))
        own, micro = by_text[-1].f(), _added(by_label.values()).f()
        yield Step(
            number,
            seen=f"#{number}: {show_set(y)}",
            score=own,
            decision=show_set(said),
            update=f"TP {by_text[-1].tp}, FP {by_text[-1].fp}, FN {by_text[-1].fn}",
            parameters={"micro so far": micro},
            why="all right" if y == said else f"missed {show_set(y - said)}, too many {show_set(said - y)}",
            right=y == said,
        )
    return SetAverages(by_label, tuple(by_text))


def set_averages(gold: Iterable[Collection[Label]], predicted: Iterable[Collection[Label]]) -> SetAverages:
    """Count what was said of sets of labels.

    Parameters
    ----------
    gold
        The labels that each text has.
    predicted
        The labels that each text was given.

    Examples
    --------
    >>> found = set_averages([{"a", "b"}, {"a"}, {"c"}], [{"a"}, {"a"}, {"a", "c"}])
    >>> round(found.micro, 3), round(found.macro, 3), round(found.samples, 3)
    (0.75, 0.6, 0.778)
    """
    return finish(set_averages_steps(gold, predicted))


def _decision(is_true: bool, is_said: bool) -> Outcomes:
    return Outcomes(is_true and is_said, is_said and not is_true, is_true and not is_said, not is_true and not is_said)


def _added(tables: Iterable[Outcomes]) -> Outcomes:
    listed = list(tables)
    return Outcomes(*(sum(getattr(table, name) for table in listed) for name in ("tp", "fp", "fn", "tn")))


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
