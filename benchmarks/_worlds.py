"""Laws that documents and models follow, from which the simulations draw sets, and the table of what came of them.

Documents of K classes have scores s_j = N(0, 1), that of their own class raised by the class's own lift; probabilities
are the exact posteriors of this law, sharpened where a model is to be too sure. The lift is the one at which so large a
share of the documents is right.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from assay.evaluation.metrics.outcomes import Outcomes
from assay.evaluation.uncertainty.metric_value import measure
from assay.evaluation.uncertainty.resampling import CALIBRATION_BINS, calibration_gaps

__all__ = ["Tally", "World", "true_values"]

SHARES = ("balanced", "5% rare", "zipf")


@dataclass(frozen=True)
class World:
    """A law that documents, their classes and a model's scores follow.

    Attributes
    ----------
    n_classes, shares
        Classes, and how often they occur: ``"balanced"``, ``"5% rare"`` (the first one), ``"zipf"`` (1/rank).
    accuracy
        Of the model. Below .7 it is too sure of itself, too.
    rare_is_easy
        The first class is hardly ever mistaken.
    tilt
        By how much the last class is easier than the mean, and the first harder; below 0 the other way round.
    """

    n_classes: int
    shares: str
    accuracy: float
    rare_is_easy: bool = False
    tilt: float = 0.1

    def __str__(self) -> str:
        easy = ", rare class easy" if self.rare_is_easy else ""
        return f"{self.n_classes} classes, {self.shares}, accuracy {self.accuracy:.2f}{easy}"

    def class_shares(self) -> np.ndarray:
        """How often each class occurs, the rarest first."""
        if self.shares == "balanced":
            shares = np.ones(self.n_classes)
        elif self.shares == "5% rare":
            shares = np.full(self.n_classes, 0.95 / (self.n_classes - 1))
            shares[0] = min(0.05, shares[0])
        else:
            shares = 1.0 / np.arange(self.n_classes, 0, -1)
        return shares / shares.sum()

    def draw(self, n: int, random: np.random.Generator) -> Outcomes:
        """So many documents and what the model says of them."""
        truth = random.choice(self.n_classes, n, p=self.class_shares()).astype(np.int32)
        return self.answers(truth, random.normal(size=(n, self.n_classes)))

    def draw_pair(self, other: World, n: int, shared: float, random: np.random.Generator) -> tuple[Outcomes, Outcomes]:
        """The answers of this model and of another one, whose scores' noise has so large a correlation."""
        truth = random.choice(self.n_classes, n, p=self.class_shares()).astype(np.int32)
        common, *own = random.normal(size=(3, n, self.n_classes))
        first, second = (np.sqrt(shared) * common + np.sqrt(1 - shared) * noise for noise in own)
        return self.answers(truth, first), other.answers(truth, second)

    def answers(self, truth: np.ndarray, noise: np.ndarray, lift: float | None = None) -> Outcomes:
        """What the model says of documents of these classes."""
        lifts = self._lifts(_lift(self) if lift is None else lift)
        scores = noise.copy()
        scores[np.arange(truth.size), truth] += lifts[truth]
        logits = lifts * scores - lifts**2 / 2 + np.log(self.class_shares())
        if self.accuracy < 0.7:
            logits *= 1.3
        logits -= logits.max(axis=1, keepdims=True)
        probabilities = np.exp(logits)
        probabilities /= probabilities.sum(axis=1, keepdims=True)
        labels = tuple(f"{k:02d}" for k in range(self.n_classes))
        return Outcomes(labels, truth, probabilities.argmax(axis=1).astype(np.int32), probabilities)

    def _lifts(self, lift: float) -> np.ndarray:
        lifts = lift * np.linspace(1 - self.tilt, 1 + self.tilt, self.n_classes)
        if self.rare_is_easy:
            lifts[0] *= 1.6
        return lifts


