"""Small corpora and one finished training that several tests look at."""

from __future__ import annotations

import numpy as np
import pytest

from assay.data.corpus.corpus import Corpus
from assay.samples import load_sample
from assay.training import TrainingRun, TrainingSettings, run_training


@pytest.fixture(scope="session")
def sample() -> Corpus:
    """The messages that come with assay: four hundred of them, so that a search takes a second."""
    corpus = load_sample()
    return corpus.select(np.arange(0, len(corpus), 2))


@pytest.fixture(scope="session")
def searched(sample: Corpus) -> TrainingRun:
    """A whole training with a search."""
    return run_training(sample, TrainingSettings(folds=3), threads=2, profile=sample.profile())


@pytest.fixture(scope="session")
def two_topics() -> Corpus:
    """Texts whose class any learner finds out."""
    random = np.random.default_rng(0)
    words = {"food": ["soup", "bread", "cheese", "salt"], "sport": ["goal", "match", "team", "score"]}
    rows = [(" ".join(random.choice(words[k], 6)), k) for k in ("food", "sport") for _ in range(30)]
    return Corpus([text for text, _ in rows], [label for _, label in rows])
