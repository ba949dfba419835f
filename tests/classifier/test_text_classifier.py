"""Training, predicting, and keeping to scikit-learn's manners."""

from __future__ import annotations

import copy
import pickle
import re
from pathlib import Path

import numpy as np
import pandas as pd
import polars
import pyarrow as pa
import pytest
from sklearn.base import clone, is_classifier
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.utils.validation import check_is_fitted

import assay
from assay import Corpus, TextClassifier
from assay.errors import AssayWarning, NotFittedError, ParameterError
from assay.features import CountVectorizer, HashingVectorizer, TfidfVectorizer, WordCharVectorizer
from assay.learners import (
    NBSVM,
    BernoulliNB,
    ComplementNB,
    LinearSVC,
    LogisticRegression,
    MultinomialNB,
    Perceptron,
    VotedPerceptron,
)
from assay.learners.names import LEARNERS
from assay.prediction import DecisionRule

NEW = ["a great film", "poor and dull", "fair enough", "", "unheard-of"]
PAIRS = [
    (None, None),
    (None, LogisticRegression()),
    (None, LogisticRegression(multi_class="ovr")),
    (None, LogisticRegression(l1_ratio=1.0, C=5)),
    (TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4)), LinearSVC(multi_class="crammer_singer")),
    (WordCharVectorizer(char_ngrams=(2, 3)), LinearSVC(loss="hinge")),
    (CountVectorizer(), MultinomialNB()),
    (CountVectorizer(ngram_range=(1, 2)), ComplementNB(norm=True)),
    (CountVectorizer(), BernoulliNB()),
    (CountVectorizer(binary=True), BernoulliNB(binarize=None)),
    (TfidfVectorizer(), BernoulliNB()),
    (CountVectorizer(), BernoulliNB(binarize=0.5)),
    (HashingVectorizer(n_features=2**10, alternate_sign=False), BernoulliNB()),
    (HashingVectorizer(n_features=2**10), LogisticRegression()),
    (CountVectorizer(), NBSVM(binarize=0.0)),
    (TfidfVectorizer(dtype=np.float32), NBSVM(base="logistic")),
    (None, Perceptron()),
    (None, "averaged-perceptron"),
    (None, VotedPerceptron()),
]


@pytest.mark.parametrize(("vectorizer", "learner"), PAIRS, ids=repr)
def test_it_decides_as_its_learner_does_on_the_rows_of_its_vectorizer(vectorizer, learner, corpus):
    model = TextClassifier(vectorizer, learner).fit(corpus)
    texts = [*NEW, *corpus.texts.to_pylist()]
    rows = model.vectorizer_.transform(texts)
    assert model.predict(texts).tolist() == model.learner_.predict(rows).tolist()
    # Scores are sums of a few numbers of ordinary size, some of them in single precision.
    if hasattr(model.learner_, "predict_proba"):
        np.testing.assert_allclose(model.predict_proba(texts), model.learner_.predict_proba(rows), atol=1e-5)
    if hasattr(model.learner_, "decision_function"):
        np.testing.assert_allclose(model.decision_function(texts), model.learner_.decision_function(rows), atol=1e-5)


@pytest.mark.parametrize("name", [name for name in LEARNERS if name != "label-tree"])  # that is for label sets
def test_every_short_name_learns_the_training_texts(name, corpus):
    model = TextClassifier(learner=name).fit(corpus)
    # A mean over the few updates that these texts need depends on the order in which they come.
    assert model.score(corpus) > (0.6 if name == "averaged-perceptron" else 0.8)
    assert model.labels == tuple(sorted(corpus.label_names))
    assert model.classes_.tolist() == list(model.labels)


def test_labels_come_back_in_the_type_they_were_given_in_and_are_sorted_by_their_values(tmp_path):
    model = TextClassifier().fit(["one", "two", "three"], [10, 9, 10])
    assert model.labels == ("9", "10")
    assert model.classes_.tolist() == [9, 10]
    assert model.predict(["two"]).tolist() == [9]
    assert model.score(["one", "two"], [10, 9]) == 1.0
    model.save(tmp_path / "m")
    assert assay.load(tmp_path / "m").predict(["two", "one"]).tolist() == [9, 10]


