"""Vectors of words: given, learned, fixed or both."""

from __future__ import annotations

import numpy as np
import pytest

from assay.errors import DataError, ParameterError
from assay.neural import AveragingNetwork, ConvolutionalNetwork, RecurrentNetwork

from .conftest import LABELS, TEXTS


class Vectors:
    words = ("great", "dull", "unseen")
    matrix = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1]])


def table(model, kind):
    names = ["", "", *model.model.reader.words.names()]
    weights = getattr(model.model.network.embedding, kind).weight
    return {name: weights[i].tolist() for i, name in enumerate(names)}


def test_given_vectors_can_be_fixed_tuned_or_both():
    fixed = AveragingNetwork(vectors=Vectors, vectors_use="fixed", epochs=2, threads=1).fit(TEXTS, LABELS)
    assert table(fixed, "fixed")["great"] == [1.0, 0.0, 0.0]
    assert table(fixed, "fixed")["unseen"] == [0.0, 0.0, 1.0]
    assert fixed.model.network.embedding.tuned is None
    tuned = AveragingNetwork(vectors=Vectors, epochs=2, threads=1).fit(TEXTS, LABELS)
    assert table(tuned, "tuned")["great"] != [1.0, 0.0, 0.0]
    assert table(tuned, "tuned")["unseen"] == [0.0, 0.0, 1.0]
    assert tuned.model.network.embedding.fixed is None
    both = ConvolutionalNetwork(vectors=Vectors, vectors_use="both", filters=2, epochs=2, threads=1)
    both.fit(TEXTS, LABELS)
    assert table(both, "fixed")["dull"] == [0.0, 1.0, 0.0]
    assert table(both, "tuned")["dull"] != [0.0, 1.0, 0.0]
    assert both.model.network.first[0].in_features == 3 * 6


def test_padding_and_the_unknown_word_start_at_zero_and_padding_stays_there():
    model = RecurrentNetwork(embedding_size=4, state_size=3, epochs=2, word_dropout=0.3, threads=1).fit(TEXTS, LABELS)
    weights = model.model.network.embedding.tuned.weight
    assert weights[0].tolist() == [0.0] * 4
    assert weights[1].any()  # word_dropout trains it


def test_vectors_from_a_file(tmp_path):
    path = tmp_path / "vectors.txt"
    path.write_text("2 3\ngreat 1 0 0\ndull 0 1 0\n", encoding="utf-8")
    settings = {"vectors_use": "fixed", "epochs": 1, "threads": 1}
    model = AveragingNetwork(vectors=str(path), **settings).fit(TEXTS, LABELS)
    assert table(model, "fixed")["dull"] == [0.0, 1.0, 0.0]


def test_further_words_are_as_many_as_are_asked_for():
    known = {"vectors": Vectors, "epochs": 1, "threads": 1}
    assert "unseen" not in table(AveragingNetwork(further_words=0, **known).fit(TEXTS, LABELS), "tuned")
    # "great" and "dull" come first in the vectors, but occur in the texts: they are not further words.
    assert "unseen" in table(AveragingNetwork(further_words=1, **known).fit(TEXTS, LABELS), "tuned")


class Broken:
    words = ("a", "b")
    matrix = np.array([[1.0, np.nan], [0, 0]])


class Uneven:
    words = ("a", "b", "c")
    matrix = np.zeros((2, 4))


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        (
            {"vectors": Vectors, "embedding_size": 5},
            ParameterError,
            "vectors have 3 numbers each, but embedding_size=5",
        ),
        ({"vectors": Broken}, DataError, r"The vector of 'a' \(row 1\) holds NaN or infinity"),
        ({"vectors": Uneven}, DataError, r"The vectors are \(2, 4\) numbers for 3 words"),
        ({"vectors": 3}, ParameterError, r"vectors must be assay\.embeddings\.WordVectors or the path .* Got int"),
        ({"vectors_use": "fixed"}, ParameterError, r"vectors_use='fixed'\) needs vectors"),
    ],
)
def test_vectors_that_cannot_be_used_are_refused(settings, error, message):
    with pytest.raises(error, match=message):
        AveragingNetwork(**settings, threads=1).fit(TEXTS, LABELS)
