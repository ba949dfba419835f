"""There is one way from texts to weights: `assay.TextClassifier` and `assay train` write the same models.

With the same settings, the tolerance included, and nothing held out, labels, features and weights are the same to the
last bit, for every learner that `assay train` names and every kind of features.
"""

from __future__ import annotations

import json
import tomllib

import numpy as np
import pytest

import assay
from assay.data.corpus.corpus import Corpus
from assay.embeddings import EmbeddingVectorizer, WordVectors
from assay.features import JoinedVectorizer, TfidfVectorizer, WordCharVectorizer, register_feature
from assay.features.settings import vectorizer_from_settings
from assay.learners import (
    NBSVM,
    AveragedPerceptron,
    ComplementNB,
    LinearSVC,
    LogisticRegression,
    MultinomialNB,
)
from assay.learners.names import LEARNERS, TRAINED
from assay.modelfile.write import write_model
from assay.samples import load_sample
from assay.training import TrainingSettings, run_training
from assay.training.settings_file import read_settings

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # few passes are enough here

REACH = {"tolerance": 1e-3, "max_iterations": 500}
OURS = {"tol": 1e-3, "max_iter": 500}
LEARNERS_BOTH_WAYS = {
    "svm": ({**REACH, "C": 0.5}, LinearSVC(C=0.5, **OURS)),
    "svm, hinge": ({**REACH, "loss": "hinge"}, LinearSVC(loss="hinge", **OURS)),
    "svm, joint": ({**REACH, "multi_class": "crammer_singer"}, LinearSVC(multi_class="crammer_singer", **OURS)),
    "svm, L1": ({**REACH, "penalty": "l1"}, LinearSVC(penalty="l1", **OURS)),
    "svm, balanced": (
        {**REACH, "class_weight": "balanced", "fit_intercept": False},
        LinearSVC(class_weight="balanced", fit_intercept=False, **OURS),
    ),
    "logistic": ({**REACH, "C": 3.0}, LogisticRegression(C=3.0, **OURS)),
    "logistic, separate": ({**REACH, "multi_class": "ovr"}, LogisticRegression(multi_class="ovr", **OURS)),
    "logistic, L1": ({**REACH, "penalty": "l1", "C": 10.0}, LogisticRegression(penalty="l1", C=10.0, **OURS)),
    "logistic, balanced": (
        {**REACH, "class_weight": "balanced", "fit_intercept": False},
        LogisticRegression(class_weight="balanced", fit_intercept=False, **OURS),
    ),
    "nbsvm": ({**REACH, "beta": 0.5, "alpha": 0.5}, NBSVM(beta=0.5, alpha=0.5, **OURS)),
    "nbsvm, logistic": ({**REACH, "base": "logistic"}, NBSVM(base="logistic", beta=1.0, **OURS)),
    "nb": ({"alpha": 0.3}, MultinomialNB(alpha=0.3)),
    "complement-nb": ({"alpha": 0.3}, ComplementNB(alpha=0.3)),
    "averaged-perceptron": ({"epochs": 4}, AveragedPerceptron(max_iter=4)),
    "averaged-perceptron, balanced": ({"class_weight": "balanced"}, AveragedPerceptron(class_weight="balanced")),
}
OF_COUNTS = ("nb", "complement-nb", "nbsvm")
SINGLE = {"sublinear_tf": True, "dtype": np.float32}
ALL_WORDS = TfidfVectorizer(ngram_range=(1, 2), tokenizer="all words", min_df=2, max_features=900, **SINGLE)
VECTORS = WordVectors(["order", "refund", "late", "great", "app"], np.eye(5, 3) + 0.1)
LIMITS = {"min_df": 2, "max_features": 900}
NGRAMS = {
    "words": ({"ngrams": "1-2", "features": LIMITS}, ALL_WORDS),
    "characters": (
        {"chars": "2-3", "features": {"binary": True, "norm": "l1", "idf": False}},
        TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 3), binary=True, norm="l1", use_idf=False, **SINGLE),
    ),
    "words and characters": (
        {"ngrams": "1", "chars": "2-3", "features": LIMITS},
        WordCharVectorizer(word_ngrams=(1, 1), char_ngrams=(2, 3), tokenizer="all words", **LIMITS, **SINGLE),
    ),
    "words and vectors": (
        {"ngrams": "1-2", "features": LIMITS, "vectors": VECTORS},
        JoinedVectorizer(
            [("words", ALL_WORDS), ("vectors", EmbeddingVectorizer(VECTORS, length=2.0))], dtype=np.float32
        ),
    ),
}
TABLES = {
    "lexicons": "[features.lexicons]\nmoney = ['refund', 'price', 'charged']\nthanks = ['thanks', 'lovely']",
    "templates": "[features.templates]\nasks = 'presence(lower = \"?\")'\nwords = 'lower[0]'",
    "hashed templates": "[features.templates]\nwords = 'lower[0]'\n[features.template_options]\nn_features = 64",
    "functions": "[features.functions]\nnames = ['capitals of a text']",
    "everything": """
        [features.words]
        min_df = 2
        [features.characters]
        ngrams = [2, 3]
        [features.lexicons]
        money = ["refund", "price"]
        [features.templates]
        asks = 'count(lower = "?")'
        [features.scaling]
        lexicons = "max-abs"
        [features.selection.words]
        measure = "chi2"
        k = 100
    """,
}