TYPED = [
    ([1, 0, 1, 0], [0, 1]),
    (np.array([2, -1, 2, -1], dtype=np.int8), [-1, 2]),
    ([True, False, True, False], [False, True]),
    (np.array([1.0, 0.0, 1.0, 0.0]), [0.0, 1.0]),
    (pd.Series([1, 0, 1, 0], dtype="Int64"), [0, 1]),
    (pd.Series([1, 0, 1, 0], dtype="category"), [0, 1]),
    (pa.array([True, False, True, False]), [False, True]),
    (polars.Series([7, 5, 7, 5]), [5, 7]),
    (["1", "0", "1", "0"], ["0", "1"]),
    ([0.5, 1.5, 0.5, 1.5], ["0.5", "1.5"]),  # amounts, which nothing counts as classes
]


@pytest.mark.parametrize("learner", ["svm", "nb", "averaged-perceptron"])
@pytest.mark.parametrize(("labels", "classes"), TYPED, ids=lambda given: str(getattr(given, "dtype", given)))
def test_labels_of_every_type_come_back_as_they_came(labels, classes, learner, tmp_path):
    texts = ["good film", "bad film", "good one", "bad one"]
    model = TextClassifier(learner=learner).fit(texts, labels)
    assert model.classes_.tolist() == classes
    assert {type(label) for label in model.predict(texts).tolist()} == {type(classes[0])}
    expected = [0, 1, 0, 1] if classes[0] == "0.5" else [1, 0, 1, 0]
    assert model.predict(texts).tolist() == [classes[k] for k in expected]
    assert model.labels == tuple(str(label).lower().removesuffix(".0") for label in classes)
    assert model.score(texts, labels) == 1.0
    assert assay.evaluate(model, (texts, labels))["accuracy"].value == 1.0
    model.save(tmp_path / "m")
    assert assay.load(tmp_path / "m").classes_.tolist() == classes


@pytest.mark.parametrize("labels", [[0, 1] * 10, [True, False] * 10, [0.0, 1.0] * 10, [10, 9] * 10], ids=str)
def test_scikit_learn_measures_it_with_labels_of_any_type(labels):
    texts = ["good film", "bad film"] * 10
    scores = cross_val_score(TextClassifier(learner="nb"), texts, np.array(labels), cv=2, error_score="raise")
    assert scores.tolist() == [1.0, 1.0]
    areas = cross_val_score(TextClassifier(learner="nb"), texts, np.array(labels), cv=2, scoring="roc_auc")
    assert areas.tolist() == [1.0, 1.0]


def test_settings_may_speak_of_labels_in_their_type(two):
    texts, labels = two.texts.to_pylist(), [int(label == "pos") for _, label in two]
    shy = LogisticRegression(class_weight={0: 1000.0, 1: 1.0})
    model = TextClassifier(learner=shy, calibration="sigmoid", rule={"min_recall": 1.0, "positive": 1}).fit(
        texts, labels
    )
    assert model.model.rule.positive == 1
    given = DecisionRule((0, 1), "threshold", np.array([0.999]), 1)
    assert set(TextClassifier(learner=shy, rule=given).fit(texts, labels).predict(texts).tolist()) == {0}


def test_training_gives_labels_back_in_their_type_too():
    texts, labels = ["good film", "bad film", "good one", "bad one"] * 5, [1, 0, 1, 0] * 5
    model = assay.train((texts, labels), learner="nb", holdout=0.0)
    assert model.predict(["good", "bad"]).tolist() == [1, 0]
    corpus = assay.read((texts, labels))
    assert corpus.label_type == "integer"
    assert corpus[3:7].label_values.tolist() == [1, 0]


