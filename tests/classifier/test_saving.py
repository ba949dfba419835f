"""Classifiers in files: the same bits, no scikit-learn, nothing lost."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime

import numpy as np
import pytest

import assay
from assay import TextClassifier
from assay.errors import ModelFileError, ParameterError
from assay.features import CountVectorizer, HashingVectorizer, TfidfVectorizer, WordCharVectorizer
from assay.learners import BernoulliNB, LogisticRegression
from assay.learners.names import LEARNERS
from assay.modelfile.record import ModelRecord
from assay.prediction import SparseWeights
from assay.samples import SHOP_MESSAGES

NEW = ["a great film", "poor and dull", "fair enough", "", "unheard-of"]
LINEAR = [name for name in LEARNERS if name not in ("voted-perceptron", "label-tree")]  # the latter is for label sets


@pytest.mark.filterwarnings("ignore:Perceptron still made")
@pytest.mark.parametrize("learner", LINEAR)
def test_every_learner_comes_back_with_the_same_bits(learner, corpus, tmp_path):
    model = TextClassifier(learner=learner).fit(corpus)
    model.save(tmp_path / "m.assay")
    again = assay.load(tmp_path / "m.assay")
    assert again.labels == model.labels
    assert again.predict(NEW).tolist() == model.predict(NEW).tolist()
    assert again.decision_function(NEW).tobytes() == model.decision_function(NEW).tobytes()
    assert hasattr(again, "predict_proba") == hasattr(model, "predict_proba")
    if hasattr(model, "predict_proba"):
        assert again.predict_proba(NEW).tobytes() == model.predict_proba(NEW).tobytes()
    again.save(tmp_path / "again.assay")
    assert (tmp_path / "again.assay").read_bytes() == (tmp_path / "m.assay").read_bytes()


@pytest.mark.filterwarnings("ignore:Perceptron still made")
@pytest.mark.parametrize("learner", LINEAR)
def test_the_same_training_gives_the_same_file_for_any_number_of_threads(learner, tmp_path):
    corpus = assay.read(SHOP_MESSAGES)
    for name, threads in (("one", 1), ("two", 2), ("again", 2)):
        TextClassifier(learner=learner, calibration="sigmoid", threads=threads).fit(corpus).save(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes() == (tmp_path / "again").read_bytes()


@pytest.mark.parametrize("vectorizer", [WordCharVectorizer(), HashingVectorizer(n_features=2**12), CountVectorizer()])
def test_every_vectorizer_gives_the_same_file_for_any_number_of_threads(vectorizer, tmp_path):
    corpus = assay.read(SHOP_MESSAGES)
    for name, threads in (("one", 1), ("two", 2)):
        TextClassifier(vectorizer, threads=threads).fit(corpus).save(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_what_is_the_same_data_does_not_depend_on_where_it_lies(tmp_path):
    content = SHOP_MESSAGES.read_bytes()
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "messages.csv").write_bytes(content)
        TextClassifier().fit(tmp_path / folder / "messages.csv").save(tmp_path / f"{folder}.assay")
    assert (tmp_path / "a.assay").read_bytes() == (tmp_path / "b.assay").read_bytes()
    assert assay.load(tmp_path / "a.assay").provenance["data"]["source"] == "messages.csv"


def test_the_time_is_that_of_the_file_unless_it_was_recorded(two, tmp_path):
    model = TextClassifier().fit(two)
    model.save(tmp_path / "m")
    os.utime(tmp_path / "m", (10**9, 10**9))
    loaded = assay.load(tmp_path / "m").provenance
    assert loaded["created"] == datetime.fromtimestamp(10**9, UTC).isoformat()
    assert {**loaded, "created": ""} == {**model.provenance, "created": ""}
    model.save(tmp_path / "m", record_time=True)
    os.utime(tmp_path / "m", (10**9, 10**9))
    assert assay.load(tmp_path / "m").provenance == model.provenance


def test_half_precision_makes_a_smaller_file_that_decides_alike(tmp_path):
    corpus = assay.read(SHOP_MESSAGES)
    model = TextClassifier().fit(corpus)
    model.save(tmp_path / "full")
    model.save(tmp_path / "half", float16=True)
    assert (tmp_path / "half").stat().st_size < 0.8 * (tmp_path / "full").stat().st_size
    half = assay.load(tmp_path / "half")
    assert np.mean(half.predict(corpus) == model.predict(corpus)) > 0.99


def test_weights_made_zero_by_l1_make_a_small_file(tmp_path):
    corpus = assay.read(SHOP_MESSAGES)
    for name, ratio in (("l1", 1.0), ("l2", 0.0)):
        learner = LogisticRegression(l1_ratio=ratio, C=10, tol=0.01, max_iter=1000)
        model = TextClassifier(learner=learner).fit(corpus)
        model.save(tmp_path / name)
        assert assay.load(tmp_path / name).predict_proba(corpus).tobytes() == model.predict_proba(corpus).tobytes()
    assert (tmp_path / "l1").stat().st_size < 0.8 * (tmp_path / "l2").stat().st_size
    assert isinstance(assay.load(tmp_path / "l1").model.weights, SparseWeights)


def test_a_loaded_model_predicts_without_scikit_learn_or_scipy(two, tmp_path):
    TextClassifier(calibration="isotonic", rule={"metric": "macro_f1"}).fit(two).save(tmp_path / "m.assay")
    code = (
        "import sys, assay\n"
        f"model = assay.load({str(tmp_path / 'm.assay')!r})\n"
        "model.predict(['a great film']), model.predict_proba(['a great film'])\n"
        "heavy = {'sklearn', 'scipy', 'pandas', 'pyarrow', 'assay.evaluation', 'assay.learners'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_file_that_is_no_model_is_said_so(tmp_path):
    with pytest.raises(ModelFileError, match=r"gone\.assay: no such file"):
        assay.load(tmp_path / "gone.assay")


SKLEARN = [
    TextClassifier(),
    TextClassifier(learner="logistic"),
    TextClassifier(learner=LogisticRegression(multi_class="ovr")),
    TextClassifier(CountVectorizer(tokenizer="words and punctuation"), "nb"),
    TextClassifier(CountVectorizer(tokenizer="whitespace", stop_words=["film"]), BernoulliNB()),
    TextClassifier(TfidfVectorizer(tokenizer="all words", norm="l1", strip_accents="unicode"), "complement-nb"),
    TextClassifier(WordCharVectorizer(char_ngrams=(2, 3), char_analyzer="char"), "nbsvm"),
    TextClassifier(HashingVectorizer(n_features=2**10, ngram_range=(1, 2))),
]


def best_score_is_clear(model, text):
    """Not tied, as the scores of words that nobody knows may be: of those, scikit-learn before 1.7 takes the last."""
    scores = np.sort(np.ravel(model.decision_function([text])))
    return len(scores) == 1 or scores[-1] > scores[-2]


@pytest.mark.parametrize("classifier", SKLEARN, ids=repr)
def test_scikit_learns_own_parts_decide_alike(classifier, corpus, tmp_path):
    classifier.fit(corpus).save(tmp_path / "m")
    texts = [*NEW, *corpus.texts.to_pylist(), "naïve, größe! 😀 it's a-b"]
    for model in (classifier, assay.load(tmp_path / "m")):
        pipeline = model.to_sklearn()
        assert {type(step).__module__.split(".")[0] for _, step in pipeline.steps} == {"sklearn"}
        clear = [text for text in texts if best_score_is_clear(model, text)]
        assert pipeline.predict(clear).tolist() == model.predict(clear).tolist()
        if hasattr(model, "predict_proba"):
            np.testing.assert_allclose(pipeline.predict_proba(texts), model.predict_proba(texts), atol=1e-6)
        else:
            np.testing.assert_allclose(pipeline.decision_function(texts), model.decision_function(texts), atol=1e-6)


def test_calibrations_and_rules_have_no_part_in_scikit_learn(two):
    with pytest.raises(ParameterError, match=r"This model has a calibration, for which scikit-learn's pipelines"):
        TextClassifier(calibration="sigmoid").fit(two).to_sklearn()
    with pytest.raises(ParameterError, match=r"This model has a decision rule"):
        TextClassifier(learner=LogisticRegression(threshold=0.9)).fit(two).to_sklearn()


def test_a_model_made_elsewhere_becomes_a_classifier(two, tmp_path):
    model = TextClassifier(learner="nb").fit(two).model
    made = TextClassifier.from_parts(model, ModelRecord({"data": {"rows": 16}}))
    made.save(tmp_path / "m")
    loaded = assay.load(tmp_path / "m")
    assert loaded.provenance["data"] == {"rows": 16}
    assert loaded.predict_proba(NEW).tobytes() == model.predict_proba(NEW).tobytes()
    assert isinstance(loaded, TextClassifier)