@pytest.fixture(scope="module", params=["two classes", "all classes"])
def corpus(request, sample: Corpus) -> Corpus:
    part = sample.select(np.arange(0, len(sample), 2))
    return part.select(part.classes < 2) if request.param == "two classes" else part


@pytest.fixture(scope="module", autouse=True)
def capitals():
    register_feature("capitals of a text")(lambda text: sum(letter.isupper() for letter in text))


def as_written(classifier: object, folder) -> bytes:
    """Labels, features and weights as a file has them, without where they come from."""
    write_model(folder / "model.assay", classifier.model)
    return (folder / "model.assay").read_bytes()


@pytest.mark.parametrize("kind", NGRAMS)
@pytest.mark.parametrize("learner", LEARNERS_BOTH_WAYS)
def test_ngrams_and_vectors(learner, kind, corpus, tmp_path):
    settings, estimator = LEARNERS_BOTH_WAYS[learner]
    name = learner.partition(",")[0]
    if kind == "words and vectors" and name in OF_COUNTS:
        pytest.skip("word vectors are below 0")
    features, vectorizer = NGRAMS[kind]
    chosen = TrainingSettings.chosen(learner=name, learner_settings=settings, holdout=0.0, seed=3, **features)
    trained = run_training(corpus, chosen, threads=2).model
    fitted = assay.TextClassifier(vectorizer, estimator, seed=3, threads=1).fit(corpus)
    assert as_written(trained, tmp_path) == as_written(fitted, tmp_path)


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("learner", LEARNERS_BOTH_WAYS)
def test_designed_features(learner, kind, corpus, tmp_path):
    settings, estimator = LEARNERS_BOTH_WAYS[learner]
    described = {"name": learner.partition(",")[0], **settings}
    file = tmp_path / "settings.toml"
    learner_table = "\n".join(f"{key} = {json.dumps(value)}" for key, value in described.items())
    file.write_text(f"[training]\nholdout = 0.0\nseed = 3\n[learner]\n{learner_table}\n{TABLES[kind]}")
    trained = run_training(corpus, read_settings(str(file)).settings, threads=2).model
    vectorizer = vectorizer_from_settings(tomllib.loads(TABLES[kind])["features"])
    fitted = assay.TextClassifier(vectorizer, estimator, seed=3, threads=1).fit(corpus)
    assert as_written(trained, tmp_path) == as_written(fitted, tmp_path)


@pytest.mark.parametrize("learner", LEARNERS_BOTH_WAYS)
def test_provenance_names_the_learner_that_learns_the_same(learner, corpus, tmp_path):
    settings, estimator = LEARNERS_BOTH_WAYS[learner]
    chosen = TrainingSettings.chosen(
        learner=learner.partition(",")[0], learner_settings=settings, ngrams="1", holdout=0.0, seed=3
    )
    trained = run_training(corpus, chosen, threads=2).model
    told = trained.provenance["learner"]
    fitted = assay.TextClassifier(learner=estimator, seed=3).fit(corpus)
    assert set(trained.provenance) - {"metric"} == set(fitted.provenance)
    assert told["class"] == fitted.provenance["learner"]["class"]
    again = getattr(assay.learners, told["class"])(**told["parameters"])
    vectorizer = TfidfVectorizer(tokenizer="all words", **SINGLE)
    repeated = assay.TextClassifier(vectorizer, again, threads=1).fit(corpus)
    assert as_written(trained, tmp_path) == as_written(repeated, tmp_path)


def test_every_learner_that_train_names_is_in_this_test():
    names = {name.partition(",")[0] for name in LEARNERS_BOTH_WAYS}
    of_one_label = set(TRAINED) - {"label-tree"}
    assert names == of_one_label
    assert {LEARNERS[name].estimator for name in of_one_label} == {
        type(e).__name__ for _, e in LEARNERS_BOTH_WAYS.values()
    }


def test_a_label_tree_of_sets(tmp_path):
    sets = load_sample(multi_label=True)
    limits = {"leaf": 3, "beam": 2, "prune": 0.02}
    chosen = TrainingSettings.chosen(
        learner="label-tree", learner_settings={**REACH, **limits}, ngrams="1", holdout=0.0, folds=0, seed=3
    )
    trained = run_training(sets, chosen, threads=2).model
    estimator = assay.learners.LabelTreeClassifier(**limits, **OURS)
    vectorizer = TfidfVectorizer(tokenizer="all words", **SINGLE)
    fitted = assay.TextClassifier(vectorizer, estimator, seed=3, threads=1).fit(sets)
    assert as_written(trained, tmp_path) == as_written(fitted, tmp_path)
    told = trained.provenance["learner"]
    assert told["class"] == "LabelTreeClassifier"
    assert told["parameters"]["prune"] == 0.02


def test_the_command_writes_the_same_weights(sample, tmp_path):
    from assay.cli.main import run

    data = tmp_path / "data.jsonl"
    data.write_text("".join(json.dumps({"text": text, "label": label}) + "\n" for text, label in sample))
    command = ["train", str(data), "--learner", "nbsvm", "--ngrams", "1-2", "--C", "0.3", "--seed", "5"]
    assert run([*command, "--output", str(tmp_path / "m.assay")]) == 0
    vectorizer = TfidfVectorizer(ngram_range=(1, 2), tokenizer="all words", **SINGLE)
    fitted = assay.TextClassifier(vectorizer, NBSVM(C=0.3, beta=1.0, tol=1e-3), seed=5).fit(sample)
    assert as_written(assay.load(tmp_path / "m.assay"), tmp_path) == as_written(fitted, tmp_path)
