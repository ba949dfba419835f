"""Whether the intervals of kappa and alpha hold: how often they contain the coefficient of very many texts.

    python benchmarks/agreement.py [--draws 1000] [--only 2,3]

Texts have a true label, which each coder says with some probability, and otherwise a label drawn by its share. The true
coefficient is that of 200,000 texts. A table row is one kind of coders and one number of texts; `given` is in how many
of the draws there is an interval at all.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np

from _measuring import print_table
from assay.agreement.coefficients import Coefficient, alpha, cohen, fleiss, percent
from assay.agreement.interval import with_interval
from assay.agreement.ratings import MISSING, Ratings

#: Coders, shares of the labels, how often a coder is right without chance, how many cells are empty.
WORLDS: list[tuple[int, list[float], float, float]] = [
    (2, [0.5, 0.5], 0.9, 0.0),
    (2, [0.9, 0.1], 0.9, 0.0),
    (2, [0.9, 0.1], 0.6, 0.0),
    (2, [0.2] * 5, 0.7, 0.0),
    (2, [0.97, 0.03], 0.8, 0.0),
    (3, [0.5, 0.3, 0.2], 0.8, 0.2),
    (4, [0.5, 0.5], 0.5, 0.0),
    (5, [0.7, 0.2, 0.1], 0.9, 0.4),
]
SIZES = (20, 50, 100, 200, 500)
MEASURES: dict[str, Callable[[Ratings], Coefficient]] = {
    "percent": percent,
    "cohen": cohen,
    "fleiss": fleiss,
    "alpha": alpha,
    "ordinal alpha": lambda ratings: alpha(ratings, "ordinal"),
}


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--draws", type=int, default=1000)
    arguments.add_argument("--only", default="", help="numbers of worlds, from 0")
    given = arguments.parse_args()
    chosen = [int(k) for k in given.only.split(",")] if given.only else range(len(WORLDS))
    rows = [row for k in chosen for row in measured(k, given.draws)]
    print_table("Coverage of 95 % intervals, and how often there is one", rows)


def measured(world: int, n_draws: int) -> list[dict[str, Any]]:
    """A row for each number of texts."""
    rng = np.random.default_rng(world)
    big = draw(rng, 200_000, *WORLDS[world])
    true = {name: measure(big).value for name, measure in MEASURES.items()}
    rows = []
    for n in SIZES:
        held = {name: [0, 0] for name in MEASURES}
        for _ in range(n_draws):
            ratings = draw(rng, n, *WORLDS[world])
            for name, measure in MEASURES.items():
                found = with_interval(measure(ratings))
                if not np.isnan(found.low):
                    held[name][0] += found.low <= true[name] <= found.high
                    held[name][1] += 1
        coders, shares, right, empty = WORLDS[world]
        row: dict[str, Any] = {"coders": coders, "shares": "/".join(map(str, shares)), "right": right, "empty": empty}
        row["texts"] = n
        for name, (inside, all_given) in held.items():
            row[name] = "-" if all_given < n_draws / 10 else f"{inside / all_given:.3f} ({all_given / n_draws:.2f})"
        rows.append(row)
    return rows


def draw(rng: np.random.Generator, n: int, coders: int, shares: list[float], right: float, empty: float) -> Ratings:
    """Ratings of so many texts."""
    truth = rng.choice(len(shares), n, p=shares)
    guessed = rng.choice(len(shares), (n, coders), p=shares)
    table = np.where(rng.random((n, coders)) < right, truth[:, np.newaxis], guessed).astype(np.int64)
    table[rng.random((n, coders)) < empty] = MISSING
    names = tuple(f"coder {k}" for k in range(coders))
    return Ratings(names, tuple("abcdefgh"[: len(shares)]), table, ("",) * n, ("",) * n)


if __name__ == "__main__":
    main()
