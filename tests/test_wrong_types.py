"""Whatever is handed to a public function by mistake is refused in our words: what it was, and what to give instead."""

from __future__ import annotations

import io
import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import assay
import assay.learners
from assay.audit import audit
from assay.errors import AssayError, DataError
from assay.explanation import top_features
from assay.features import CountVectorizer, HashingVectorizer, TfidfVectorizer

TEXTS, LABELS = ["loved it", "so dull", "great fun", "very dull"], ["pos", "neg", "pos", "neg"]
PAIR = (TEXTS, LABELS)
X = CountVectorizer().fit_transform(TEXTS)
MODEL = assay.TextClassifier(learner="nb").fit(TEXTS, LABELS)


@pytest.fixture(scope="module")
def model():
    return assay.TextClassifier(learner="nb").fit(TEXTS, LABELS)


def damaged(offsets: list[int]) -> pa.Array:
    """Two texts whose offsets point outside of their bytes; Arrow itself looks at the last one only."""
    return pa.StringArray.from_buffers(2, pa.py_buffer(np.array(offsets, np.int32)), pa.py_buffer(b"abcdef"))


def damaged_view(size: int, buffer: int, offset: int) -> pa.Array:
    """A text that is said to lie in a buffer, from an offset on; there is one buffer, of 30 bytes."""
    where = np.array([size, 0, buffer, offset], np.int32)
    return pa.Array.from_buffers(pa.string_view(), 1, [None, pa.py_buffer(where), pa.py_buffer(b"abcdef" * 5)])


ENDLESS: list[object] = []
ENDLESS.append(ENDLESS)

SINGLE_THINGS = {
    "None": None,
    "a number": 5,
    "a truth value": True,
    "a type": int,
    "an object": object(),
    "a path": Path("nowhere"),
    "an array without dimensions": np.array("loved it"),
    "bytes": b"loved it",
    "numbers, None and bytes": [1, None, b"x"],
    "lists in a list": [["loved it"], ["so dull"]],
    "a list in itself": ENDLESS,
    "a column with a list in itself": {"text": ENDLESS},
    "a table of texts": np.array([TEXTS, TEXTS]),
    "a dict of numbers": {"a": 1},
    "an array with decreasing offsets": damaged([0, 5, 3]),
    "an array with a negative offset": damaged([0, -3, 6]),
    "an array with an offset behind its end": damaged([0, 1 << 30, 6]),
    "a dictionary of damaged texts": pa.DictionaryArray.from_arrays(pa.array([0, 1]), damaged([0, 5, 3]), safe=False),
    "a dictionary without the values": pa.DictionaryArray.from_arrays(pa.array([0, 9]), pa.array(["a"]), safe=False),
    "a structure of damaged texts": pa.StructArray.from_arrays([damaged([0, 5, 3])], ["text"]),
    "a view behind the end": damaged_view(20, 0, 25),
    "a view of no buffer": damaged_view(20, 3, 0),
    "a view of negative size": damaged_view(-5, 0, 0),
}

TAKE_TEXTS = {
    "predict": lambda model, it: model.predict(it),
    "predict_proba": lambda model, it: model.predict_proba(it),
    "fit of a corpus": lambda _, it: assay.TextClassifier().fit(it),
    "fit of texts": lambda _, it: assay.TextClassifier().fit(it, ["pos", "neg"]),
    "read": lambda _, it: assay.read(it),
    "read of texts": lambda _, it: assay.read((it, ["pos", "neg"])),
    "train": lambda _, it: assay.train(it),
    "evaluate": lambda model, it: assay.evaluate(model, it),
    "compare": lambda model, it: assay.compare(model, model, it),
    "CountVectorizer": lambda _, it: CountVectorizer().fit_transform(it),
    "TfidfVectorizer": lambda _, it: TfidfVectorizer().fit_transform(it),
    "HashingVectorizer": lambda _, it: HashingVectorizer().transform(it),
}