def test_labels_of_a_file_are_text(tmp_path):
    (tmp_path / "t.csv").write_text("text,label\ngood,1\nbad,0\n")
    assert TextClassifier().fit(tmp_path / "t.csv").predict(["good"]).tolist() == ["1"]


def test_corrected_labels_of_another_type_make_all_of_them_text():
    corpus = assay.read((["good", "bad", "so"], [1, 0, 1]))
    assert corpus.with_labels([0, 1, 2], ["1", "0", "mixed"], changes={}).label_type == "text"


def test_weights_of_texts_count_as_copies_do():
    texts, labels = ["good film", "bad film", "good and bad", "fine film"], ["pos", "neg", "neg", "pos"]
    vectorizer = HashingVectorizer(n_features=64, alternate_sign=False)
    weighed = TextClassifier(vectorizer, "nb").fit(texts, labels, [1, 1, 3, 2])
    repeated = TextClassifier(vectorizer, "nb").fit([*texts, *texts[2:3] * 2, texts[3]], [*labels, "neg", "neg", "pos"])
    np.testing.assert_allclose(weighed.predict_proba(NEW), repeated.predict_proba(NEW))
    right = weighed.predict(texts) == np.array(labels)
    assert weighed.score(texts, labels, sample_weight=[1, 5, 3, 2]) == pytest.approx(
        np.average(right, weights=[1, 5, 3, 2])
    )


def test_weights_of_texts_count_in_the_folds_of_a_calibration(two):
    texts, labels = two.texts.to_pylist(), [label for _, label in two]
    even = TextClassifier(calibration="sigmoid").fit(texts, labels, np.ones(len(texts)))
    plain = TextClassifier(calibration="sigmoid").fit(texts, labels)
    # The folds are trained one by one with weights, and from shared counts without.
    np.testing.assert_allclose(even.predict_proba(NEW), plain.predict_proba(NEW), atol=1e-6)
    odd = TextClassifier(calibration="sigmoid").fit(texts, labels, np.where(np.arange(len(texts)) % 3, 1.0, 0.1))
    assert not np.allclose(odd.predict_proba(NEW), plain.predict_proba(NEW), atol=1e-3)


def test_columns_of_a_table_can_be_named_and_a_guess_is_said():
    frame = pd.DataFrame({"review": ["good", "bad"] * 3, "title": ["x", "y"] * 3, "stars": [5, 1] * 3})
    named = TextClassifier().fit(frame, text="review", label="stars")
    assert named.predict(["good"]).tolist() == [5]
    with pytest.warns(AssayWarning, match=r"DataFrame: .*'stars'.* \(guessed; text= and label= say") as said:
        TextClassifier().fit(frame[["review", "stars"]])
    assert Path(said[0].filename) == Path(__file__)
    with pytest.raises(ParameterError, match=r"text='review' names a column of a table, and here texts and"):
        TextClassifier().fit(frame["review"], frame["stars"], text="review")


def test_it_shows_itself_in_notebooks(two, tmp_path):
    assert "Not fitted yet" in TextClassifier(learner="nb")._repr_html_()
    model = TextClassifier(learner="nb").fit(two)
    shown = model._repr_html_()
    assert "TextClassifier(learner=&#x27;nb&#x27;)" in shown
    assert "MultinomialNB" in shown
    assert "16 texts" in shown
    model.save(tmp_path / "m")
    assert "MultinomialNB" in assay.load(tmp_path / "m")._repr_html_()
    many = TextClassifier(learner="nb").fit([f"word{i}" for i in range(30)], [f"<{i}>" for i in range(30)])
    assert "and 10 more" in many._repr_html_()
    assert "&lt;1&gt;" in many._repr_html_()


