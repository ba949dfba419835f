"""Learning curves, and the protocol that chooses inside the training part."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

import assay
from assay.errors import ParameterError
from assay.evaluation.protocols.folds import stratified_order
from assay.evaluation.protocols.learning_curves import learning_curve
from assay.evaluation.protocols.training_protocol import select_and_test


@pytest.fixture
def pipeline():
    return make_pipeline(TfidfVectorizer(), MultinomialNB())


def test_last_point_is_the_cross_validation(pipeline, reviews) -> None:
    curve = learning_curve(pipeline, reviews, sizes=[0.1, 0.5, 1.0], folds=4, metric="accuracy")
    result = assay.cross_validate(pipeline, reviews, folds=4, metrics=["accuracy"])
    assert curve.sizes == (12, 60, 120)
    assert curve.scores[-1] == pytest.approx(result.scores["accuracy"])
    assert curve.estimates[-1].interval == pytest.approx(result["accuracy"].interval)
    assert curve.estimates[0].value < curve.estimates[-1].value


def test_every_beginning_holds_the_classes_in_proportion() -> None:
    classes = np.repeat([0, 1, 2], [60, 30, 10]).astype(np.int32)
    order = stratified_order(classes, np.arange(100), seed=0)
    assert sorted(order) == list(range(100))
    for n in (10, 20, 50):
        assert np.abs(np.bincount(classes[order[:n]], minlength=3) - n * np.array([0.6, 0.3, 0.1])).max() <= 1


def test_curve_shown_and_kept(pipeline, reviews) -> None:
    curve = learning_curve(pipeline, reviews, sizes=[20, 100], folds=3)
    found = json.loads(json.dumps(curve.to_dict(), allow_nan=False))
    assert [point["size"] for point in found["points"]] == [20, 100]
    assert list(curve.to_frame()["size"]) == [20, 100]
    assert "training documents" in str(curve)
    assert "training documents" in curve._repr_html_()
    assert curve.plot().axes[0].get_ylabel() == "macro_f1"


@pytest.mark.parametrize("size", [0.0, 1.5, 1000, True, -3])
def test_sizes_that_cannot_be_are_refused(size, pipeline, reviews) -> None:
    message = r"sizes must be shares up to 1.0, or numbers from 2 to the 106 training documents of a fold. Got"
    with pytest.raises(ParameterError, match=message):
        learning_curve(pipeline, reviews, sizes=[size], folds=3)


def test_best_candidate_is_chosen_on_the_training_part_and_tested_on_the_rest(pipeline, reviews) -> None:
    dummy = make_pipeline(TfidfVectorizer(), DummyClassifier())
    found = select_and_test({"dummy": dummy, "bayes": pipeline}, reviews, test=0.25, folds=3)
    assert found.name == "bayes"
    assert len(found.train) + len(found.test) == len(reviews)
    assert found.evaluation.n_documents == len(found.test)
    tested = set(found.test.texts.to_pylist())
    assert not tested & set(found.train.texts.to_pylist())
    assert (
        found.cross_validations["dummy"].folds[0].test.tolist()
        == found.cross_validations["bayes"].folds[0].test.tolist()
    )
    said = np.array(found.evaluation.labels, dtype=object)[found.evaluation.outcomes.predicted]
    assert (found.model.predict(found.test.texts.to_pylist()) == said).all()
    assert "bayes *" in str(found)
    assert "bayes *" in found._repr_html_()


def test_fixed_test_set_and_metric_of_which_less_is_better(pipeline, reviews) -> None:
    parts = reviews.split(test=0.3)
    flat = make_pipeline(TfidfVectorizer(), MultinomialNB(alpha=1e6))
    found = select_and_test({"flat": flat, "bayes": pipeline}, parts[0], test=parts[1], metric="log_loss", folds=3)
    assert found.name == "bayes"
    assert found.test is parts[1]


def test_no_candidate_is_refused(reviews) -> None:
    with pytest.raises(ParameterError, match=r"select_and_test needs at least one candidate. Got none."):
        select_and_test({}, reviews)