@pytest.mark.parametrize("entry", TAKE_TEXTS)
def test_what_is_no_texts_is_refused(model, entry):
    for what, value in SINGLE_THINGS.items():
        with pytest.raises(AssayError) as caught:
            TAKE_TEXTS[entry](model, value)
        assert str(caught.value).count(". ") >= 1, f"{what}: no way out in {caught.value}"


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (5, "labels must be one label a text, or a set of labels a text. Got '5', of type int, instead"),
        (np.array("pos"), "labels must be one label a text"),
        (
            [["pos"], [5, "x"]] * 2,
            r"The labels are of different types: 'pos' \(row 1, a text\) and 5 \(row 2, a number",
        ),
        ([Path("pos")] * 4, r"column 'label' holds .*, of type PosixPath\. Give strings or numbers"),
        (np.zeros(4, [("a", "U3")]), r"column 'label' holds .*\. Give strings or numbers"),
        (damaged([0, 5, 3]), "the Arrow array is damaged"),
        (np.array([["pos", "neg"]] * 4), "the labels are a table of 4 rows and 2 columns that holds 'pos'"),
        (ENDLESS, "column 'label' has more than 200 lists inside each other. Give a list of strings"),
        ("pos", "labels must be one label a text. Got the text 'pos' instead"),
        ([["pos"], ["neg"], ["pos"], {"neg": 1}], "label"),
        (["pos", "neg"], "there are 4 texts and 2 labels. There must be as many of both"),
        ((label for label in LABELS[:3]), "there are 4 texts and 3 labels"),
    ],
)
def test_labels_that_do_not_go_with_the_texts_are_refused(labels, message):
    with pytest.raises(DataError, match=message):
        assay.TextClassifier().fit(TEXTS, labels)


@pytest.mark.parametrize("name", [None, 5, ["a.assay"], np.array("a"), b"a.assay"])
def test_what_is_no_name_of_a_file_is_refused(model, name):
    with pytest.raises(AssayError, match=r"is no name of a file\. Give a string or a path"):
        model.save(name)
    with pytest.raises(AssayError, match=r"is no name of a file\. Give a string or a path"):
        assay.load(name)


def test_a_name_with_a_zero_byte_is_refused(model):
    with pytest.raises(AssayError, match="zero byte"):
        model.save("a\0b")
    with pytest.raises(AssayError, match="no such file"):
        assay.load("a\0b")


@pytest.mark.parametrize("predicted", [5, object(), Path("x")])
def test_what_is_neither_a_model_nor_labels_cannot_be_evaluated(predicted):
    with pytest.raises(AssayError, match=f"of type {type(predicted).__name__}, instead"):
        assay.evaluate(predicted, PAIR)


@pytest.mark.parametrize("texts", [*SINGLE_THINGS.values(), pa.scalar("x"), "one text", ["\ud800"]])
def test_a_corpus_is_made_of_strings(texts):
    with pytest.raises(DataError, match=r"\. (Give|Make|A Corpus|Leave) "):
        assay.Corpus(texts)


@pytest.mark.parametrize(
    ("predicted", "message"),
    [
        (damaged([0, 5, 3]), "y_true, row 2: the Arrow array is damaged"),
        ([["a", ["b"]], "a"], "y_true must be one label a document. Got lists of labels instead"),
    ],
)
def test_what_is_measured_must_be_labels(predicted, message):
    with pytest.raises(DataError, match=message):
        assay.evaluate(predicted, ["pos", "neg"])


def test_a_file_that_is_closed_or_none_is_refused():
    closed = io.BytesIO(b"text,label\n")
    closed.close()
    for given in (closed, os):
        with pytest.raises(
            DataError, match=r"nothing can be read from this \w+: .*\. Give a file that is open, or its"
        ):
            assay.read(given)


def test_a_damaged_array_is_named_with_its_row():
    with pytest.raises(DataError, match=r"row 2: the Arrow array is damaged: its text would go from byte 5 to 3 of 6"):
        assay.read(damaged([0, 5, 3]))
    wrong = pa.DictionaryArray.from_arrays(pa.array([0, 9]), pa.array(["a", "b"]), safe=False)
    with pytest.raises(DataError, match=r"it refers to value 9 of a dictionary of 2\. Make the array anew"):
        assay.read(wrong)


@pytest.mark.parametrize("kind", [tuple, set, iter, lambda items: (item for item in items), np.array])
def test_many_texts_are_taken_in_any_form(model, kind):
    assert sorted(model.predict(kind(["loved it", "so dull"])).tolist()) == ["neg", "pos"]


def test_labels_may_come_one_by_one():
    assert assay.TextClassifier(learner="nb").fit(TEXTS, (label for label in LABELS)).predict(["dull"]) == ["neg"]


