"""What cannot be learned from, or not with these settings, is said with the way out."""

from __future__ import annotations

import pytest
import sklearn.feature_extraction.text
import sklearn.svm

from assay import Corpus, TextClassifier
from assay.adaptation import EasyAdapt
from assay.errors import DataError, ParameterError
from assay.features import CountVectorizer, HashingVectorizer, TfidfVectorizer
from assay.learners import NBSVM, BernoulliNB, LinearSVC, MultinomialNB

TEXTS, LABELS = ["good film", "bad film", "good one", "bad one"], ["pos", "neg", "pos", "neg"]
DATA = [
    ((TEXTS, LABELS[:3]), r"there are 4 texts and 3 labels\. There must be as many of both"),
    ((TEXTS, ["pos"] * 4), r"list: all 4 texts have the label 'pos'\. A classifier needs examples of two classes"),
    ((Corpus(TEXTS),), r"memory: there are texts but no labels\. Give both"),
    ((TEXTS,), r"list: there are texts but no labels"),
    ((TEXTS, "pos"), r"labels must be one label a text\. Got the text 'pos'"),
    (("good film", ["pos"]), r"texts must be a list of texts\. Got the text 'good film'"),
    ((TEXTS, ["pos", 1, "pos", 0]), r"different types: 'pos' \(row 1, a text\) and 1 \(row 2, a number\)\. Make all"),
    ((TEXTS, [True, "no", True, "no"]), r"different types: True \(row 1, a truth value\) and 'no' \(row 2, a text\)"),
    (
        (TEXTS, ["pos", None, "pos", "neg"]),
        r"row 2: column 'label' is missing\. Use assay\.read\(…, skip_",
    ),
    ((["good", None, "bad", "dull"], LABELS), r"row 2: column 'text' is missing"),
    (([1, 2, 3, 4], LABELS), r"the texts must be strings\. Got values of type int64"),
    (([], []), r"no rows are left"),
    ((Corpus([], []),), r"memory: there are no texts to learn from"),
    ((["?", "!", "-", "."], LABELS), r"empty vocabulary; perhaps the documents only contain stop words"),
    ((Corpus(["", "", "", ""], LABELS),), r"none of the 4 documents has anything of 'words 1–2'"),
]


@pytest.mark.parametrize(("given", "message"), DATA)
def test_data_that_nothing_can_be_learned_from(given, message):
    with pytest.raises(DataError, match=message):
        TextClassifier().fit(*given)


def test_documents_without_a_feature_are_said_where_columns_are_hashed():
    with pytest.raises(DataError, match=r"none of the 4 texts has a feature: they are empty, or hold nothing"):
        TextClassifier(HashingVectorizer()).fit(["?", "!", "-", "."], LABELS)


@pytest.mark.parametrize("settings", [{"calibration": "sigmoid"}, {"rule": {"metric": "macro_f1"}, "learner": "nb"}])
def test_a_class_with_one_example_cannot_be_held_out(settings):
    with pytest.raises(DataError, match=r"list: the class 'odd' has one example only, which cannot be both learned"):
        TextClassifier(**settings).fit([*TEXTS, "odd"], [*LABELS, "odd"])
    assert TextClassifier().fit([*TEXTS, "odd"], [*LABELS, "odd"]).predict(["odd"]).tolist() == ["odd"]


def test_a_class_of_two_can_be_calibrated():
    model = TextClassifier(calibration="sigmoid").fit(TEXTS, LABELS)
    assert model.predict_proba(["good"]).shape == (1, 2)


