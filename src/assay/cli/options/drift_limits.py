"""Limits on the figures of drift: ``--max novel_texts=0.2`` and ``--min expected_accuracy=0.8``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

from assay.drift.result import FIGURES
from assay.errors import ParameterError
from assay.suggest import nearest_first

if TYPE_CHECKING:
    from assay.drift.result import Drift

__all__ = ["Limit", "check_limits", "parse_limits"]


@dataclass(frozen=True, slots=True)
class Limit:
    """What a figure must reach, or must not exceed."""

    option: str
    figure: str
    bound: float


def parse_limits(minima: Sequence[str], maxima: Sequence[str]) -> list[Limit]:
    """Read what was written as FIGURE=VALUE.

    Examples
    --------
    >>> parse_limits(["expected_accuracy=0.8"], [])
    [Limit(option='--min', figure='expected_accuracy', bound=0.8)]
    """
    return [_limit(*given) for given in [("--min", text) for text in minima] + [("--max", text) for text in maxima]]


def _limit(option: str, text: str) -> Limit:
    name, equals, value = text.rpartition("=")
    try:
        bound = float(value)
    except ValueError:
        bound = float("nan")
    if not equals or not name or not isfinite(bound):
        raise ParameterError(f"{option} {text}: write it as FIGURE=VALUE, for example --max novel_texts=0.2.")
    name = name.strip()
    if name not in FIGURES:
        known = ", ".join(nearest_first(name, FIGURES))
        raise ParameterError(f"{option} {text}: there is no figure {name!r} of drift. There are: {known}.")
    right = "--max" if FIGURES[name] > 0 else "--min"
    if option != right:
        worse = "more" if FIGURES[name] > 0 else "less"
        raise ParameterError(f"{option} {text}: of {name}, {worse} is worse. Use {right} {text}.")
    return Limit(option, name, bound)


def check_limits(limits: Sequence[Limit], drift: Drift) -> tuple[list[dict[str, Any]], list[str]]:
    """The result of every limit, and a sentence for each one that was missed; what was not measured has missed it."""
    outcomes, sentences = [], []
    for limit in limits:
        found = drift[limit.figure]
        kept = found.value >= limit.bound if limit.option == "--min" else found.value <= limit.bound
        outcomes.append(
            {
                "option": limit.option,
                "figure": limit.figure,
                "bound": limit.bound,
                "passed": bool(found.defined and kept),
            }
        )
        if not outcomes[-1]["passed"]:
            word = "at least" if limit.option == "--min" else "at most"
            sentences.append(f"{limit.figure} is {found}, but must be {word} {limit.bound:g}.")
    return outcomes, sentences