@cache
def _lift(world: World) -> float:
    """The lift that gives the accuracy, by halving; of a class that is too common it may be higher without any."""
    random = np.random.default_rng(0)
    truth = random.choice(world.n_classes, 40_000, p=world.class_shares()).astype(np.int32)
    noise = random.normal(size=(truth.size, world.n_classes))
    low, high = 0.1, 12.0
    for _ in range(20):
        middle = (low + high) / 2
        right = np.mean(world.answers(truth, noise, middle).correct)
        low, high = (middle, high) if right < world.accuracy else (low, middle)
    return high


def true_values(world: World, metrics: Sequence[str], n: int = 300_000) -> dict[str, float]:
    """The metrics of so many documents, in ten parts so that they fit: a mean of parts is true to 1/n of a part.

    The calibration error is that of all parts together, since chance adds to that of each.
    """
    found = defaultdict(list)
    gaps = np.zeros(CALIBRATION_BINS)
    for seed in range(10):
        part = world.draw(n // 10, np.random.default_rng([99, seed]))
        gaps += np.bincount(*calibration_gaps(part)[::-1], minlength=CALIBRATION_BINS)
        for name in metrics:
            found[name].append(measure(name, part))
    true = {name: float(np.mean(values)) for name, values in found.items()}
    return true | ({"calibration_error": float(np.abs(gaps).sum() / n)} if "calibration_error" in true else {})


class Tally:
    """Intervals shown in many sets, and those that hold the true value."""

    def __init__(self, n_sets: int) -> None:
        self.n_sets = n_sets
        self.rates: dict[str, list[float]] = defaultdict(list)
        self.withheld: dict[str, list[float]] = defaultdict(list)
        self.unsaid: dict[str, int] = defaultdict(int)

    def show(
        self,
        title: str,
        shown: Mapping[str, Sequence[tuple[float, float]]],
        truth: Mapping[str, float],
        cautious: Mapping[str, float] | None = None,
    ) -> None:
        """Print the table of one setting and keep its rates; `cautious` has the shares of intervals that are called so.

        Above .97 is marked with c where at least half of the intervals are called cautious, and with > where fewer are.
        """
        print(f"\n{title}")
        heads = f"{'true':>8}{'covers':>9}{'too high':>10}{'too low':>9}{'width':>8}{'withheld':>10}{'cautious':>10}"
        print(f"{'':22}{heads}")
        for name, value in truth.items():
            ends = np.array(shown.get(name, ())).reshape(-1, 2)
            withheld = 1 - len(ends) / self.n_sets
            self.withheld[name].append(withheld)
            if not len(ends):
                print(f"{name:22}{value:8.3f}{'':36}{withheld:10.3f}")
                continue
            above, below = np.mean(ends[:, 0] > value + 1e-9), np.mean(ends[:, 1] < value - 1e-9)
            rate, width = 1 - above - below, np.ptp(ends, axis=1).mean()
            # few sets shown say nothing of the rate
            if len(ends) >= self.n_sets / 20:
                self.rates[name].append(rate)
            called = (cautious or {}).get(name, 0.0)
            mark = " <" if rate < 0.93 else "" if rate <= 0.97 else " c" if called >= 0.5 else " >"
            self.unsaid[name] += mark in (" <", " >") and len(ends) >= self.n_sets / 20
            print(
                f"{name:22}{value:8.3f}{rate:9.3f}{above:10.3f}{below:9.3f}{width:8.3f}{withheld:10.3f}{called:10.3f}"
                f"{mark}",
                flush=True,
            )

    def summary(self) -> None:
        """Print the lowest, median and highest coverage of each metric over all settings.

        "inside" are those with .93 to .97, "unsaid" those outside of which fewer than half are called cautious.
        """
        print("\ncoverage over all settings in which an interval is shown in at least 5 % of sets")
        print(
            f"{'':22}{'lowest':>9}{'median':>9}{'highest':>9}{'settings':>10}{'inside':>8}{'unsaid':>8}{'withheld':>10}"
        )
        for name, rates in self.rates.items():
            inside = sum(0.93 <= rate <= 0.97 for rate in rates)
            spread = f"{min(rates):9.3f}{np.median(rates):9.3f}{max(rates):9.3f}{len(rates):10}{inside:8}"
            print(f"{name:22}{spread}{self.unsaid[name]:8}{np.mean(self.withheld[name]):10.3f}")