def test_texts_and_labels_come_in_any_form_that_read_takes(two, tmp_path):
    texts, labels = two.texts.to_pylist(), [label for _, label in two]
    expected = TextClassifier().fit(texts, labels).decision_function(NEW).tobytes()
    frame = pd.DataFrame({"text": texts, "label": labels})
    frame.to_csv(tmp_path / "reviews.csv", index=False)
    for given in (
        (two,),
        ((texts, labels),),
        (np.array(texts), np.array(labels)),
        (pa.array(texts), pa.array(labels)),
        (frame["text"], frame["label"]),
        (polars.Series(texts), labels),
        (Corpus(texts), labels),
        (frame,),
        ({"text": texts, "label": labels},),
        (tmp_path / "reviews.csv",),
        (str(tmp_path / "reviews.csv"),),
    ):
        assert TextClassifier().fit(*given).decision_function(NEW).tobytes() == expected, type(given[0])


def test_labels_that_a_part_of_a_corpus_lacks_are_no_classes(three):
    part = three.select(three.classes != three.label_names.index("mid"))
    assert part.label_names == three.label_names
    assert TextClassifier(calibration="sigmoid").fit(part).labels == ("neg", "pos")


@pytest.mark.parametrize("method", ["sigmoid", "isotonic", "temperature"])
@pytest.mark.parametrize("learner", ["svm", "perceptron", "logistic", "nb", "voted-perceptron"])
def test_probabilities_can_be_calibrated_on_held_out_folds(method, learner, corpus):
    model = TextClassifier(learner=learner, calibration=method).fit(corpus)
    found = model.predict_proba(corpus)
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    assert model.predict(corpus).tolist() == np.array(model.labels)[found.argmax(axis=1)].tolist()
    again = TextClassifier(learner=learner, calibration=method, threads=1).fit(corpus)
    assert again.predict_proba(corpus).tobytes() == found.tobytes()
    # The scores of perceptrons on twelve texts and on all have no scale in common.
    assert assay.evaluate(model, corpus)["accuracy"].value > (0.6 if "perceptron" in learner else 0.9)


def test_a_model_of_scores_has_no_probabilities_and_says_how_to_get_them(two):
    model = TextClassifier().fit(two)
    assert not hasattr(model, "predict_proba")
    with pytest.raises(ParameterError, match=re.escape("TextClassifier(..., calibration='sigmoid')")):
        model.predict_proba(NEW)
    assert hasattr(TextClassifier(learner="nb").fit(two), "predict_proba")
    assert assay.evaluate(model, two)["accuracy"].value == 1.0


def test_a_rule_is_chosen_on_held_out_folds_or_given(two, three):
    chosen = TextClassifier(learner="nb", rule={"metric": "macro_f1"}).fit(three)
    assert chosen.model.rule.kind == "weights"
    assert chosen.provenance["rule"] == "weights"
    shy = TextClassifier(calibration="sigmoid", rule={"abstain": 0.5}).fit(two)
    assert None in shy.predict([*NEW, *two.texts.to_pylist()]).tolist()
    rule = DecisionRule(("neg", "pos"), "threshold", np.array([0.99]), 1)
    assert set(TextClassifier(learner="nb", rule=rule).fit(two).predict(NEW)) == {"neg"}
    with pytest.raises(ParameterError, match=r"gives scores, not probabilities"):
        TextClassifier(rule=rule).fit(two)


def test_the_threshold_of_logistic_regression_is_kept(two, tmp_path):
    model = TextClassifier(learner=LogisticRegression(threshold=0.9)).fit(two)
    texts = two.texts.to_pylist()
    assert model.predict(texts).tolist() == model.learner_.predict(model.vectorizer_.transform(texts)).tolist()
    assert "pos" not in model.predict(NEW)
    model.save(tmp_path / "m")
    assert assay.load(tmp_path / "m").predict(texts).tolist() == model.predict(texts).tolist()


def test_settings_are_taken_over_by_copies(two):
    vectorizer, learner = TfidfVectorizer(), LinearSVC()
    model = TextClassifier(vectorizer, learner, seed=7, threads=1).fit(two)
    assert not hasattr(vectorizer, "vocabulary_")
    assert not hasattr(learner, "coef_")
    assert learner.random_state is None
    assert model.learner_.random_state == 7
    assert (model.learner_.n_jobs, model.vectorizer_.n_jobs) == (1, 1)
    assert TextClassifier(learner=LinearSVC(random_state=3)).fit(two).learner_.random_state == 3


