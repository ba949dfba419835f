"""Features in a general copy and one for each domain."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.pipeline import make_pipeline

import assay
from assay.adaptation import EasyAdapt
from assay.adaptation.augmented import augment
from assay.errors import DataError, ParameterError
from assay.features import TfidfVectorizer
from assay.learners import LinearSVC, LogisticRegression

# "cheap" praises a hotel and runs down a film; "great" praises both.
TEXTS = ["cheap clean", "cheap room", "dear room", "dull dear", "cheap plot", "great plot", "cheap", "great"]
LABELS = ["good", "good", "bad", "bad", "bad", "good", "bad", "good"]
DOMAINS = ["hotel"] * 4 + ["film"] * 4


@given(st.integers(1, 6), st.integers(1, 5), st.integers(1, 3), st.integers(0, 2**32 - 1))
@settings(max_examples=30, deadline=None)
def test_rows_hold_the_general_copy_and_their_own(n, width, n_domains, seed):
    random = np.random.default_rng(seed)
    X = random.integers(-1, 2, (n, width)).astype(float)
    domains = random.integers(0, n_domains, n)
    found = augment(sparse.csr_matrix(X), domains, n_domains).toarray()
    assert found.shape == (n, width + n_domains * (width + 1))
    np.testing.assert_array_equal(found[:, :width], X)
    copies = found[:, width:].reshape(n, n_domains, width + 1)
    for row, domain in enumerate(domains):
        np.testing.assert_array_equal(copies[row, domain], [*X[row], 1])
        assert not np.delete(copies[row], domain, axis=0).any()


@pytest.mark.parametrize("learner", ["svm", "logistic", "averaged-perceptron", LinearSVC(C=0.3, loss="hinge")])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_domains_learner_scores_as_the_one_over_all_copies(learner, n_classes):
    random = np.random.default_rng(0)
    X = sparse.random(60, 12, 0.4, "csr", rng=random)
    y, domains = random.integers(0, n_classes, 60), random.integers(0, 2, 60)
    model = EasyAdapt(learner).fit(X, y, domains)
    whole = model._augmented.decision_function(augment(X, domains, 2))
    for domain in (0, 1):
        own = model.adapted(domain).decision_function(X[domains == domain])
        # Sums of float64 in another order.
        np.testing.assert_allclose(own, whole[domains == domain], rtol=1e-9, atol=1e-9)


def test_dense_rows_give_what_sparse_ones_give():
    random = np.random.default_rng(1)
    X, y, domains = random.normal(size=(40, 5)), random.integers(0, 2, 40), random.integers(0, 2, 40)
    dense, thin = (EasyAdapt(target=1).fit(rows, y, domains) for rows in (X, sparse.csr_matrix(X)))
    np.testing.assert_allclose(dense.coef_, thin.coef_, rtol=1e-9)  # sums of float64 in another order


@pytest.mark.parametrize(("target", "expected"), [("hotel", "good"), ("film", "bad")])
def test_a_word_means_in_each_domain_what_it_means_there(target, expected, tmp_path):
    model = assay.TextClassifier(learner=EasyAdapt(LogisticRegression(C=10), domains=DOMAINS, target=target)).fit(
        TEXTS, LABELS
    )
    assert model.predict(["cheap", "great"]).tolist() == [expected, "good"]
    model.save(tmp_path / "model.assay")
    loaded = assay.load(tmp_path / "model.assay")
    np.testing.assert_array_equal(loaded.predict_proba(TEXTS), model.predict_proba(TEXTS))
    assert loaded.provenance["learner"]["parameters"]["domains"] == ["film", "hotel"]


def test_a_pipeline_of_scikit_learn_takes_it():
    model = make_pipeline(TfidfVectorizer(), EasyAdapt(domains=DOMAINS, target="film")).fit(TEXTS, LABELS)
    assert model.predict(["cheap", "great"]).tolist() == ["bad", "good"]


def test_without_a_target_only_what_domains_share_counts():
    model = EasyAdapt(LogisticRegression())
    X = TfidfVectorizer().fit_transform(TEXTS)
    model.fit(X, LABELS, DOMAINS)
    np.testing.assert_array_equal(model.coef_, model._augmented.coef_[:, : X.shape[1]])


@pytest.mark.parametrize(
    ("domains", "target", "error", "message"),
    [
        (None, None, DataError, "needs the domain of each row"),
        (["a"] * 3, None, DataError, r"8 rows, but domains has shape \(3,\)"),
        (["a"] * 8, None, DataError, "All 8 rows are of the domain 'a'"),
        (DOMAINS, "hotels", ParameterError, "no domain 'hotels'. Domains are 'hotel', 'film'"),
    ],
)
def test_domains_that_cannot_be_are_named(domains, target, error, message):
    X = TfidfVectorizer().fit_transform(TEXTS)
    with pytest.raises(error, match=message):
        EasyAdapt(domains=domains, target=target).fit(X, LABELS)


def test_a_learner_without_weights_is_refused():
    X = TfidfVectorizer().fit_transform(TEXTS)
    with pytest.raises(ParameterError, match="VotedPerceptron has none"):
        EasyAdapt("voted-perceptron").fit(X, LABELS, DOMAINS)
