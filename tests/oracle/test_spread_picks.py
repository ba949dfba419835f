"""Rows worth most, no two of them alike, against the same in plain Python."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from assay import _native


def unit_rows(seed, n, width, density, dtype=np.float64):
    """Values from a few, so that rows are the same now and then."""
    rng = np.random.default_rng(seed)
    X = (rng.integers(0, 3, (n, width)) * (rng.random((n, width)) < density)).astype(np.float64)
    lengths = np.sqrt((X**2).sum(axis=1))
    X[lengths > 0] /= lengths[lengths > 0, None]
    return sparse.csr_array(X.astype(dtype))


def picked(X, worth, before, **how):
    how = {"n": 1, "most_alike": 1.5} | how
    before = np.asarray(before, np.int64)
    return _native.pick_spread_rows(X.shape[1], X.indptr, X.indices, X.data, worth, before, **how)


def by_definition(X, worth, before, n, most_alike):
    """Rows by falling worth, each unless it is like one that was taken; and the products on which that hung."""
    alike = X.toarray().astype(np.float64) @ X.toarray().astype(np.float64).T
    taken, rows, close = list(before), [], []
    for row in sorted(range(len(worth)), key=lambda row: (-worth[row], row)):
        near = max([0.0, *alike[row, taken]])
        if worth[row] <= 0 or len(rows) == n:
            break
        close.append(abs(near - most_alike))
        if near <= most_alike:
            rows.append(row)
            taken.append(row)
    return rows, close


@settings(max_examples=80, deadline=None)
@given(st.data(), st.integers(0, 10**6), st.sampled_from([np.float32, np.float64]))
def test_rows_are_taken_by_worth_unless_they_are_like_one_that_was(data, seed, dtype):
    n, width = data.draw(st.integers(1, 40)), data.draw(st.integers(1, 8))
    X = unit_rows(seed, n, width, 0.5, dtype)
    rng = np.random.default_rng(seed + 1)
    worth = rng.integers(0, 4, n) / 4
    before = rng.choice(n, data.draw(st.integers(0, min(3, n))), replace=False)
    limit, wanted = data.draw(st.sampled_from([0.2, 0.55, 1.5])), data.draw(st.integers(1, n))
    rows, nearest = picked(X, worth, before, n=wanted, most_alike=limit)
    expected, close = by_definition(X, worth, before, wanted, limit)
    if min(close, default=1.0) > 1e-5:  # products are summed in another order, of rows rounded to single precision
        assert rows.tolist() == expected
    assert ((nearest >= 0) & (nearest <= limit)).all()


def test_equals_are_taken_in_order_and_each_row_once():
    X = sparse.csr_array(np.eye(5))
    rows, nearest = picked(X, np.ones(5), [], n=9)
    assert rows.tolist() == [0, 1, 2, 3, 4]
    assert nearest.tolist() == [0.0] * 5


def test_rows_too_like_one_taken_before_are_never_taken():
    X = sparse.csr_array(np.array([[1.0, 0], [1.0, 0], [0.8, 0.6], [0, 1.0], [0, 0]]))
    assert picked(X, np.ones(5), [], n=5, most_alike=0.9)[0].tolist() == [0, 2, 3, 4]
    assert picked(X, np.ones(5), [0], n=5, most_alike=0.7)[0].tolist() == [3, 4]
    assert picked(X, np.zeros(5), [], n=5)[0].tolist() == []


@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_offsets_of_both_types_are_taken(index):
    X = unit_rows(0, 10, 4, 0.6)
    arguments = X.indptr.astype(index), X.indices.astype(index), X.data, np.ones(10), np.empty(0, np.int64)
    rows, _ = _native.pick_spread_rows(4, *arguments, n=4, most_alike=1.0)
    assert rows.tolist() == picked(X, np.ones(10), [], n=4)[0].tolist()


def test_what_does_not_fit_is_refused():
    X = sparse.csr_array(np.eye(3))
    with pytest.raises(ValueError, match="worth has 2 values where 3 are needed"):
        picked(X, np.ones(2), [])
    with pytest.raises(ValueError, match="worth must be finite numbers"):
        picked(X, np.array([1.0, np.nan, 1.0]), [])
    with pytest.raises(ValueError, match=r"before holds 3, outside \[0, 3\)"):
        picked(X, np.ones(3), [3])
    with pytest.raises(ValueError, match="outside a matrix of 2 columns"):
        _native.pick_spread_rows(2, X.indptr, X.indices, X.data, np.ones(3), np.empty(0, np.int64), n=1, most_alike=1.0)
