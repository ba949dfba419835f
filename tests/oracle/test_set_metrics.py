"""Metrics of label sets against scikit-learn's, resamples against brute force, and the same bits for any threads."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from sklearn import metrics as theirs

from assay import _native
from assay.evaluation.metrics.set_catalogue import parse_set_metric
from assay.evaluation.metrics.set_outcomes import SetOutcomes
from assay.evaluation.uncertainty.metric_value import measure
from assay.evaluation.uncertainty.resampling import Resampling
from assay.evaluation.uncertainty.set_measuring import estimate_set_metrics
from assay.evaluation.uncertainty.set_resampling import SetTexts, left_out
from assay.label_sets import LabelSets

EXACT = 1e-12  # sums of a few dozen numbers in another order
AVERAGES = ("micro", "macro", "samples", "weighted")


@st.composite
def outcomes_of_sets(draw: st.DrawFn) -> SetOutcomes:
    n, k = draw(st.integers(1, 12)), draw(st.integers(2, 6))  # theirs takes one column for one label a text
    truth, said = (draw(arrays.arrays(bool, (n, k))) for _ in range(2))
    # sixteenths: ties are common, and rounding plays no part
    probabilities = draw(arrays.arrays(np.int8, (n, k), elements=st.integers(0, 16))) / 16
    sets = (LabelSets.of_table(table) for table in (truth, said))
    return SetOutcomes(tuple(f"label {j}" for j in range(k)), *sets, probabilities)


def same(ours: float, other: float) -> bool:
    return bool(np.isclose(ours, other, rtol=EXACT, atol=EXACT, equal_nan=True))


@given(outcomes_of_sets(), st.sampled_from([np.nan, 0.0, 1.0]), st.sampled_from(["f1", "f0.5", "precision", "recall"]))
@settings(max_examples=150, deadline=None)
def test_averages_are_those_of_scikit_learn(outcomes: SetOutcomes, undefined: float, kind: str) -> None:
    truth, said = outcomes.truth.table().astype(int), outcomes.predicted.table().astype(int)
    names = [f"{average}_{kind}" for average in AVERAGES]
    parsed = [parse_set_metric(name, outcomes.labels) for name in names]
    ours = SetTexts([outcomes], parsed, Resampling(1), undefined).observed[0]
    for average, value in zip(AVERAGES, ours, strict=True):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that some label has no text
            if kind in ("f1", "f0.5"):
                beta = float(kind[1:])
                found = theirs.fbeta_score(truth, said, beta=beta, average=average, zero_division=undefined)
            else:
                score = theirs.precision_score if kind == "precision" else theirs.recall_score
                found = score(truth, said, average=average, zero_division=undefined)
        if average == "weighted" and not truth.any():  # no weights: theirs is 0 or the unweighted mean, by version
            continue
        assert same(value, float(found)), (average, value, found)


@given(outcomes_of_sets())
@settings(max_examples=100, deadline=None)
def test_metrics_of_texts_and_probabilities_are_those_of_scikit_learn(outcomes: SetOutcomes) -> None:
    truth, said = outcomes.truth.table().astype(int), outcomes.predicted.table().astype(int)
    probabilities = outcomes.probabilities
    assert probabilities is not None
    assert same(measure("subset_accuracy", outcomes), theirs.accuracy_score(truth, said))
    assert same(measure("hamming_loss", outcomes), theirs.hamming_loss(truth, said))
    brier = np.mean([theirs.brier_score_loss(t, p, pos_label=1) for t, p in zip(truth.T, probabilities.T, strict=True)])
    assert same(measure("brier", outcomes), float(brier))
    loss = np.mean([theirs.log_loss(t, p, labels=[0, 1]) for t, p in zip(truth.T, probabilities.T, strict=True)])
    assert same(measure("log_loss", outcomes), float(loss))
    n_labels = len(outcomes.labels)
    if n_labels > 1:
        for k in range(1, n_labels + 1):
            assert same(measure(f"ndcg@{k}", outcomes), theirs.ndcg_score(truth, probabilities, k=k))
    for j, label in enumerate(outcomes.labels):
        expected = theirs.brier_score_loss(truth[:, j], probabilities[:, j], pos_label=1)
        assert same(measure(f"brier:{label}", outcomes), float(expected))


@given(outcomes_of_sets())
@settings(max_examples=60, deadline=None)
def test_precision_and_recall_at_k_are_means_over_the_orders_of_ties(outcomes: SetOutcomes) -> None:
    truth, table = outcomes.truth.table(), outcomes.probabilities
    assert table is not None
    n_labels = truth.shape[1]
    for k in range(1, n_labels + 1):
        expected = np.zeros((2, len(truth)))
        for i, (row, true) in enumerate(zip(table, truth, strict=True)):
            above = row > np.sort(row)[-k]
            tied = row == np.sort(row)[-k]
            hits = true[above].sum() + true[tied].sum() * (k - above.sum()) / tied.sum()
            expected[:, i] = hits / k, hits / true.sum() if true.any() else 0.0
        assert same(measure(f"p@{k}", outcomes), float(expected[0].mean()))
        assert same(measure(f"r@{k}", outcomes), float(expected[1].mean()))


def sample(seed: int, n: int = 60, k: int = 5) -> SetOutcomes:
    random = np.random.default_rng(seed)
    truth = random.random((n, k)) < np.linspace(0.5, 0.15, k)
    probabilities = np.clip(0.35 * truth + 0.65 * random.random((n, k)), 0, 1)
    sets = (LabelSets.of_table(table) for table in (truth, probabilities > 0.45))
    return SetOutcomes(tuple("abcde"[:k]), *sets, probabilities)


NAMES = ("micro_f1", "macro_f1", "weighted_recall", "f1:b", "samples_f1", "hamming_loss", "p@2")


def parsed(names: tuple[str, ...] = NAMES) -> list:
    return [parse_set_metric(name, tuple("abcde")) for name in names]


def test_resamples_of_texts_are_the_same_for_any_number_of_threads() -> None:
    pair = [sample(1, 300), sample(2, 300)]
    pair[1] = SetOutcomes(pair[0].labels, pair[0].truth, pair[1].predicted, pair[1].probabilities)
    for how in ("bootstrap", "randomize"):
        values = [getattr(SetTexts(pair, parsed(), Resampling(101, 7, threads=t)), how)() for t in (1, 2, 3)]
        assert (values[0] == values[1]).all()
        assert (values[0] == values[2]).all()


def test_a_resample_is_a_draw_of_whole_texts() -> None:
    outcomes = sample(3)
    texts = SetTexts([outcomes], parsed(), Resampling(400, 5))
    drawn = texts.bootstrap()[:, 0]
    # Beside resamples drawn one by one: 400 draws tell a spread to 3.5 % (one sigma), the ratio of two to 5 %.
    random = np.random.default_rng(0)
    by_hand = np.array(
        [
            SetTexts([outcomes.among(random.integers(0, 60, 60))], parsed(), Resampling(1)).observed[0]
            for _ in range(400)
        ]
    )
    assert (np.abs(drawn.mean(axis=0) - by_hand.mean(axis=0)) < 5 * by_hand.std(axis=0) / np.sqrt(200)).all()
    assert (np.abs(drawn.std(axis=0) / by_hand.std(axis=0) - 1) < 0.25).all()


def test_exchanges_keep_what_both_said_together() -> None:
    first = sample(4)
    second = SetOutcomes(first.labels, first.truth, sample(5).predicted, first.probabilities)
    pair = SetTexts([first, second], parsed(("hamming_loss", "micro_recall", "subset_accuracy")), Resampling(50, 1))
    shuffled = pair.randomize()
    # Whoever said it: the mistakes of both together, and the texts that one of both got right, stay as they are.
    assert np.allclose(shuffled[:, :, 0].sum(axis=1), pair.observed[:, 0].sum())
    assert np.allclose(shuffled[:, :, 1].sum(axis=1), pair.observed[:, 1].sum())
    assert np.allclose(shuffled[:, :, 2].sum(axis=1), pair.observed[:, 2].sum())
    assert np.ptp(shuffled[:, 0, 0]) > 0


@pytest.mark.parametrize("name", [*NAMES, "macro_precision", "weighted_f2", "micro_precision", "samples_recall"])
def test_leaving_out_each_text_is_exact(name: str) -> None:
    outcomes = sample(6, 25)
    [metric] = parsed((name,))
    found = left_out(outcomes, metric, np.nan)
    for i in range(25):
        rest = outcomes.among(np.delete(np.arange(25), i))
        assert same(found[i], SetTexts([rest], [metric], Resampling(1)).observed[0, 0])


def test_percentiles_of_resamples_are_the_ends_that_are_asked_for() -> None:
    outcomes = sample(7)
    for interval in ("percentile", "bca"):
        found = estimate_set_metrics(outcomes, parsed(), Resampling(500, 3), interval)
        for name in NAMES:
            assert found[name].method == interval
            assert found[name].low < found[name].value < found[name].high
    samples = SetTexts([outcomes], parsed(), Resampling(500, 3)).bootstrap()[:, 0, 0]
    ends = estimate_set_metrics(outcomes, parsed(("micro_f1",)), Resampling(500, 3), "percentile")["micro_f1"].interval
    assert np.allclose(ends, np.quantile(samples, [0.025, 0.975]))


ARRAYS = (np.array([2]), np.array([0, 1]), np.array([0], np.int32), np.zeros((1, 1, 0)))
CODES, BETAS = np.array([[6, 2, 0]], np.int32), np.ones(1)


@pytest.mark.parametrize(
    ("change", "codes", "message"),
    [
        ({"counts": np.array([0])}, CODES, "counts must be positive"),
        ({"begin": np.array([0, 2])}, CODES, "begin must rise from 0 to 1"),
        ({"slots": np.array([3], np.int32)}, CODES, "slots holds 3"),
        ({"means_of": np.zeros((2, 1, 0))}, CODES, "means_of has 2 values where 1"),
        ({"means_of": np.zeros((1, 3, 0))}, CODES, "one system or two"),
        ({"n_labels": 0}, CODES, "there are no labels"),
        ({"counts": np.empty(0, np.int64)}, CODES, "there are no cells"),
        ({}, np.array([[0, 0, 0]], np.int32), "label sets have precision, recall and F only"),
    ],
)
def test_the_kernel_refuses_cells_that_do_not_fit(change: dict, codes: np.ndarray, message: str) -> None:
    given = dict(zip(("counts", "begin", "slots", "means_of"), ARRAYS, strict=True)) | {"n_labels": 1} | change
    cells = _native.SetArrays(**given)
    with pytest.raises(ValueError, match=message):
        _native.bootstrap_sets(cells, codes, BETAS, np.nan, False, 0, 1, np.empty((1, 1, 1)))


def test_exchanging_needs_two_systems() -> None:
    cells = _native.SetArrays(*ARRAYS, 1)
    with pytest.raises(ValueError, match="randomization needs two systems"):
        _native.randomize_sets(cells, CODES, BETAS, np.nan, False, 0, 1, np.empty((1, 1, 1)))
