"""Fold matrices equal those of a vectorizer fitted on the fold's training texts."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.feature_extraction.text as theirs
from hypothesis import given, settings
from hypothesis import strategies as st

import assay.features as ours
from assay import _native
from assay.errors import DataError
from assay.evaluation.protocols.fold_features import CorpusFeatures, FoldSettings, settings_of
from assay.features.ngrams.analysis import Analysis
from assay.features.ngrams.ngram_settings import NgramSettings

WORDS = ["film", "plot", "good", "bad", "fine", "actor", "scene", "music", "the", "of", "Zebra", "äpfel"]


def make_texts(seed: int, n: int) -> list[str]:
    random = np.random.default_rng(seed)
    return [" ".join(random.choice(WORDS, random.integers(1, 12))) + f" word{i % 7}" for i in range(n)]


SETTINGS = [
    {},
    {"ngram_range": (1, 2), "min_df": 2},
    {"max_df": 0.6, "min_df": 0.05},
    {"max_features": 10},  # no term that is left out is as frequent as one that is kept: scikit-learn chooses otherwise
    {"max_features": 8, "binary": True},
    {"analyzer": "char_wb", "ngram_range": (2, 3), "lowercase": False},
    {"stop_words": ["the", "of"], "max_df": 20},
    {"vocabulary": ["good", "bad", "never seen", "film"]},
]
WEIGHTS = [
    {},
    {"sublinear_tf": True},
    {"norm": "l1"},
    {"norm": None, "smooth_idf": True},
    {"use_idf": False},
    {"dtype": np.float32},
]


def assert_fold_equals_refit(vectorizer, texts: list[str], rows: np.ndarray, n_test: int) -> None:
    test, train = rows[:n_test], rows[n_test:]
    found = CorpusFeatures.of(vectorizer, texts).fold(train, test, settings_of(vectorizer), threads=2)
    expected = (
        vectorizer.fit_transform([texts[i] for i in train]),
        vectorizer.transform([texts[i] for i in test]),
    )
    close = 1e-6 if np.dtype(vectorizer.dtype) == np.float32 else 1e-12
    for ours_matrix, their_matrix in zip(found, expected, strict=True):
        assert ours_matrix.shape == their_matrix.shape
        assert ours_matrix.dtype == their_matrix.dtype
        their_matrix.sort_indices()
        assert (ours_matrix.indptr == their_matrix.indptr).all()
        assert (ours_matrix.indices == their_matrix.indices).all()
        assert np.allclose(ours_matrix.data, their_matrix.data, rtol=close, atol=0)


@pytest.mark.parametrize("make", [theirs, ours], ids=["scikit-learn", "assay"])
@pytest.mark.parametrize("text_settings", SETTINGS, ids=str)
def test_tfidf_folds_equal_a_refit(make, text_settings) -> None:
    texts = make_texts(0, 60)
    rows = np.random.default_rng(1).permutation(60)
    for weights in WEIGHTS:
        assert_fold_equals_refit(make.TfidfVectorizer(**text_settings, **weights), texts, rows, 12)


@pytest.mark.parametrize("make", [theirs, ours], ids=["scikit-learn", "assay"])
@pytest.mark.parametrize("text_settings", SETTINGS, ids=str)
def test_count_folds_equal_a_refit(make, text_settings) -> None:
    texts = make_texts(2, 50)
    assert_fold_equals_refit(make.CountVectorizer(**text_settings), texts, np.arange(50), 30)


@given(seed=st.integers(0, 1000), n=st.integers(6, 40), share=st.floats(0.2, 0.8))
@settings(max_examples=25, deadline=None)
def test_folds_of_any_size_equal_a_refit(seed: int, n: int, share: float) -> None:
    texts = make_texts(seed, n)
    rows = np.random.default_rng(seed).permutation(n)
    assert_fold_equals_refit(ours.TfidfVectorizer(max_features=8), texts, rows, max(1, round(share * n)))


def test_counts_over_the_table_of_small_counts_are_weighted_too() -> None:
    texts = ["word " * 200 + "other", "word other", "other " * 65, "word"]
    assert_fold_equals_refit(ours.TfidfVectorizer(sublinear_tf=True), texts, np.arange(4), 1)


def test_fold_without_any_term_left_says_so() -> None:
    features = CorpusFeatures.of(ours.CountVectorizer(), ["one two", "three four", "five six"])
    with pytest.raises(
        DataError, match=r"No term is left in a fold with 2 training documents: min_df=2 and max_df=1.0"
    ):
        features.fold(np.array([0, 1]), np.array([2]), FoldSettings(NgramSettings(Analysis(), min_df=2)))


def test_native_kernels_refuse_arrays_that_do_not_fit() -> None:
    offsets, columns, counts = np.array([0, 2], np.int64), np.array([0, 5], np.int32), np.array([1, 1], np.int32)
    with pytest.raises(ValueError, match=r"columns holds 5, outside \[0, 3\)"):
        _native.CorpusCounts(offsets, columns, counts, 3)
    with pytest.raises(ValueError, match="row offsets do not match the columns and counts"):
        _native.CorpusCounts(np.array([0, 3], np.int64), columns, counts, 6)
    corpus = _native.CorpusCounts(offsets, columns, counts, 6)
    documents, occurrences = np.empty(6, np.int32), np.empty(6, np.int64)
    with pytest.raises(ValueError, match=r"rows holds 1, outside \[0, 1\)"):
        _native.count_fold_columns(corpus, np.array([1], np.int32), 1, documents, occurrences)
    fold = np.zeros((5, 2), np.int32)
    with pytest.raises(ValueError, match="fold has 5 values where 6 are needed"):
        _native.measure_fold_rows(corpus, np.array([0], np.int32), fold, 1, np.empty(2, np.int64))
