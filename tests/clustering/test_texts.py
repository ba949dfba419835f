"""From texts to named clusters, and the choice of how many."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import make_blobs

from assay import Corpus, clustering
from assay.clustering import choose_k, cluster_texts, describe_clusters
from assay.clustering.common_words import function_words, stop_words
from assay.embeddings import WordVectors
from assay.errors import DataError, ParameterError

TOPICS = {
    "animals": ["cat", "dog", "horse", "bird", "fish", "cow"],
    "money": ["bank", "stock", "bond", "loan", "rate", "price"],
    "weather": ["rain", "snow", "wind", "storm", "sun", "cloud"],
}


@pytest.fixture(scope="module")
def corpus():
    rng = np.random.default_rng(0)
    names = rng.choice(list(TOPICS), size=90, p=[0.5, 0.3, 0.2])
    return Corpus([" ".join(rng.choice(TOPICS[name], size=6)) for name in names], names.tolist())


def test_every_public_name_is_there():
    assert all(callable(getattr(clustering, name)) for name in clustering.__all__)  # functions, not modules
    assert dir(clustering) == sorted(clustering.__all__)
    with pytest.raises(AttributeError, match="no attribute 'DBSCAN'"):
        _ = clustering.DBSCAN


def test_clusters_are_found_named_and_compared_with_the_labels(corpus):
    found = cluster_texts(corpus, 3)
    assert found.agreement == clustering.Agreement(1.0, 1.0, 1.0)
    assert [cluster.size for cluster in found.clusters] == sorted(np.bincount(found.assignment), reverse=True)
    for cluster in found.clusters:
        ((topic, n),) = cluster.labels
        assert n == cluster.size
        assert {item.ngram for item in cluster.telling[:3]} <= set(TOPICS[topic])
        assert cluster.name == ", ".join(item.ngram for item in cluster.telling[:3])
        own = found.distances[found.assignment == cluster.number]
        assert cluster.distances[0] == own.min()
        assert found.assignment[list(cluster.typical)].tolist() == [cluster.number] * len(cluster.typical)
    np.testing.assert_array_equal(found.model.predict(found.vectorizer.transform(corpus)), found.assignment)


def test_the_number_of_clusters_is_chosen_from_candidates(corpus):
    found = cluster_texts(corpus, range(2, 6))
    assert found.choice is not None
    assert found.choice.k == 3 == len(found.clusters)
    assert [item.k for item in found.choice.measured] == [2, 3, 4, 5]
    inertias = [item.inertia for item in found.choice.measured]
    assert inertias == sorted(inertias, reverse=True)
    assert found.choice.sentence.startswith("k = 3, of 4 tried from 2 to 5: silhouette 0.")


def test_a_result_is_plain_data(corpus):
    found = json.loads(json.dumps(cluster_texts(corpus, [2, 3]).to_dict(), allow_nan=False))
    assert found["kind"] == "clusters"
    assert sum(cluster["size"] for cluster in found["clusters"]) == 90
    assert found["choice"]["k"] == 3
    assert found["agreement"]["nmi"] == pytest.approx(1)  # sums of logarithms in two orders


@pytest.mark.parametrize("mini_batch", [False, True])
def test_any_number_of_threads_gives_the_same_clusters(corpus, mini_batch):
    found = [cluster_texts(corpus, 4, n_jobs=n, mini_batch=mini_batch) for n in (1, 2)]
    assert found[0].assignment.tobytes() == found[1].assignment.tobytes()
    assert found[0].clusters == found[1].clusters


def test_a_text_without_words_is_in_no_cluster(corpus):
    texts = [*corpus.texts.to_pylist(), "?!", ""]
    found = cluster_texts(Corpus(texts), 3)
    assert found.assignment[-2:].tolist() == [-1, -1]
    assert np.isnan(found.distances[-2:]).all()
    assert found.n_unassigned == 2
    assert found.agreement is None
    assert sum(cluster.size for cluster in found.clusters) == 90


def test_vectors_bring_texts_together_that_share_no_word():
    rng = np.random.default_rng(0)
    words = [word for topic in TOPICS.values() for word in topic]
    centres = np.repeat(np.eye(3), 6, axis=0) + rng.normal(scale=0.1, size=(18, 3))
    texts = [" ".join(rng.choice(topic, size=1)) for topic in TOPICS.values() for _ in range(20)]
    found = cluster_texts(Corpus(texts), 3, vectors=WordVectors(words, centres))
    assert clustering.compare_groupings(np.repeat([0, 1, 2], 20), found.assignment).ari == 1.0


def test_the_choice_says_what_to_doubt():
    noise = sparse.random_array((120, 60), density=0.2, rng=np.random.default_rng(0), format="csr")
    choice = choose_k(noise, [2, 3, 4, 5, 6])
    assert "the silhouette is low" in choice.sentence
    assert "another sample of the documents would give other clusters" in choice.sentence


def test_the_choice_is_made_on_a_sample_and_tells_how_far_it_is():
    X, _ = make_blobs(400, centers=[[0, 0], [9, 0], [0, 9], [9, 9]], random_state=0)
    calls = []
    choice = choose_k(
        X, [2, 3, 4], metric="euclidean", sample=150, progress=lambda done, total: calls.append((done, total))
    )
    assert choice.n_documents == 150
    assert choice.k == 4
    assert "the largest k that was tried" in choice.sentence
    assert calls == [(0, 3), (1, 3), (2, 3)]


def test_telling_words_of_a_cluster_are_in_it():
    corpus = Corpus(["a cat", "stocks fell today", "rain and wind came"])
    for cluster in describe_clusters(corpus, [0, 1, 2], [0.1, 0.1, 0.1]):
        assert cluster.telling
        assert all(item.inside for item in cluster.telling)


def test_typical_documents_are_different_ones():
    corpus = Corpus(["a cat"] * 3 + ["the cat sat"] + ["stocks"])
    first, _ = describe_clusters(corpus, [0, 0, 0, 0, 1], [0.1, 0.1, 0.1, 0.2, 0.0])
    assert first.typical == (0, 3)


@pytest.mark.parametrize(
    ("texts", "k", "error", "message"),
    [
        (["?", "!"], 1, DataError, "none of the 2 texts has a word to go by"),
        (
            ["one cat", "two dogs"],
            3,
            DataError,
            "There are 2 documents, fewer than the 3 clusters that were asked for. Ask for at most 2.",
        ),
        (["one cat"] * 5, 2, DataError, "Only 1 of the 5 documents are different"),
        (["one cat"], 0, ParameterError, "k is 0. Ask for at least 1 cluster"),
        (["one cat"], -2, ParameterError, "k is -2"),
        (["one cat", "two dogs"], [1, 2], ParameterError, r"must be at least 2. Got \[1, 2\]"),
        (["one cat", "two dogs", "three cats"], [2, 3], DataError, "3 documents: too few to choose among up to 3"),
    ],
)
def test_bad_input_is_refused_with_the_way_out(texts, k, error, message):
    with pytest.raises(error, match=message):
        cluster_texts(Corpus(texts), k)


def test_one_cluster_has_no_silhouette(corpus):
    found = cluster_texts(corpus, 1)
    assert found.silhouette is None
    assert found.clusters[0].name == "cluster 0"


def test_names_leave_out_the_function_words_of_the_language():
    texts = [
        f"{words} {i}" for i in range(30) for words in ("where is the parcel in it", "can you pay the card of mine")
    ]
    found = cluster_texts(Corpus(texts), k=2)
    assert {cluster.name for cluster in found.clusters} == {"parcel", "card, mine, pay"}
    assert function_words(["wo ist das Paket und die Karte der Post"]) == stop_words("german")


def test_stop_words_are_left_out_of_the_clustering_too(tmp_path):
    texts = ["red cat", "red dog", "blue cat", "blue dog"] * 5
    by_colour = cluster_texts(Corpus(texts), k=2, stop_words=["Cat", "Dog"])
    assert sorted(by_colour.vectorizer.vocabulary_) == ["blue", "red"]
    (tmp_path / "words.txt").write_text("Red\nBLUE\n", encoding="utf-8")
    by_animal = cluster_texts(Corpus(texts), k=2, stop_words=tmp_path / "words.txt")
    assert sorted(by_animal.vectorizer.vocabulary_) == ["cat", "dog"]
    assert {cluster.name for cluster in by_animal.clusters} == {"cat", "dog"}


def test_stop_words_that_are_no_list_and_no_file(tmp_path):
    with pytest.raises(ParameterError, match=r"There are no stop words 'germna'. Give a language, one of 'german', "):
        stop_words("germna")
    (tmp_path / "empty.txt").write_text("\n")
    with pytest.raises(DataError, match=r"there is no word in this file. Write some"):
        stop_words(tmp_path / "empty.txt")
    (tmp_path / "latin.txt").write_bytes("für".encode("latin-1"))
    with pytest.raises(DataError, match="stop words are read as UTF-8, and this file is not"):
        stop_words(tmp_path / "latin.txt")
