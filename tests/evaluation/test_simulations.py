"""By simulation: intervals cover the true value as often as they say, and tests keep their level."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.evaluation.metrics.catalogue import parse_metric
from assay.evaluation.metrics.outcomes import Outcomes
from assay.evaluation.uncertainty.fold_mean import from_answers
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


def rare_pair(seed: int, n: int, right: tuple[float, float]) -> tuple[np.ndarray, ...]:
    """Truth with a tenth of a rare class, and two systems that get so many of the common and of the rare ones right."""
    random = np.random.default_rng(seed)
    truth = (random.random(n) < 0.1).astype(int)
    shared = random.random(n)  # what is hard for one system is mostly hard for the other

    def said() -> np.ndarray:
        luck = np.where(random.random(n) < 0.5, shared, random.random(n))
        return np.where(luck < np.where(truth == 1, right[1], right[0]), truth, 1 - truth)

    return truth, said(), said()


@pytest.mark.parametrize("metric", ["accuracy", "macro_f1"])
def test_intervals_of_differences_cover_where_a_class_is_rare(metric: str) -> None:
    held, n_sets = 0, 500
    for seed in range(n_sets):
        truth, first, second = rare_pair(seed, 80, (0.95, 0.6))
        found = assay.compare(first, second, truth, metric=metric, labels=[0, 1], n_resamples=200, threads=1).difference
        held += found.low <= 0 <= found.high
    # 95 %, less two standard errors of 500 sets; above, the interval is careful
    assert held / n_sets > 0.93, held / n_sets


def test_a_difference_that_there_is_is_held_as_often() -> None:
    held, n_sets = 0, 500
    for seed in range(n_sets):
        random = np.random.default_rng(seed)
        truth = random.choice(3, 60)
        first, second = (np.where(random.random(60) < right, truth, (truth + 1) % 3) for right in (0.9, 0.7))
        found = assay.compare(first, second, truth, metric="accuracy", n_resamples=10, threads=1).difference
        held += found.low <= 0.2 <= found.high
    assert abs(held / n_sets - 0.95) < 0.02, held / n_sets


@pytest.mark.parametrize(("metric", "test"), [("macro_f1", "bootstrap"), ("macro_f1", "randomization")])
def test_paired_tests_keep_their_level_on_few_skewed_documents(metric: str, test: str) -> None:
    alarms, n_sets = 0, 600
    for seed in range(n_sets):
        truth, first, second = rare_pair(seed, 50, (0.95, 0.6))
        if not truth.any():
            continue
        result = assay.compare(
            first, second, truth, metric=metric, test=test, labels=[0, 1], n_resamples=300, interval="percentile",
            seed=seed, threads=1,
        )  # fmt: skip
        alarms += result.p_value <= 0.05
    # 6.5 % and two standard errors of 600 sets
    assert alarms / n_sets < 0.085, alarms / n_sets


def naive_bayes(counts: np.ndarray, classes: np.ndarray, tested: np.ndarray) -> np.ndarray:
    words = np.array([counts[classes == k].sum(axis=0) + 0.5 for k in (0, 1)])
    prior = np.log(np.bincount(classes, minlength=2) / classes.size)
    return np.asarray((tested @ np.log(words / words.sum(axis=1, keepdims=True)).T + prior).argmax(axis=1), np.int32)


def test_intervals_of_cross_validated_means_cover_where_a_class_is_rare() -> None:
    random = np.random.default_rng(0)
    law = np.exp(0.6 * random.normal(size=(2, 40)))
    law /= law.sum(axis=1, keepdims=True)

    def draw(n: int) -> tuple[np.ndarray, np.ndarray]:
        classes = (random.random(n) < 0.15).astype(np.int32)
        return random.poisson(12 * law[classes]), classes

    others, n_sets, worth = draw(3000), 250, {"accuracy": [], "macro_f1": []}
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in worth}
    metrics = [parse_metric(name, (0, 1)) for name in worth]
    for seed in range(n_sets):
        counts, classes = draw(100)
        folds = np.empty(100, int)
        folds[np.lexsort((random.random(100), classes))] = np.arange(100) % 5
        said = np.empty(100, np.int32)
        for fold in range(5):
            test = folds == fold
            said[test] = naive_bayes(counts[~test], classes[~test], counts[test])
        of_others = naive_bayes(counts[folds > 0], classes[folds > 0], others[0])
        plan = Resampling(200, seed, threads=1)
        on_others = Cells([Outcomes((0, 1), others[1], of_others)], metrics, plan).observed[0]
        pooled = estimate_metrics(Outcomes((0, 1), classes, said), metrics, plan)
        for name, value in zip(worth, on_others, strict=True):
            worth[name].append(float(value))
            found[name].append(from_answers(name, pooled[name].value, [pooled[name]], 0.25).interval)
    for name, values in worth.items():
        low, high = np.array(found[name]).T
        held = np.mean((low <= np.mean(values)) & (np.mean(values) <= high))
        # 95 %, less two standard errors of 250 sets
        assert held > 0.92, (name, held)
