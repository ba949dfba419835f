"""What each network has of its own."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.errors import DataError
from assay.features import TfidfVectorizer
from assay.neural import ConvolutionalNetwork, FeedForward, RecurrentNetwork

from .conftest import LABELS, NEW, TEXTS


def test_long_texts_are_cut_or_read_in_pieces_and_that_is_said():
    long = [f"{text} " * 5 for text in TEXTS]
    settings = {"embedding_size": 4, "filters": 2, "epochs": 1, "validation": 0, "max_length": 6, "threads": 1}
    cut = ConvolutionalNetwork(**settings).fit(long, LABELS)
    assert cut.notes_ == ("48 of 48 training texts have more than 6 words and were cut off after 6 (max_length)",)
    read = ConvolutionalNetwork(**settings, long_texts="window").fit(long, LABELS)
    assert "were read in pieces of 6, whose scores are averaged" in read.notes_[0]
    # The pieces that decide are the texts that the same network would have been given one by one.
    words = [f"w{i}" for i in range(15)]
    whole = read.decision_function([" ".join(words)])
    parts = read.decision_function([" ".join(words[i : i + 6]) for i in range(0, 15, 6)])
    np.testing.assert_allclose(whole, parts.mean(), rtol=1e-5)
    assert cut.decision_function([" ".join(words)]) == cut.decision_function([" ".join(words[:6])])


@pytest.mark.parametrize("pooling", ["last", "max", "mean", "attention"])
@pytest.mark.parametrize("cell", ["lstm", "gru"])
def test_recurrent_networks_of_all_kinds_learn(cell, pooling):
    network = RecurrentNetwork(cell=cell, pooling=pooling, layers=2, embedding_size=8, state_size=6, threads=1)
    network.set_params(bidirectional=pooling != "last", epochs=15, learning_rate=0.03, batch_size=8)
    assert network.fit(TEXTS, LABELS).predict(NEW[:2]).tolist() == ["pos", "neg"]


@pytest.mark.parametrize("activation", ["relu", "tanh", "sigmoid", "gelu"])
def test_deep_networks_of_all_activations_learn(activation):
    deep = ConvolutionalNetwork(layers=2, pooling="mean", widths=(1, 2), filters=6, embedding_size=8, threads=1)
    deep.set_params(activation=activation, epochs=25, learning_rate=0.02, schedule="cosine", warm_up=0.1, clip=1.0)
    deep.set_params(batch_size=8, dropout=0.1, validation=0)
    assert deep.fit(TEXTS, LABELS).score(TEXTS, LABELS) == 1.0
    layers = FeedForward(hidden=(8, 8), activation=activation, dropout=0.0, epochs=40, learning_rate=0.05, threads=1)
    layers.set_params(batch_size=8, validation=0)
    assert layers.fit(TEXTS, LABELS).score(TEXTS, LABELS) == 1.0


def test_feed_forward_reads_what_its_vectorizer_finds(tmp_path):
    vectorizer = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 3))
    model = FeedForward(vectorizer=vectorizer, epochs=20, learning_rate=0.02, threads=1).fit(TEXTS, LABELS)
    assert model.score(TEXTS, LABELS) == 1.0
    model.save(tmp_path / "m.assay")
    assert assay.load(tmp_path / "m.assay").decision_function(NEW).tolist() == model.decision_function(NEW).tolist()


def test_feed_forward_takes_rows_of_numbers(tmp_path):
    X = np.random.default_rng(0).normal(size=(80, 3))
    y = np.where(X[:, 0] * X[:, 1] > 0, "same", "different")
    model = FeedForward(vectorizer="numbers", hidden=(16,), dropout=0.0, epochs=120, learning_rate=0.02, threads=1)
    assert model.fit(X, y).score(X, y) > 0.9
    model.save(tmp_path / "m.assay")
    assert assay.load(tmp_path / "m.assay").decision_function(X).tolist() == model.decision_function(X).tolist()
    with pytest.raises(DataError, match=r"have shape \(80, 2\), but the network was trained on rows of 3 numbers"):
        model.predict(X[:, :2])
    with pytest.raises(DataError, match="was trained on rows of 3 numbers, not on texts"):
        model.predict(["a text"])
    X[4, 1] = np.nan
    with pytest.raises(
        DataError, match="Row 5 of the examples holds NaN, infinity or a number that is too large for float32"
    ):
        model.predict(X)
    X[4, 1] = 1e300
    with pytest.raises(DataError, match=r"Row 5 of the examples holds .* too large for float32\. Leave such rows out"):
        model.predict(X)
