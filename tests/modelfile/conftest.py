"""A small model, and its file."""

from __future__ import annotations

import numpy as np
import pytest

from assay.features import TfidfVectorizer
from assay.prediction import Calibration, DecisionRule, LinearTextModel, ProbabilityCap

TEXTS = ["Good, good film!", "a bad one", "naïve größe 😀", "good bad good"]
LABELS = ("eins", "zwei ", "drei\n")


@pytest.fixture
def model() -> LinearTextModel:
    features = tuple(TfidfVectorizer(ngram_range=(1, 2), stop_words=["one"]).fit(TEXTS).text_features())
    rng = np.random.default_rng(0)
    weights = rng.normal(size=(features[0].n_columns, 3)).astype(np.float32)
    arrays = {"slopes": np.array([1.0, 2, 3]), "intercepts": np.array([0.1, 0.2, 0.3])}
    calibration = Calibration(LABELS, "sigmoid", False, arrays)
    rule = DecisionRule(LABELS, "weights", np.array([0.5, 0.3, 0.2]))
    cap = ProbabilityCap(LABELS, np.array([0.9, 0.8, 0.95]))
    return LinearTextModel(features, weights, rng.normal(size=3), LABELS, None, calibration, rule, cap)
