"""Equality with scikit-learn on real texts in many languages."""

from __future__ import annotations

import csv
import gzip

import numpy as np
import pytest
from sklearn.feature_extraction import text as theirs

from assay.features import CountVectorizer, HashingVectorizer, TfidfVectorizer


def read_texts(path, step):
    csv.field_size_limit(2**31 - 1)
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        return [row["text"] for i, row in enumerate(csv.DictReader(file)) if i % step == 0]


@pytest.mark.parametrize(
    ("folder", "step"), [("imdb", 50), ("20ng", 20), ("langid_lingua_sentences", 20), ("trec6", 4)]
)
def test_real_texts_give_the_same_matrix(shared_data, folder, step):
    path = next(p for name in ("train", "all", folder) for p in shared_data.glob(f"{folder}/{name}*.csv.gz"))
    texts = read_texts(path, step)
    for settings in (
        {"ngram_range": (1, 2)},
        {"analyzer": "char_wb", "ngram_range": (2, 4)},
        {"strip_accents": "unicode"},
    ):
        ours, expected = CountVectorizer(**settings), theirs.CountVectorizer(**settings)
        assert (ours.fit_transform(texts) != expected.fit_transform(texts)).nnz == 0
        assert ours.vocabulary_ == expected.vocabulary_
    for make in (lambda m: m.TfidfVectorizer(sublinear_tf=True), lambda m: m.HashingVectorizer(ngram_range=(1, 2))):
        X, Y = make(_Ours).fit_transform(texts), make(theirs).fit_transform(texts)
        Y.sort_indices()
        np.testing.assert_array_equal(X.indices, Y.indices)
        np.testing.assert_allclose(X.data, Y.data, rtol=1e-12)


class _Ours:
    TfidfVectorizer = TfidfVectorizer
    HashingVectorizer = HashingVectorizer
