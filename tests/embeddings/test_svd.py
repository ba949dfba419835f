"""Truncated decompositions against numpy's and the textbook's."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse

from assay.embeddings import SVDVectors
from assay.embeddings.svd import truncated_svd
from assay.errors import DataError, NotFittedError, ParameterError
from assay.textbook.svd import svd, topics


def matrix(n_rows: int, n_columns: int, seed: int = 0) -> np.ndarray:
    """Sizes that fall slowly, as those of counts do, and zeros."""
    random = np.random.default_rng(seed)
    values = random.normal(size=(n_rows, n_columns)) * (random.random((n_rows, n_columns)) < 0.3)
    return values + np.outer(random.random(n_rows), random.random(n_columns))


@pytest.mark.parametrize("method", ["arpack", "randomized"])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array, sparse.csr_matrix, sparse.coo_array])
@pytest.mark.parametrize(("n_rows", "n_columns", "k"), [(90, 60, 5), (60, 90, 7), (12, 9, 9), (5, 80, 2)])
def test_the_parts_are_numpys(method, form, n_rows, n_columns, k):
    given = matrix(n_rows, n_columns)
    left, sizes, right = truncated_svd(form(given), k, method=method)
    u, s, vt = np.linalg.svd(given, full_matrices=False)
    signs = np.sign(u[np.abs(u).argmax(axis=0), np.arange(len(s))])
    # The randomized method is near: its error falls with each of its seven passes.
    close = 1e-9 if method == "arpack" else 0.02
    assert sizes == pytest.approx(s[:k], rel=close)
    if method == "arpack":
        assert left == pytest.approx((u * signs)[:, :k], abs=1e-7)
        assert right == pytest.approx((vt * signs[:, None])[:k], abs=1e-7)


def test_the_same_seed_gives_the_same_bits():
    given = sparse.csr_array(matrix(80, 80))
    for method in ("arpack", "randomized"):
        one, two = (SVDVectors(4, method=method, seed=3).fit((list(map(str, range(80))), given)) for _ in range(2))
        assert one.vectors().matrix.tobytes() == two.vectors().matrix.tobytes()


@pytest.mark.parametrize("exponent", [0, 0.5, 1])
def test_vectors_are_rows_of_u_times_a_power_of_sigma(exponent):
    given = matrix(8, 8)
    words = list("abcdefgh")
    fitted = SVDVectors(3, exponent=exponent).fit((words, given, np.arange(8)))
    u, s, _ = svd(given.tolist())
    vectors = fitted.vectors()
    assert vectors.matrix == pytest.approx(u[:, :3] * s[:3] ** exponent, abs=1e-6)
    assert vectors.counts.tolist() == list(range(8))


def test_topics_of_a_symmetric_matrix_are_the_textbooks():
    given = matrix(10, 10)
    given = given + given.T
    words = list("abcdefghij")
    found = SVDVectors(4).fit((words, given)).topics(top=3)
    assert [[word for word, _ in topic] for topic in found] == topics(svd(given.tolist()), words, n=3)[:4]
    assert all(topic[0][1] > 0 for topic in found)


def test_a_cooccurrence_is_decomposed_by_its_ppmi():
    given = sparse.csr_array(np.abs(matrix(6, 6)))
    counted = SimpleNamespace(words_=list("abcdef"), counts_=np.arange(6), ppmi=lambda: given)
    fitted = SVDVectors(2).fit(counted)
    assert fitted.vectors().matrix == pytest.approx(SVDVectors(2).fit((list("abcdef"), given)).vectors().matrix)
    assert fitted.words_ == tuple("abcdef")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"k": 0}, r"'k' parameter of SVDVectors must be a whole number of at least 1\. Got 0"),
        ({"k": 2.5}, r"Got 2\.5 instead"),
        ({"exponent": -1}, r"'exponent' parameter of SVDVectors must be a number from 0 to 10\. Got -1"),
        (
            {"method": "lanczos"},
            r"'method' parameter of SVDVectors must be one of 'randomized', 'arpack'\. Got 'lanczos'",
        ),
    ],
)
def test_a_wrong_setting_is_refused(settings, message):
    with pytest.raises(ParameterError, match=message):
        SVDVectors(**settings).fit((["a", "b"], np.eye(2)))


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ((["a", "b"], np.eye(3)), r"There are 2 words, but the matrix has 3 rows"),
        ((["a", "b", "c"], np.zeros((3, 3))), r"The matrix is all zeros"),
        ((["a", "b", "c"], np.full((3, 3), np.nan)), r"The matrix holds NaN or infinity"),
        ((["a", "b", "c"], [1, 2, 3]), r"must have rows and columns\. Got an array of shape \(3,\)"),
        ((["a"], np.eye(1)), r"k is 2, but a matrix of 1 × 1 has at most 1\. Lower it"),
        ("abc", r"fit takes a fitted Cooccurrence, or a tuple of words and a matrix\. Got str"),
    ],
)
def test_what_cannot_be_decomposed_is_refused(source, message):
    with pytest.raises((DataError, ParameterError), match=message):
        SVDVectors(2).fit(source)


def test_nothing_can_be_asked_before_fit():
    with pytest.raises(NotFittedError, match="call 'fit' first"):
        SVDVectors(2).vectors()
    with pytest.raises(NotFittedError, match="call 'fit' first"):
        SVDVectors(2).topics()
