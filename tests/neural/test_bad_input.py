"""Texts, labels and settings that cannot be: what is said about them."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.errors import DataError, ParameterError
from assay.features import LexiconFeatures
from assay.neural import AveragingNetwork, ConvolutionalNetwork, FeedForward, RecurrentNetwork
from assay.neural.loop.memory_messages import enough_memory

from .conftest import LABELS, TEXTS


def test_texts_without_words_are_refused(network):
    with pytest.raises(DataError, match="row 1: column 'text' is empty"):
        network.fit(["", " ", "", "\n"], ["a", "b", "a", "b"])


def test_texts_without_a_word_that_counts_are_refused():
    with pytest.raises(
        DataError, match=r"none of the 48 texts has a word that occurs in at least 90 of them \(min_count"
    ):
        AveragingNetwork(min_count=90, validation=0).fit(TEXTS, LABELS)
    with pytest.raises(DataError, match="empty vocabulary"):
        FeedForward().fit(["a", "b", "a"], ["x", "y", "x"])
    lexicon = LexiconFeatures({"good": ["splendid"]})
    with pytest.raises(
        DataError, match=r"none of the 48 training texts has a feature: they are empty, or hold nothing"
    ):
        FeedForward(vectorizer=lexicon).fit(TEXTS, LABELS)


def test_one_class_is_refused(network):
    with pytest.raises(DataError, match="all 2 texts have the label 'a'"):
        network.fit(["x", "y"], ["a", "a"])


def test_a_label_seen_once_is_trained_on_and_named(network):
    model = network.set_params(epochs=1).fit([*TEXTS, "only once"], [*LABELS, "rare"])
    assert "rare" in model.labels
    assert model.notes_[0] == "Classes with one text only, which was trained on and could not be held out: 'rare'"


def test_too_few_texts_to_hold_some_out_are_all_trained_on(network):
    model = network.set_params(epochs=1, validation=0.1).fit(["good", "bad"], ["a", "b"])
    assert model.history_.epochs[0].held_out_loss is None
    assert "2 texts are too few to hold some out for early stopping" in model.notes_[-1]


@pytest.mark.parametrize(
    ("kind", "settings", "message"),
    [
        (AveragingNetwork, {"epochs": 0}, "'epochs' parameter of AveragingNetwork must be a whole number at least 1"),
        (AveragingNetwork, {"optimiser": "adm"}, "must be one of 'adam', "),
        (AveragingNetwork, {"learning_rate": 0}, "must be a number above 0"),
        (
            AveragingNetwork,
            {"learning_rate": 1e38},
            r"must be a number above 0 and at most 1e\+30\. Got 1e\+38 instead",
        ),
        (AveragingNetwork, {"schedule": "steps"}, "'schedule' parameter"),
        (AveragingNetwork, {"warm_up": 2}, "'warm_up' parameter"),
        (AveragingNetwork, {"l2": -1}, "'l2' parameter"),
        (AveragingNetwork, {"clip": 0}, "'clip' parameter"),
        (AveragingNetwork, {"loss": "mse"}, "'loss' parameter"),
        (AveragingNetwork, {"label_smoothing": 1.0}, "'label_smoothing' parameter"),
        (
            AveragingNetwork,
            {"loss": "hinge", "label_smoothing": 0.1},
            r"AveragingNetwork\(loss='hinge'\) has no target that could be smoothed\. Got label_smoothing=0\.1\. Leave",
        ),
        (AveragingNetwork, {"validation": 1.5}, "'validation' parameter"),
        (AveragingNetwork, {"validation": None}, r"'validation' parameter .* Got None instead\. 0 holds nothing out"),
        (AveragingNetwork, {"verbose": "much"}, "'verbose' parameter"),
        (AveragingNetwork, {"threads": 0}, r"'threads' parameter of AveragingNetwork must be a positive .* Got 0"),
        (AveragingNetwork, {"threads": "2"}, r"'threads' parameter of AveragingNetwork .* Got '2' instead"),
        (
            AveragingNetwork,
            {"checkpoint": "no/folder/x"},
            r"Got 'no/folder/x', which lies in a folder 'no/folder' that",
        ),
        (AveragingNetwork, {"checkpoint": "."}, r"must be the name of a file\. Got '\.', which is a folder"),
        (
            AveragingNetwork,
            {"embedding_size": 10**14},
            r"at most 2,147,483,647|not enough memory to train",
        ),
        (AveragingNetwork, {"patience": 0}, "'patience' parameter"),
        (AveragingNetwork, {"stop_by": "f2"}, "'stop_by' parameter"),
        (AveragingNetwork, {"seed": -1}, "'seed' parameter"),
        (AveragingNetwork, {"hidden": 3}, r"'hidden' parameter .* whole numbers above 0, such as \(3, 4\)\. Got 3"),
        (AveragingNetwork, {"hidden": (3, 0)}, r"'hidden' parameter"),
        (AveragingNetwork, {"word_dropout": 1.0}, "'word_dropout' parameter"),
        (AveragingNetwork, {"batch_size": 2.5}, "'batch_size' parameter"),
        (
            AveragingNetwork,
            {"class_weight": {"odd": 2}},
            "class_weight names the label 'odd', which the data does not have",
        ),
        (ConvolutionalNetwork, {"widths": ()}, "'widths' parameter"),
        (ConvolutionalNetwork, {"filters": 0}, "'filters' parameter"),
        (ConvolutionalNetwork, {"layers": 0}, "'layers' parameter"),
        (ConvolutionalNetwork, {"pooling": "min"}, "'pooling' parameter"),
        (ConvolutionalNetwork, {"activation": "step"}, "'activation' parameter"),
        (ConvolutionalNetwork, {"long_texts": "drop"}, "'long_texts' parameter"),
        (ConvolutionalNetwork, {"max_length": 0}, "'max_length' parameter"),
        (RecurrentNetwork, {"cell": "rnn"}, "'cell' parameter"),
        (RecurrentNetwork, {"bidirectional": 1}, "'bidirectional' parameter"),
        (FeedForward, {"vectorizer": "tfidf"}, "'vectorizer' parameter of FeedForward must be a vectorizer of assay"),
        (FeedForward, {"dropout": 1}, "'dropout' parameter"),
    ],
)
def test_settings_that_cannot_be_are_refused(kind, settings, message):
    with pytest.raises(ParameterError, match=message):
        kind(**settings).fit(TEXTS, LABELS)


def test_rows_of_numbers_are_stopped_by_rows_of_numbers():
    X, y = np.random.default_rng(0).normal(size=(30, 3)), ["a", "b"] * 15
    settings = {"vectorizer": "numbers", "epochs": 1, "threads": 1}
    model = FeedForward(**settings, validation=(X[:4], y[:4])).fit(X, y)
    assert model.history_.epochs[0].held_out_metric is not None
    assert model.provenance["learner"]["parameters"]["validation"]["rows"] == 4
    with pytest.raises(DataError, match=r"have shape \(4, 2\), but the network was trained on rows of 3 numbers"):
        FeedForward(**settings, validation=(X[:4, :2], y[:4])).fit(X, y)
    with pytest.raises(ParameterError, match=r"a pair of other rows of numbers and their labels.* Got Corpus instead"):
        FeedForward(**settings, validation=assay.read((["1", "2"], ["a", "b"]))).fit(X, y)


def test_an_error_that_is_not_about_memory_is_left_as_it_is():
    for error in (RuntimeError("mat1 and mat2 shapes cannot be multiplied"), ValueError("odd")):
        with pytest.raises(type(error), match=str(error)), enough_memory("it"):
            raise error
