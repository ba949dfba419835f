"""A model is asked once about each text, and models of others as they are used to."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import assay
from assay.prediction.asking import ask
from assay.prediction.linear_model import LinearTextModel

TEXTS = pa.chunked_array([["good film", "so bad"], ["a good one", "bad bad"]])


@pytest.fixture
def readings(monkeypatch):
    """What linear models are asked to read."""
    asked, score = [], LinearTextModel.decision_function

    def noted(self, texts, **settings):
        asked.append(texts)
        return score(self, texts, **settings)

    monkeypatch.setattr(LinearTextModel, "decision_function", noted)
    return asked


@pytest.mark.parametrize(
    ("learner", "has_probabilities"), [("logistic", True), ("nb", True), ("svm", False), ("nbsvm", False)]
)
@pytest.mark.parametrize("labels", [["pos", "neg", "pos", "neg"], ["a", "b", "c", "b"]])
def test_one_reading_gives_what_three_methods_give(learner, has_probabilities, labels):
    model = assay.TextClassifier(learner=learner).fit(TEXTS, labels)
    reply = ask(model, TEXTS)
    assert reply.labels.tolist() == model.predict(TEXTS).tolist()
    if has_probabilities:
        np.testing.assert_array_equal(reply.probabilities, model.predict_proba(TEXTS))
        assert reply.scores is None
    else:
        np.testing.assert_array_equal(reply.scores, model.decision_function(TEXTS))
        assert reply.probabilities is None
    assert reply.by_label.shape == (4, len(set(labels)))


@pytest.mark.parametrize("learner", ["logistic", "svm"])
def test_evaluating_reads_each_text_once_and_from_arrow(readings, learner):
    model = assay.TextClassifier(learner=learner).fit(TEXTS, ["pos", "neg", "pos", "neg"])
    assay.evaluate(model, assay.Corpus(TEXTS, ["pos", "neg", "pos", "pos"]))
    assert len(readings) == 1
    assert isinstance(readings[0], pa.ChunkedArray)


def test_comparing_reads_each_text_once_a_model(readings):
    labels = ["pos", "neg", "pos", "neg"]
    models = [assay.TextClassifier(learner=name).fit(TEXTS, labels) for name in ("logistic", "svm")]
    assay.compare(*models, assay.Corpus(TEXTS, ["pos", "neg", "pos", "pos"]))
    assert len(readings) == 2


def test_a_network_is_asked_once(monkeypatch):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    assert torch is not None
    from assay.neural import AveragingNetwork

    model = AveragingNetwork(epochs=1).fit(TEXTS, ["pos", "neg", "pos", "neg"])
    np.testing.assert_array_equal(ask(model, TEXTS).probabilities, model.predict_proba(TEXTS))


class LabelsOnly:
    classes_ = np.array(["neg", "pos"])

    def predict(self, texts):
        assert all(isinstance(text, str) for text in texts)
        return ["pos"] * len(texts)


class WithOneScore(LabelsOnly):
    def decision_function(self, texts):
        return np.arange(len(texts)) - 1.5


def test_models_of_others_are_given_strings():
    reply = ask(LabelsOnly(), TEXTS)
    assert (reply.labels, reply.probabilities, reply.scores, reply.by_label) == (["pos"] * 4, None, None, None)


def test_one_score_a_text_is_that_of_the_second_label():
    by_label = ask(WithOneScore(), TEXTS).by_label
    np.testing.assert_array_equal(by_label, [[1.5, -1.5], [0.5, -0.5], [-0.5, 0.5], [-1.5, 1.5]])


def test_an_audit_needs_numbers():
    from assay.audit import audit
    from assay.errors import ParameterError

    with pytest.raises(ParameterError, match=r"needs a model with predict_proba or decision_function. Got .* neither"):
        audit(LabelsOnly(), swaps=["gender"])
