"""Our logistic regression against statsmodels' Logit and MNLogit."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay.inference import regress
from assay.inference.newton import fit_logistic

AGREEMENT = 1e-6


def drawn(seed, n, n_columns, n_classes):
    """Random columns of very different scales, and classes that depend on them."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, n_columns)) * 10.0 ** rng.integers(-2, 3, n_columns) + rng.normal(size=n_columns) * 5
    standardised = (X - X.mean(axis=0)) / X.std(axis=0)
    scores = np.column_stack([np.zeros(n), standardised @ rng.normal(size=(n_columns, n_classes - 1)) * 0.7])
    classes = (scores + rng.gumbel(size=scores.shape)).argmax(axis=1)
    return X, classes


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.integers(150, 400), st.integers(1, 4))
def test_two_classes_agree_with_logit(seed, n, n_columns):
    X, classes = drawn(seed, n, n_columns, 2)
    design = sm.add_constant(X)
    theirs = sm.Logit(classes, design).fit(disp=0, method="newton", maxiter=100, tol=1e-12, warn_convergence=False)
    ours = fit_logistic(design, classes, 2)
    np.testing.assert_allclose(ours.coefficients[:, 0], theirs.params, rtol=AGREEMENT, atol=AGREEMENT)
    np.testing.assert_allclose(ours.standard_errors[:, 0], theirs.bse, rtol=AGREEMENT, atol=AGREEMENT)
    assert ours.log_likelihood == pytest.approx(theirs.llf, abs=AGREEMENT)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10_000), st.integers(300, 500), st.integers(1, 3), st.integers(3, 4))
def test_more_classes_agree_with_mnlogit(seed, n, n_columns, n_classes):
    X, classes = drawn(seed, n, n_columns, n_classes)
    X = (X - X.mean(axis=0)) / X.std(axis=0)  # statsmodels solves the columns as they are
    design = sm.add_constant(X)
    theirs = sm.MNLogit(classes, design).fit(disp=0, method="newton", maxiter=100, tol=1e-12, warn_convergence=False)
    ours = fit_logistic(design, classes, n_classes)
    np.testing.assert_allclose(ours.coefficients, theirs.params, rtol=AGREEMENT, atol=AGREEMENT)
    np.testing.assert_allclose(ours.standard_errors, theirs.bse, rtol=AGREEMENT, atol=AGREEMENT)
    assert ours.log_likelihood == pytest.approx(theirs.llf, abs=AGREEMENT)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_every_number_of_the_result_agrees(n_classes):
    rng = np.random.default_rng(n_classes)
    X, classes = drawn(5, 400, 2, n_classes)
    genre = rng.choice(["drama", "horror", "comedy"], 400, p=[0.5, 0.3, 0.2])
    corpus = assay.Corpus(
        ["a text"] * 400,
        [f"class {c}" for c in classes],
        {"year": [str(1990 + i % 20) for i in range(400)], "genre": genre.tolist()},
    )
    ours = regress(corpus, {"a": X[:, 0], "b": X[:, 1]}, ["year", "genre"])
    year = 1990.0 + np.arange(400) % 20
    design = np.column_stack([np.ones(400), X, year, genre == "comedy", genre == "horror"])
    kind = sm.Logit if n_classes == 2 else sm.MNLogit
    theirs = kind(classes, design).fit(disp=0, method="newton", maxiter=200, tol=1e-12, warn_convergence=False)
    for name, found in [
        ("estimate", theirs.params),
        ("standard_error", theirs.bse),
        ("z", theirs.tvalues),
        ("p_value", theirs.pvalues),
    ]:
        own = [getattr(c, name) for c in ours.coefficients]
        np.testing.assert_allclose(own, np.ravel(found, order="F"), rtol=AGREEMENT, atol=AGREEMENT)
    ends = theirs.conf_int().reshape(-1, 2)
    np.testing.assert_allclose([(c.low, c.high) for c in ours.coefficients], ends, rtol=AGREEMENT, atol=AGREEMENT)
    assert ours.pseudo_r2 == pytest.approx(theirs.prsquared, abs=AGREEMENT)
    assert ours.null_log_likelihood == pytest.approx(theirs.llnull, abs=AGREEMENT)
    for column, name in ((1, "a"), (2, "b")):
        reduced = kind(classes, np.delete(design, column, axis=1)).fit(
            disp=0, method="newton", maxiter=200, tol=1e-12, warn_convergence=False
        )
        statistic = 2 * (theirs.llf - reduced.llf)
        assert ours[name].statistic == pytest.approx(statistic, abs=AGREEMENT)
        from scipy.stats import chi2

        assert ours[name].p_value == pytest.approx(chi2.sf(statistic, n_classes - 1), abs=AGREEMENT)


def test_words_controls_and_lengths_on_real_reviews(shared_data):
    corpus = assay.read(shared_data / "mr" / "all.csv.gz") if (shared_data / "mr" / "all.csv.gz").exists() else None
    if corpus is None:
        pytest.skip("the reviews are not there")
    outcome = sorted(corpus.label_names)[0]
    ours = regress(corpus, ["never", "count:!"], ["length"], outcome=outcome)
    texts = corpus.texts.to_pylist()
    import re

    design = np.column_stack(
        [
            np.ones(len(texts)),
            [bool(re.search(r"\bnever\b", text, re.IGNORECASE)) for text in texts],
            [text.count("!") for text in texts],
            [np.log1p(len(text.split())) for text in texts],
        ]
    ).astype(float)
    truth = np.array(corpus.labels.to_pylist()) == outcome
    theirs = sm.Logit(truth, design).fit(disp=0, tol=1e-12, warn_convergence=False)
    np.testing.assert_allclose([c.estimate for c in ours.coefficients], theirs.params, atol=AGREEMENT)
    np.testing.assert_allclose([c.p_value for c in ours.coefficients], theirs.pvalues, atol=AGREEMENT)