SETTINGS = [
    ({"calibration": "platt"}, r"must be None or one of 'sigmoid', 'isotonic', 'temperature'\. Got 'platt'"),
    ({"rule": "macro_f1"}, r"'rule' parameter of TextClassifier must be None, a DecisionRule, or settings"),
    ({"seed": -1}, r"'seed' parameter of TextClassifier must be a whole number of at least 0\. Got -1"),
    ({"seed": True}, r"'seed' parameter .* Got True"),
    ({"threads": 0}, r"n_jobs must be a positive number of threads"),
    ({"learner": "svn"}, r"learner must be one of 'svm', .*, or an object of assay\.learners\. Got 'svn'"),
    ({"learner": sklearn.svm.LinearSVC()}, r"must be a learner of assay\.learners, its short name, or None\. Got Lin"),
    ({"vectorizer": "tfidf"}, r"must be a vectorizer of assay\.features, or None\. Got 'tfidf'"),
    (
        {"vectorizer": sklearn.feature_extraction.text.TfidfVectorizer()},
        r"Got TfidfVectorizer\(\) instead\. Those of scikit-learn have the same names and parameters there",
    ),
    ({"learner": LinearSVC(C=0)}, r"'C' parameter of LinearSVC must be a number above 0"),
    ({"learner": MultinomialNB(alpha=0)}, r"learned weights are not finite.*Raise alpha above 0"),
    ({"vectorizer": CountVectorizer(tokenizer=str.split)}, r"'tokenizer' of this CountVectorizer is a Python function"),
    ({"vectorizer": CountVectorizer(token_pattern="[a-z]+")}, r"token_pattern '\[a-z\]\+' needs Python's regular"),
    ({"vectorizer": TfidfVectorizer(preprocessor=str.lower)}, r"'preprocessor' of this TfidfVectorizer is a Python"),
    (
        {"vectorizer": HashingVectorizer(), "learner": BernoulliNB()},
        r"BernoulliNB\(binarize=0\) does not ask .* signed sum.*Use HashingVectorizer\(alternate_sign=False\)",
    ),
    (
        {"vectorizer": TfidfVectorizer(), "learner": BernoulliNB(binarize=0.3)},
        r"BernoulliNB\(binarize=0\.3\) does not ask whether .* that is no linear model\. Use binarize=0\.0",
    ),
    ({"vectorizer": TfidfVectorizer(), "learner": NBSVM(binarize=0.1)}, r"NBSVM\(binarize=0\.1\) does not ask"),
]


@pytest.mark.filterwarnings("ignore:The parameter 'token_pattern' will not be used")
@pytest.mark.parametrize(("settings", "message"), SETTINGS)
def test_settings_that_cannot_be(settings, message):
    with pytest.raises(ParameterError, match=message):
        TextClassifier(**settings).fit(TEXTS, LABELS)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 2], r"sample_weight has shape \(2,\) but X has 4 rows"),
        ([1, -1, 1, 1], r"sample_weight\[1\]: -1\.0 is not a finite weight of 0 or more"),
        ([0, 0, 0, 0], r"sample_weight is zero for every row"),
        (["a", "b", "c", "d"], r"sample_weight must hold numbers"),
    ],
)
def test_weights_that_cannot_be(weights, message):
    with pytest.raises(DataError, match=message):
        TextClassifier().fit(TEXTS, LABELS, weights)


def test_a_learner_that_takes_no_weights_says_so():
    with pytest.raises(ParameterError, match=r"EasyAdapt takes no weights of texts\. Leave sample_weight out"):
        TextClassifier(learner=EasyAdapt(domains=[0, 0, 1, 1])).fit(TEXTS, LABELS, [1, 1, 1, 1])


def test_files_are_read_before_they_are_learned_from():
    with pytest.raises(ParameterError, match=r"A model takes texts, not input='filename'"):
        CountVectorizer(input="filename", vocabulary=["a"]).text_features()


def test_votes_are_no_linear_model_and_cannot_be_saved(tmp_path):
    model = TextClassifier(learner="voted-perceptron").fit(TEXTS, LABELS)
    with pytest.raises(ParameterError, match=r"VotedPerceptron decides by the votes .* Use learner='averaged-percept"):
        model.save(tmp_path / "m")
    assert list(tmp_path.iterdir()) == []
