"""Networks small enough to train in a moment, and texts that they can learn."""

from __future__ import annotations

import pytest

from assay.neural import AveragingNetwork, ConvolutionalNetwork, FeedForward, RecurrentNetwork

POSITIVE, NEGATIVE = ("great", "fun", "loved", "fine"), ("dull", "mess", "poor", "boring")
TEXTS = [f"a {words[i % 4]} film, {words[i // 4 % 4]} and long{i}" for i in range(24) for words in (POSITIVE, NEGATIVE)]
LABELS = ["pos", "neg"] * 24

NEW = ["great fun", "a dull mess", "", "zzz yyy"]

SMALL = {
    "averaging": AveragingNetwork(embedding_size=8, hidden=(6,), epochs=25, learning_rate=0.02),
    "convolutional": ConvolutionalNetwork(embedding_size=8, filters=6, epochs=12, learning_rate=0.01),
    "recurrent": RecurrentNetwork(embedding_size=8, state_size=6, epochs=12, learning_rate=0.02),
    "feed-forward": FeedForward(hidden=(6,), epochs=25, learning_rate=0.02),
}


@pytest.fixture(params=SMALL)
def network(request):
    """A network of each kind, not yet trained."""
    kind = SMALL[request.param]
    return type(kind)(**{**kind.get_params(), "threads": 1, "batch_size": 8})


@pytest.fixture(scope="session")
def trained():
    """A trained convolutional network."""
    kind = SMALL["convolutional"]
    return type(kind)(**{**kind.get_params(), "threads": 1, "batch_size": 8}).fit(TEXTS, LABELS)
