"""The columns of a trace's table: what each step has to say, under the books' headings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.textbook.rendering.numbers import show
from assay.textbook.steps import Step

__all__ = ["Column", "columns_of", "constants_of"]


@dataclass(frozen=True)
class Column:
    """One column of a table.

    Parameters
    ----------
    heading
        What stands above it.
    cells
        One text a step.
    kind
        "number", "step", "epoch", "parameter", or "prose" for what may be wrapped.
    """

    heading: str
    cells: tuple[str, ...]
    kind: str = field(default="number")


def columns_of(steps: Sequence[Step], headings: Mapping[str, str], longest: int = 8) -> list[Column]:
    """Give the columns that have something in them.

    An epoch is named at its first step only, and not at all if it is one step. Parameters get a column each if
    every step has the same ones; matrices are too large for a table.

    Parameters
    ----------
    steps
        What to show.
    headings
        What "seen", "score", "decision" and "update" are called.
    longest
        Vectors with more numbers than this are shortened.

    Examples
    --------
    >>> steps = [Step(1, "#1", 0.5, "Yes", "none", {"w": (1,), "b": 0})]
    >>> [column.heading for column in columns_of(steps, {"score": "ŷ"})]
    ['step', 'seen', 'ŷ', 'decision', 'update', 'w', 'b']
    """
    epochs = [step.epoch for step in steps]
    named = [str(epoch) if i == 0 or epoch != epochs[i - 1] else "" for i, epoch in enumerate(epochs)]
    if not any(epochs) or (len(steps) > 1 and all(step.epoch == step.number for step in steps)):
        named = [""] * len(steps)
    columns = [
        Column("epoch", tuple(named), "epoch"),
        Column("step", tuple(str(step.number) for step in steps), "step"),
        Column(headings.get("seen", "seen"), tuple(step.seen for step in steps), "prose"),
        Column(headings.get("score", "score"), tuple(show(step.score, longest) for step in steps)),
        Column(headings.get("decision", "decision"), tuple(_marked(step) for step in steps), "prose"),
        Column(headings.get("update", "update"), tuple(step.update for step in steps), "prose"),
        *_parameter_columns(steps, longest),
        Column("loss", _losses(steps)),
        Column("why", tuple(step.why for step in steps), "prose"),
    ]
    return [column for column in columns if any(column.cells)]


def constants_of(columns: Sequence[Column]) -> dict[str, str]:
    """Give what the columns of prose say that say the same in every one of three or more steps.

    Examples
    --------
    >>> same, other = Column("update", ("count",) * 3, "prose"), Column("seen", ("a", "b", "c"), "prose")
    >>> constants_of([other, same])
    {'update': 'count'}
    """
    return {
        column.heading: column.cells[0]
        for column in columns
        if column.kind == "prose" and len(column.cells) > 2 and len(set(column.cells)) == 1
    }


def _marked(step: Step) -> str:
    return step.decision if step.right is None else f"{step.decision} {'✓' if step.right else '✗'}"


def _is_matrix(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) > 0 and isinstance(value[0], tuple)


def _losses(steps: Sequence[Step]) -> tuple[str, ...]:
    if all(step.loss is None or step.loss in (step.score, *step.parameters.values()) for step in steps):
        return ("",) * len(steps)  # it stands there already
    return tuple(show(step.loss) for step in steps)


def _parameter_columns(steps: Sequence[Step], longest: int) -> list[Column]:
    names = [name for name, value in steps[0].parameters.items() if not _is_matrix(value)] if steps else []
    if all(list(step.parameters) == list(steps[0].parameters) for step in steps):
        return [
            Column(name, tuple(show(step.parameters[name], longest) for step in steps), "parameter") for name in names
        ]
    return [Column("parameters", tuple(show(step.parameters, longest) for step in steps), "prose")]
