"""Distances, silhouettes and agreement against scikit-learn's, on random input; and what they refuse."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn import metrics

from assay.clustering import compare_groupings, distances, nearest_rows, silhouette
from assay.clustering.silhouettes import silhouette_samples
from assay.errors import DataError, ParameterError


@pytest.fixture(scope="module")
def documents():
    X = sparse.random_array((150, 40), density=0.15, rng=np.random.default_rng(0), format="csr")
    return X[np.diff(X.indptr) > 0]


@pytest.fixture(scope="module")
def clusters(documents):
    groups = np.random.default_rng(1).integers(5, size=documents.shape[0])
    groups[0] = 9  # a cluster of one
    return groups


@pytest.mark.parametrize("metric", ["cosine", "euclidean", "sqeuclidean"])
@pytest.mark.parametrize("dense", [False, True])
def test_distances_are_scikit_learns(documents, metric, dense):
    X = documents.toarray() if dense else documents
    found = distances(X, X[:7], metric)
    expected = metrics.pairwise_distances(documents.toarray(), documents.toarray()[:7], metric=metric)
    np.testing.assert_allclose(found, expected, atol=1e-7)  # roots of differences near 0


def test_a_row_of_zeros_has_no_direction():
    assert distances([[0.0, 0.0]], [[1.0, 2.0]]).tolist() == [[1.0]]


def test_nearest_rows_come_nearest_first(documents):
    rows, apart = nearest_rows(documents, documents[[3, 5]], n=4, metric="euclidean")
    assert rows[:, 0].tolist() == [3, 5]
    assert (np.diff(apart, axis=1) >= 0).all()
    assert nearest_rows(documents[:2], documents[[0]], n=9)[0].shape == (1, 2)


@pytest.mark.parametrize("metric", ["cosine", "euclidean", "sqeuclidean"])
def test_silhouettes_are_scikit_learns(documents, clusters, metric):
    expected = metrics.silhouette_samples(documents.toarray(), clusters, metric=metric)
    np.testing.assert_allclose(silhouette_samples(documents, clusters, metric), expected, atol=1e-7)
    assert silhouette(documents, clusters, metric) == pytest.approx(expected.mean(), abs=1e-7)


def test_a_large_euclidean_silhouette_is_that_of_a_sample(documents):
    groups = (documents.toarray()[:, 0] > 0).astype(int)
    first, again, other = (silhouette(documents, groups, "euclidean", sample=60, seed=seed) for seed in (1, 1, 2))
    assert first == again != other


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 5)), min_size=1, max_size=40))
def test_agreement_is_scikit_learns(pairs):
    labels, groups = zip(*pairs, strict=True)
    found = compare_groupings([f"label {label}" for label in labels], groups)
    assert found.nmi == pytest.approx(metrics.normalized_mutual_info_score(labels, groups), abs=1e-9)
    assert found.ari == pytest.approx(metrics.adjusted_rand_score(labels, groups), abs=1e-9)
    table = metrics.cluster.contingency_matrix(labels, groups)
    assert found.purity == pytest.approx(table.max(axis=0).sum() / len(pairs))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: distances([[1.0]], [[1.0]], "cosin"), ParameterError, "no distance 'cosin'. There are 'cosine'"),
        (lambda: distances([[1.0]], [[1.0, 2.0]]), DataError, "X has 1 columns, but Y has 2"),
        (lambda: nearest_rows([[1.0]], [[1.0]], n=0), ParameterError, "n is 0. Ask for at least 1"),
        (lambda: silhouette([[1.0], [2.0]], [0, 0]), DataError, "at least 2 clusters.* Got 1 clusters for 2"),
        (lambda: silhouette([[1.0], [2.0]], [0, 1, 1]), DataError, "each of the 2 documents"),
        (lambda: compare_groupings([1, 2], [1]), DataError, r"shapes are \(2,\) and \(1,\)"),
        (lambda: compare_groupings([], []), DataError, "at least one"),
    ],
)
def test_bad_input_is_refused_with_the_way_out(call, error, message):
    with pytest.raises(error, match=message):
        call()
