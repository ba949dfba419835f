"""Measuring natively against the textbook: integers exactly, floats to a stated tolerance."""

from __future__ import annotations

import math
from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import assay
from assay import _native, textbook
from assay.evaluation import fit_calibration
from assay.evaluation.protocols.fold_features import CorpusFeatures, settings_of
from assay.evaluation.protocols.folds import FoldPlan, make_folds
from assay.features import CountVectorizer, TfidfVectorizer
from assay.textbook import worked

SOME = settings(max_examples=40, deadline=None)
labels = st.sampled_from(["x", "y", "z"])
answers = st.lists(st.tuples(labels, labels), min_size=3, max_size=40).filter(
    lambda rows: len({gold for gold, _ in rows}) == 3
)
seeds = st.integers(0, 2**32 - 1)


def number(value: float | None) -> float:
    """The textbook's None is the NaN of an estimate."""
    return math.nan if value is None else value


@SOME
@given(answers, st.sampled_from([0.3, 1.0, 2.0, 10.0]))
def test_metrics_are_the_textbooks(rows, beta):
    gold, predicted = (list(column) for column in zip(*rows, strict=True))
    measured = assay.evaluate(gold, predicted, beta=beta, n_resamples=20)
    table = textbook.confusion(gold, predicted)
    assert measured["accuracy"].value == pytest.approx(table.accuracy, abs=1e-12)
    names = {"precision": "precision", "recall": "recall", "f": f"f{beta:g}"}
    for label in table.labels:
        outcomes = table.one_against_rest(label)
        expected = {"precision": outcomes.precision(), "recall": outcomes.recall(), "f": outcomes.f(beta)}
        for figure, name in names.items():
            ours = measured.classes[label][name].value
            assert ours == pytest.approx(number(expected[figure]), abs=1e-12, nan_ok=True)
    for figure, name in names.items():
        assert measured[f"micro_{name}"].value == pytest.approx(table.micro(figure, beta), abs=1e-12)
        macro = table.macro(figure, beta)
        if macro is not None:  # of classes without a value the textbook makes no mean; the fast one leaves them out
            assert measured[f"macro_{name}"].value == pytest.approx(macro, abs=1e-12)


def test_worked_email_table_natively():
    """Jurafsky & Martin, Figures 4.8 and 4.9: micro .73, macro .60."""
    gold, predicted = (list(column) for column in zip(*worked.email_decisions(), strict=True))
    measured = assay.evaluate(gold, predicted, n_resamples=50)
    assert round(measured["micro_precision"].value, 2) == 0.73
    assert round(measured["macro_precision"].value, 2) == 0.60


@SOME
@given(seeds, st.integers(2, 4), st.integers(2, 30))
def test_log_loss_is_the_textbooks(seed, n_classes, n):
    rng = np.random.default_rng(seed)
    table = rng.dirichlet(np.ones(n_classes), n)
    truth = rng.permutation([*range(n_classes), *rng.integers(n_classes, size=n)])[:n]
    measured = assay.evaluate(
        truth, table.argmax(axis=1), table, labels=range(n_classes), n_resamples=1, allow_one_class=True
    )
    expected = [textbook.negative_log_likelihood(row, right) for row, right in zip(table, truth.tolist(), strict=True)]
    # sums in another order
    assert measured["log_loss"].value == pytest.approx(sum(expected) / n, rel=1e-12)