HUGE = 10**5000
DEEP: list[object] = []
for _ in range(100_000):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: assay.read(PAIR, names=5),
            "The 'names' parameter of read must be a list of texts or None. Got 5 instea",
        ),
        (lambda: assay.read(PAIR, keep=2.5), "The 'keep' parameter of read must be True or False or a list of texts"),
        (
            lambda: assay.train(PAIR, ngrams=5),
            "The 'ngrams' parameter of train must be a text or a pair of whole numbers",
        ),
        (
            lambda: assay.train(PAIR, learner=["nb"]),
            "The 'learner' parameter of train must be a text. Got ['nb'] instead",
        ),
        (lambda: assay.train(PAIR, ngrams=(1, HUGE)), "The 'ngrams' parameter of train must be a text or a pair"),
        (lambda: assay.train(PAIR, seed=HUGE), "Got a number of thousands of digits instead"),
        (
            lambda: assay.train(PAIR, class_weight=3),
            "The 'class_weight' parameter of train must be a text or a dictionary",
        ),
        (
            lambda: assay.compare(PAIR, PAIR, test=[1]),
            "The 'test' parameter of compare must be a text. Got [1] instead",
        ),
        (
            lambda: assay.cross_validate(assay.TextClassifier(learner="nb"), PAIR, metrics=HUGE, folds=2),
            "A metric is a name such as 'macro_f1', or a function",
        ),
        (
            lambda: assay.cross_validate("nb", PAIR, groups=3),
            "groups must be the name of a column, or one value for eac",
        ),
        (lambda: assay.cross_validate("nb", PAIR, seed=-1), "seed must be a whole number from 0 to 2**64 - 1. Got -1"),
        (
            lambda: assay.cross_validate("nb", PAIR, repeats=HUGE),
            "repeats must be a whole number from 1 to 10,000. Got a",
        ),
        (lambda: assay.evaluate(HUGE, PAIR), "Got a number of thousands of digits instead"),
        (
            lambda: audit(5, PAIR),
            "An audit needs a fitted model: one with labels (or classes_) and predict. Got 5 instead",
        ),
        (
            lambda: audit(MODEL, PAIR, thresholds=1),
            "The 'thresholds' parameter of audit must be Thresholds or None. Got 1",
        ),
        (
            lambda: audit(MODEL, PAIR, probes=[1]),
            "The 'probes' parameter of audit must be a list of Probes. Got [1] inst",
        ),
        (
            lambda: top_features(5),
            "The 'model' parameter of top_features must be the `model` of a linear TextClassifier",
        ),
        (lambda: CountVectorizer(max_df=HUGE).fit(TEXTS), "cannot be a number of thousands of digits"),
        (
            lambda: CountVectorizer(encoding=DEEP).fit(TEXTS),
            "cannot be a list with others inside it, deeper than Python",
        ),
        (
            lambda: CountVectorizer(dtype="x").fit(TEXTS),
            "The 'dtype' parameter must be a type of numbers, such as numpy.",
        ),
        (
            lambda: CountVectorizer(vocabulary=[[1]]).fit(TEXTS),
            "The 'vocabulary' parameter must be a list of words or a",
        ),
        (
            lambda: CountVectorizer(stop_words=[[]]).fit(TEXTS),
            "The 'stop_words' parameter must be a list of words. Got [[]",
        ),
        (
            lambda: CountVectorizer(token_pattern=None).fit(TEXTS),
            "The 'token_pattern' parameter must be a regular expres",
        ),
        (
            lambda: assay.learners.LinearSVC(C=HUGE).fit(X, LABELS),
            "must be a number above 0 and below inf. Got a num",
        ),
        (
            lambda: assay.learners.LinearSVC(max_iter=2**31).fit(X, LABELS),
            "at least 1 and at most 2,147,483,647. Got 21",
        ),
        (
            lambda: assay.learners.LinearSVC(loss=DEEP).fit(X, LABELS),
            "Got a list with others inside it, deeper than Pyt",
        ),
        (
            lambda: assay.learners.MultinomialNB(alpha="x").fit(X, LABELS),
            "alpha must be a number or a list of numbers.",
        ),
    ],
)
def test_a_setting_of_another_kind_is_refused_in_words(call, message):
    with pytest.raises(AssayError) as caught:
        call()
    assert message in str(caught.value)
