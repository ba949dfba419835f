"""One sentence for every setting that has a value it cannot have.

Each check takes the learner and the name of one of its parameters, returns the value, and otherwise raises
`ParameterError` with what was expected, what was found, and a way out.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from math import isnan
from numbers import Integral, Real
from typing import Any

import numpy as np

from assay.errors import ParameterError
from assay.suggest import nearest_first, shortened
from assay.threads import count_threads
from assay.wording import learner_parameter

__all__ = ["check_choice", "check_flag", "check_number", "seed_of", "threads_of"]

_LARGEST = 2**31 - 1  # a whole number that the native core takes


def check_number(
    learner: object,
    name: str,
    *,
    above: float | None = None,
    at_least: float | None = None,
    at_most: float | None = None,
    below: float | None = None,
    integer: bool = False,
    advice: str = "",
) -> Any:
    """Return the numeric parameter `name` of `learner`; infinity is a number, NaN is not."""
    value = getattr(learner, name)
    kind = Integral if integer else Real
    good = isinstance(value, kind) and not isinstance(value, bool)
    if integer and at_most is None and below is None and isinstance(value, int) and value > _LARGEST:
        at_most = _LARGEST
    if isinstance(value, Integral):
        good = good and abs(int(value)) <= _LARGEST**8  # what a float can hold
    elif good:
        good = not isnan(value)
    limits = []
    for limit, words, holds in (
        (above, "above", operator.gt),
        (at_least, "at least", operator.ge),
        (at_most, "at most", operator.le),
        (below, "below", operator.lt),
    ):
        if limit is not None:
            limits.append(f"{words} {limit:,}" if limit == _LARGEST else f"{words} {limit:g}")
            good = good and holds(value, limit)
    if not good:
        expected = " ".join(["a whole number" if integer else "a number", " and ".join(limits)]).rstrip()
        raise _refusal(learner, name, value, expected, advice)
    return value


def check_choice(learner: object, name: str, choices: Sequence[object]) -> Any:
    """Return the parameter `name` of `learner`, which must be one of `choices`."""
    value = getattr(learner, name)
    if isinstance(value, str | bool | type(None)) and any(
        type(value) is type(choice) and value == choice for choice in choices
    ):
        return value
    named = {str(choice): choice for choice in choices}
    listed = ", ".join(repr(named[text]) for text in nearest_first(shortened(value), named))
    raise _refusal(learner, name, value, f"one of {listed}")


def check_flag(learner: object, name: str) -> bool:
    """Return the parameter `name` of `learner`, which must be True or False."""
    return bool(check_choice(learner, name, [True, False]))


def threads_of(learner: object) -> int:
    """Return the number of threads that `n_jobs` asks for; it never changes a result, so None takes all."""
    n_jobs = getattr(learner, "n_jobs", None)
    return count_threads(int(n_jobs) if isinstance(n_jobs, Integral) else n_jobs)


def seed_of(learner: object) -> int:
    """Return the seed that `random_state` stands for: itself; None is 0, so that refits agree."""
    random_state = getattr(learner, "random_state", None)
    if random_state is None:
        return 0
    if isinstance(random_state, int | np.integer) and 0 <= random_state < 2**63:
        return int(random_state)
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    raise _refusal(
        learner, "random_state", random_state, "None, a whole number of at least 0 or a numpy.random.RandomState"
    )


def _refusal(learner: object, name: str, value: object, expected: str, advice: str = "") -> ParameterError:
    named = learner_parameter(name, of=type(learner).__name__)
    sentence = f"{named} must be {expected}. Got {shortened(value)} instead."
    return ParameterError(f"{sentence} {advice}".rstrip())
