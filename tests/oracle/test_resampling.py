"""Intervals and paired tests against scipy, statsmodels, brute force and simulation."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics as theirs
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.proportion import proportion_confint

import assay
from assay import _native
from assay.evaluation.metrics.catalogue import parse_metric
from assay.evaluation.metrics.outcomes import Outcomes
from assay.evaluation.uncertainty.intervals import bca_interval, percentile_interval, wilson_interval
from assay.evaluation.uncertainty.measuring import estimate_metrics
from assay.evaluation.uncertainty.resampling import Cells, Documents, Resampling, accelerations
from assay.evaluation.uncertainty.significance import mcnemar_p_value

LABELS = ("a", "b", "c")
JOINT = np.array([[0.30, 0.05, 0.04], [0.06, 0.22, 0.05], [0.02, 0.04, 0.22]])  # P(truth, prediction)


def sample(seed: int, n: int, joint: np.ndarray = JOINT) -> Outcomes:
    """n documents drawn from a joint law of truth and prediction."""
    cells = np.random.default_rng(seed).choice(9, size=n, p=joint.ravel())
    return Outcomes(LABELS, (cells // 3).astype(np.int32), (cells % 3).astype(np.int32))


def macro_f1(truth: np.ndarray, predicted: np.ndarray) -> float:
    """Mean F1 of the classes that occur, written out once more; scikit-learn's is too slow for thousands of calls."""
    counts = np.zeros((3, 3))
    np.add.at(counts, (truth, predicted), 1)
    either = counts.sum(axis=0) + counts.sum(axis=1)
    occurs = either > 0
    return float(np.mean(2 * np.diagonal(counts)[occurs] / either[occurs]))


# Binomial counts ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "share"), [(20, 0.1), (60, 0.5), (400, 0.03), (3000, 0.3), (20_000, 0.9)])
def test_resampled_cell_counts_follow_the_binomial_law(n: int, share: float) -> None:
    hits = round(share * n)
    truth = np.zeros(n, np.int32)
    predicted = np.r_[np.zeros(hits, np.int32), np.ones(n - hits, np.int32)]
    outcomes = Outcomes(("a", "b"), truth, predicted)
    draws = Cells([outcomes], [parse_metric("accuracy", ("a", "b"))], Resampling(20_000, seed=3)).bootstrap()
    counts = np.round(draws[:, 0, 0] * n).astype(int)
    law = stats.binom(n, hits / n)
    edges = np.unique(law.ppf(np.linspace(0, 1, 21)[1:-1]))
    edges = edges[edges > 0]
    observed = np.histogram(counts, np.r_[-np.inf, edges, np.inf])[0]
    # A count equal to an edge belongs to the bin above it.
    below = np.r_[0.0, law.cdf(edges - 1), 1.0]
    assert stats.chisquare(observed, np.diff(below) * counts.size).pvalue > 1e-4


def test_resamples_are_the_same_for_any_number_of_threads() -> None:
    outcomes = sample(0, 5000)
    metrics = [parse_metric(name, LABELS) for name in ("accuracy", "macro_f1", "kappa")]
    for stratified in (False, True):
        values = [
            Cells([outcomes], metrics, Resampling(501, 7, stratified, threads)).bootstrap() for threads in (1, 2, 3)
        ]
        assert (values[0] == values[1]).all()
        assert (values[0] == values[2]).all()


def test_stratified_resamples_keep_the_true_classes() -> None:
    outcomes = sample(1, 400)
    metrics = [parse_metric(f"recall:{label}", LABELS) for label in LABELS]
    documents = np.bincount(outcomes.truth)
    recalls = Cells([outcomes], metrics, Resampling(200, stratified=True)).bootstrap()[:, 0]
    hits = recalls * documents
    # Recalls are whole numbers of hits over the class's own number of documents in every resample.
    assert np.abs(hits - np.round(hits)).max() < 1e-9


# Document resampling ----------------------------------------------------------------------------------------


def scored(seed: int, n: int, n_classes: int = 3) -> Outcomes:
    random = np.random.default_rng(seed)
    truth = random.integers(0, n_classes, n).astype(np.int32)
    table = random.dirichlet(np.ones(n_classes), n)
    table[np.arange(n), truth] += 0.5 * random.random(n)
    table = np.round(table / table.sum(axis=1, keepdims=True), 2) + 1e-3
    table /= table.sum(axis=1, keepdims=True)
    return Outcomes(LABELS[:n_classes], truth, table.argmax(axis=1).astype(np.int32), table)


