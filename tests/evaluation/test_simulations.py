"""By simulation: intervals cover the true value as often as they say, and tests keep their level."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.evaluation.metrics.catalogue import parse_metric
from assay.evaluation.metrics.outcomes import Outcomes
from assay.evaluation.uncertainty.measuring import estimate_metrics
from assay.evaluation.uncertainty.resampling import Cells, Documents, Resampling

LABELS = ("a", "b", "c")
JOINT = np.array([[0.30, 0.05, 0.04], [0.06, 0.22, 0.05], [0.02, 0.04, 0.22]])  # P(truth, prediction)


def sample(seed: int, n: int) -> Outcomes:
    """n documents drawn from a joint law of truth and prediction."""
    cells = np.random.default_rng(seed).choice(9, size=n, p=JOINT.ravel())
    return Outcomes(LABELS, (cells // 3).astype(np.int32), (cells % 3).astype(np.int32))


def true_values(names: list[str]) -> np.ndarray:
    """The metrics of the whole population."""
    counts = np.round(JOINT.ravel() * 1e5).astype(np.int64)
    cells = np.repeat(np.arange(9), counts)
    population = Outcomes(LABELS, (cells // 3).astype(np.int32), (cells % 3).astype(np.int32))
    return Cells([population], [parse_metric(name, LABELS) for name in names], Resampling(1)).observed[0]


@pytest.mark.parametrize("interval", ["auto", "percentile"])
def test_intervals_cover_the_truth_in_95_of_100_sets(interval: str) -> None:
    names = ["accuracy", "macro_f1", "recall:b", "matthews"]
    metrics = [parse_metric(name, LABELS) for name in names]
    truth = true_values(names)
    covered = np.zeros(len(names))
    n_sets = 2000
    for seed in range(n_sets):
        found = estimate_metrics(sample(seed, 300), metrics, Resampling(600, seed, threads=1), interval)
        ends = np.array([found[name].interval for name in names])
        covered += (ends[:, 0] <= truth) & (truth <= ends[:, 1])
    assert (np.abs(covered / n_sets - 0.95) < 0.02).all(), dict(zip(names, covered / n_sets, strict=True))


def binary_sample(seed: int, n: int, sharpness: float) -> Outcomes:
    """Probabilities that are right (sharpness 1) or too sure of themselves (more)."""
    random = np.random.default_rng(seed)
    logit = random.normal(0, 1.5, n)
    truth = (random.random(n) < 1 / (1 + np.exp(-logit))).astype(np.int32)
    said = 1 / (1 + np.exp(-sharpness * logit))
    table = np.column_stack([1 - said, said])
    return Outcomes((0, 1), truth, table.argmax(axis=1).astype(np.int32), table)


@pytest.mark.parametrize("sharpness", [1.0, 1.5, 3.0])
def test_interval_of_the_calibration_error_covers_the_truth(sharpness: float) -> None:
    metrics = [parse_metric("calibration_error", (0, 1))]
    population = Documents([binary_sample(10**6, 400_000, sharpness)], metrics, Resampling(1)).observed[0, 0]
    covered, n_sets = 0, 300
    for seed in range(n_sets):
        outcomes = binary_sample(seed, 200, sharpness)
        found = estimate_metrics(outcomes, metrics, Resampling(300, seed, threads=1))["calibration_error"]
        covered += found.low <= population <= found.high
    # 95 % less two standard errors of 300 sets; above, the interval is careful
    assert covered / n_sets > 0.925


def two_systems(seed: int, n: int = 400) -> tuple[np.ndarray, ...]:
    """Truth and the predictions of two equally good systems, independent of each other."""
    random = np.random.default_rng(seed)
    truth = random.choice(3, n, p=[0.5, 0.3, 0.2])

    first, second = (np.where(random.random(n) < 0.8, truth, random.choice(3, n)) for _ in range(2))
    return truth, first, second


@pytest.mark.parametrize(
    ("test", "alternative"),
    [
        ("bootstrap", "greater"),
        ("bootstrap", "two-sided"),
        ("randomization", "two-sided"),
        ("mcnemar", "two-sided"),
        ("mcnemar_mid_p", "two-sided"),
    ],
)
def test_paired_tests_keep_their_level(test: str, alternative: str) -> None:
    metric = "accuracy" if test.startswith("mcnemar") else "macro_f1"
    resamples = 2 if test.startswith("mcnemar") else 500  # McNemar's tests draw none but for the interval
    n_sets = 1200
    alarms = 0
    for seed in range(n_sets):
        truth, a, b = two_systems(seed)
        result = assay.compare(
            a, b, truth, metric=metric, test=test, alternative=alternative, n_resamples=resamples, seed=seed, threads=1
        )
        alarms += result.p_value <= 0.05
    assert abs(alarms / n_sets - 0.05) < 0.015, alarms / n_sets
