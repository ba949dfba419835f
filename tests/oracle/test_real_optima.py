"""LinearSVC and LogisticRegression on real data: at the optimum, by certificate, and deciding as their peers do."""

from __future__ import annotations

import numpy as np
import pyarrow.csv as csv
import pytest
import sklearn.linear_model
import sklearn.svm
from scipy.special import expit, log_softmax, softmax

from assay.features import TfidfVectorizer
from assay.learners import LinearSVC, LogisticRegression

pytestmark = pytest.mark.slow
NAMES = ["20ng", "r8", "imdb", "sms_spam"]


@pytest.fixture(scope="module", params=NAMES)
def documents(request, shared_data):
    """Tf-idf of words, class indices, and those of rows that are for testing."""
    parts = []
    for part in ("train", "test") if request.param != "sms_spam" else ("all",):
        path = shared_data / request.param / f"{part}.csv.gz"
        if not path.exists():
            pytest.skip(f"{path} is not there")
        options = csv.ParseOptions(newlines_in_values=True), csv.ReadOptions(block_size=1 << 26)
        table = csv.read_csv(path, parse_options=options[0], read_options=options[1])
        parts.append((table["text"].to_pylist(), table["label"].to_pylist()))
    vectorizer = TfidfVectorizer(sublinear_tf=True, min_df=2)
    X = vectorizer.fit_transform(parts[0][0])
    classes, y = np.unique(parts[0][1], return_inverse=True)
    return X, y, vectorizer.transform(parts[-1][0]), len(classes)


def signs_of(y, n_classes):
    positive = [1] if n_classes == 2 else np.arange(n_classes)
    return np.where(y[:, None] == np.array(positive), 1.0, -1.0)


def assert_same_up_to_ties(ours, theirs, X, tie):
    """Where two models decide differently, the scores of the two labels are next to equal."""
    scores = ours.decision_function(X)
    if scores.ndim == 1:
        scores = np.column_stack([-scores, scores]) / 2
    mine, other = scores.argmax(axis=1), theirs.predict(X)
    lead = scores[np.arange(len(other)), mine] - scores[np.arange(len(other)), other]
    assert lead.max() <= tie
    assert (mine == other).mean() > 0.999


def test_support_vectors_reach_the_optimum_of_liblinear(documents):
    X, y, X_test, n_classes = documents
    ours = LinearSVC().fit(X, y)
    theirs = sklearn.svm.LinearSVC(random_state=0, max_iter=10_000).fit(X, y)
    signs = signs_of(y, n_classes)

    def objectives(model):
        slack = np.maximum(0, 1 - signs * (X @ model.coef_.T + model.intercept_))
        return 0.5 * (model.coef_**2).sum(axis=1) + 0.5 * model.intercept_**2 + (slack**2).sum(axis=0)

    np.testing.assert_allclose(objectives(ours), objectives(theirs), rtol=1e-4)
    np.testing.assert_allclose(ours.objective_, objectives(ours), rtol=1e-5)
    assert_same_up_to_ties(ours, theirs, X_test, tie=0.02)


def test_logistic_regression_is_proved_to_be_at_its_optimum(documents):
    """f − f* ≤ ½‖∇f‖² for a penalty of ½‖w‖², with the gradient taken here and not by the solver."""
    X, y, _, n_classes = documents
    model = LogisticRegression(C=10.0).fit(X, y)
    scores = X @ model.coef_.T + model.intercept_
    if n_classes == 2:
        signs = signs_of(y, 2)
        loss = np.logaddexp(0, -signs * scores).sum()
        errors = -signs * expit(-signs * scores)
    else:
        loss = -log_softmax(scores, axis=1)[np.arange(len(y)), y].sum()
        errors = softmax(scores, axis=1)
        errors[np.arange(len(y)), y] -= 1
    objective = 0.5 * (model.coef_.astype(float) ** 2).sum() + 10 * loss
    gradient = model.coef_ + 10 * (X.T @ errors).T
    assert 0.5 * (gradient**2).sum() <= 1e-4 * objective
    # The intercept is free: its slope must vanish, against what single rows add to it.
    assert np.abs(errors.sum(axis=0)).max() <= 1e-3 * np.abs(errors).sum(axis=0).max()
    assert model.objective_[0] == pytest.approx(objective, rel=1e-5)


def test_logistic_regression_decides_as_scikit_learns(documents):
    X, y, X_test, n_classes = documents
    if n_classes == 20:
        X, y = X[::12], y[::12]  # the peer takes minutes for all of it
    ours = LogisticRegression(tol=1e-5).fit(X, y)
    theirs = sklearn.linear_model.LogisticRegression(tol=1e-5, max_iter=1000).fit(X, y)
    assert_same_up_to_ties(ours, theirs, X_test, tie=0.02)
    np.testing.assert_allclose(ours.predict_proba(X_test), theirs.predict_proba(X_test), atol=5e-3)