def test_provenance_says_what_the_model_was_made_of(two):
    provenance = TextClassifier(learner=LogisticRegression(C=3.0, class_weight={"pos": 2})).fit(two).provenance
    assert provenance["data"] == {
        "source": "memory",
        "text_column": None,
        "rows": 16,
        "classes": {"neg": 8, "pos": 8},
        "sha256": two.fingerprint,
    }
    assert provenance["vectorizer"]["class"] == "TfidfVectorizer"
    assert provenance["vectorizer"]["parameters"]["ngram_range"] == [1, 2]
    assert provenance["vectorizer"]["parameters"]["dtype"] == "float32"
    assert provenance["learner"]["parameters"]["C"] == 3.0
    assert provenance["learner"]["parameters"]["class_weight"] == {"pos": 2}
    assert "n_jobs" not in provenance["learner"]["parameters"]
    assert provenance["versions"]["assay"] == assay.__version__
    assert provenance["seed"] == 0
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", provenance["created"])


def test_it_keeps_to_scikit_learns_manners(two):
    model = TextClassifier(TfidfVectorizer(), LinearSVC(), calibration="sigmoid", seed=4)
    copied = clone(model)
    assert copied.get_params(deep=False)["seed"] == 4
    assert copied.learner is not model.learner
    assert copied.set_params(learner__C=3.0, seed=5).get_params()["learner__C"] == 3.0
    assert (copied.seed, model.learner.C) == (5, 1.0)
    assert is_classifier(model)
    texts, labels = two.texts.to_pylist(), [label for _, label in two]
    with pytest.raises(Exception, match="not fitted"):
        check_is_fitted(model)
    check_is_fitted(model.fit(texts, labels))
    assert cross_val_score(TextClassifier(), texts, labels, cv=2).min() > 0.5
    search = GridSearchCV(TextClassifier(learner=LinearSVC()), {"learner__C": [0.1, 1.0]}, cv=2).fit(texts, labels)
    assert search.best_params_["learner__C"] in (0.1, 1.0)
    with pytest.raises(ParameterError, match=r"TextClassifier has no parameter 'sead'\. They are 'vectorizer'"):
        model.set_params(sead=1)
    with pytest.raises(ParameterError, match=r"TextClassifier has no parameter 'seed__x'"):
        model.set_params(seed__x=1)


def test_it_can_be_cross_validated_and_compared(three):
    result = assay.cross_validate(TextClassifier(), three, folds=2)
    assert result["accuracy"].value > 0.5
    models = [TextClassifier(learner=name).fit(three) for name in ("svm", "nb")]
    assert assay.compare(*models, three) is not None


def test_it_shows_its_settings():
    assert repr(TextClassifier()) == "TextClassifier()"
    assert repr(TextClassifier(learner="nb", seed=3)) == "TextClassifier(learner='nb', seed=3)"


def test_it_can_be_pickled_and_copied(two):
    model = TextClassifier(calibration="isotonic").fit(two)
    for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert again.predict_proba(NEW).tobytes() == model.predict_proba(NEW).tobytes()


def test_fitting_again_forgets_what_was_learned(two, three):
    model = TextClassifier().fit(three).fit(two)
    assert model.labels == ("neg", "pos")


def test_asked_before_it_was_fitted_it_says_so(tmp_path):
    model = TextClassifier()
    for ask in (
        lambda: model.labels,
        lambda: model.model,
        lambda: model.predict(NEW),
        lambda: model.predict_proba(NEW),
        lambda: model.decision_function(NEW),
        lambda: model.save(tmp_path / "m"),
    ):
        with pytest.raises(NotFittedError, match=r"This TextClassifier is not fitted yet\. Call fit"):
            ask()
