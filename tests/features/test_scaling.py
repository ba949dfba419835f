"""Scaling, dense and sparse."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn import preprocessing

from assay.errors import ParameterError
from assay.features import FeatureScaler
from assay.textbook import scaling as textbook

METHODS = ["z-score", "min-max", "max-abs", "log"]
DENSE = np.array([[1.0, 5.0, 0.0, -2.0], [3.0, 5.0, 0.0, 0.0], [8.0, 5.0, 1.0, 4.0]])
SPARSE = sparse.csr_array(DENSE)


def test_dense_z_scores_are_the_textbooks():
    np.testing.assert_allclose(FeatureScaler("z-score").fit_transform(DENSE), textbook.standardize(DENSE), atol=1e-12)


def test_dense_min_max_is_the_textbooks():
    np.testing.assert_allclose(FeatureScaler("min-max").fit_transform(DENSE), textbook.normalize(DENSE), atol=1e-12)


@pytest.mark.parametrize(
    ("method", "theirs"),
    [
        ("z-score", preprocessing.StandardScaler()),
        ("min-max", preprocessing.MinMaxScaler()),
        ("max-abs", preprocessing.MaxAbsScaler()),
    ],
)
def test_dense_scaling_is_that_of_scikit_learn(method, theirs):
    X = np.random.default_rng(0).normal(size=(20, 4))
    unseen = np.random.default_rng(1).normal(size=(5, 4))
    ours = FeatureScaler(method).fit(X)
    np.testing.assert_allclose(ours.transform(unseen), theirs.fit(X).transform(unseen), rtol=1e-12)


@pytest.mark.parametrize(
    ("method", "theirs"),
    [("z-score", preprocessing.StandardScaler(with_mean=False)), ("max-abs", preprocessing.MaxAbsScaler())],
)
def test_sparse_scaling_is_that_of_scikit_learn(method, theirs):
    X = sparse.random_array((30, 6), density=0.4, rng=np.random.default_rng(0), format="csr")
    scaled = FeatureScaler(method).fit_transform(X)
    np.testing.assert_allclose(scaled.toarray(), theirs.fit_transform(X).toarray(), rtol=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_zeros_of_a_sparse_matrix_stay_zeros(method):
    scaled = FeatureScaler(method).fit_transform(SPARSE)
    assert sparse.issparse(scaled)
    assert scaled.nnz == SPARSE.nnz
    assert (scaled.indices == SPARSE.indices).all()


def test_sparse_min_max_takes_zero_for_a_value():
    scaled = FeatureScaler("min-max").fit_transform(SPARSE).toarray()
    assert scaled.tolist() == [[1 / 8, 1, 0, -2 / 6], [3 / 8, 1, 0, 0], [1, 1, 1, 4 / 6]]


def test_logarithms_keep_the_sign():
    assert FeatureScaler("log").fit_transform([[0.0, -(np.e - 1), np.e - 1]]).tolist() == [[0, -1, 1]]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("X", [np.zeros((3, 2)), sparse.csr_array((3, 2)), np.full((3, 2), 0.1)])
def test_columns_of_one_value_give_finite_numbers(method, X):
    scaled = FeatureScaler(method).fit_transform(X)
    assert np.isfinite(scaled.toarray() if sparse.issparse(scaled) else scaled).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_precision_is_kept(dtype):
    for X in (DENSE.astype(dtype), SPARSE.astype(dtype)):
        assert FeatureScaler("z-score").fit_transform(X).dtype == dtype


def test_duplicate_entries_are_one():
    doubled = sparse.csr_array((np.array([1.0, 2.0, 6.0]), np.array([0, 0, 0]), np.array([0, 2, 3])), shape=(2, 1))
    assert FeatureScaler("max-abs").fit_transform(doubled).toarray().tolist() == [[0.5], [1.0]]


def test_a_dense_shift_is_not_applied_to_a_sparse_matrix():
    with pytest.raises(ParameterError, match=r"learned from a dense matrix to move 0 elsewhere, which would fill"):
        FeatureScaler("z-score").fit(DENSE).transform(SPARSE)


def test_an_unknown_method_is_refused():
    with pytest.raises(ParameterError, match="The 'method' parameter of FeatureScaler must be a str among"):
        FeatureScaler("zscore").fit(DENSE)
