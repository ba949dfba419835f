"""The paired bootstrap test of whether A is better than B, or was lucky with these documents.

    δ(x)      how much better A does than B on the test set x
    x⁽ⁱ⁾      a virtual test set: as many documents, drawn from x with replacement
    p-value   the share of virtual test sets with δ(x⁽ⁱ⁾) ≥ 2 δ(x)

Why 2 δ(x): the virtual test sets are drawn from x, on which A is already better by δ(x). If there were
nothing in it, δ(x⁽ⁱ⁾) would lie around 0; here it lies around δ(x), so "δ(x) more than expected" is twice
δ(x).

References
----------
Jurafsky & Martin, *Speech and Language Processing*, chapter 4.11.1, Figures 4.11 and 4.12, equation 4.48;
Berg-Kirkpatrick et al. (2012).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from assay.textbook.inputs import InputError, as_count
from assay.textbook.steps import Step, Steps, finish

__all__ = ["BootstrapTest", "accuracy_difference", "paired_bootstrap", "paired_bootstrap_steps"]

Pair = tuple[int, int]
"""For one document: was A right, was B right (1 or 0)."""


@dataclass(frozen=True)
class BootstrapTest:
    """What the paired bootstrap found.

    Parameters
    ----------
    delta
        δ(x), how much better A did on the test set as it is.
    p_value
        The share of virtual test sets that were at least twice as good to A.
    deltas
        δ of each virtual test set.
    """

    delta: float
    p_value: float
    deltas: tuple[float, ...]


def accuracy_difference(pairs: Sequence[Pair]) -> float:
    """Give A's accuracy minus B's.

    Examples
    --------
    >>> accuracy_difference([(1, 1), (1, 0), (0, 0), (1, 0)])
    0.5
    """
    return (sum(a for a, _ in pairs) - sum(b for _, b in pairs)) / len(pairs)


def paired_bootstrap_steps(
    pairs: Sequence[Pair],
    b: int = 10_000,
    seed: int = 0,
    delta: Callable[[Sequence[Pair]], float] = accuracy_difference,
    samples: Iterable[Sequence[int]] | None = None,
) -> Steps[BootstrapTest]:
    """Draw one virtual test set after the other; see `paired_bootstrap`."""
    n = len(pairs)
    if not n:
        raise InputError("The test set is empty. Give at least one document.")
    if samples is None:
        generator = random.Random(seed)
        samples = ([generator.randrange(n) for _ in range(n)] for _ in range(as_count(b, "b")))
    observed = delta(pairs)
    deltas: list[float] = []
    surprises = 0
    for number, sample in enumerate(samples, start=1):
        virtual = [pairs[j] for j in sample]
        deltas.append(delta(virtual))
        surprise = deltas[-1] >= 2 * observed - 1e-12  # 0.7 - 0.5 is not quite 0.2 to a computer
        surprises += surprise
        yield Step(
            number,
            seen=" ".join(str(j + 1) for j in sample[:12]) + (" …" if n > 12 else ""),
            score=deltas[-1],
            decision=f"{deltas[-1]:.2f} {'≥' if surprise else '<'} {2 * observed:.2f}",
            update="s + 1" if surprise else "none",
            parameters={"s": surprises, "p": surprises / number},
            why="A was at least twice as lucky" if surprise else "no surprise",
        )
    if not deltas:
        raise InputError("samples is empty. Give at least one virtual test set.")
    return BootstrapTest(observed, surprises / len(deltas), tuple(deltas))


def paired_bootstrap(
    pairs: Sequence[Pair],
    b: int = 10_000,
    seed: int = 0,
    delta: Callable[[Sequence[Pair]], float] = accuracy_difference,
    samples: Iterable[Sequence[int]] | None = None,
) -> BootstrapTest:
    """Test whether A is better than B.

    Parameters
    ----------
    pairs
        For each document whether A was right and whether B was right.
    b
        How many virtual test sets to draw.
    seed
        Decides what is drawn.
    delta
        The metric: how much better A does on a list of documents. A document can be anything that it can
        read.
    samples
        The documents of each virtual test set, by number from 0, instead of drawing.

    Examples
    --------
    >>> test = paired_bootstrap([(1, 0)] * 9 + [(0, 1)], b=1000)
    >>> test.delta, test.p_value
    (0.8, 0.0)
    """
    return finish(paired_bootstrap_steps(pairs, b, seed, delta, samples))