DOCUMENT_METRICS = ["log_loss", "brier", "calibration_error", "roc_auc", "average_precision", "top_2_accuracy"]


@pytest.mark.parametrize("stratified", [False, True])
def test_document_resamples_equal_metrics_of_the_drawn_documents(stratified: bool) -> None:
    outcomes = scored(2, 80)
    metrics = [parse_metric(name, LABELS) for name in DOCUMENT_METRICS]
    plan = Resampling(4, 11, stratified, 2)
    values = Documents([outcomes], metrics, plan).bootstrap()[:, 0]
    members = np.argsort(outcomes.truth, kind="stable").astype(np.int32)
    bounds = np.r_[0, np.cumsum(np.bincount(outcomes.truth))].astype(np.int64)
    if not stratified:
        members, bounds = np.arange(80, dtype=np.int32), np.array([0, 80], np.int64)
    for r in range(4):
        weights = np.empty(80, np.int32)
        _native.draw_documents(members, bounds, 11, r, weights)
        assert weights.sum() == 80
        if stratified:
            assert (np.bincount(outcomes.truth, weights) == np.bincount(outcomes.truth)).all()
        rows = np.repeat(np.arange(80), weights)
        drawn = Outcomes(LABELS, outcomes.truth[rows], outcomes.predicted[rows], outcomes.probabilities[rows])
        assert values[r] == pytest.approx(Documents([drawn], metrics, Resampling(1)).observed[0], rel=1e-12)


def test_document_jackknife_leaves_out_one_document_after_another() -> None:
    outcomes = scored(3, 40)
    metrics = [parse_metric(name, LABELS) for name in DOCUMENT_METRICS]
    values, weights = Documents([outcomes], metrics, Resampling(1)).left_out()
    assert values.shape == (40, 1, len(metrics))
    assert (weights == 1).all()
    rows = np.delete(np.arange(40), 5)
    without = Outcomes(LABELS, outcomes.truth[rows], outcomes.predicted[rows], outcomes.probabilities[rows])
    assert values[5, 0] == pytest.approx(Documents([without], metrics, Resampling(1)).observed[0], rel=1e-12)


# Intervals ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("hits", "n"), [(0, 10), (1, 10), (7, 10), (10, 10), (480, 500), (3, 5)])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_wilson_agrees_with_statsmodels_and_scipy(hits: int, n: int, level: float) -> None:
    expected = proportion_confint(hits, n, alpha=1 - level, method="wilson")
    assert wilson_interval(hits, n, level) == pytest.approx(expected, abs=1e-12)
    again = stats.binomtest(hits, n).proportion_ci(level, method="wilson")
    assert wilson_interval(hits, n, level) == pytest.approx(tuple(again), abs=1e-12)


@pytest.mark.parametrize("method", ["percentile", "BCa"])
def test_bootstrap_intervals_agree_with_scipy_on_the_same_resamples(method: str) -> None:
    """Given scipy's own bootstrap distribution, our ends are scipy's ends."""
    data = np.random.default_rng(5).gamma(2.0, size=60)
    result = stats.bootstrap((data,), np.mean, n_resamples=2000, method=method, rng=np.random.default_rng(0))
    samples = result.bootstrap_distribution[:, None]
    if method == "percentile":
        low, high = percentile_interval(samples, 0.95)
    else:
        left_out = np.array([np.delete(data, i).mean() for i in range(data.size)])
        deviations = left_out.mean() - left_out
        a = (deviations**3).sum() / (6 * (deviations**2).sum() ** 1.5)
        low, high = bca_interval(samples, np.array([data.mean()]), np.array([a]), 0.95)
    assert (low[0], high[0]) == pytest.approx(tuple(result.confidence_interval), rel=1e-10)


