"""Quality gates: ``--min macro_f1=0.8`` and ``--max log_loss=0.5``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.errors import ParameterError

if TYPE_CHECKING:
    from assay.evaluation.protocols.evaluation import Evaluation
    from assay.evaluation.protocols.set_evaluation import SetEvaluation
    from assay.label_sets import Task

__all__ = ["MISSED", "Gate", "check_gates", "parse_gates"]

MISSED = 4
"""The exit code of a command whose result did not pass."""


@dataclass(frozen=True, slots=True)
class Gate:
    """What a metric has to reach, or must not exceed."""

    option: str
    metric: str
    bound: float

    def check(self, evaluation: Evaluation | SetEvaluation) -> dict[str, Any]:
        """Whether it was passed; a metric that is undefined has not reached anything."""
        estimate = evaluation[self.metric]
        reached = estimate.value >= self.bound if self.option == "--min" else estimate.value <= self.bound
        return {
            "option": self.option,
            "metric": self.metric,
            "bound": self.bound,
            "estimate": estimate.to_dict(),
            "passed": bool(estimate.defined and reached),
        }


def parse_gates(
    minima: Sequence[str], maxima: Sequence[str], labels: Sequence[str], task: Task = "labels"
) -> list[Gate]:
    """Read what was written as METRIC=VALUE.

    Examples
    --------
    >>> parse_gates(["recall:spam=0.9"], [], ["ham", "spam"])
    [Gate(option='--min', metric='recall:spam', bound=0.9)]
    """
    given = [("--min", text) for text in minima] + [("--max", text) for text in maxima]
    return [_gate(option, text, labels, task) for option, text in given]


def _gate(option: str, text: str, labels: Sequence[str], task: Task) -> Gate:
    from assay.evaluation.metrics.catalogue import parse_metric
    from assay.evaluation.metrics.set_catalogue import parse_set_metric

    name, equals, value = text.rpartition("=")
    try:
        bound = float(value)
    except ValueError:
        bound = float("nan")
    if not equals or not name or bound != bound:
        raise ParameterError(f"{option} {text}: write it as METRIC=VALUE, for example {option} macro_f1=0.8.")
    metric = (parse_set_metric if task == "label-sets" else parse_metric)(name.strip(), labels)
    wrong = (option == "--min") == (metric.sign < 0)
    if wrong:
        other = "--max" if option == "--min" else "--min"
        better = "less" if metric.sign < 0 else "more"
        raise ParameterError(f"{option} {text}: of {metric.name}, {better} is better. Use {other} {text}.")
    return Gate(option, metric.name, bound)


def check_gates(
    gates: Sequence[Gate], evaluation: Evaluation | SetEvaluation
) -> tuple[list[dict[str, Any]], list[str]]:
    """The result of every gate, and a sentence for each one that was missed."""
    outcomes = [gate.check(evaluation) for gate in gates]
    sentences = []
    for gate, outcome in zip(gates, outcomes, strict=True):
        if not outcome["passed"]:
            word = "at least" if gate.option == "--min" else "at most"
            sentences.append(f"{gate.metric} is {evaluation[gate.metric]}, but must be {word} {gate.bound:g}.")
    return outcomes, sentences