@SOME
@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=25), st.integers(0, 1000))
def test_bootstrap_test_of_the_same_virtual_sets_is_the_textbooks(pairs, seed):
    gold = ["x", "y"] * 13
    gold = gold[: len(pairs)] if len(pairs) > 1 else ["x", "y"]
    pairs = pairs if len(pairs) > 1 else pairs * 2
    systems = [said(gold, [pair[k] for pair in pairs]) for k in (0, 1)]
    ours = assay.compare(
        *systems,
        gold,
        metric=lambda y, p: float(np.mean(y == p)),
        labels=["x", "y"],
        alternative="greater",
        n_resamples=60,
        seed=seed,
    )
    n = len(pairs)
    members, bounds, weights = np.arange(n, dtype=np.int32), np.array([0, n]), np.empty(n, np.int32)
    samples = []
    for r in range(60):
        _native.draw_documents(members, bounds, seed, r, weights)
        samples.append(np.repeat(members, weights).tolist())
    theirs = textbook.paired_bootstrap(pairs, samples=samples)
    assert ours.difference.value == pytest.approx(theirs.delta, abs=1e-12)
    if theirs.delta != 0 and len(set(theirs.deltas)) == 1:
        assert ours.test == "randomization"  # nothing but the same difference, whatever is drawn, is no evidence
    else:
        assert ours.p_value == theirs.p_value


@SOME
@given(st.tuples(*[st.integers(0, 8)] * 4).filter(lambda counts: sum(counts) > 1), st.integers(0, 1000))
@example((0, 2, 0, 0), 0)
@example((0, 0, 2, 0), 0)
def test_bootstrap_test_of_counts_finds_the_p_value_of_all_virtual_sets(counts, seed):
    """The native core draws counts of equal documents instead of documents."""
    pairs = [pair for pair, n in zip(((1, 1), (1, 0), (0, 1), (0, 0)), counts, strict=True) for _ in range(n)]
    gold = (["x", "y"] * 16)[: len(pairs)]
    systems = [said(gold, [pair[k] for pair in pairs]) for k in (0, 1)]
    n_resamples = 4000
    settings = {"metric": "accuracy", "labels": ["x", "y"], "alternative": "greater"}
    ours = assay.compare(*systems, gold, **settings, n_resamples=n_resamples, seed=seed)
    if any(n == len(pairs) for n in counts[1:3]):  # each resample shows the same lead: see `compare`
        assert ours.test == "randomization"
        exact = 1.0 if counts[2] else 0.5 ** len(pairs)  # all coins must fall to the first
    else:
        assert ours.test == "bootstrap"
        exact = exact_p_value(pairs)
    # five standard errors of a share; some resamples where the exact value is about 0 or 1
    error = max(math.sqrt(exact * (1 - exact) / n_resamples), 1e-3)
    assert ours.p_value == pytest.approx(exact, abs=5 * error)


def said(gold: list[str], right: list[int]) -> list[str]:
    """Answers that are right where they are said to be."""
    return [label if good else {"x": "y", "y": "x"}[label] for label, good in zip(gold, right, strict=True)]


def exact_p_value(pairs: list[tuple[int, int]]) -> float:
    """The chance that as many draws from the leads of single documents sum up to twice the lead or more."""
    leads = Counter(a - b for a, b in pairs)
    chances = Counter({0: 1.0})
    for _ in pairs:
        drawn: Counter[int] = Counter()
        for (total, p), (step, n) in product(chances.items(), leads.items()):
            drawn[total + step] += p * n / len(pairs)
        chances = drawn
    lead = sum(a - b for a, b in pairs)
    return min(1.0, sum(p for total, p in chances.items() if total >= 2 * lead))  # a sum of chances may round up


def test_ten_documents_have_the_textbooks_p_value():
    """Jurafsky & Martin, Figure 4.11: ten documents, drawn by two generators."""
    gold = ["x", "y"] * 5
    systems = [said(gold, [pair[k] for pair in worked.TEN_DOCUMENTS]) for k in (0, 1)]
    ours = assay.compare(*systems, gold, metric="accuracy", alternative="greater", n_resamples=20_000, seed=1)
    theirs = textbook.paired_bootstrap(worked.TEN_DOCUMENTS, b=4000, seed=1)
    assert ours.difference.value == pytest.approx(theirs.delta)
    # three standard errors of the difference of two shares
    error = math.sqrt(theirs.p_value * (1 - theirs.p_value) * (1 / 20_000 + 1 / 4000))
    assert ours.p_value == pytest.approx(theirs.p_value, abs=3 * error)


