"""Native selection against the textbook, scikit-learn, scipy and plain arithmetic."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.stats import chi2_contingency
from sklearn.feature_selection import chi2

from assay.features import measure_features
from assay.features.columns.measures import l1_weights
from assay.textbook import selection as textbook


@st.composite
def labelled_matrices(draw):
    n_rows, n_columns = draw(st.integers(2, 12)), draw(st.integers(1, 6))
    cells = st.sampled_from([0.0, 0.0, 0.5, 1.0, 3.0, -1.0])
    X = np.array(draw(st.lists(cells, min_size=n_rows * n_columns, max_size=n_rows * n_columns)))
    y = draw(st.lists(st.sampled_from("abc"), min_size=n_rows, max_size=n_rows).filter(lambda y: len(set(y)) > 1))
    return X.reshape(n_rows, n_columns), y


def tables(X, y, j):
    """Documents with and without feature j, by class."""
    having = Counter(label for row, label in zip(X, y, strict=True) if row[j])
    lacking = Counter(label for row, label in zip(X, y, strict=True) if not row[j])
    classes = sorted(set(y))
    return {c: having[c] for c in classes}, {c: lacking[c] for c in classes}


def cells(X, y, j, label):
    having, lacking = tables(X, y, j)
    A, C = having[label], lacking[label]
    return textbook.Cells(A, sum(having.values()) - A, C, sum(lacking.values()) - C)


# Sums of a few terms of x·log x: rounding stays far below 1e-9.
CLOSE = {"rel": 1e-9, "abs": 1e-9}


@settings(max_examples=60, deadline=None)
@given(labelled_matrices())
def test_measures_over_all_classes_are_the_textbooks(data):
    X, y = data
    found = measure_features(sparse.csr_array(X), y)
    for j in range(X.shape[1]):
        having, lacking = tables(X, y, j)
        assert found.document_frequency[j] == sum(having.values())
        assert found.information_gain[j] == pytest.approx(textbook.information_gain(having, lacking), **CLOSE)
        assert found.gini[j] == pytest.approx(textbook.gini_gain(having, lacking), **CLOSE)
        classes = sorted(having)
        shares = [having[c] / (having[c] + lacking[c]) for c in classes]
        if sum(having.values()) == 0:
            assert (found.telling_class[j], found.pmi[j]) == (-1, -math.inf)
            continue
        telling = classes[int(np.argmax(shares))]
        assert found.classes[found.telling_class[j]] == telling
        assert found.telling_count[j] == having[telling]
        best = max(textbook.pointwise_mutual_information(cells(X, y, j, c)) for c in classes)
        assert found.pmi[j] == pytest.approx(best, **CLOSE)


@settings(max_examples=60, deadline=None)
@given(labelled_matrices())
def test_measures_of_one_class_are_the_textbooks(data):
    X, y = data
    label = y[0]
    found = measure_features(X, y, label=label)
    for j in range(X.shape[1]):
        four = cells(X, y, j, label)
        assert found.chi2[j] == pytest.approx(textbook.chi_squared(four), **CLOSE)
        assert found.pmi[j] == pytest.approx(textbook.pointwise_mutual_information(four), **CLOSE)
        assert found.telling_count[j] == four.A
        assert found.classes[found.telling_class[j]] == label


@settings(max_examples=40, deadline=None)
@given(labelled_matrices())
def test_chi_squared_is_that_of_the_table_of_presence_and_class(data):
    X, y = data
    found = measure_features(X, y)
    n = len(y)
    theirs, _ = chi2((X != 0).astype(float), y)  # of the documents that have the feature: the other half is missing
    for j in range(X.shape[1]):
        having, lacking = tables(X, y, j)
        df = sum(having.values())
        if df in (0, n):
            assert found.chi2[j] == 0
            continue
        statistic = chi2_contingency([list(having.values()), list(lacking.values())], correction=False).statistic
        assert found.chi2[j] == pytest.approx(statistic, **CLOSE)
        assert found.chi2[j] == pytest.approx(theirs[j] * n / (n - df), **CLOSE)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_every_type_of_matrix_gives_the_same_bits_for_any_number_of_threads(dtype, index):
    rng = np.random.default_rng(0)
    X = sparse.random_array((200, 40_000), density=0.01, rng=rng, format="csr", dtype=dtype)
    X.indices, X.indptr = X.indices.astype(index), X.indptr.astype(index)
    y = rng.integers(0, 7, 200)
    expected = measure_features(sparse.csr_array(X, dtype=np.float64), y, n_jobs=1)
    for n_jobs in (1, 2):
        found = measure_features(X, y, n_jobs=n_jobs)
        for name in ("information_gain", "chi2", "pmi", "gini", "document_frequency", "telling_class", "telling_count"):
            assert (getattr(found, name) == getattr(expected, name)).all()


def test_many_documents_are_measured_beyond_the_table_of_logarithms():
    n = 70_000
    X = sparse.csr_array((np.ones(n), (np.arange(n), np.zeros(n, dtype=np.int64))), shape=(2 * n, 1))
    found = measure_features(X, np.repeat([0, 1], n))
    assert found.information_gain[0] == pytest.approx(1.0)
    assert found.chi2[0] == pytest.approx(2 * n)


def test_l1_weights_are_those_of_scikit_learns_sparse_svm():
    from sklearn.svm import LinearSVC

    rng = np.random.default_rng(0)
    X = sparse.random_array((120, 30), density=0.3, rng=rng, format="csr")
    y = (X[:, [0]].toarray().ravel() > X[:, [1]].toarray().ravel()).astype(int)
    theirs = LinearSVC(penalty="l1", dual=False, C=0.3, tol=1e-6, max_iter=10_000).fit(X, y)
    # Both stop early; the weights agree to the tolerance of the looser one.
    np.testing.assert_allclose(l1_weights(X, y, C=0.3), np.abs(theirs.coef_[0]), atol=0.05)
