"""What an algorithm shows of itself: one `Step` for each thing it looks at.

Every algorithm of the textbook is a generator that yields its steps and returns its result, so that the same
code can be read, run and shown.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Generic, TypeVar

__all__ = ["Run", "Step", "Steps", "finish"]

Result = TypeVar("Result")


@dataclass(frozen=True)
class Step:
    """One step of an algorithm; nothing in it can be changed.

    Parameters
    ----------
    number
        1 for the first step.
    seen
        What the algorithm looked at: an example, a document, a point of a function.
    score
        The number, or one number for each class, that the decision rests on.
    decision
        What was decided from the score, before anything was learned from this step.
    update
        What was done to the parameters.
    parameters
        All parameters after the update, by the names that the books give them.
    why
        One sentence: the reason for the update, or for its absence.
    right
        Whether the decision was right; None where there is nothing to be right or wrong about.
    loss
        The loss of this step, where the algorithm has one.
    epoch
        The pass over the data, from 1; 0 where there are no passes.

    Examples
    --------
    >>> step = Step(1, "#1", 0.0, "No", "add", {"w": [1, 2], "b": 1}, "mistake: it is Yes", right=False)
    >>> step.parameters["w"]
    (1, 2)
    """

    number: int
    seen: str
    score: Any
    decision: str
    update: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    why: str = ""
    right: bool | None = None
    loss: float | None = None
    epoch: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "score", _frozen(self.score))
        object.__setattr__(self, "parameters", _frozen(self.parameters))


Steps = Generator[Step, None, Result]


class Run(Generic[Result]):
    """Goes through an algorithm's steps and, after the last, has its `result`.

    Examples
    --------
    >>> from assay.textbook import kmeans_steps
    >>> run = Run(kmeans_steps([[0], [1], [8]], k=2, start=[[0], [1]]))
    >>> [step.decision for step in run]
    ['', '{1} {2, 3}', '{1, 2} {3}', '{1, 2} {3}']
    >>> run.result.centres
    ((0.5,), (8.0,))
    """

    result: Result

    def __init__(self, steps: Steps[Result]) -> None:
        self._steps = steps

    def __iter__(self) -> Iterator[Step]:
        self.result = yield from self._steps


def finish(steps: Steps[Result]) -> Result:
    """Run an algorithm to its end, look at no step, and give its result.

    Examples
    --------
    >>> from assay.textbook import gradient_descent_steps
    >>> round(finish(gradient_descent_steps(lambda x: (x + 1) ** 2 + 1, -3.0, rate=0.1, iterations=2)), 2)
    -2.28
    """
    run = Run(steps)
    for _ in run:
        pass
    return run.result


def _frozen(value: Any) -> Any:
    """Copy lists, arrays and dictionaries into tuples and read-only mappings."""
    if isinstance(value, Mapping):
        return MappingProxyType({name: _frozen(part) for name, part in value.items()})
    if hasattr(value, "tolist"):  # numpy arrays and numbers
        return _frozen(value.tolist())
    if isinstance(value, list | tuple):
        return tuple(_frozen(part) for part in value)
    return value