@SOME
@given(st.integers(2, 40), st.integers(2, 12), seeds, st.booleans())
def test_folds_are_cut_as_the_textbook_cuts_them(n, k, seed, stratified):
    if k > n:
        return  # an error on both sides, which other tests read
    classes = np.zeros(n, np.int32)  # one class: stratified folds are plain ones
    folds = make_folds(classes, ["x"], FoldPlan(k, stratified=stratified, seed=seed))
    assert sorted(fold.test.size for fold in folds) == sorted(len(fold) for fold in textbook.folds(n, k))
    assert sorted(np.concatenate([fold.test for fold in folds])) == list(range(n))
    for fold in folds:
        assert sorted([*fold.train, *fold.test]) == list(range(n))


words = st.sampled_from(["a", "A", "book", "Tim", "naïve", "日本", "."])
corpora = st.lists(st.lists(words, min_size=1, max_size=8).map(" ".join), min_size=3, max_size=9)


@SOME
@given(corpora, seeds)
def test_features_of_a_fold_are_the_textbooks_of_its_training_part(texts, seed):
    """What is cut natively from the counts of all documents knows nothing of the test documents."""
    order = np.random.default_rng(seed).permutation(len(texts))
    train, test = np.sort(order[: len(texts) * 2 // 3]), np.sort(order[len(texts) * 2 // 3 :])
    inside, outside = [texts[i] for i in train], [texts[i] for i in test]
    names = sorted(textbook.vocabulary(inside))
    as_written = {"token_pattern": r"\S+", "lowercase": False}
    counter = CountVectorizer(**as_written)
    X_train, X_test = CorpusFeatures.of(counter, texts).fold(train, test, settings_of(counter))
    assert X_train.toarray().tolist() == textbook.count_vectors(inside, names)
    assert X_test.toarray().tolist() == textbook.count_vectors(outside, names)
    weigher = TfidfVectorizer(smooth_idf=False, norm=None, dtype=np.float64, **as_written)
    _, weighted = CorpusFeatures.of(weigher, texts).fold(train, test, settings_of(weigher))
    idf = np.array(textbook.inverse_document_frequencies(textbook.count_vectors(inside, names), math.log))
    # both multiply a count by one rounded logarithm
    np.testing.assert_allclose(weighted.toarray(), textbook.count_vectors(outside, names) * (idf + 1), rtol=1e-12)


@SOME
@given(seeds, st.integers(2, 4))
def test_calibrated_probabilities_are_the_textbooks_sigmoid_and_softmax(seed, n_classes):
    rng = np.random.default_rng(seed)
    names = list("abcd")[:n_classes]
    truth = np.array([*range(n_classes), *rng.integers(n_classes, size=30)])
    scores = rng.normal(size=(truth.size, n_classes)) + 2 * np.eye(n_classes)[truth]
    softened = fit_calibration(scores, truth, names, "temperature")
    T = softened.arrays["temperature"][0]
    for row, given_scores in zip(softened.apply(scores), scores, strict=True):
        assert row == pytest.approx(textbook.softmax([s / T for s in given_scores]), rel=1e-12)
    squashed = fit_calibration(scores, truth, names, "sigmoid")
    slopes, intercepts = squashed.arrays["slopes"], squashed.arrays["intercepts"]
    for row, given_scores in zip(squashed.apply(scores), scores, strict=True):
        if n_classes == 2:
            second = textbook.sigmoid(slopes[0] * given_scores[1] + intercepts[0])
            assert row == pytest.approx([1 - second, second], rel=1e-12)
        else:
            parts = [textbook.sigmoid(a * s + b) for a, s, b in zip(slopes, given_scores, intercepts, strict=True)]
            assert row == pytest.approx([part / sum(parts) for part in parts], rel=1e-12)
