from __future__ import annotations

import numpy as np
import pytest

from assay.data.corpus.corpus import Corpus
from assay.errors import ParameterError
from assay.features import TfidfVectorizer
from assay.features.ngrams.analysis import Analysis
from assay.features.ngrams.ngram_settings import NgramSettings
from assay.learners import (
    NBSVM,
    AveragedPerceptron,
    ComplementNB,
    LinearSVC,
    LogisticRegression,
    MultinomialNB,
)
from assay.training import LearnerSettings
from assay.training.refit import text_matrix

ESTIMATORS = {
    "svm": (
        LearnerSettings("svm", C=0.5, class_weight="balanced"),
        LinearSVC(C=0.5, tol=1e-3, class_weight="balanced"),
    ),
    "logistic": (LearnerSettings("logistic", C=3.0), LogisticRegression(C=3.0, tol=1e-3, max_iter=1000)),
    "nbsvm": (LearnerSettings("nbsvm", C=0.3, beta=0.5), NBSVM(C=0.3, beta=0.5, tol=1e-3)),
    "nb": (LearnerSettings("nb", alpha=0.2), MultinomialNB(alpha=0.2)),
    "complement-nb": (LearnerSettings("complement-nb", alpha=0.2), ComplementNB(alpha=0.2)),
    "averaged-perceptron": (LearnerSettings("averaged-perceptron"), AveragedPerceptron(random_state=None)),
    "crammer": (
        LearnerSettings("svm", multi_class="crammer_singer"),
        LinearSVC(multi_class="crammer_singer", tol=1e-3),
    ),
}


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.parametrize("n_classes", [2, 4])
def test_decides_as_the_estimator_of_the_same_name(name: str, n_classes: int, sample: Corpus) -> None:
    settings, estimator = ESTIMATORS[name]
    part = sample.select(sample.classes < n_classes)
    vectorizer = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, dtype=np.float32)
    X = vectorizer.fit_transform(part.texts)
    labels = tuple(part.label_names[:n_classes])
    estimator.fit(X, part.classes)
    fit = settings.fit(X, part.classes, labels)
    assert (fit.scores(X).argmax(axis=1) == estimator.predict(X)).all()
    assert fit.converged


def test_the_matrix_is_that_of_the_vectorizer(sample: Corpus) -> None:
    block = NgramSettings(Analysis(ngrams=(1, 2)), min_df=2, max_df=0.5)
    ours = text_matrix(sample.texts, [block], 2)
    vectorizer = TfidfVectorizer(ngram_range=(1, 2), min_df=2, max_df=0.5, sublinear_tf=True, dtype=np.float32)
    theirs = vectorizer.fit_transform(sample.texts)
    assert ours.X.shape == theirs.shape
    assert (ours.X.indices == theirs.indices).all()
    assert ours.X.data.tobytes() == theirs.data.tobytes()


@pytest.mark.parametrize("present", [[1], [0, 2], [0, 1, 3]])
def test_a_class_without_texts_never_wins(present: list[int], sample: Corpus) -> None:
    rows = np.isin(sample.classes, present)
    X = TfidfVectorizer(dtype=np.float32).fit_transform(sample.texts)
    fit = LearnerSettings("svm").fit(X[rows], sample.classes[rows], sample.label_names)
    assert set(fit.scores(X).argmax(axis=1)) <= set(present)


@pytest.mark.parametrize("present", [0, 1])
def test_of_two_classes_the_only_one_that_there_is_wins(present: int) -> None:
    X = TfidfVectorizer(dtype=np.float32).fit_transform(["one two", "two three"])
    fit = LearnerSettings("svm").fit(X, np.full(2, present, np.int32), ("a", "b"))
    assert (fit.scores(X).argmax(axis=1) == present).all()


def test_the_weight_of_a_label_that_is_none_is_refused(two_topics: Corpus) -> None:
    X = TfidfVectorizer(dtype=np.float32).fit_transform(two_topics.texts)
    settings = LearnerSettings("svm", class_weight=(("fod", 2.0),))
    with pytest.raises(ParameterError, match=r"names the label 'fod', which the data does not have. Labels are 'food'"):
        settings.fit(X, two_topics.classes, two_topics.label_names)
