"""The documents most like a text, and what classes are like."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics.pairwise import cosine_similarity

import assay
from assay.errors import DataError, ParameterError
from assay.explanation import DocumentIndex, class_prototypes, top_features
from assay.features import HashingVectorizer, JoinedVectorizer, LexiconFeatures, TfidfVectorizer

TEXTS = [
    "loved the film",
    "so dull a film",
    "great fun",
    "a dull mess",
    "great, great acting",
    "dull acting",
    "?",
    "xyz",
]
LABELS = ["pos", "neg", "pos", "neg", "pos", "neg", "neg", "pos"]
QUESTION = "dull, but great acting"


@pytest.fixture(scope="module")
def corpus():
    return assay.read((TEXTS, LABELS))


@pytest.fixture(
    scope="module",
    params=[
        TfidfVectorizer(ngram_range=(1, 2)),
        HashingVectorizer(n_features=64),
        JoinedVectorizer([("words", TfidfVectorizer()), ("lists", LexiconFeatures({"good": ["great", "fun"]}))]),
    ],
    ids=["vocabulary", "hashed", "joined"],
)
def classifier(request, corpus):
    return assay.TextClassifier(request.param, "logistic").fit(corpus)


def test_similarity_is_the_cosine_of_the_vectorizers_rows(classifier, corpus):
    rows, question = classifier.vectorizer_.transform(TEXTS), classifier.vectorizer_.transform([QUESTION])
    expected = cosine_similarity(rows, question)[:, 0]
    found = classifier.explain(QUESTION).nearest(corpus, len(TEXTS))
    assert [near.similarity for near in found] == pytest.approx(sorted(expected[expected > 0], reverse=True), abs=1e-6)
    assert [expected[near.position] for near in found] == pytest.approx([near.similarity for near in found], abs=1e-6)
    assert all((near.text, near.label) == (TEXTS[near.position], LABELS[near.position]) for near in found)


def test_by_decision_features_count_by_what_they_weigh(classifier, corpus):
    weights = classifier.learner_.coef_[0]
    rows, question = classifier.vectorizer_.transform(TEXTS), classifier.vectorizer_.transform([QUESTION])
    expected = cosine_similarity(rows.multiply(weights), question.multiply(weights))[:, 0]
    found = classifier.explain(QUESTION).nearest(corpus, 3, by="decision")
    # weights are kept in single precision, and rows are compared in it
    assert [near.similarity for near in found] == pytest.approx(sorted(expected, reverse=True)[:3], abs=1e-5)


def test_by_decision_of_several_classes_the_lead_over_the_next_counts():
    texts, labels = ["a b", "b c", "c a", "a a"], ["x", "y", "z", "x"]
    classifier = assay.TextClassifier(TfidfVectorizer(token_pattern=r"(?u)\b\w+\b"), "logistic").fit(texts, labels)
    explanation = classifier.explain("a b c")
    best, second = (classifier.labels.index(label) for label in explanation.ranking[:2])
    weights = classifier.learner_.coef_[best] - classifier.learner_.coef_[second]
    rows, question = classifier.vectorizer_.transform(texts), classifier.vectorizer_.transform(["a b c"])
    expected = cosine_similarity(rows.multiply(weights), question.multiply(weights))[:, 0]
    found = explanation.nearest(assay.read((texts, labels)), 4, by="decision")
    assert [near.similarity for near in found] == pytest.approx(sorted(expected[expected > 0], reverse=True), abs=1e-5)


def test_shared_features_are_named_by_the_text(classifier, corpus):
    (near,) = classifier.explain("acting").nearest(corpus, 1)
    assert near.position == 5
    assert near.shared == ("acting",)


def test_an_index_answers_for_many_texts_and_needs_no_labels(classifier):
    index = DocumentIndex(classifier.model, assay.read(TEXTS, label=False))
    for text in ("great fun", "so dull a film"):
        near = index.nearest(classifier.explain(text), 1)[0]
        assert (near.text, near.label) == (text, None)
        assert near.similarity == pytest.approx(1, abs=1e-6)


def test_a_text_without_known_features_is_like_none(corpus):
    classifier = assay.TextClassifier(TfidfVectorizer(), "logistic").fit(corpus)
    assert classifier.explain("unheard").nearest(corpus) == []


def test_mistakes_about_nearest_documents_are_said(classifier, corpus):
    explanation = classifier.explain(QUESTION)
    with pytest.raises(ParameterError, match=r"by must be one of 'features', 'decision'. Got 'feature' instead"):
        explanation.nearest(corpus, by="feature")
    for k in (0, 1.5, True):
        with pytest.raises(ParameterError, match=f"k must be a whole number from 1 on. Got {k}"):
            explanation.nearest(corpus, k)
    with pytest.raises(DataError, match="there are no documents to compare with"):
        explanation.nearest(corpus[:0])


def test_prototypes_are_nearest_to_the_mean_of_their_class(classifier, corpus):
    rows = classifier.vectorizer_.transform(TEXTS).toarray()
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    rows = rows / np.where(lengths > 0, lengths, 1)
    found = class_prototypes(classifier.model, corpus, documents=8, features=2)
    for label, prototype in found.items():
        own = np.array(LABELS) == label
        centroid = rows[own].mean(axis=0)
        expected = rows[own] @ centroid / np.linalg.norm(centroid)
        assert prototype.n_documents == own.sum()
        similar = [document.similarity for document in prototype.documents]
        assert similar == pytest.approx(sorted(expected, reverse=True))
        assert {document.position for document in prototype.documents} == set(np.flatnonzero(own))
    assert found["neg"].features[0].feature == "dull"
    assert found["neg"].features[0].inside > found["neg"].features[0].outside
    assert found["neg"].to_dict()["documents"][0]["text"] == found["neg"].documents[0].text


def test_a_text_is_a_prototype_once(corpus):
    doubled = assay.read((TEXTS * 2, LABELS * 2))
    model = assay.TextClassifier().fit(corpus).model
    texts = [document.text for document in class_prototypes(model, doubled, documents=4)["neg"].documents]
    assert len(texts) == len(set(texts)) == 4


def test_mistakes_about_prototypes_are_said(classifier, corpus):
    with pytest.raises(DataError, match="have no labels, and prototypes are those of classes"):
        class_prototypes(classifier.model, assay.read(TEXTS, label=False))
    with pytest.raises(ParameterError, match=r"documents must be a whole number from 1 on. Got 0"):
        class_prototypes(classifier.model, corpus, documents=0)
    with pytest.raises(ParameterError, match=r"features must be a whole number from 1 on. Got -1"):
        class_prototypes(classifier.model, corpus, features=-1)


def test_what_a_signed_hash_subtracts_speaks_for_the_class_that_has_it():
    words = [f"word{i}" for i in range(40)]
    texts, labels = [*words[:20], *words[20:]] * 3, (["a"] * 20 + ["b"] * 20) * 3
    corpus = assay.read((texts, labels))
    classifier = assay.TextClassifier(HashingVectorizer(n_features=2**16), "logistic").fit(corpus)
    assert (classifier.vectorizer_.transform(words).data < 0).any()
    found = top_features(classifier.model, corpus, top=20)
    assert {item.feature for item in found["a"]} == set(words[:20])
    assert {item.feature for item in found["b"]} == set(words[20:])


def test_an_example_shows_the_feature_in_its_text(corpus):
    model = assay.TextClassifier(TfidfVectorizer(), "logistic").fit(corpus).model
    long = "far " * 20 + "so dull " + "away " * 20
    found = top_features(model, assay.read(([long, "great fun"], ["neg", "pos"])), top=1)
    (item,) = found["neg"]
    assert item.feature == "dull"
    assert item.example is not None
    assert "so dull away" in item.example
    assert item.example.startswith("…far")
    assert item.example.endswith("away…")
    assert top_features(model, top=1)["neg"][0].example is None


def test_word_vectors_are_compared_in_words(corpus):
    from assay.embeddings import EmbeddingVectorizer, WordVectors
    from assay.explanation import feature_groups

    words = ["dull", "great", "acting", "film", "fun"]
    vectors = WordVectors(words, np.random.default_rng(0).normal(size=(5, 3)), np.array([50, 40, 30, 20, 10]))
    classifier = assay.TextClassifier(
        JoinedVectorizer([("words", TfidfVectorizer()), ("vectors", EmbeddingVectorizer(vectors))]), "logistic"
    ).fit(corpus)
    assert [group.name for group in feature_groups(classifier.model)] == ["single words", "word vectors"]
    near = classifier.explain("dull acting").nearest(corpus, 1)[0]
    assert near.position == 5
    assert near.similarity == pytest.approx(1, abs=1e-6)
    assert set(near.shared) <= {"dull", "acting"}
    assert class_prototypes(classifier.model, corpus, features=1)["neg"].features[0].feature == "dull"
