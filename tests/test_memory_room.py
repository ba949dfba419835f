"""Large tables are refused before they are made where they do not fit into memory."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from assay import memory_room
from assay.errors import NotEnoughMemoryError
from assay.features import CountVectorizer
from assay.learners import NBSVM, AveragedPerceptron, LinearSVC, LogisticRegression, Perceptron
from assay.prediction import LinearTextModel


@pytest.fixture
def small_machine(monkeypatch, tmp_path):
    """A computer with little memory, and no limits beside it."""
    (tmp_path / "meminfo").write_text("MemTotal:  4 kB\nMemAvailable:    3 kB\n")
    monkeypatch.setattr(memory_room, "_MEMINFO", tmp_path / "meminfo")
    monkeypatch.setattr(memory_room, "_LIMITS", ())
    monkeypatch.setattr(memory_room, "_LARGE", 1000)


def test_what_is_free_is_the_least_that_the_system_says(small_machine, monkeypatch, tmp_path):
    assert memory_room.free_memory() == 3 << 10
    (tmp_path / "max").write_text("2000\n")
    (tmp_path / "now").write_text("500\n")
    monkeypatch.setattr(memory_room, "_LIMITS", ((tmp_path / "max", tmp_path / "now"),))
    assert memory_room.free_memory() == 1500
    (tmp_path / "max").write_text("max\n")
    assert memory_room.free_memory() == 3 << 10
    (tmp_path / "meminfo").unlink()
    assert memory_room.free_memory() is None
    memory_room.require_room(1 << 60, "Whatever")  # nobody knows


@pytest.mark.parametrize("learner", [LinearSVC(), LogisticRegression(), NBSVM(), Perceptron(), AveragedPerceptron()])
def test_weights_of_many_labels_are_foreseen(small_machine, learner):
    X = sparse.csr_array(np.eye(60))
    with pytest.raises(
        NotEnoughMemoryError,
        match=r"A table of the weights of 60 features for 60 labels would take 0\.0 GB of memory, and 0\.0 GB are "
        r"free\. Use fewer labels or texts, smaller features",
    ):
        learner.fit(X, [f"label {i}" for i in range(60)])


def test_scores_of_many_texts_are_foreseen(small_machine):
    features = tuple(CountVectorizer().fit(["good bad"]).text_features())
    labels = tuple(f"label {i}" for i in range(100))
    model = LinearTextModel(features, np.ones((2, 100)), np.zeros(100), labels)
    with pytest.raises(NotEnoughMemoryError, match=r"^Scores of 9 texts for 100 labels would take"):
        model.decision_function(["good"] * 9)
    assert len(model.predict(["good"])) == 1
