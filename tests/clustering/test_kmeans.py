"""k-means in scikit-learn's manners: its own checks, its results from the same start, bits, and bad input."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn import cluster
from sklearn.datasets import make_blobs
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import parametrize_with_checks

from assay.clustering import KMeans, MiniBatchKMeans
from assay.errors import DataError, NotFittedError, ParameterError


@parametrize_with_checks(
    [
        KMeans(),
        KMeans(metric="cosine"),
        KMeans(init="random"),
        MiniBatchKMeans(),
        MiniBatchKMeans(metric="cosine"),
    ]
)
@pytest.mark.filterwarnings("ignore")  # the checks provoke warnings and look at some of them themselves
def test_scikit_learns_own_checks_pass(estimator, check):
    check(estimator)


@pytest.mark.parametrize("kind", [KMeans, MiniBatchKMeans])
def test_rows_of_zeros_are_in_no_cluster_and_change_nothing(kind):
    X = np.array([[1.0, 0.1], [0.9, 0.0], [0.0, 1.0], [0.1, 1.1]])
    without = kind(2, metric="cosine").fit(X)
    with pytest.warns(UserWarning, match=r"X\[1\]: no value but 0 found, and in 1 more of 6 rows; .*\(label -1\)"):
        model = kind(2, metric="cosine").fit(np.insert(X, [1, 4], 0, axis=0))
    assert model.labels_[[1, 5]].tolist() == [-1, -1]
    np.testing.assert_array_equal(model.labels_[[0, 2, 3, 4]], without.labels_)
    np.testing.assert_array_equal(model.cluster_centers_, without.cluster_centers_)
    assert model.inertia_ == without.inertia_
    assert model.predict([[0.0, 0.0], [2.0, 0.0]]).tolist() == [-1, model.labels_[0]]
    np.testing.assert_allclose(model.transform([[0.0, 0.0]]), 1)
    assert model.score([[0.0, 0.0]]) == 0


@pytest.fixture(scope="module")
def documents():
    rng = np.random.default_rng(0)
    X = sparse.random_array((400, 120), density=0.08, rng=rng, format="csr")
    X.data = rng.exponential(size=len(X.data))
    return X[np.diff(X.indptr) > 0]


@pytest.mark.parametrize("n_clusters", [1, 2, 7, 8, 9, 20, 33, 50])
@pytest.mark.parametrize("dense", [False, True])
def test_from_the_same_start_it_finds_what_scikit_learn_finds(documents, n_clusters, dense):
    X = documents.toarray() if dense else documents
    start = documents[np.random.default_rng(1).choice(documents.shape[0], n_clusters, replace=False)].toarray()
    theirs = cluster.KMeans(n_clusters, init=start, n_init=1).fit(X)
    ours = KMeans(n_clusters, init=start).fit(X)
    # Sums in another order: the same assignments, and the same numbers up to rounding.
    np.testing.assert_array_equal(ours.labels_, theirs.labels_)
    np.testing.assert_allclose(ours.cluster_centers_, theirs.cluster_centers_, atol=1e-12)
    assert ours.inertia_ == pytest.approx(theirs.inertia_, rel=1e-12)
    assert ours.n_iter_ == theirs.n_iter_
    np.testing.assert_array_equal(ours.predict(X), ours.labels_)
    np.testing.assert_allclose(ours.transform(X), theirs.transform(X), atol=1e-6)  # a root of a difference
    assert ours.score(X) == pytest.approx(-ours.inertia_)


def test_its_own_start_is_as_good_as_scikit_learns():
    X, _ = make_blobs(500, centers=12, random_state=0)
    theirs = np.mean([cluster.KMeans(12, n_init=1, random_state=seed).fit(X).inertia_ for seed in range(25)])
    ours = np.mean([KMeans(12, random_state=seed).fit(X).inertia_ for seed in range(25)])
    assert ours == pytest.approx(theirs, rel=0.04)  # the standard error of each mean is about 1 %


def test_cosine_counts_directions_only(documents):
    scaled = sparse.csr_array(documents.multiply(np.linspace(0.1, 10, documents.shape[0])[:, None]))
    plain, longer = (KMeans(6, metric="cosine").fit(X) for X in (documents, scaled))
    np.testing.assert_array_equal(plain.labels_, longer.labels_)
    np.testing.assert_allclose(np.linalg.norm(plain.cluster_centers_, axis=1), 1)
    apart = plain.transform(documents)
    np.testing.assert_array_equal(apart.argmin(axis=1), plain.labels_)
    assert apart.min(axis=1).sum() == pytest.approx(plain.inertia_)
    unit = documents.toarray() / np.linalg.norm(documents.toarray(), axis=1)[:, None]
    np.testing.assert_allclose(apart, 1 - unit @ plain.cluster_centers_.T, atol=1e-12)


@pytest.mark.parametrize(
    "model",
    [KMeans(9), KMeans(9, metric="cosine"), KMeans(9, init="random", n_init=3), MiniBatchKMeans(9, batch_size=50)],
    ids=repr,
)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_any_number_of_threads_finds_the_same_bits(model, documents, dtype):
    found = [model.set_params(n_jobs=n_jobs).fit(documents.astype(dtype)) for n_jobs in (1, 2, 3)]
    fitted = [(f.cluster_centers_.tobytes(), f.labels_.tobytes(), f.inertia_) for f in found]
    assert fitted[0] == fitted[1] == fitted[2]
    assert found[0].cluster_centers_.dtype == dtype


def test_more_starts_are_never_worse(documents):
    one, many = (KMeans(8, init="random", n_init=n).fit(documents).inertia_ for n in (1, 8))
    assert many <= one


def test_seeds_decide_the_start(documents):
    first, again, other = (KMeans(8, random_state=seed).fit(documents) for seed in (1, 1, 2))
    assert first.labels_.tobytes() == again.labels_.tobytes() != other.labels_.tobytes()


def test_an_empty_cluster_gets_the_farthest_document():
    X = np.array([[0.0], [0.1], [0.2], [9.0]])
    model = KMeans(3, init=[[0.1], [50.0], [60.0]]).fit(X)  # both far centres get nothing at first
    assert sorted(np.bincount(model.labels_)) == [1, 1, 2]
    assert model.labels_[3] not in model.labels_[:3]


def test_stopping_early_is_said_and_labels_fit_the_centres(documents):
    with pytest.warns(ConvergenceWarning, match="max_iter=2"):
        model = KMeans(8, max_iter=2).fit(documents)
    np.testing.assert_array_equal(model.predict(documents), model.labels_)
    assert model.n_iter_ == 2


def test_mini_batches_come_near_to_the_whole():
    X, _ = make_blobs(3000, centers=6, random_state=3)
    whole = KMeans(6, n_init=5).fit(X)
    batches = MiniBatchKMeans(6, batch_size=200, random_state=1).fit(sparse.csr_array(X))
    assert batches.inertia_ < 1.1 * whole.inertia_
    assert batches.n_steps_ < 100 * 3000 / 200


def test_parts_of_the_documents_can_be_learned_one_after_the_other():
    X, _ = make_blobs(1200, centers=4, random_state=3)
    model = MiniBatchKMeans(4, metric="euclidean")
    for part in np.array_split(X, 6):
        model.partial_fit(part)
    assert model.n_steps_ == 6
    assert model.counts_.sum() == pytest.approx(1200)
    assert -model.score(X) < 1.2 * KMeans(4, n_init=3).fit(X).inertia_


def test_a_small_cluster_starts_anew():
    X = np.concatenate([np.random.default_rng(0).normal(size=(500, 2)), [[90.0, 90.0]]])
    start = [[0.0, 0.0], [500.0, 500.0]]  # the second is nobody's nearest but the one outlier's
    model = MiniBatchKMeans(2, init=start, batch_size=50, max_no_improvement=30, reassignment_ratio=0.05).fit(X)
    assert np.abs(model.cluster_centers_).max() < 100


@pytest.mark.parametrize("model", [KMeans, MiniBatchKMeans])
@pytest.mark.parametrize(
    ("settings", "X", "error", "message"),
    [
        (
            {"n_clusters": 5},
            [[1.0], [2.0]],
            DataError,
            "There are 2 documents, fewer than the 5 clusters that were asked for. Ask for at most 2.",
        ),
        ({"n_clusters": 3}, [[1.0], [2.0]] * 9, DataError, "Only 2 of the 18 documents are different"),
        ({"n_clusters": 2}, [[0.0]] * 9, DataError, "Only 1 of the 9 documents are different"),
        ({"n_clusters": 0}, [[1.0]], ParameterError, "'n_clusters' parameter of .* at least 1. Got 0"),
        ({"n_clusters": 1.5}, [[1.0]], ParameterError, "must be a whole number"),
        ({"n_clusters": 1}, [[1.0], [np.nan]], DataError, r"X\[1, 0\]: nan found"),
        ({"n_clusters": 1, "metric": "cosine"}, [[0.0], [0.0]], DataError, "no value but 0 found in any of 2"),
        ({"n_clusters": 1, "metric": "cosin"}, [[1.0]], ParameterError, "one of 'cosine', 'euclidean'. Got 'cosin'"),
        ({"n_clusters": 1, "init": "k-means"}, [[1.0]], ParameterError, r"one of 'k-means\+\+', 'random'"),
        ({"n_clusters": 1, "init": [[1.0, 2.0]]}, [[1.0]], ParameterError, r"has shape \(1, 2\).* of shape \(1, 1\)"),
        ({"n_clusters": 1, "init": [[np.inf]]}, [[1.0]], ParameterError, "holds NaN or infinity"),
        ({"n_clusters": 1, "init": [[0.0]], "metric": "cosine"}, [[1.0]], ParameterError, "centre 0: nothing but 0"),
        ({"n_clusters": 1, "max_iter": 0}, [[1.0]], ParameterError, "'max_iter' parameter"),
    ],
)
def test_bad_input_is_refused_with_the_way_out(model, settings, X, error, message):
    with pytest.raises(error, match=message):
        model(**settings).fit(X)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n_init": 0}, "'n_init' parameter of KMeans must be a whole number at least 1"),
        ({"n_init": "many"}, "'n_init' parameter of KMeans must be one of 'auto'"),
        ({"tol": -1}, "'tol' parameter"),
    ],
)
def test_bad_settings_of_kmeans(settings, message):
    with pytest.raises(ParameterError, match=message):
        KMeans(1, **settings).fit([[1.0]])


@pytest.mark.parametrize("name", ["batch_size", "max_no_improvement", "reassignment_ratio", "init_size"])
def test_bad_settings_of_mini_batches(name):
    with pytest.raises(ParameterError, match=f"'{name}' parameter of MiniBatchKMeans"):
        MiniBatchKMeans(1, **{name: -1}).fit([[1.0]])


def test_unfitted_and_foreign_rows_are_refused(documents):
    with pytest.raises(NotFittedError, match="not fitted yet"):
        KMeans().predict(documents)
    with pytest.raises(DataError, match="Prepare X with the vectorizer"):
        KMeans(2).fit(documents).predict(documents[:, :5])
