"""What `Cooccurrence` promises beyond the counts themselves, which tests/oracle compares with the textbook's."""

from __future__ import annotations

import numpy as np
import pytest

from assay.embeddings import Cooccurrence, cooccurrence
from assay.errors import DataError, NotFittedError, ParameterError

TEXTS = ["Bread and butter. Butter and jam!", "Jam, bread and tea."]


def neighbours(fitted, word):
    row = fitted.matrix_[fitted.words_.index(word)].toarray().ravel()
    return {fitted.words_[at]: int(row[at]) for at in np.flatnonzero(row)}


def test_windows_end_with_the_document():
    found = Cooccurrence(window=1, min_count=1).fit(TEXTS)
    assert neighbours(found, "jam") == {"and": 1, "bread": 1}
    assert neighbours(found, "butter") == {"and": 2, "butter": 2}


def test_windows_end_with_the_sentence_on_request():
    found = Cooccurrence(window=1, min_count=1, unit="sentence").fit(TEXTS)
    assert neighbours(found, "butter") == {"and": 2}


def test_punctuation_is_a_word_on_request():
    found = Cooccurrence(window=1, min_count=1, punctuation=True).fit(TEXTS)
    assert neighbours(found, "butter") == {"and": 2, ".": 2}


def test_matrix_is_symmetric_and_words_go_by_count():
    found = Cooccurrence(window=3, min_count=1).fit(TEXTS)
    assert (found.matrix_ != found.matrix_.T).nnz == 0
    assert found.counts_.tolist() == sorted(found.counts_.tolist(), reverse=True)
    assert dict(zip(found.words_, found.counts_.tolist(), strict=True)) == {
        "and": 3,
        "bread": 2,
        "butter": 2,
        "jam": 2,
        "tea": 1,
    }
    assert (found.n_words_, found.n_distinct_) == (10, 5)


def test_rare_pairs_are_left_out_on_request():
    found = Cooccurrence(window=1, min_count=1, min_pair_count=2).fit(TEXTS)
    assert found.matrix_.data.min() == 2
    assert neighbours(found, "jam") == {}


@pytest.mark.parametrize("threads", [2, 3])
def test_counts_do_not_depend_on_threads(threads):
    texts = [f"w{n % 37} w{n % 11} w{n % 5} w{n % 41}" for n in range(400)]
    one, several = (Cooccurrence(min_count=1, n_jobs=n).fit(texts) for n in (1, threads))
    assert (one.matrix_ != several.matrix_).nnz == 0
    assert one.words_ == several.words_


def test_windows_reach_over_the_pieces_in_which_the_text_is_counted(monkeypatch):
    texts = ["a b c d e f g " * 20, "b d f"]
    whole = Cooccurrence(window=3, min_count=1).fit(texts)
    monkeypatch.setattr(cooccurrence, "_PIECE", 5)
    assert (Cooccurrence(window=3, min_count=1).fit(texts).matrix_ != whole.matrix_).nnz == 0


def test_pairs_that_do_not_fit_into_memory_are_kept_on_disk_and_said(monkeypatch):
    rng = np.random.default_rng(0)
    tokens = [[f"w{word}" for word in row] for row in rng.integers(0, 3000, (60, 200))]
    expected = Cooccurrence(min_count=1).fit(tokens)
    assert expected.notes_ == ()
    monkeypatch.setattr(cooccurrence, "_LEAST_MEMORY", 1)
    monkeypatch.setattr(cooccurrence, "_LEAST_CAPACITY", 100)
    found = Cooccurrence(min_count=1, memory=200_000, n_jobs=2).fit(tokens)
    assert (found.matrix_ != expected.matrix_).nnz == 0
    assert any("MB of counted pairs were kept in a temporary folder" in note for note in found.notes_)


def test_ppmi_is_the_formula():
    found = Cooccurrence(window=2, min_count=1).fit(TEXTS)
    counts = found.matrix_.toarray().astype(float)
    for shift, smoothing in [(1.0, 1.0), (1.0, 0.75), (2.0, 0.75), (5.0, 0.0)]:
        word = counts.sum(axis=1) / counts.sum()
        context = counts.sum(axis=0) ** smoothing
        context /= context.sum()
        with np.errstate(divide="ignore"):
            expected = np.maximum(np.log(counts / counts.sum() / np.outer(word, context)) - np.log(shift), 0)
        ours = found.ppmi(shift=shift, smoothing=smoothing)
        np.testing.assert_allclose(ours.toarray(), expected, rtol=1e-6, atol=1e-7)  # float32
        assert ours.dtype == np.float32
        assert (ours.data > 0).all()
    assert found.matrix_.dtype == np.int64
    assert np.array_equal(found.matrix_.toarray(), counts)


def test_ppmi_bears_words_that_stand_alone():
    found = Cooccurrence(min_count=1).fit(["alone", "bread and butter"])
    assert np.isfinite(found.ppmi().data).all()


def test_ppmi_needs_counts():
    with pytest.raises(NotFittedError, match="has not counted anything yet"):
        Cooccurrence().ppmi()


def test_text_without_any_pair_has_an_empty_matrix():
    found = Cooccurrence(min_count=1).fit(["alone", "lonely"])
    assert found.matrix_.nnz == 0
    assert found.ppmi().nnz == 0


def test_one_word_repeated_stands_beside_itself():
    found = Cooccurrence(window=1, min_count=1).fit(["very very very"])
    assert found.matrix_.toarray().tolist() == [[4]]


def test_progress_is_told_for_reading_and_counting():
    told = []
    Cooccurrence(min_count=1, on_progress=told.append).fit(TEXTS)
    assert [progress.stage for progress in told] == ["reading", "counting"]
    assert all(progress.share_done == 1 for progress in told)


def test_min_count_that_leaves_nothing_is_refused():
    with pytest.raises(
        DataError, match=r"No word of the text comes 9 times or more.*of 5 different words the most frequent comes"
    ):
        Cooccurrence(min_count=9).fit(TEXTS)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"window": 0},
            "'window' parameter of Cooccurrence must be a whole number from 1 to 2147483647. Got 0",
        ),
        ({"window": 2.5}, "'window' parameter .* Got 2.5 instead"),
        ({"min_count": True}, "'min_count' parameter .* Got True instead"),
        ({"max_words": 0}, "'max_words' parameter of Cooccurrence must be a whole number of at least 1"),
        ({"min_pair_count": 0}, "'min_pair_count' parameter"),
        (
            {"unit": "sentense"},
            r"'unit' parameter .* must be one of 'sentence', 'document'\. Got 'sentense'",
        ),
        ({"unit": 3}, "'unit' parameter of Cooccurrence must be one of 'document', 'sentence'"),
        ({"memory": 1000}, "'memory' parameter of Cooccurrence must be a whole number of at least 33554432"),
    ],
)
def test_bad_settings_are_refused(settings, message):
    with pytest.raises(ParameterError, match=message):
        Cooccurrence(**settings).fit(TEXTS)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"shift": 0.5}, "The 'shift' parameter of ppmi must be a number of at least 1. Got 0.5 instead"),
        ({"smoothing": 2}, "The 'smoothing' parameter of ppmi must be a number from 0 to 1. Got 2 instead"),
        ({"smoothing": float("nan")}, "Got nan instead"),
    ],
)
def test_bad_settings_of_ppmi_are_refused(settings, message):
    with pytest.raises(ParameterError, match=message):
        Cooccurrence(min_count=1).fit(TEXTS).ppmi(**settings)
