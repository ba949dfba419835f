"""By simulation: intervals of label sets cover the true value, and equal models are seldom called different."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.evaluation import SetEvaluation
from assay.evaluation.metrics.set_catalogue import parse_set_metric
from assay.evaluation.metrics.set_outcomes import SetOutcomes
from assay.evaluation.uncertainty.metric_value import measure
from assay.evaluation.uncertainty.resampling import Resampling
from assay.evaluation.uncertainty.set_measuring import estimate_set_metrics
from assay.label_sets import LabelSets

SHARES = np.array([0.5, 0.25, 0.15, 0.1, 0.06])
LABELS = tuple("abcde")
NAMES = ("micro_f1", "macro_f1", "macro_recall", "weighted_f1", "samples_f1", "hamming_loss", "p@2", "f1:c")


def sample(n: int, random: np.random.Generator, n_systems: int = 1) -> list[SetOutcomes]:
    """Labels that come together, and models whose mistakes come together in a text."""
    common = random.normal(size=(n, 1))
    true = 0.6 * common + 0.8 * random.normal(size=(n, 5)) > np.sqrt(1) * np.array([0, 0.674, 1.036, 1.282, 1.555])
    found = []
    for _ in range(n_systems):
        noise = 0.6 * random.normal(size=(n, 1)) + 0.8 * random.normal(size=(n, 5))
        probabilities = 1 / (1 + np.exp(-(1.8 * (noise + 1.8 * true) - 1.62 + np.log(SHARES / (1 - SHARES)))))
        sets = (LabelSets.of_table(table) for table in (true, probabilities > 0.4))
        found.append(SetOutcomes(LABELS, *sets, probabilities))
    return found


def test_intervals_of_label_sets_cover_the_truth_in_95_of_100_sets() -> None:
    [population] = sample(200_000, np.random.default_rng(10**6))
    metrics = [parse_set_metric(name, LABELS) for name in NAMES]
    truth = {name: measure(name, population) for name in NAMES}
    covered, shown = dict.fromkeys(NAMES, 0), dict.fromkeys(NAMES, 0)
    n_sets = 600
    for seed in range(n_sets):
        [outcomes] = sample(150, np.random.default_rng(seed))
        for name, found in estimate_set_metrics(outcomes, metrics, Resampling(300, seed, threads=1)).items():
            if not np.isnan(found.low):
                shown[name] += 1
                covered[name] += found.low <= truth[name] <= found.high
    for name in NAMES:
        assert shown[name] > 0.9 * n_sets, name
        # 600 sets: one sigma is 0.9 %
        assert abs(covered[name] / shown[name] - 0.95) < 0.03, (name, covered[name] / shown[name])


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_equal_models_are_called_different_in_at_most_about_5_of_100_sets(test: str) -> None:
    called = 0
    n_sets = 300
    for seed in range(n_sets):
        pair = [SetEvaluation(outcomes) for outcomes in sample(120, np.random.default_rng([seed, 1]), 2)]
        found = assay.compare(*pair, metric="macro_f1", test=test, n_resamples=200, seed=seed, threads=1)
        called += found.p_value <= 0.05
    assert called / n_sets < 0.09  # 5 % and three sigmas
