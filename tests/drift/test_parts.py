"""The parts of drift: what is unknown, what is answered, which shares labels have, what is probably right."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

from assay.drift.answers import compare_given, compare_sureness
from assay.drift.expected import expected_accuracy
from assay.drift.label_shares import label_shares
from assay.drift.risen import compare_counts
from assay.drift.unknown import compare_novelty
from assay.drift.words import shifted_words
from assay.features.documents import as_documents
from assay.prediction.known_ngrams import KnownNgrams, read_ngrams
from assay.prediction.novelty import reading_of


def test_novelty_is_tested_as_fisher_tests_it():
    before = np.linspace(0, 1, 1000)
    new = np.r_[np.linspace(0, 1, 450), np.full(50, 0.95)]
    found = compare_novelty(before, new, 1000, level=0.95)
    table = [[int((new >= 0.9).sum()), int((new < 0.9).sum())], [100, 900]]
    of_wide = stats.fisher_exact(table, alternative="greater").pvalue
    assert found.p_value == pytest.approx(min(1.0, 2 * of_wide), rel=1e-6)


def counted(texts):
    rows = read_ngrams(as_documents(texts), reading_of("words"), 2**12, 1)
    return KnownNgrams.of_counts(reading_of("words"), len(texts), np.bincount(rows.columns, minlength=2**12))


def test_a_rise_is_tested_as_fisher_tests_it_and_counted_once_for_each_word():
    known = counted(["sun"] * 64 + ["rain"] * 64)  # powers of two are rounded to themselves
    new = pa.chunked_array([pa.array(["sun"] * 20 + ["rain"] * 60)])
    found = compare_counts(known, 128, new, level=0.95, threads=1)
    most = int(known.most_texts_with.max())  # what a code of 64 texts may mean
    assert 64 <= most < 64 * 2 ** (1 / 16)
    fisher = stats.fisher_exact([[60, 20], [most, 128 - most]], alternative="greater").pvalue
    assert (found.looked_at, found.risen) == (2, 1)
    assert found.p_value == pytest.approx(2 * fisher, rel=1e-6)


def test_words_that_have_become_rarer_have_not_risen():
    known = counted(["sun rain"] * 64)
    found = compare_counts(known, 64, pa.chunked_array([pa.array(["sun"] * 40)]), level=0.95, threads=1)
    assert (found.risen, found.p_value) == (0, 1.0)


def test_copies_among_training_texts_raise_no_alarm():
    random = np.random.default_rng(0)
    words = [f"w{k}" for k in range(300)]
    texts = [" ".join(random.choice(words, 12)) for _ in range(800)]
    known = counted(texts[:400] + [texts[0]] * 300)
    found = compare_counts(known, 400, pa.chunked_array([pa.array(texts[400:])]), level=0.95, threads=1)
    assert found.p_value > 0.05


def test_less_novelty_is_no_drift():
    found = compare_novelty(np.linspace(0, 1, 1000), np.linspace(0, 0.5, 500), 1000, level=0.95)
    assert found.p_value == 1.0


def test_shares_of_labels_given_are_tested_by_chi_squared():
    before, new = np.array([300, 200, 100]), np.array([60, 30, 60])
    found = compare_given(before, new)
    assert found.p_value == pytest.approx(stats.chi2_contingency([before, new], correction=False).pvalue)
    assert found.distance == pytest.approx(0.5 * np.abs(before / 600 - new / 150).sum())


def test_rare_labels_are_tested_together():
    before, new = np.array([500, *[3] * 20]), np.array([480, *[4] * 20])
    found = compare_given(before, new)
    grouped = [[500, 60], [480, 80]]
    assert found.p_value == pytest.approx(stats.chi2_contingency(grouped, correction=False).pvalue)


def test_one_label_only_cannot_change():
    assert compare_given(np.array([100, 0]), np.array([50, 0])).p_value == 1.0


def test_only_less_sure_answers_are_a_change():
    random = np.random.default_rng(0)
    before = np.sort(random.beta(5, 2, 900))
    assert compare_sureness(before, random.beta(5, 2, 500), 900).p_value > 0.001
    found = compare_sureness(before, random.beta(3, 3, 500), 900)
    assert found.p_value < 1e-6
    assert found.new < found.before
    assert compare_sureness(before, random.beta(8, 2, 500), 900).p_value > 0.99


def test_same_sureness_everywhere_is_no_change():
    assert compare_sureness(np.full(201, 0.9), np.full(50, 0.9), 300).p_value == 1.0


def test_label_shares_are_found_under_a_shift_of_labels():
    random = np.random.default_rng(4)
    answered = np.array([[0.8, 0.15, 0.05], [0.1, 0.7, 0.2], [0.1, 0.1, 0.8]])  # (true, given)
    shares = np.array([0.1, 0.3, 0.6])
    held = []
    for seed in range(60):
        confusion = np.stack([random.multinomial(300, row) for row in answered])
        given = random.multinomial(1500, shares @ answered)
        found = label_shares(confusion, given, level=0.95, seed=seed)
        assert not isinstance(found, str)
        assert sum(estimate.value for estimate in found) == pytest.approx(1.0)
        held += [estimate.low <= share <= estimate.high for estimate, share in zip(found, shares, strict=True)]
    assert np.mean(held) > 0.88  # .95 expected of 180, three to a set


@pytest.mark.parametrize(
    ("confusion", "reason"),
    [
        (np.array([[50, 0], [3, 2]]), "a label has 5 held-out texts, and 10 are needed"),
        (np.array([[50, 50], [50, 50]]), "mixes labels up"),
        (np.eye(61, dtype=np.int64) * 20, "there are 61 labels"),
    ],
)
def test_label_shares_that_cannot_be_told_say_why(confusion, reason):
    found = label_shares(confusion, np.ones(len(confusion), np.int64), level=0.95, seed=0)
    assert isinstance(found, str)
    assert reason in found


def test_expected_accuracy_is_that_of_before_where_nothing_changed():
    random = np.random.default_rng(0)
    held = []
    for _ in range(150):
        sure = random.beta(4, 2, 800)
        right = int((random.random(800) < sure).sum())
        new = random.beta(4, 2, 400)
        truth = (random.random(400) < new).mean()
        found = expected_accuracy(sure, right, 800, new, level=0.95)
        held.append(found.low <= truth <= found.high)
    assert np.mean(held) > 0.9


def test_expected_accuracy_falls_with_sureness():
    sure = np.linspace(0.4, 1, 201)
    found = [expected_accuracy(sure, 700, 1000, sure - less, level=0.95).value for less in (0.0, 0.1, 0.2)]
    assert found[0] == pytest.approx(0.7, abs=0.01)
    assert found[0] > found[1] > found[2]


def test_words_that_do_not_differ_are_not_named():
    random = np.random.default_rng(0)
    words = [f"w{k}" for k in range(40)]
    texts = [" ".join(random.choice(words, 10)) for _ in range(400)]
    assert len(shifted_words(texts[:200], texts[200:], words=True, threads=1)) <= 1
