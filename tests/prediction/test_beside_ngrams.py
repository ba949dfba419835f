"""Scores of models that have other features beside n-grams: the weights are used as they lie."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest

from assay.features.designed.embedding_block import EmbeddingBlock
from assay.features.ngrams.analysis import Analysis
from assay.features.ngrams.text_features import Hashing, TextFeatures, Weighting
from assay.features.ngrams.vocabulary import Vocabulary
from assay.prediction import LinearTextModel, SparseWeights, scoring

TEXTS = ["good film", "bad, bad film", "", "good and bad", "unheard of"]
WORDS = Vocabulary.from_terms(Analysis(), {"good": 0, "bad": 1})
VECTORS = EmbeddingBlock(WORDS, np.array([[1, 0, 2], [-1, 3, 0]], dtype=np.float32))


def model_of(n_columns: int, n_labels: int, dtype: type = np.float32) -> LinearTextModel:
    hashed = TextFeatures(Analysis(), Hashing(n_columns), Weighting(norm="l2"))
    n_outputs = 1 if n_labels == 2 else n_labels
    rng = np.random.default_rng(0)
    weights = rng.normal(size=(n_columns + 3, n_outputs)).astype(dtype)
    weights[rng.random(weights.shape) < 0.7] = 0
    return LinearTextModel((hashed, VECTORS), weights, rng.normal(size=n_outputs), tuple(map(str, range(n_labels))))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_labels", [2, 4])
def test_scores_are_sums_of_weights_times_values_in_either_precision_and_form(dtype, n_labels, monkeypatch):
    monkeypatch.setattr(scoring, "AT_ONCE", 2)
    model = model_of(16, n_labels, dtype)
    found = model.decision_function(TEXTS)
    rows = [scoring.rows_of(model.features, scoring.documents_of([text]), n_threads=1) for text in TEXTS]
    expected = [values @ model.weights[columns].astype(np.float64) + model.bias for _, columns, values in rows]
    # A handful of products of ordinary size in double precision, added in another order.
    np.testing.assert_allclose(found, np.squeeze(expected), atol=1e-12)
    if n_labels > 2:
        listed = replace(model, weights=SparseWeights.from_table(model.weights))
        assert listed.decision_function(TEXTS).tobytes() == found.tobytes()


def test_the_weights_are_not_copied_to_score_a_text():
    model = model_of(1 << 18, 8)
    model.decision_function(TEXTS)
    tracemalloc.start()
    try:
        model.decision_function(TEXTS)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < model.weights.nbytes / 8
