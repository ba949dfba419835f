"""A few hand-made vectors, and many random ones."""

from __future__ import annotations

import numpy as np
import pytest

from assay.embeddings import WordVectors

ROYAL = {
    "king": [1, 1, 0, 0.1],
    "man": [0, 1, 0, 0.1],
    "woman": [0, 0, 1, 0.1],
    "queen": [1, 0, 1, 0.1],
    "prince": [0.8, 1, 0.1, 0],
    "princess": [0.8, 0.1, 1, 0],
    "tree": [-1, 0.2, 0.2, 1],
    "oak": [-1, 0.1, 0.2, 0.9],
}


@pytest.fixture
def royal() -> WordVectors:
    return WordVectors(list(ROYAL), list(ROYAL.values()), np.arange(80, 0, -10))


@pytest.fixture(scope="session")
def random_vectors() -> WordVectors:
    """Vectors of 500 words of three letters, some differing in case only, with clusters."""
    random = np.random.default_rng(5)
    letters = "abcdefgh"
    words = [f"{a}{b}{c}" for a in letters for b in letters for c in letters][:490]
    words += [word.upper() for word in words[3:40:4]]
    centres = random.normal(size=(40, 12))
    matrix = centres[random.integers(0, 40, 500)] + 0.4 * random.normal(size=(500, 12))
    return WordVectors([words[i] for i in random.permutation(500)], matrix)
