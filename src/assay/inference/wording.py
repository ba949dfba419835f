"""The answer in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

import numpy as np
from numpy.typing import NDArray

from assay.inference.design import Design
from assay.inference.result import Coefficient, FeatureTest, p_text
from assay.inference.separation import Separation
from assay.inference.variables import Variable
from assay.suggest import all_of, quote, quoted
from assay.wording import setting

__all__ = ["CAUTION", "conclusion", "separation_note"]

CAUTION = "An association is not a cause: whatever is not among the controls may lie behind it."


def conclusion(
    test: FeatureTest,
    variable: Variable,
    coefficients: Sequence[Coefficient],
    labels: tuple[str, ...],
    controls: tuple[str, ...],
    level: float,
) -> str:
    """What may be said of one feature."""
    beyond = f" beyond {' and '.join(controls)}" if controls else ""
    target = quote(labels[1]) if len(labels) == 2 else "the label"
    several = "" if test.holm == test.p_value else f"; {_p(test.holm)} after Holm's correction"
    how = f"χ²({test.degrees}) = {test.statistic:.1f}, " if test.degrees else ""
    evidence = f"{test.method} test, {how}{_p(test.p_value)}{several}"
    own = [c for c in coefficients if c.name in variable.column_names]
    if test.holm >= 1 - level:
        interval = _interval(own[0], level) if len(own) == 1 and not isnan(own[0].low) else ""
        return (
            f"No association of {quote(test.name)} with {target}{beyond} could be shown ({evidence}{interval}). That "
            "does not show that there is none."
        )
    if not test.holds:
        return (
            f"It cannot be said whether {quote(test.name)} is associated with {target}{beyond}: the {evidence} does "
            f"not hold here. Use {setting('method', 'auto')}, which takes a test that does."
        )
    said = f"Yes: {quote(test.name)} is associated with {target}{beyond} ({evidence})."
    if len(own) == 1 and not isnan(own[0].low):
        (c,) = own
        low, high = c.odds_interval
        times, low, high, direction = (
            (c.odds_ratio, low, high, "more") if c.estimate > 0 else (1 / c.odds_ratio, 1 / high, 1 / low, "less")
        )
        said += (
            f" {_subject(variable)} {times:.2f} times {'the' if direction == 'more' else 'lower'} odds of "
            f"{quote(c.label)} ({level:.0%} interval {low:.2f} to {high:.2f})."
        )
    elif len(own) == 1 and np.isinf(own[0].estimate):
        said += f" The odds are {'without limit' if own[0].estimate > 0 else 'nil'}: see the note on separation."
    return said


def separation_note(design: Design, separation: Separation, labels: tuple[str, ...], classes: NDArray[np.intp]) -> str:
    """Which columns predict a class perfectly, and what that does to the numbers."""
    moved = [j for j in range(1, len(design.names)) if separation.signs[j].any()]
    parts = [_where(design, j, labels, classes) for j in moved]
    named = "; ".join(part for part in parts if part) or quoted([design.names[j] for j in moved] or ["the intercept"])
    kind = "completely" if separation.complete else "in part"
    consequence = (
        "no coefficient has a finite estimate"
        if separation.complete
        else "their coefficients are infinite and have no standard error; those of the others stand"
    )
    return (
        f"Separation: the classes are {kind} separated ({named}), so {consequence}. The tests of the features do "
        "not rest on that."
    )


def _where(design: Design, column: int, labels: tuple[str, ...], classes: NDArray[np.intp]) -> str:
    values = design.X[:, column]
    there = np.unique(classes[values != 0])
    if len(there) == 1 and len(np.unique(values)) == 2:
        return f"{_all_texts(values != 0, 'with', design.names[column])} {quote(labels[there[0]])}"
    absent = np.unique(classes[values == 0])
    if len(absent) == 1 and len(np.unique(values)) == 2:
        return f"{_all_texts(values == 0, 'without', design.names[column])} {quote(labels[absent[0]])}"
    return f"{quote(design.names[column])}"


def _all_texts(are: NDArray[np.bool_], with_or_without: str, name: str) -> str:
    n = int(are.sum())
    return f"{all_of(n, 'text', 'texts')} {with_or_without} {quote(name)} {'is' if n == 1 else 'are'}"


def _p(value: float) -> str:
    return f"p {p_text(value) if value < 0.0001 else '= ' + p_text(value)}".replace("<", "< ")


def _subject(variable: Variable) -> str:
    if variable.unit == "texts with it":
        return "Texts with it have"
    return (
        f"One more of it ({variable.unit}) goes with"
        if variable.unit != "each further one"
        else "Each one more goes with"
    )


def _interval(c: Coefficient, level: float) -> str:
    low, high = c.odds_interval
    return f"; odds ratio {c.odds_ratio:.2f}, {level:.0%} interval {low:.2f} to {high:.2f}"