def test_macro_f1_interval_agrees_with_scipy_bootstrap() -> None:
    outcomes = sample(4, 250)
    metric = [parse_metric("macro_f1", LABELS)]

    def statistic(rows: np.ndarray) -> float:
        return macro_f1(outcomes.truth[rows], outcomes.predicted[rows])

    expected = stats.bootstrap(
        (np.arange(250),),
        statistic,
        n_resamples=1000,
        vectorized=False,
        method="BCa",
        rng=np.random.default_rng(0),
    )
    found = estimate_metrics(outcomes, metric, Resampling(20_000), "bca")["macro_f1"]
    width = found.high - found.low
    # scipy's ends come from 1,000 resamples: their own error is about 5 % of the width.
    assert found.low == pytest.approx(expected.confidence_interval.low, abs=0.1 * width)
    assert found.high == pytest.approx(expected.confidence_interval.high, abs=0.1 * width)
    assert found.value == pytest.approx(statistic(np.arange(250)), rel=1e-12)


def test_acceleration_from_cells_is_that_of_the_jackknife_over_documents() -> None:
    outcomes = sample(6, 60)
    found = accelerations(Cells([outcomes], [parse_metric("macro_f1", LABELS)], Resampling(1)))[0, 0]
    left_out = []
    for i in range(60):
        rows = np.delete(np.arange(60), i)
        left_out.append(theirs.f1_score(outcomes.truth[rows], outcomes.predicted[rows], average="macro"))
    deviations = np.mean(left_out) - np.array(left_out)
    expected = (deviations**3).sum() / (6 * (deviations**2).sum() ** 1.5)
    assert found == pytest.approx(expected, rel=1e-9)


# Paired tests ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("only_a", "only_b"), [(0, 0), (4, 2), (10, 3), (5, 5), (0, 6), (40, 61)])
def test_mcnemar_agrees_with_statsmodels_and_scipy(only_a: int, only_b: int) -> None:
    if only_a + only_b == 0:
        assert mcnemar_p_value(0, 0) == 1.0
        return
    table = [[50, only_a], [only_b, 20]]
    assert mcnemar_p_value(only_a, only_b) == pytest.approx(mcnemar(table, exact=True).pvalue, abs=1e-12)
    n = only_a + only_b
    for alternative in ("greater", "less"):
        expected = stats.binomtest(only_a, n, 0.5, alternative).pvalue
        assert mcnemar_p_value(only_a, only_b, alternative) == pytest.approx(expected, abs=1e-12)
    mid = 2 * stats.binom.cdf(min(only_a, only_b), n, 0.5) - stats.binom.pmf(only_a, n, 0.5)
    assert mcnemar_p_value(only_a, only_b, mid_p=True) == pytest.approx(min(1.0, mid), abs=1e-12)


def two_systems(seed: int, n: int = 400, skill: tuple[float, float] = (0.8, 0.8)) -> tuple[np.ndarray, ...]:
    """Truth and the predictions of two systems with the same or different error rates, independent of each other."""
    random = np.random.default_rng(seed)
    truth = random.choice(3, n, p=[0.5, 0.3, 0.2])

    def predictions(share: float) -> np.ndarray:
        return np.where(random.random(n) < share, truth, random.choice(3, n))

    return truth, predictions(skill[0]), predictions(skill[1])


def test_bootstrap_test_agrees_with_a_plain_loop() -> None:
    truth, a, b = two_systems(1, 150, (0.82, 0.74))
    found = assay.compare(a, b, truth, metric="macro_f1", n_resamples=40_000)
    random = np.random.default_rng(0)
    lead = macro_f1(truth, a) - macro_f1(truth, b)
    assert lead == pytest.approx(
        theirs.f1_score(truth, a, average="macro") - theirs.f1_score(truth, b, average="macro"), abs=1e-12
    )
    successes = 0
    for _ in range(1500):
        rows = random.integers(0, 150, 150)
        successes += macro_f1(truth[rows], a[rows]) - macro_f1(truth[rows], b[rows]) >= 2 * lead
    assert found.difference.value == pytest.approx(lead, abs=1e-12)
    # Four standard errors of the loop's share.
    error = np.sqrt(found.p_value * (1 - found.p_value) / 1500)
    assert found.p_value == pytest.approx(successes / 1500, abs=4 * error)


