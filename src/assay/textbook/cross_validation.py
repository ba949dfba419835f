"""Cross-validation: test on all of the data, and never on what was trained on.

    cut the examples into k folds
    for each fold: train on the others, test on it
    report the mean of the k scores

References
----------
Jurafsky & Martin, *Speech and Language Processing*, chapter 4.10, Figure 4.10.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from assay.textbook.inputs import SettingError, as_count
from assay.textbook.steps import Step, Steps, finish

__all__ = ["cross_validate", "cross_validate_steps", "folds"]


def folds(n: int, k: int = 10, seed: int | None = None) -> list[list[int]]:
    """Cut the numbers 0 to n - 1 into k folds whose sizes differ by one at most, the larger ones first.

    Parameters
    ----------
    n
        How many examples there are.
    k
        How many folds.
    seed
        Shuffles the examples first; None leaves them as they stand.

    Examples
    --------
    >>> folds(7, k=3)
    [[0, 1, 2], [3, 4], [5, 6]]
    """
    as_count(n, "n")
    if as_count(k, "k", least=2) > n:
        raise SettingError(f"k is {k} and there are {n} examples. There cannot be more folds than examples.")
    order = list(range(n))
    if seed is not None:
        random.Random(seed).shuffle(order)
    cut = []
    for fold in range(k):
        size = n // k + (fold < n % k)
        cut.append(order[:size])
        order = order[size:]
    return cut


def cross_validate_steps(
    n: int, score: Callable[[Sequence[int], Sequence[int]], float], k: int = 10, seed: int | None = None
) -> Steps[float]:
    """Test one fold after the other; see `cross_validate`."""
    cut = folds(n, k, seed)
    scores: list[float] = []
    for number, test in enumerate(cut, start=1):
        train = [i for i in range(n) if i not in test]
        scores.append(score(train, test))
        yield Step(
            number,
            seen=" ".join(f"#{i + 1}" for i in test[:8]) + (" …" if len(test) > 8 else ""),
            score=scores[-1],
            decision=f"train on {len(train)}, test on {len(test)}",
            update="note the score",
            parameters={"mean score": sum(scores) / len(scores)},
            why="no example is tested by a model that saw it",
        )
    return sum(scores) / len(scores)


def cross_validate(
    n: int, score: Callable[[Sequence[int], Sequence[int]], float], k: int = 10, seed: int | None = None
) -> float:
    """Give the mean score over k folds.

    Parameters
    ----------
    n
        How many examples there are.
    score
        Trains on the examples of its first argument, tests on those of its second, gives the score.
    k
        How many folds.
    seed
        Shuffles the examples first; None leaves them as they stand.

    Examples
    --------
    >>> cross_validate(10, lambda train, test: len(test) / 10, k=5)
    0.2
    """
    return finish(cross_validate_steps(n, score, k, seed))
