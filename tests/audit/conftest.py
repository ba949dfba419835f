"""Texts with and without planted faults."""

from __future__ import annotations

import numpy as np
import pytest

import assay

RUDE = ["idiot", "stupid", "trash", "awful", "disgusting", "hate", "ugly", "moron"]
KIND = ["lovely", "thanks", "great", "kind", "beautiful", "enjoy", "happy", "friend"]
PLAIN = [
    "people",
    "the",
    "a",
    "is",
    "was",
    "my",
    "we",
    "today",
    "letter",
    "station",
    "film",
    "plan",
    "meeting",
    "doctor",
]


@pytest.fixture(scope="session")
def comments():
    """Make toxic and fine comments; `terms` says which words are added, and how often to each class."""

    def make(n=600, seed=0, terms=None, noise=0.0):
        rng = np.random.default_rng(seed)
        toxic = rng.random(n) < 0.5
        texts = []
        for is_toxic in toxic.tolist():
            words = rng.choice(PLAIN, 6).tolist() + rng.choice(RUDE if is_toxic else KIND, 2).tolist()
            for word, (with_toxic, with_fine) in (terms or {}).items():
                if rng.random() < (with_toxic if is_toxic else with_fine):
                    words.append(word)
            rng.shuffle(words)
            texts.append(" ".join(words))
        wrong = rng.random(n) < noise
        labels = np.where(toxic ^ wrong, "toxic", "fine").tolist()
        return assay.Corpus(texts, labels, {"wrong": wrong.tolist()})

    return make
