"""Hand-made features in models: trained, saved as data, loaded without scikit-learn, explained by their names."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import assay
import assay.features.designed.functions as functions
from assay.errors import ModelFileError, ParameterError
from assay.features import (
    FeatureSelector,
    FunctionFeatures,
    JoinedVectorizer,
    LexiconFeatures,
    TemplateFeatures,
    TfidfVectorizer,
    register_feature,
)
from assay.tensor_file import read_tensor_file, write_tensor_file

TEXTS = ["Good good film!", "so dull, not good", "GREAT fun", "a dull mess", "?", "naïve fun 😀", "bad", "nice"] * 3
LABELS = ["pos", "neg", "pos", "neg", "neg", "pos", "neg", "pos"] * 3
UNSEEN = ["Good fun, not dull!", "MESS", "", "café 😀"]


@pytest.fixture(autouse=True)
def no_other_functions(monkeypatch):
    monkeypatch.setattr("assay.features.designed.functions._REGISTERED", {})


def joined(*more, **settings):
    parts = [
        ("words", TfidfVectorizer(ngram_range=(1, 2))),
        (
            "lists",
            LexiconFeatures({"positive": ["good", "fun"], "negative": ["dull"], "mood": {"bad": -2}}, negation=2),
        ),
        ("templates", TemplateFeatures(["case", "in(good)", "log-text-length"], lexicons={"good": ["good"]})),
        ("hashed", TemplateFeatures(["suffix(2)"], n_features=32)),
        *more,
    ]
    scaling = {"lists": "z-score", "templates": "max-abs"}
    return JoinedVectorizer(parts, scaling=scaling, **settings)


@pytest.mark.parametrize("learner", ["svm", "logistic", "nbsvm", "averaged-perceptron"])
def test_a_model_predicts_as_its_learner_does_on_the_vectorizers_rows(learner):
    vectorizer = joined()
    if learner == "nbsvm":  # which takes no negative values
        vectorizer.set_params(scaling={"lists": "max-abs"})
    model = assay.TextClassifier(vectorizer, learner).fit(TEXTS, LABELS)
    expected = model.learner_.decision_function(model.vectorizer_.transform(UNSEEN))
    # The same sums in another order.
    np.testing.assert_allclose(model.decision_function(UNSEEN), expected, rtol=1e-9, atol=1e-12)


def test_a_saved_model_gives_the_same_bits(tmp_path):
    register_feature("characters")(len)
    vectorizer = joined(("functions", FunctionFeatures(["characters"])))
    model = assay.TextClassifier(vectorizer, "logistic").fit(TEXTS, LABELS)
    model.save(tmp_path / "model.assay")
    loaded = assay.load(tmp_path / "model.assay")
    assert (loaded.decision_function(UNSEEN) == model.decision_function(UNSEEN)).all()
    loaded.save(tmp_path / "again.assay")
    assert (tmp_path / "model.assay").read_bytes() == (tmp_path / "again.assay").read_bytes()


def test_a_model_of_hand_made_features_alone(tmp_path):
    features = LexiconFeatures({"positive": ["good", "fun", "great", "nice"], "negative": ["dull", "bad"]})
    model = assay.TextClassifier(features, "logistic", threads=1).fit(TEXTS, LABELS)
    model.save(tmp_path / "model.assay")
    assert assay.load(tmp_path / "model.assay").predict(["nice fun", "dull"]).tolist() == ["pos", "neg"]


def test_prediction_loads_no_scikit_learn(tmp_path):
    assay.TextClassifier(joined(), "svm").fit(TEXTS, LABELS).save(tmp_path / "model.assay")
    code = (
        "import sys, assay; model = assay.load(sys.argv[1]); print(*model.predict(['good fun']));"
        "print(*[name for name in ('sklearn', 'scipy.sparse', 'pandas') if name in sys.modules])"
    )
    run = [sys.executable, "-c", code, str(tmp_path / "model.assay")]
    output = subprocess.run(run, capture_output=True, text=True, check=True).stdout
    assert output.split() == ["pos"]


def test_selected_features_are_all_that_is_kept(tmp_path):
    vectorizer = joined(selection={"words": FeatureSelector("chi2", k=2)})
    model = assay.TextClassifier(vectorizer, "svm").fit(TEXTS, LABELS)
    model.save(tmp_path / "model.assay")
    loaded = assay.load(tmp_path / "model.assay")
    assert loaded.model.features[0].names() == ["dull", "fun"]
    assert (loaded.decision_function(UNSEEN) == model.decision_function(UNSEEN)).all()


def test_blocks_know_the_names_of_their_columns():
    model = assay.TextClassifier(joined(), "svm").fit(TEXTS, LABELS).model
    names = [block.names() for block in model.features]
    assert names[1] == ["positive", "negative", "mood above zero", "mood below zero"]
    assert names[3] is None
    assert sum(block.n_columns for block in model.features) == model.n_features


def test_functions_that_are_not_registered_are_refused_at_save(tmp_path):
    model = assay.TextClassifier(FunctionFeatures({"characters": len}), "logistic").fit(TEXTS, LABELS)
    with pytest.raises(
        ParameterError, match=r"The feature 'characters' is the Python function builtins.len, and a mod"
    ):
        model.save(tmp_path / "model.assay")
    assert not (tmp_path / "model.assay").exists()


def test_a_function_that_is_missing_at_load_is_named(tmp_path):
    register_feature("characters")(len)
    model = assay.TextClassifier(FunctionFeatures(["characters"]), "logistic").fit(TEXTS, LABELS)
    model.save(tmp_path / "model.assay")
    functions._REGISTERED.clear()
    with pytest.raises(ModelFileError, match=r"model.assay: this model uses the feature functions 'characters', which"):
        assay.load(tmp_path / "model.assay")


def test_a_learner_that_asks_for_presence_is_refused():
    with pytest.raises(
        ParameterError, match=r"BernoulliNB asks only whether a feature is there, and hand-made features"
    ):
        assay.TextClassifier(joined().set_params(scaling=None), "bernoulli-nb").fit(TEXTS, LABELS)


def test_scikit_learn_has_no_such_parts():
    model = assay.TextClassifier(joined(), "svm").fit(TEXTS, LABELS)
    with pytest.raises(ParameterError, match=r"This model has hand-made features, for which scikit-learn has no part"):
        model.to_sklearn()


# -- damaged files -----------------------------------------------------------------------------------------------------


def _set(path, value):
    def change(header, arrays):
        at = header["sections"]["features"]["content"]["blocks"]
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = value

    return change


def _array(name, change):
    def damage(header, arrays):
        arrays[name] = change(arrays[name])

    return damage


@pytest.mark.parametrize(
    "damage",
    [
        _set([1, "kind"], "pickles"),
        _set([1, "kind"], 3),
        _set([1, "method"], "z"),
        _set([1, "block", "kind"], "scaled"),
        _set([1, "block", "values"], "counts"),
        _set([1, "block", "negation"], -1),
        _set([1, "block", "negators"], [3]),
        _set([1, "block", "opposites"], {"positive": "none"}),
        _set([1, "block", "lexicons"], []),
        _set([1, "block", "lexicons", 0, "name"], "negative"),
        _set([2, "block", "templates"], [["case", "case["]]),
        _set([2, "block", "templates"], [["x", "in(nothing)"]]),
        _set([2, "block", "templates"], 3),
        _set([2, "block", "mark"], ["[["]),
        _set([3, "n_columns"], 0),
        _set([3, "n_columns"], "many"),
        _array("features.1.scale", lambda values: values * 0),
        _array("features.1.shift", lambda values: values * np.nan),
        _array("features.1.shift", lambda values: values[:1]),
        _array("features.1.block.lexicons.0.offsets", lambda values: values[::-1].copy()),
        _array("features.1.block.lexicons.2.scores", lambda values: values.astype(np.float32)),
        _array("features.1.block.lexicons.2.scores", lambda values: values * np.inf),
        _array("features.2.block.columns", lambda values: values | 0x80),
        lambda header, arrays: arrays.pop("features.1.block.lexicons.0.words"),
        lambda header, arrays: arrays.update({"features.1.block.more": np.zeros(1)}),
    ],
)
def test_a_damaged_file_is_refused(tmp_path, damage):
    assay.TextClassifier(joined(), "svm").fit(TEXTS, LABELS).save(tmp_path / "model.assay")
    file = read_tensor_file(tmp_path / "model.assay", {"model": 2}, "model")
    header, arrays = file.header, dict(file.arrays)
    damage(header, arrays)
    write_tensor_file(tmp_path / "damaged.assay", header, arrays)
    with pytest.raises(ModelFileError, match=r"damaged.assay: the file is damaged"):
        assay.load(tmp_path / "damaged.assay")
