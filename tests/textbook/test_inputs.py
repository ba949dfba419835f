"""What the algorithms say when they cannot use what they are given."""

from __future__ import annotations

import numpy as np
import pytest

from assay import textbook
from assay.textbook.inputs import two_classes

BINARY = [
    textbook.perceptron,
    textbook.voted_perceptron,
    textbook.average_over_updates,
    textbook.average_over_examples,
    textbook.logistic_regression,
    textbook.linear_svm,
]
LABELLED = [
    *BINARY,
    textbook.multiclass_perceptron,
    textbook.multinomial_logistic,
    textbook.multiclass_svm,
    textbook.feed_forward,
]


@pytest.mark.parametrize("algorithm", BINARY, ids=lambda f: f.__name__)
def test_three_classes_where_two_are_needed(algorithm):
    with pytest.raises(
        textbook.InputError,
        match=r"needs two classes and the labels name 3: 'a', 'b', 'c'\. Keep two of them",
    ):
        algorithm([[1], [2], [3]], ["a", "b", "c"])


@pytest.mark.parametrize("algorithm", LABELLED, ids=lambda f: f.__name__)
def test_empty_data(algorithm):
    with pytest.raises(textbook.InputError, match=r"X is empty\. Give at least one example\."):
        algorithm([], [])
    with pytest.raises(textbook.InputError, match=r"X\[0\] has no features\. Give at least one\."):
        algorithm([[]], ["a"])


@pytest.mark.parametrize("algorithm", LABELLED, ids=lambda f: f.__name__)
def test_data_that_is_not_numbers(algorithm):
    with pytest.raises(textbook.InputError, match=r"X\[1\]\[0\] is 'two', not a number"):
        algorithm([[1], ["two"]], [0, 1])
    with pytest.raises(textbook.InputError, match=r"X\[0\]\[0\] is nan\. Only finite numbers can be used"):
        algorithm([[float("nan")], [1]], [0, 1])
    with pytest.raises(textbook.InputError, match=r"X\[0\] is 'text', not a row of numbers"):
        algorithm(["text", "text"], [0, 1])


@pytest.mark.parametrize("algorithm", LABELLED, ids=lambda f: f.__name__)
def test_data_of_uneven_shape(algorithm):
    with pytest.raises(textbook.InputError, match=r"X\[1\] has 1 features where X\[0\] has 2"):
        algorithm([[1, 2], [3]], [0, 1])
    with pytest.raises(textbook.InputError, match="There are 2 examples and 1 labels"):
        algorithm([[1], [2]], [0])


def test_many_classes_need_more_than_one():
    with pytest.raises(textbook.InputError, match=r"There is one class only, 'a'\. Give examples of at least two"):
        textbook.multiclass_perceptron([[1], [2]], ["a", "a"])
    with pytest.raises(textbook.InputError, match=r"A label is 'c'\. It must be one of 'a', 'b'"):
        textbook.multiclass_perceptron([[1], [2]], ["a", "c"], classes=["a", "b"])


@pytest.mark.parametrize(
    ("labels", "positive"),
    [
        ([1, 0], 1),
        ([-1, 1], 1),
        (["+", "-"], "+"),
        (["No", "Yes"], "Yes"),
        (["Positive", "Negative"], "Positive"),
        (["ham", "spam"], "spam"),
        ([True, False], True),
        (["bad", "pos"], "pos"),
        (["zebra", "no"], "zebra"),
        ([1.0, 0.0], 1.0),
        (["+1", "−1"], "+1"),
    ],
)
def test_which_label_is_yes(labels, positive):
    assert two_classes(labels, "It").positive == positive


def test_the_caller_may_say_which_label_is_yes():
    model = textbook.perceptron([[1], [5]], ["spam", "ham"], positive="ham")
    assert model.positive == "ham"
    with pytest.raises(textbook.InputError, match=r"positive is 'hamm'\. It must be one of 'ham', 'spam'"):
        textbook.perceptron([[1], [5]], ["spam", "ham"], positive="hamm")


def test_one_label_alone():
    assert two_classes([1, 1], "It").signs == (1, 1)
    only_no = two_classes(["No", "No"], "It")
    assert only_no.signs == (-1, -1)
    assert only_no.negative == "No"
    with pytest.raises(textbook.InputError, match="There are no labels"):
        two_classes([], "It")


def test_many_labels_are_not_all_listed():
    with pytest.raises(textbook.InputError, match="name 9: 'a', 'b', 'c', 'd', 'e', 'f', …"):
        two_classes(list("abcdefghi"), "It")


def test_numpy_arrays_are_read():
    model = textbook.perceptron(np.array([[1], [10], [2], [20]]), np.array(["-", "+", "-", "+"]))
    assert (model.w, model.b) == ((2,), -4)


def test_documents():
    with pytest.raises(textbook.InputError, match=r"documents is empty\. Give at least one document"):
        textbook.tfidf([])
    with pytest.raises(textbook.InputError, match=r"documents\[1\] is 5, not a text"):
        textbook.count_vectors(["a", 5])
    with pytest.raises(textbook.InputError, match=r"documents is the string 'one text'\. Give a list of documents"):
        textbook.tfidf("one text")
    with pytest.raises(textbook.InputError, match=r"form is 'odd'\. It must be 'raw' or 'length-normalised'"):
        textbook.tfidf(["a"], form="odd")
    with pytest.raises(textbook.InputError, match="The document has no tokens"):
        textbook.bigrams("")
    with pytest.raises(textbook.InputError, match="No document has a token"):
        textbook.naive_bayes([""], ["a"])
    with pytest.raises(textbook.InputError, match=r"alpha is -1\. It must not be below 0"):
        textbook.naive_bayes(["a"], ["a"], alpha=-1)


def test_clusters():
    with pytest.raises(textbook.InputError, match=r"k is 3\. It must be between 1 and the number of points, 2"):
        textbook.kmeans([[1], [2]], k=3)
    with pytest.raises(textbook.InputError, match=r"start has 1 centres of 1 features\. It must have 2"):
        textbook.kmeans([[1], [2]], k=2, start=[[1]])
    with pytest.raises(textbook.InputError, match="A vector of zeros has no direction"):
        textbook.cosine_similarity([0, 0], [1, 2])


def test_features_of_an_unknown_class():
    with pytest.raises(textbook.InputError, match=r"c is 'z'\. It must be one of 'a', 'b'"):
        textbook.joint_features([1], "z", ["a", "b"])


def test_a_step_cannot_be_changed():
    step = next(iter(textbook.perceptron_steps([[1], [2]], [1, 0])))
    with pytest.raises(AttributeError):
        step.score = 5
    with pytest.raises(TypeError):
        step.parameters["b"] = 5
    with pytest.raises(TypeError):
        step.parameters["w"][0] = 5
