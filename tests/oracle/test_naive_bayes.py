"""Naive Bayes against scikit-learn: every fitted number and every prediction, to 1e-12."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.naive_bayes
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import assay
import assay.features
import assay.learners

NAMES = ["MultinomialNB", "ComplementNB", "BernoulliNB"]
FITTED = ["class_count_", "feature_count_", "class_log_prior_", "feature_log_prob_"]
PREDICTED = ["predict_joint_log_proba", "predict_log_proba", "predict_proba"]
# Both sides round sums of logarithms in their own order; nothing else may differ.
CLOSE = {"rtol": 1e-12, "atol": 1e-12}


def pair(name, **settings):
    return getattr(assay.learners, name)(**settings), getattr(sklearn.naive_bayes, name)(**settings)


def check_agreement(ours, theirs, X):
    np.testing.assert_array_equal(ours.classes_, theirs.classes_)
    for attribute in FITTED:
        np.testing.assert_allclose(getattr(ours, attribute), getattr(theirs, attribute), err_msg=attribute, **CLOSE)
    # Posteriors are differences of joint probabilities, and are as exact as these are.
    joint = np.abs(theirs.predict_joint_log_proba(X))
    close = {"rtol": 1e-12, "atol": 1e-12 * max(1.0, joint[np.isfinite(joint)].max())}
    for method in PREDICTED:
        np.testing.assert_allclose(getattr(ours, method)(X), getattr(theirs, method)(X), err_msg=method, **close)
    best, second = -np.sort(-theirs.predict_joint_log_proba(X), axis=1)[:, :2].T
    clear = ~(best - second <= close["atol"])  # of two classes that are even but for rounding, either may be said
    np.testing.assert_array_equal(ours.predict(X)[clear], theirs.predict(X)[clear])


def random_counts(seed, n_rows=60, n_features=40, n_classes=3, density=0.2):
    rng = np.random.default_rng(seed)
    X = sparse.random_array((n_rows, n_features), density=density, rng=rng, format="csr")
    X.data = np.ceil(X.data * 5)
    y = np.concatenate([np.arange(n_classes), rng.integers(n_classes, size=n_rows - n_classes)])
    return X, np.array(["ham", "spam", "news", "talk", "misc"])[y], rng


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n_classes=st.integers(2, 5),
    alpha=st.sampled_from([1.0, 0.01, 1e-9, 3.5]),
    fit_prior=st.booleans(),
    weighted=st.booleans(),
    dtype=st.sampled_from([np.float32, np.float64]),
    dense=st.booleans(),
)
def test_fit_agrees_with_scikit_learn(name, seed, n_classes, alpha, fit_prior, weighted, dtype, dense):
    X, y, rng = random_counts(seed, n_classes=n_classes)
    X = X.astype(dtype)
    weights = rng.random(len(y)) + 0.1 if weighted else None
    X = X.toarray() if dense else X
    ours, theirs = pair(name, alpha=alpha, fit_prior=fit_prior)
    check_agreement(ours.fit(X, y, weights), theirs.fit(X, y, weights), X)


@pytest.mark.parametrize("name", NAMES)
def test_partial_fit_agrees_with_scikit_learn(name):
    X, y, rng = random_counts(5)
    classes = np.append(np.unique(y), "unseen")
    ours, theirs = pair(name)
    for start in range(0, 60, 20):
        batch = slice(start, start + 20)
        weights = rng.random(20)
        ours.partial_fit(X[batch], y[batch], classes=classes, sample_weight=weights)
        theirs.partial_fit(X[batch], y[batch], classes=classes, sample_weight=weights)
    check_agreement(ours, theirs, X)


@pytest.mark.parametrize("name", ["MultinomialNB", "ComplementNB"])  # scikit-learn's BernoulliNB fails on it
def test_smoothing_and_priors_of_each_feature_and_class_agree_with_scikit_learn(name):
    X, y, rng = random_counts(7)
    settings = {"alpha": rng.random(X.shape[1]) + 0.01, "class_prior": [0.2, 0.5, 0.3]}
    ours, theirs = pair(name, **settings)
    check_agreement(ours.fit(X, y), theirs.fit(X, y), X)


def test_normalised_complement_weights_agree_with_scikit_learn():
    X, y, _ = random_counts(11)
    ours, theirs = pair("ComplementNB", norm=True)
    check_agreement(ours.fit(X, y), theirs.fit(X, y), X)
    np.testing.assert_allclose(ours.feature_all_, theirs.feature_all_, **CLOSE)


@pytest.mark.parametrize("threshold", [0.0, 2.0, None])
def test_presence_above_a_threshold_agrees_with_scikit_learn(threshold):
    X, y, _ = random_counts(13)
    if threshold is None:
        X.data[:] = 1
    ours, theirs = pair("BernoulliNB", binarize=threshold)
    check_agreement(ours.fit(X, y), theirs.fit(X, y), X)


@pytest.mark.parametrize("name", NAMES)
def test_many_features_agree_with_scikit_learn(name):
    # More features than one block of the sums over features, and rows whose columns are not in order.
    X, y, rng = random_counts(17, n_rows=600, n_features=9000, n_classes=4, density=0.01)
    order = rng.permutation(9000)
    X = sparse.csr_array((X.data, order[X.indices].astype(np.int32), X.indptr), shape=X.shape)
    assert not X.has_sorted_indices
    ours, theirs = pair(name, alpha=0.1)
    check_agreement(ours.fit(X, y), theirs.fit(X, y), X)


@pytest.mark.parametrize("name", NAMES)
def test_real_texts_agree_with_scikit_learn(name, shared_data):
    corpus = assay.read(shared_data / "r8" / "test.csv.gz")
    X = assay.features.TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True).fit_transform(corpus.texts)
    ours, theirs = pair(name, alpha=0.01)
    check_agreement(ours.fit(X, corpus.labels), theirs.fit(X, corpus.labels), X)