def test_randomization_agrees_with_every_exchange_of_a_small_set() -> None:
    truth = np.array([0, 0, 1, 1, 1, 0, 1, 0, 1, 1])
    a = np.array([0, 0, 1, 1, 1, 0, 0, 0, 1, 1])
    b = np.array([0, 1, 0, 1, 0, 1, 1, 0, 0, 1])
    differ = np.flatnonzero(a != b)
    lead = abs(theirs.f1_score(truth, a, average="macro") - theirs.f1_score(truth, b, average="macro"))
    reached = 0
    for exchanged in product([False, True], repeat=differ.size):
        first, second = a.copy(), b.copy()
        rows = differ[list(exchanged)]
        first[rows], second[rows] = b[rows], a[rows]
        values = [theirs.f1_score(truth, p, average="macro") for p in (first, second)]
        reached += abs(values[0] - values[1]) >= lead - 1e-12
    exact = reached / 2**differ.size
    found = assay.compare(a, b, truth, metric="macro_f1", test="randomization", n_resamples=50_000)
    assert found.p_value == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 50_000))


def test_randomization_agrees_with_scipy_for_a_mean() -> None:
    random = np.random.default_rng(2)
    truth = random.integers(0, 2, 60)
    tables = [np.clip(truth * 0.4 + random.random(60) * 0.6, 0.01, 0.99) for _ in range(2)]
    systems = [assay.evaluate(truth, (table > 0.5).astype(int), table) for table in tables]
    losses = [theirs_log_loss(truth, table) for table in tables]
    found = assay.compare(*systems, metric="log_loss", test="randomization", n_resamples=20_000)

    def difference(x: np.ndarray, y: np.ndarray) -> float:
        return float(np.mean(x) - np.mean(y))

    expected = stats.permutation_test(
        losses, difference, permutation_type="samples", n_resamples=20_000, rng=np.random.default_rng(0)
    )
    assert found.difference.value == pytest.approx(expected.statistic, abs=1e-12)
    assert found.p_value == pytest.approx(expected.pvalue, abs=0.015)


def theirs_log_loss(truth: np.ndarray, positive: np.ndarray) -> np.ndarray:
    return -np.log(np.where(truth == 1, positive, 1 - positive))


def test_a_real_difference_is_found() -> None:
    truth, a, b = two_systems(3, 2000, (0.85, 0.75))
    for test in ("bootstrap", "randomization", "mcnemar"):
        metric = "accuracy" if test == "mcnemar" else "macro_f1"
        assert assay.compare(a, b, truth, metric=metric, test=test).p_value < 0.001


# Areas with blocks left out -------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "decimals"), [(60, 1), (500, 2), (450, 9)])
def test_areas_with_a_block_left_out_are_those_of_the_other_documents(n: int, decimals: int) -> None:
    random = np.random.default_rng(n)
    truth = random.integers(0, 3, n).astype(np.int32)
    scores = random.normal(size=(n, 3))
    scores[np.arange(n), truth] += 1.0
    table = np.round(np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True), decimals)  # few decimals: many ties
    outcomes = Outcomes(LABELS, truth, table.argmax(axis=1).astype(np.int32), table)
    metrics = [parse_metric(name, LABELS) for name in ("roc_auc:b", "average_precision:b", "brier")]
    left_out = Documents([outcomes], metrics, Resampling(1)).left_out()[0][:, 0]
    assert len(left_out) == min(n, 400)
    for block in range(0, len(left_out), 7):
        kept = np.arange(n) % len(left_out) != block
        of_class, score = truth[kept] == 1, table[kept, 1]
        assert left_out[block, 0] == pytest.approx(theirs.roc_auc_score(of_class, score), abs=1e-12)
        assert left_out[block, 1] == pytest.approx(theirs.average_precision_score(of_class, score), abs=1e-12)


def test_areas_are_undefined_where_a_side_is_left_out_wholly() -> None:
    table = np.array([[0.9, 0.1], [0.4, 0.6], [0.3, 0.7]])
    outcomes = Outcomes(("a", "b"), np.array([0, 1, 1], np.int32), np.array([0, 1, 1], np.int32), table)
    metrics = [parse_metric(name, ("a", "b")) for name in ("roc_auc:a", "average_precision:a")]
    left_out = Documents([outcomes], metrics, Resampling(1)).left_out()[0][:, 0]
    assert np.isnan(left_out[0]).all()
    assert left_out[1:].tolist() == [[1.0, 1.0], [1.0, 1.0]]
