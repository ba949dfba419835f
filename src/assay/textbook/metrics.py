"""How good is a classifier: what it got right, and of what.

    accuracy    (TP + TN) / (TP + FN + FP + TN)
    precision   TP / (TP + FP)     of those called positive, how many are
    recall      TP / (TP + FN)     of those that are positive, how many were found
    F_β         (1 + β²) P R / (β² P + R)     β times as much weight on recall; β = 1: harmonic mean
                = (1 + β²) TP / ((1 + β²) TP + β² FN + FP)

For many classes each class in turn is the positive one:

    macro       the mean of the classes' figures: every class counts the same
    micro       the figure of the pooled counts: every decision counts the same

0 / 0 is undefined, and said to be: None, unless `undefined` gives the number to put there.

References
----------
Surdeanu & Valenzuela-Escárcega, section 2.3, equations 2.1 to 2.5; Jurafsky & Martin, chapter 4.9, Figures
4.8 and 4.9.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from assay.textbook.inputs import InputError, Label, as_label, as_labels, as_positive
from assay.textbook.steps import Step, Steps, finish

__all__ = ["Confusion", "Outcomes", "confusion", "confusion_steps", "f_score"]


def f_score(precision: float | None, recall: float | None, beta: float = 1.0) -> float | None:
    """Give F_β of a precision and a recall; 0 if both are 0, None if one of them is undefined.

    Examples
    --------
    >>> f_score(0.5, 1.0), round(f_score(0.5, 1.0, beta=10), 2)
    (0.6666666666666666, 0.99)
    """
    as_positive(beta, "beta")
    if precision is None or recall is None:
        return None
    if precision == recall == 0:
        return 0.0  # what the formula tends to
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


@dataclass(frozen=True)
class Outcomes:
    """The four outcomes of a binary decision, counted.

    Examples
    --------
    >>> nobody_is_urgent = Outcomes(tp=0, fp=0, fn=1, tn=999)
    >>> nobody_is_urgent.accuracy, nobody_is_urgent.precision(), nobody_is_urgent.recall()
    (0.999, None, 0.0)
    """

    tp: int
    fp: int
    fn: int
    tn: int

    @property
    def accuracy(self) -> float:
        """The share of right decisions."""
        return (self.tp + self.tn) / (self.tp + self.fp + self.fn + self.tn)

    def precision(self, undefined: float | None = None) -> float | None:
        """Give TP / (TP + FP)."""
        return self.tp / (self.tp + self.fp) if self.tp + self.fp else undefined

    def recall(self, undefined: float | None = None) -> float | None:
        """Give TP / (TP + FN)."""
        return self.tp / (self.tp + self.fn) if self.tp + self.fn else undefined

    def f(self, beta: float = 1.0, undefined: float | None = None) -> float | None:
        """Give F_β from the counts, which is defined also where nothing was called positive."""
        both = (1 + as_positive(beta, "beta") ** 2) * self.tp
        wrong = beta**2 * self.fn + self.fp
        return both / (both + wrong) if both + wrong else undefined


@dataclass(frozen=True)
class Confusion:
    """How often each gold label was given each label by the system.

    Examples
    --------
    >>> table = Confusion.from_table(
    ...     ["urgent", "normal", "spam"], [[8, 10, 1], [5, 60, 50], [3, 30, 200]], rows="system"
    ... )
    >>> round(table.micro("precision"), 2), round(table.macro("precision"), 2)
    (0.73, 0.6)
    """

    labels: tuple[Label, ...]
    counts: Counter[tuple[Label, Label]]

    @classmethod
    def from_table(cls, labels: Sequence[Label], table: Sequence[Sequence[int]], rows: str = "gold") -> Confusion:
        """Read a printed table whose rows are the "gold" labels, or what the "system" said."""
        if rows not in ("gold", "system"):
            raise InputError(f"rows is {rows!r}. It must be 'gold' or 'system'.")
        counts: Counter[tuple[Label, Label]] = Counter()
        for row_label, row in zip(labels, table, strict=True):
            for column_label, n in zip(labels, row, strict=True):
                cell = (row_label, column_label) if rows == "gold" else (column_label, row_label)
                counts[cell] = n
        return cls(tuple(labels), counts)

    @property
    def accuracy(self) -> float:
        """The share of right decisions."""
        return sum(self.counts[label, label] for label in self.labels) / self.counts.total()

    def one_against_rest(self, label: Label) -> Outcomes:
        """Give the four outcomes with `label` as the positive class."""
        as_label(label, self.labels)
        tp = self.counts[label, label]
        fp = sum(self.counts[gold, label] for gold in self.labels) - tp
        fn = sum(self.counts[label, system] for system in self.labels) - tp
        return Outcomes(tp, fp, fn, self.counts.total() - tp - fp - fn)

    def pooled(self) -> Outcomes:
        """Add up the one-against-rest outcomes of all classes."""
        tables = [self.one_against_rest(label) for label in self.labels]
        return Outcomes(
            sum(t.tp for t in tables),
            sum(t.fp for t in tables),
            sum(t.fn for t in tables),
            sum(t.tn for t in tables),
        )

    def micro(self, figure: str = "f", beta: float = 1.0) -> float | None:
        """Give "precision", "recall" or "f" of the pooled outcomes."""
        return _figure(self.pooled(), figure, beta)

    def macro(self, figure: str = "f", beta: float = 1.0, undefined: float | None = None) -> float | None:
        """Give the mean of the classes' "precision", "recall" or "f"; None if one of them is undefined."""
        total = 0.0
        for label in self.labels:
            value = _figure(self.one_against_rest(label), figure, beta)
            value = undefined if value is None else value
            if value is None:
                return None
            total += value
        return total / len(self.labels)


def confusion_steps(gold: Iterable[Any], predicted: Iterable[Any]) -> Steps[Confusion]:
    """Count one decision after the other; see `confusion`."""
    truth = list(gold)
    if not truth:
        raise InputError("There are no gold labels. Give at least one.")
    answers = as_labels(predicted, len(truth))
    labels = tuple(sorted({*truth, *answers}, key=str))
    table = Confusion(labels, Counter())
    for number, (g, p) in enumerate(zip(truth, answers, strict=True), start=1):
        table.counts[g, p] += 1
        yield Step(
            number,
            seen=f"#{number}: {g}",
            score=None,
            decision=str(p),
            update=f"count ({g}, {p})",
            parameters={"accuracy": table.accuracy},
            why="on the diagonal" if g == p else "beside the diagonal",
            right=g == p,
        )
    return table


def confusion(gold: Iterable[Any], predicted: Iterable[Any]) -> Confusion:
    """Count how often each gold label was given each label.

    Examples
    --------
    >>> table = confusion(gold="++--+", predicted="+--++")
    >>> table.accuracy, table.one_against_rest("+")
    (0.6, Outcomes(tp=2, fp=1, fn=1, tn=1))
    """
    return finish(confusion_steps(gold, predicted))


def _figure(outcomes: Outcomes, figure: str, beta: float) -> float | None:
    if figure == "precision":
        return outcomes.precision()
    if figure == "recall":
        return outcomes.recall()
    if figure == "f":
        return outcomes.f(beta)
    raise InputError(f"figure is {figure!r}. It must be 'precision', 'recall' or 'f'.")
