"""Real texts: the same clusters as scikit-learn's from the same start, and clusters that have to do with the labels."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import cluster

import assay
from assay.clustering import KMeans, cluster_texts
from assay.features import TfidfVectorizer


def test_the_same_start_ends_where_scikit_learns_does(shared_data):
    corpus = assay.read(shared_data / "r8" / "train.csv.gz").select(np.arange(0, 5400, 6))
    X = TfidfVectorizer(sublinear_tf=True, dtype=np.float64).fit_transform(corpus)
    start = X[np.arange(0, 800, 100)].toarray()
    theirs, ours = cluster.KMeans(8, init=start, n_init=1).fit(X), KMeans(8, init=start).fit(X)
    np.testing.assert_array_equal(ours.labels_, theirs.labels_)
    assert (ours.n_iter_, ours.inertia_) == (theirs.n_iter_, pytest.approx(theirs.inertia_, rel=1e-12))


def test_newsgroups_are_found_again_in_part(shared_data):
    corpus = assay.read(shared_data / "20ng" / "train.csv.gz")
    found = cluster_texts(corpus.select(np.arange(0, len(corpus), 4)), 20)
    assert found.agreement.nmi > 0.35  # of all texts, 0.54 was seen
