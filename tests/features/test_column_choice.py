"""At `max_features` the most frequent terms are kept, and of equally frequent ones the first by term: everywhere."""

from __future__ import annotations

import numpy as np
import pytest

from assay.evaluation.protocols.fold_features import CorpusFeatures, settings_of
from assay.features import CountVectorizer, TfidfVectorizer
from assay.features.ngrams.ngram_settings import NgramSettings
from assay.training.refit import text_matrix

# NumPy sorts short arrays otherwise than long ones, and these otherwise by processor and by type.
TERMS = [f"w{i:03}" for i in range(300)]
TEXTS = [" ".join(TERMS[i::7]) for i in range(7)] + ["w250 w251"]
KEPT = {"w250", "w251", *TERMS[:98]}


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("binary", [False, True])
def test_vectorizers_keep_the_first_of_equally_frequent_terms(dtype, binary):
    for make in (CountVectorizer, TfidfVectorizer):
        assert set(make(max_features=100, dtype=dtype, binary=binary).fit(TEXTS).vocabulary_) == KEPT


def test_folds_and_the_search_keep_the_same_columns():
    vectorizer = TfidfVectorizer(max_features=100).fit(TEXTS)
    rows = np.arange(len(TEXTS))
    expected = vectorizer.transform(TEXTS).toarray()
    found, _ = CorpusFeatures.of(vectorizer, TEXTS).fold(rows, rows[:1], settings_of(vectorizer))
    np.testing.assert_allclose(found.toarray(), expected, rtol=1e-12)
    block = NgramSettings(vectorizer.text_features()[0].analysis, max_features=100)
    searched = text_matrix(TEXTS, [block], 1)
    assert set(searched.features[0].names()) == KEPT
