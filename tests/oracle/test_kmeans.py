"""The native k-means against the textbook's, from the same start, on random input."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse

from assay import _native
from assay.clustering import KMeans
from assay.textbook.kmeans import kmeans

# Multiples of 1/8 that are exact: ties are ties in both, and both take the first of equals.
points = hnp.arrays(
    np.float64, st.tuples(st.integers(2, 12), st.integers(1, 4)), elements=st.integers(-8, 8).map(lambda x: x / 8)
)


@settings(max_examples=150, deadline=None)
@given(points, st.data())
def test_assignments_are_the_textbooks_from_the_same_start(X, data):
    different = np.unique(X, axis=0)
    k = data.draw(st.integers(1, len(different)))
    start = different[data.draw(st.permutations(range(len(different))))[:k]]
    theirs = kmeans(X.tolist(), k, start=start.tolist())
    assume(all(theirs.groups))  # the textbook leaves an empty cluster where it is
    ours = KMeans(k, init=start, tol=0).fit(sparse.csr_array(X) if data.draw(st.booleans()) else X)
    assert ours.inertia_ == pytest.approx(theirs.inertia, abs=1e-9)
    near_tie = np.sort(ours.transform(X), axis=1)
    clear = np.ones(len(X), bool) if k == 1 else near_tie[:, 1] - near_tie[:, 0] > 1e-9
    assert ours.labels_[clear].tolist() == np.array(theirs.assignment)[clear].tolist()


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 40), st.sampled_from([np.float32, np.float64]))
def test_skipping_rows_by_bounds_changes_nothing(seed, k, dtype):
    rng = np.random.default_rng(seed)
    X = sparse.random_array((120, 30), density=0.2, rng=rng, format="csr").astype(dtype)
    start = X[rng.choice(120, k, replace=False)].toarray()
    dense, labels = X.toarray().astype(np.float64), None
    centres = start.astype(np.float64)
    for _ in range(100):
        before, labels = labels, ((dense[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
        if before is not None and (before == labels).all():
            break
        assume(len(np.unique(labels)) == k)
        centres = np.array([dense[labels == j].mean(axis=0) for j in range(k)])
    found = _native.run_kmeans(
        X.indptr, X.indices, X.data, start, spherical=False, tolerance=0.0, max_iterations=300, n_threads=2
    )
    inertia = ((dense - centres[labels]) ** 2).sum()
    assert found["inertia"] == pytest.approx(inertia, rel=1e-6)
    assert found["evaluated"] <= found["iterations"] * 120
    assert found["converged"]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 20))
def test_a_spread_start_names_different_rows(seed, k):
    X = sparse.random_array((40, 12), density=0.4, rng=np.random.default_rng(seed), format="csr")
    rows = _native.draw_spread_rows(12, X.indptr, X.indices, X.data, n_clusters=k, seed=seed, n_threads=2)
    assert len({X[[row]].toarray().tobytes() for row in rows}) == k


@pytest.mark.parametrize("n_rows", [0, 3])
def test_the_kernel_refuses_what_does_not_fit(n_rows):
    X = sparse.csr_array((n_rows, 2))
    centres = np.zeros((0 if n_rows else 1, 2))
    with pytest.raises(ValueError, match="must be at least 1, not 0"):
        _native.run_kmeans(
            X.indptr, X.indices, X.data, centres, spherical=False, tolerance=0.0, max_iterations=1, n_threads=1
        )
    with pytest.raises(ValueError, match="outside a matrix of 2 columns"):
        _native.draw_spread_rows(
            2, np.array([0, 1], np.int32), np.array([5], np.int32), np.ones(1), n_clusters=1, seed=0, n_threads=1
        )
