"""A few texts of two kinds, and of three."""

from __future__ import annotations

import pytest

from assay import Corpus

WORDS = {
    "pos": ["good", "great", "fine", "loved"],
    "neg": ["bad", "poor", "dull", "awful"],
    "mid": ["fair", "so", "ok"],
}


def made_of(labels: list[str]) -> Corpus:
    texts, names = [], []
    for i in range(8):
        for label in labels:
            words = WORDS[label]
            texts.append(f"{words[i % len(words)]} {words[(3 * i + 1) % len(words)]} film number {i}")
            names.append(label)
    return Corpus(texts, names)


@pytest.fixture
def two() -> Corpus:
    return made_of(["pos", "neg"])


@pytest.fixture
def three() -> Corpus:
    return made_of(["pos", "neg", "mid"])


@pytest.fixture(params=["two", "three"])
def corpus(request) -> Corpus:
    return request.getfixturevalue(request.param)
