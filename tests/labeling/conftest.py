"""A small world of texts about four things, one of them rare."""

from __future__ import annotations

import numpy as np
import pytest

WORDS = {
    "sport": ["match", "goal", "team", "coach", "league", "striker", "season", "penalty", "keeper", "stadium"],
    "money": ["bank", "loan", "interest", "share", "profit", "market", "price", "budget", "tax", "stock"],
    "food": ["soup", "bread", "recipe", "oven", "butter", "onion", "garlic", "dinner", "sauce", "kitchen"],
    "space": ["rocket", "orbit", "planet", "comet", "telescope", "crater", "launch", "probe", "gravity", "lunar"],
}
SHARED = ["today", "people", "say", "that", "there", "is", "a", "new", "one", "with", "some", "more", "every", "day"]


@pytest.fixture(scope="session")
def world() -> tuple[list[str], list[str]]:
    """600 texts, all different, and their labels; of "space" there are a few."""
    rng = np.random.default_rng(0)
    texts, labels = [], []
    names = list(WORDS)
    for number in range(600):
        label = names[rng.choice(4, p=[0.4, 0.35, 0.22, 0.03])]
        own = rng.choice(WORDS[label], 4)
        other = rng.choice(WORDS[names[rng.integers(3)]], 2)
        words = [*own, *other, *rng.choice(SHARED, 5), f"no{number}"]
        texts.append(" ".join(rng.permutation(words)))
        labels.append(label)
    return texts, labels
