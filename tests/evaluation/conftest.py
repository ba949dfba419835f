"""A small corpus and a model that follows a rule."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from assay import Corpus


class RuleModel:
    """Calls a text positive when it holds the word; as sure as its length says."""

    classes_ = ("neg", "pos")

    def __init__(self, word: str = "good") -> None:
        self.word = word

    def predict(self, texts: Sequence[str]) -> list[str]:
        return ["pos" if self.word in text else "neg" for text in texts]

    def predict_proba(self, texts: Sequence[str]) -> np.ndarray:
        sure = np.array([0.5 + min(len(text), 40) / 100 for text in texts])
        positive = np.where([self.word in text for text in texts], sure, 1 - sure)
        return np.column_stack([1 - positive, positive])


@pytest.fixture
def rule_model() -> type[RuleModel]:
    return RuleModel


@pytest.fixture
def reviews() -> Corpus:
    random = np.random.default_rng(0)
    nouns, fillers = ["film", "plot", "cast", "music"], ["really", "rather", "very", "quite", "so"]
    texts, labels, sources, years = [], [], [], []
    for i in range(160):
        positive = i % 2 == 0
        words = ["good", "great", "fine"] if positive else ["bad", "poor", "dull"]
        if random.random() < 0.1:
            words = ["good", "bad"]
        chosen = [random.choice(words), random.choice(nouns), *random.choice(fillers, 1 + i % 4), f"scene{i % 31}"]
        texts.append(" ".join(random.permutation(chosen)))
        labels.append("pos" if positive else "neg")
        sources.append("web" if i % 3 else "print")
        years.append(1990 + i % 25)
    return Corpus(texts, labels, {"source": sources, "year": years})
