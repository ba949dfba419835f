"""A corpus of plain lists that has what `assay.evaluation` asks of one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pytest


class ListCorpus:
    def __init__(self, texts: Sequence[str], labels: Sequence[str], **columns: Sequence[Any]) -> None:
        self.texts = pa.chunked_array([pa.array(list(texts), pa.large_string())])
        self.labels = pa.chunked_array([pa.array(list(labels), pa.string()).dictionary_encode()])
        self.label_names = sorted(set(labels))
        self.classes = np.array([self.label_names.index(label) for label in labels], dtype=np.int32)
        self.columns = list(columns)
        self._columns = columns

    def __len__(self) -> int:
        return len(self.classes)

    def column(self, name: str) -> pa.ChunkedArray:
        return pa.chunked_array([pa.array(self._columns[name])])

    def select(self, rows: Any) -> ListCorpus:
        rows = [int(row) for row in rows]
        texts, labels = self.texts.to_pylist(), self.labels.to_pylist()
        chosen = ListCorpus(
            [texts[row] for row in rows],
            [labels[row] for row in rows],
            **{name: [values[row] for row in rows] for name, values in self._columns.items()},
        )
        chosen.label_names = self.label_names
        chosen.classes = self.classes[rows]
        return chosen


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
def list_corpus() -> type[ListCorpus]:
    return ListCorpus


@pytest.fixture
def rule_model() -> type[RuleModel]:
    return RuleModel


@pytest.fixture
def reviews(list_corpus: type[ListCorpus]) -> ListCorpus:
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
    return list_corpus(texts, labels, source=sources, year=years)
