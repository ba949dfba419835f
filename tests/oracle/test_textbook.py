"""What runs natively against the textbook: integers exactly, floats to a stated tolerance."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from assay import textbook
from assay.features import CountVectorizer, HashingVectorizer, TfidfVectorizer
from assay.learners import AveragedPerceptron, MultinomialNB, Perceptron, VotedPerceptron
from assay.textbook import worked

words = st.sampled_from(["a", "A", "book", "Tim", "tim", ".", ",", "naïve", "日本", "don't"])
documents = st.lists(st.lists(words, min_size=1, max_size=12).map(" ".join), min_size=1, max_size=8)
# as the textbook splits: at white space only, every token as it is written
AS_WRITTEN = {"token_pattern": r"\S+", "lowercase": False}


def vocabulary_of(vectorizer) -> list[str]:
    return vectorizer.get_feature_names_out().tolist()


@settings(max_examples=80, deadline=None)
@given(documents)
def test_counts_are_the_textbooks(texts):
    vectorizer = CountVectorizer(**AS_WRITTEN)
    counts = vectorizer.fit_transform(texts).toarray()
    names = vocabulary_of(vectorizer)
    assert sorted(textbook.vocabulary(texts)) == sorted(names)
    assert counts.tolist() == textbook.count_vectors(texts, names)


@settings(max_examples=40, deadline=None)
@given(documents)
def test_binary_vectors_are_the_textbooks(texts):
    vectorizer = CountVectorizer(binary=True, **AS_WRITTEN)
    present = vectorizer.fit_transform(texts).toarray()
    assert present.tolist() == textbook.binary_vectors(texts, vocabulary_of(vectorizer))


@settings(max_examples=40, deadline=None)
@given(documents, st.sets(words, min_size=1, max_size=3))
def test_stop_words_are_left_out_as_in_the_textbook(texts, stop_words):
    rest = textbook.vocabulary(texts, stop_words)
    if not rest:
        return  # nothing is left to count: the vectorizer says so
    vectorizer = CountVectorizer(stop_words=sorted(stop_words), **AS_WRITTEN)
    counts = vectorizer.fit_transform(texts).toarray()
    assert sorted(rest) == sorted(vocabulary_of(vectorizer))
    assert counts.tolist() == textbook.count_vectors(texts, vocabulary_of(vectorizer))


@settings(max_examples=40, deadline=None)
@given(documents)
def test_bigrams_are_the_textbooks(texts):
    pairs = [textbook.bigrams(text) for text in texts]
    if not any(pairs):
        return  # one word each: there are no pairs
    vectorizer = CountVectorizer(ngram_range=(2, 2), **AS_WRITTEN)
    counts = vectorizer.fit_transform(texts).toarray()
    assert counts.tolist() == textbook.count_vectors(pairs, vocabulary_of(vectorizer))


@settings(max_examples=80, deadline=None)
@given(documents)
def test_tfidf_is_the_textbooks_with_one_added_to_the_idf(texts):
    vectorizer = TfidfVectorizer(smooth_idf=False, norm=None, dtype=np.float64, **AS_WRITTEN)
    weighted = vectorizer.fit_transform(texts).toarray()
    counts = textbook.count_vectors(texts, vocabulary_of(vectorizer))
    idf = textbook.inverse_document_frequencies(counts, math.log)
    # both multiply a count by one rounded logarithm
    expected = [[f * (weight + 1) for f, weight in zip(row, idf, strict=True)] for row in counts]
    np.testing.assert_allclose(weighted, expected, rtol=1e-12)


@settings(max_examples=40, deadline=None)
@given(documents)
def test_hashed_counts_are_the_textbooks_in_other_places(texts):
    vectorizer = HashingVectorizer(n_features=2**20, alternate_sign=False, norm=None, **AS_WRITTEN)
    names = textbook.vocabulary(texts)
    columns = vectorizer.transform(names).indices  # one word a document: where that word is counted
    assert len(set(columns)) == len(names)
    hashed = vectorizer.transform(texts).tocsc()[:, columns].toarray()
    assert hashed.tolist() == textbook.count_vectors(texts, names)


def test_worked_tfidf_table_natively():
    """Zhang, chapter 3.1, Python practice 2: length-normalised, natural logarithm."""
    vectorizer = TfidfVectorizer(smooth_idf=False, norm="l1", stop_words=list(worked.TIM_STOP_WORDS), **AS_WRITTEN)
    vectorizer.fit(worked.TIM_PRACTICE)
    counts = CountVectorizer(vocabulary=vectorizer.vocabulary_, **AS_WRITTEN).transform(worked.TIM_PRACTICE).toarray()
    ours = counts / counts.sum(axis=1, keepdims=True) * (vectorizer.idf_ - 1)
    theirs = textbook.tfidf(worked.TIM_PRACTICE, vocabulary_of(vectorizer), form="length-normalised")
    np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)


@st.composite
def count_problems(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_classes, n_words = draw(st.integers(2, 4)), draw(st.integers(1, 6))
    y = rng.permutation([*range(n_classes), *rng.integers(n_classes, size=draw(st.integers(0, 10)))])
    X = rng.integers(0, 4, (len(y), n_words))
    X[0] += 1  # every word is seen
    return X, y


@settings(max_examples=40, deadline=None)
@given(count_problems(), st.sampled_from([0.1, 1.0, 3.0]))
def test_naive_bayes_has_the_textbooks_probabilities(problem, alpha):
    X, y = problem
    texts = [[f"w{j}" for j, n in enumerate(row) for _ in range(n)] for row in X]
    theirs = textbook.naive_bayes(texts, y.tolist(), alpha=alpha)
    model = MultinomialNB(alpha=alpha).fit(X, y)
    for k, c in enumerate(model.classes_.tolist()):
        # one quotient and one logarithm on each side
        assert model.class_log_prior_[k] == pytest.approx(math.log(theirs.prior(c)), abs=1e-12)
        expected = [math.log(theirs.likelihood(f"w{j}", c)) for j in range(X.shape[1])]
        np.testing.assert_allclose(model.feature_log_prob_[k], expected, rtol=1e-12)
    for row, tokens in zip(model.predict_proba(X), texts, strict=True):
        # sums of logarithms in another order
        np.testing.assert_allclose(row, list(theirs.posterior(tokens).values()), rtol=1e-9, atol=1e-12)


@st.composite
def point_problems(draw, most_classes=4):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_classes = draw(st.integers(2, most_classes))
    y = rng.permutation([*range(n_classes), *rng.integers(n_classes, size=draw(st.integers(0, 16)))])
    X = rng.integers(-3, 4, (len(y), draw(st.integers(1, 5)))).astype(float)
    assume(X.any())  # nothing but zeros is refused
    return X, y, draw(st.integers(1, 6))


@settings(max_examples=60, deadline=None)
@given(point_problems())
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_perceptron_ends_with_the_textbooks_weights(problem):
    X, y, epochs = problem
    model = Perceptron(shuffle=False, max_iter=epochs).fit(X, y)
    if len(model.classes_) == 2:
        theirs = textbook.perceptron(X, y.tolist(), epochs=epochs)
        weights, biases = [theirs.w], [theirs.b]
    else:
        theirs = textbook.multiclass_perceptron(X, y.tolist(), epochs=epochs)
        weights, biases = theirs.W, theirs.b
    np.testing.assert_array_equal(model.coef_, weights)
    np.testing.assert_array_equal(model.intercept_, biases)
    assert model.mistakes_.tolist() == list(theirs.mistakes)
    assert model.separable_ == theirs.converged


@settings(max_examples=40, deadline=None)
@given(point_problems(most_classes=2))
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_averaged_perceptron_has_the_textbooks_two_means(problem):
    X, y, epochs = problem
    for average, find in (("examples", textbook.average_over_examples), ("updates", textbook.average_over_updates)):
        model = AveragedPerceptron(average=average, shuffle=False, max_iter=epochs).fit(X, y)
        theirs = find(X, y.tolist(), epochs=epochs)
        # the native mean is a difference of two sums
        np.testing.assert_allclose(model.coef_, [theirs.w], rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(model.intercept_, [theirs.b], rtol=1e-12, atol=1e-12)


@settings(max_examples=40, deadline=None)
@given(point_problems(most_classes=2))
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_voted_perceptron_has_the_textbooks_votes_and_decisions(problem):
    X, y, epochs = problem
    model = VotedPerceptron(shuffle=False, max_iter=epochs).fit(X, y)
    theirs = textbook.voted_perceptron(X, y.tolist(), epochs=epochs)
    assert model.survivals_.tolist() == [survivor.votes for survivor in theirs.survivors]
    assert model.predict(X).tolist() == [theirs.predict(x) for x in X]
