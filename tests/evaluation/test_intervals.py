"""Intervals that hold where a class is rare, and reasons where none is shown."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import assay
from assay import _native
from assay.evaluation.metrics.catalogue import encode_metrics, parse_metric
from assay.evaluation.metrics.confusion import ConfusionMatrix
from assay.evaluation.metrics.outcomes import Outcomes
from assay.evaluation.uncertainty import area_intervals
from assay.evaluation.uncertainty.intervals import exact_interval, wilson_interval
from assay.evaluation.uncertainty.measuring import estimate_metrics
from assay.evaluation.uncertainty.metric_value import measure
from assay.evaluation.uncertainty.posterior import DrawnCells
from assay.evaluation.uncertainty.resampling import Cells, Resampling

AVERAGES = ("balanced_accuracy", "macro_precision", "macro_f1", "macro_f0.5", "weighted_f1", "matthews", "kappa")
AREAS = ("roc_auc", "average_precision")
LOSSES = ("log_loss", "brier")


def drawn(seed: int, n: int, shares: list[float], lift: float) -> Outcomes:
    """Documents whose own class has a score that is higher by `lift`, with the probabilities of that law."""
    random = np.random.default_rng(seed)
    truth = random.choice(len(shares), n, p=shares).astype(np.int32)
    scores = random.normal(size=(n, len(shares)))
    scores[np.arange(n), truth] += lift
    logits = lift * scores + np.log(shares)
    table = np.exp(logits - logits.max(axis=1, keepdims=True))
    table /= table.sum(axis=1, keepdims=True)
    return Outcomes(tuple("abcdefgh"[: len(shares)]), truth, table.argmax(axis=1).astype(np.int32), table)


def estimates(outcomes: Outcomes, names: tuple[str, ...], seed: int = 0, **settings):
    metrics = [parse_metric(name, outcomes.labels) for name in names]
    return estimate_metrics(outcomes, metrics, Resampling(400, seed, threads=1), **settings)


def from_counts(counts: list[list[int]]) -> Outcomes:
    cells = np.repeat(np.arange(len(counts) ** 2), np.ravel(counts))
    labels = tuple("abcdefgh"[: len(counts)])
    return Outcomes(labels, (cells // len(counts)).astype(np.int32), (cells % len(counts)).astype(np.int32))


@pytest.mark.parametrize("shares", [[0.05, 0.95], [0.05, 0.35, 0.3, 0.3]])
def test_intervals_cover_with_a_rare_class(shares: list[float]) -> None:
    names = (*AVERAGES, *AREAS, "roc_auc:a", "average_precision:a", "f1:a")
    population = drawn(10**6, 100_000, shares, 2.2)
    true = {name: measure(name, population) for name in names}
    n_sets = 150
    covered, shown = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    for seed in range(n_sets):
        for name, found in estimates(drawn(seed, 200, shares, 2.2), names, seed).items():
            if found.method:
                assert 0 <= found.low <= found.value <= found.high <= 1 or name in ("matthews", "kappa")
                shown[name] += 1
                covered[name] += found.low <= true[name] <= found.high
    # 95 % less three standard errors of 150 sets; with BCa balanced accuracy covers .78 of such sets
    assert all(covered[name] >= 0.897 * shown[name] for name in names), (covered, shown)
    assert all(shown[name] > 0.8 * n_sets for name in names), shown


def test_a_mean_of_recalls_reaches_as_far_as_the_rare_class_alone_lets_it() -> None:
    outcomes = from_counts([[10, 0], [14, 176]])  # no mistake among ten
    found = estimates(outcomes, ("balanced_accuracy", "recall:a", "recall:b"))
    mean, rare, common = (found[name] for name in ("balanced_accuracy", "recall:a", "recall:b"))
    assert rare.interval == pytest.approx(wilson_interval(10, 10))
    # Jeffreys' lower end of 10 of 10 is .783, Wilson's .722
    assert mean.low == pytest.approx((0.783 + common.value) / 2, abs=0.025)
    assert mean.high < 1.0
    bootstrap = estimates(outcomes, ("balanced_accuracy",), interval="bca")["balanced_accuracy"]
    assert bootstrap.low > mean.low + 0.05  # what was wrong


def test_one_class_that_has_all_the_variance_gives_jeffreys_interval() -> None:
    outcomes = from_counts([[6, 2], [0, 100_000]])
    found = estimate_metrics(outcomes, [parse_metric("macro_recall", outcomes.labels)], Resampling(20_000, 1))
    low, high = (stats.beta.ppf(q, 6.5, 2.5) for q in (0.025, 0.975))
    # the quantiles of 20,000 draws are within .005 of those of the law
    assert found["macro_recall"].interval == pytest.approx(((1 + low) / 2, (1 + high) / 2), abs=0.005)


def test_many_documents_make_the_interval_that_of_the_delta_method() -> None:
    outcomes = drawn(3, 20_000, [0.25] * 4, 2.0)
    matrix = ConfusionMatrix.of(outcomes)
    recalls = matrix.hits / matrix.documents
    error = np.sqrt((recalls * (1 - recalls) / matrix.documents).sum()) / 4
    found = estimate_metrics(outcomes, [parse_metric("balanced_accuracy", outcomes.labels)], Resampling(20_000, 2))
    ends = found["balanced_accuracy"].interval
    # Monte Carlo error of a quantile of 20,000 draws: about 2 % of the standard error
    assert ends == pytest.approx((recalls.mean() - 1.96 * error, recalls.mean() + 1.96 * error), abs=0.1 * error)


def test_f1_of_a_class_is_wilsons_share_of_hits() -> None:
    found = estimates(from_counts([[12, 3], [5, 80]]), ("f1:a",))["f1:a"]
    low, high = wilson_interval(12, 20)
    assert found.value == pytest.approx(24 / 32)
    assert found.interval == pytest.approx((2 * low / (1 + low), 2 * high / (1 + high)))


def test_the_exact_interval_is_scipys() -> None:
    for hits, n in ((0, 3), (2, 4), (7, 7)):
        ends = stats.binomtest(hits, n).proportion_ci(0.9, "exact")
        assert exact_interval(hits, n, 0.9) == pytest.approx((ends.low, ends.high))
    assert np.isnan(exact_interval(0, 0)).all()


def test_a_perfect_ranking_may_have_been_luck() -> None:
    truth = np.repeat(np.array([0, 1], np.int32), [10, 190])
    said = np.where(truth == 0, 0.9, 0.1)
    outcomes = Outcomes(("a", "b"), truth, truth, np.column_stack([said, 1 - said]))
    for name in (*AREAS, "roc_auc:a", "average_precision:a"):
        found = estimates(outcomes, (name,))[name]
        assert 0.7 < found.low < 0.99, name
        assert found.high == found.value == 1.0, name


def test_losses_have_an_interval_that_reaches_further_up() -> None:
    outcomes = drawn(5, 300, [0.5, 0.5], 1.2)
    for name in LOSSES:
        found = estimates(outcomes, (name,))[name]
        assert found.method == "jackknife"
        assert 0 < found.value - found.low < found.high - found.value, name


def test_f_of_other_weights_covers_where_a_class_has_hardly_any_mistake_of_one_kind() -> None:
    names, shares = ("f2:a", "f2:b", "f0.5:b"), [0.05, 0.95]
    population = drawn(10**6, 100_000, shares, 1.2)
    true = {name: measure(name, population) for name in names}
    covered = dict.fromkeys(names, 0)
    for seed in range(200):
        for name, found in estimates(drawn(seed, 50, shares, 1.2), names, seed).items():
            covered[name] += not found.method or found.low <= true[name] <= found.high
    # 95 % less three standard errors of 200 sets; draws from the posterior covered .875 of F2 of the common class
    assert min(covered.values()) >= 0.904 * 200, covered


@pytest.mark.parametrize("beta", [0.5, 2.0])
def test_f_of_a_class_without_a_mistake_reaches_as_far_as_its_worst_mistakes_would(beta: float) -> None:
    found = estimates(from_counts([[10, 0], [0, 90]]), (f"f{beta:g}:a",))[f"f{beta:g}:a"]
    low, _ = wilson_interval(10, 10)
    dear, mean = max(beta**2, 1) / (1 + beta**2), 0.5  # what a mistake costs, in hits
    assert found.high == found.value == 1.0
    assert low / (low + dear * (1 - low)) < found.low < low / (low + mean * (1 - low))


def test_a_calibration_error_of_an_overconfident_model_has_an_interval_that_holds() -> None:
    def overconfident(seed: int, n: int) -> Outcomes:
        outcomes = drawn(seed, n, [0.5, 0.5], 0.8)
        assert outcomes.probabilities is not None
        odds = outcomes.probabilities**1.5
        return Outcomes(outcomes.labels, outcomes.truth, outcomes.predicted, odds / odds.sum(axis=1, keepdims=True))

    true = measure("calibration_error", overconfident(10**6, 200_000))
    covered = 0
    for seed in range(200):
        found = estimates(overconfident(seed, 100), ("calibration_error",), seed)["calibration_error"]
        covered += found.low <= true <= found.high
    assert covered >= 0.904 * 200, covered


def test_a_calibration_error_that_chance_explains_may_be_zero_and_one_that_it_does_not_is_above() -> None:
    right = np.arange(200) % 10 > 0  # nine of ten
    said = {"honest": 0.9, "vain": 0.999}
    found = {}
    for name, p in said.items():
        table = np.tile([p, 1 - p], (200, 1))
        outcomes = Outcomes((0, 1), np.where(right, 0, 1).astype(np.int32), np.zeros(200, np.int32), table)
        found[name] = estimates(outcomes, ("calibration_error",))["calibration_error"]
    assert found["honest"].low == 0.0 < found["honest"].high < 0.06
    assert 0.05 < found["vain"].low < found["vain"].value < found["vain"].high < 0.15
    assert {estimate.method for estimate in found.values()} == {"inverted test"}


def test_beside_zero_all_that_may_be_missed_is_spent_on_errors_that_are_too_large() -> None:
    held, zero = 0, 0
    for seed in range(200):
        found = estimates(drawn(seed, 100, [0.5, 0.5], 0.8), ("calibration_error",), seed)["calibration_error"]
        zero += found.low == 0.0
        held += found.low <= 0.0005 <= found.high
    # 95 of 100, with two standard errors of 200 sets: neither every set nor too few
    assert 0.92 * 200 <= held <= 0.985 * 200, (held, zero)


@pytest.mark.parametrize(("area", "worth", "reaches"), [(0.97, 40.0, True), (0.7, 40.0, False), (0.97, 4000.0, False)])
def test_an_area_near_one_spends_what_cannot_be_missed_below_on_what_is_too_small(
    area: float, worth: float, reaches: bool
) -> None:
    low, high = area_intervals._wilson(area, worth, 200.0, 0.95)
    both_low, both_high = area_intervals._two_tailed(area, worth, 200.0, 0.95)
    narrower = area_intervals._two_tailed(area, worth, 200.0, 0.90)[1]
    assert low == both_low
    assert (narrower < high < both_high) if reaches else high == both_high


@pytest.mark.parametrize(
    ("counts", "name", "reason"),
    [
        (
            [[9, 1], [1, 0]],
            "macro_f1",
            "only 1 text is 'b'; 2 are needed, which about 11 more texts like these would give",
        ),
        ([[9, 1, 0], [1, 9, 0], [0, 0, 0]], "balanced_accuracy", "no text is 'c'; 2 are needed"),
        (
            [[9, 1, 0, 0], [1, 9, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0]],
            "macro_recall",
            "no text is 'c'; 2 are needed, and the same goes for 1 other class",
        ),
        (
            [[9, 1], [10, 0]],
            "macro_precision",
            "only 1 text was called 'b'; 2 are needed, which about 20 more texts like these would give",
        ),
        ([[9, 1, 0], [1, 9, 0], [0, 0, 0]], "weighted_precision", "no text is 'c'; 2 are needed"),
        (
            [[9, 0], [10, 0]],
            "kappa",
            "no text was called anything but 'a'; 5 are needed",
        ),
        (
            [[9, 1], [3, 0]],
            "matthews",
            "only 3 texts are anything but 'a'; 5 are needed, which about 9 more texts like these would give",
        ),
    ],
)
def test_an_interval_that_would_not_hold_says_what_is_missing(counts, name: str, reason: str) -> None:
    found = estimates(from_counts(counts), (name,))[name]
    assert found.defined
    assert np.isnan(found.low)
    assert found.method == ""
    assert found.reason == reason


def test_areas_and_losses_say_what_is_missing_too() -> None:
    truth = np.array([0] * 2 + [1] * 48, np.int32)
    said = np.where(truth == 0, 0.8, 0.05)
    outcomes = Outcomes(("a", "b"), truth, truth, np.column_stack([said, 1 - said]))
    found = estimates(outcomes, ("roc_auc", "average_precision:b", "log_loss"))
    missing = "only 2 texts are 'a'; 3 are needed, which about 25 more texts like these would give"
    assert found["roc_auc"].reason == missing
    assert found["average_precision:b"].reason == missing.replace("'a'", "'b'").replace("are 'b'", "are not 'b'")
    assert found["log_loss"].reason == (
        "it hangs on the mistakes, of which 0 were made and 2.8 expected: about 200 more texts are needed"
    )


def test_notes_name_the_metrics_without_an_interval_once_for_each_reason() -> None:
    result = assay.evaluate(["a"] * 9 + ["b"], ["a"] * 10, n_resamples=50)
    notes = [note for note in result.notes if note.startswith("There is no interval")]
    assert notes[0] == (
        "There is no interval of balanced_accuracy, macro_precision, macro_recall, macro_f1, weighted_precision, "
        "weighted_f1: only 1 text is 'b'; 2 are needed, which about 10 more texts like these would give."
    )


def test_tallies_give_the_metrics_that_cells_give() -> None:
    outcomes = drawn(1, 500, [0.2, 0.3, 0.5], 1.0)
    metrics = [parse_metric(name, outcomes.labels) for name in (*AVERAGES, "precision:b")]
    matrix = ConfusionMatrix.of(outcomes)
    tallies = np.stack([matrix.hits, matrix.predicted, matrix.documents]).astype(float)
    values = np.empty((2, len(metrics)))
    codes, betas = encode_metrics(metrics)
    # shares give what counts give
    _native.tally_metrics(np.stack([tallies, tallies / 500]), codes, betas, np.nan, 2, values)
    assert values[0] == pytest.approx(Cells([outcomes], metrics, Resampling(1)).observed[0], abs=1e-12)
    assert values[1] == pytest.approx(values[0], abs=1e-12)


def test_tallies_of_another_shape_are_refused() -> None:
    codes, betas = encode_metrics([parse_metric("macro_f1", ("a", "b"))])
    with pytest.raises(ValueError, match="a row of tallies"):
        _native.tally_metrics(np.ones((1, 2, 2)), codes, betas, np.nan, 1, np.empty((1, 1)))
    with pytest.raises(ValueError, match="values"):
        _native.tally_metrics(np.ones((2, 3, 2)), codes, betas, np.nan, 1, np.empty((1, 1)))


def test_the_order_of_labels_changes_no_interval() -> None:
    outcomes = drawn(2, 150, [0.2, 0.3, 0.5], 1.5)
    turned = [2, 0, 1]
    place = np.argsort(turned).astype(np.int32)
    assert outcomes.probabilities is not None
    other = Outcomes(
        tuple(outcomes.labels[k] for k in turned),
        place[outcomes.truth],
        place[outcomes.predicted],
        outcomes.probabilities[:, turned],
    )
    for name in ("macro_f1", "f2:b", "roc_auc", "average_precision:b"):
        # sums in another order
        assert estimates(other, (name,))[name].interval == pytest.approx(estimates(outcomes, (name,))[name].interval)


def test_averages_over_many_classes_have_an_interval_up_to_a_thousand() -> None:
    for n_classes, method in ((150, "posterior"), (1001, "")):
        truth = np.tile(np.arange(n_classes), 4).astype(np.int32)
        said = np.where(np.arange(truth.size) % 5 == 0, (truth + 1) % n_classes, truth).astype(np.int32)
        outcomes = Outcomes(tuple(range(n_classes)), truth, said)
        metrics = [parse_metric(name, outcomes.labels) for name in ("macro_f1", "accuracy")]
        found = estimate_metrics(outcomes, metrics, Resampling(100, threads=1))
        assert found["macro_f1"].method == method
        assert found["accuracy"].method == "wilson"
    assert found["macro_f1"].reason == "of more than 1,000 classes none is known that holds"


def test_a_drawn_law_has_the_rows_and_hits_of_its_posterior() -> None:
    counts = np.array([[8.0, 2.0, 0.0], [0.0, 0.0, 0.0], [1.0, 0.0, 4.0]])
    smoothed = counts + np.array([[0.5, 0.3, 0.2], [0.0, 0.0, 0.0], [0.4, 0.1, 0.5]])
    shares = np.tile([0.6, 0.0, 0.4], (20_000, 1))
    hits, columns, rows = DrawnCells(counts, smoothed).draw(shares, np.random.default_rng(0))
    # Means of 20,000 draws: standard errors below .001.
    laws = smoothed / np.array([11.0, 1.0, 6.0])[:, None] * np.array([0.6, 0.0, 0.4])[:, None]
    np.testing.assert_allclose(hits.mean(axis=0), np.diagonal(laws), atol=0.005)
    np.testing.assert_allclose(columns.mean(axis=0), laws.sum(axis=0), atol=0.005)
    np.testing.assert_allclose(rows, shares)
    np.testing.assert_allclose(columns.sum(axis=1), 1.0)


def test_intervals_that_are_wider_than_need_be_say_so() -> None:
    few = drawn(15, 40, [0.1, 0.9], 1.5)
    assert few.truth.tolist().count(0) == 4
    names = ("accuracy", "recall:a", "macro_f1", "roc_auc", "average_precision:b")
    found = estimates(few, names)
    assert {name: estimate.reason for name, estimate in found.items()} == {
        "accuracy": "",
        "recall:a": "of fewer than five texts the exact one is taken",
        "macro_f1": "only 4 texts are 'a'",
        "roc_auc": "only 4 texts are 'a'",
        "average_precision:b": "only 4 texts are not 'b'",
    }
    assert [estimate.cautious for estimate in found.values()] == [False, True, True, True, True]


def test_many_texts_and_mistakes_have_no_cautious_interval_but_areas_near_1() -> None:
    names = ("macro_f1", "recall:a", "log_loss", "roc_auc", "average_precision")
    assert not any(estimate.reason for estimate in estimates(drawn(3, 400, [0.3, 0.7], 1.0), names).values())
    sure = estimates(drawn(3, 400, [0.3, 0.7], 4.5), ("macro_f1", "roc_auc"))
    assert not sure["macro_f1"].cautious
    assert sure["roc_auc"].reason == "so near 1 none that is too large can be seen"


def test_notes_say_which_intervals_are_cautious() -> None:
    truth = ["a"] * 40 + ["b"] * 4
    result = assay.evaluate(truth, ["a"] * 41 + ["b"] * 3, n_resamples=50)
    assert result.notes[-1] == (
        "The intervals of balanced_accuracy, macro_precision, macro_recall, macro_f1, weighted_precision, weighted_f1 "
        "are cautious, and hold the true value at least as often as said: only 4 texts are 'b'."
    )
