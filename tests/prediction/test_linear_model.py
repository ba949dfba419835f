"""A linear model as data: scores, probabilities, labels, and what it refuses."""

from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import Corpus, _native
from assay.errors import DataError, ParameterError
from assay.features import CountVectorizer, HashingVectorizer, TfidfVectorizer, WordCharVectorizer
from assay.features.ngrams import vocabulary
from assay.features.ngrams.analysis import Analysis
from assay.features.ngrams.string_arrays import strings_to_arrays
from assay.features.ngrams.text_features import TextFeatures, Weighting
from assay.features.ngrams.vocabulary import Vocabulary
from assay.prediction import Calibration, DecisionRule, LinearTextModel, SparseWeights, scoring
from assay.prediction.decision import NoProbabilitiesError

TEXTS = ["Good, good film!", "a bad, BAD one", "naïve größe 😀 good", "", "good bad good bad good", "unheard of"]
VECTORIZERS = [
    CountVectorizer(ngram_range=(1, 2)),
    CountVectorizer(binary=True, stop_words=["bad"]),
    TfidfVectorizer(ngram_range=(1, 3), sublinear_tf=True),
    TfidfVectorizer(norm="l1", use_idf=False, dtype=np.float32),
    TfidfVectorizer(analyzer="char", ngram_range=(1, 3)),
    TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4), strip_accents="unicode"),
    HashingVectorizer(n_features=50, ngram_range=(1, 2)),
    HashingVectorizer(n_features=64, alternate_sign=False, norm=None, binary=True),
    WordCharVectorizer(char_ngrams=(2, 3)),
]


def model_of(vectorizer, n_labels=3, dtype=np.float64, seed=0):
    features = tuple(vectorizer.fit(TEXTS).text_features())
    n_features = sum(block.n_columns for block in features)
    n_outputs = 1 if n_labels == 2 else n_labels
    rng = np.random.default_rng(seed)
    weights = rng.normal(size=(n_features, n_outputs)).astype(dtype)
    labels = tuple(f"label {k}" for k in range(n_labels))
    return LinearTextModel(features, weights, rng.normal(size=n_outputs), labels, "softmax")


@pytest.mark.parametrize("vectorizer", VECTORIZERS, ids=repr)
@pytest.mark.parametrize("n_labels", [2, 3])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_scores_are_those_of_the_written_out_matrix(vectorizer, n_labels, dtype):
    model = model_of(vectorizer, n_labels, dtype)
    expected = vectorizer.transform(TEXTS) @ model.weights.astype(np.float64) + model.bias
    found = model.decision_function(TEXTS)
    # Sums of a few products of ordinary size in double precision; the matrix may hold single precision.
    tolerance = 1e-12 if vectorizer.dtype != np.float32 else 1e-5
    np.testing.assert_allclose(found, expected[:, 0] if n_labels == 2 else expected, atol=tolerance)


@pytest.mark.parametrize("vectorizer", VECTORIZERS, ids=repr)
def test_sparse_weights_give_the_same_bits_as_the_table(vectorizer):
    model = model_of(vectorizer)
    table = np.where(np.random.default_rng(1).random(model.weights.shape) < 0.3, model.weights, 0.0)
    dense = LinearTextModel(model.features, table, model.bias, model.labels)
    listed = LinearTextModel(model.features, SparseWeights.from_table(table), model.bias, model.labels)
    np.testing.assert_array_equal(listed.decision_function(TEXTS), dense.decision_function(TEXTS))


@settings(max_examples=25, deadline=None)
@given(st.lists(st.text(max_size=60), max_size=150), st.sampled_from(range(len(VECTORIZERS))))
def test_any_text_scores_the_same_bits_for_any_number_of_threads(texts, which):
    model = model_of(VECTORIZERS[which])
    alone = model.decision_function(texts, threads=1)
    assert alone.tobytes() == model.decision_function(texts, threads=2).tobytes()
    assert alone.tobytes() == b"".join(model.decision_function([text]).tobytes() for text in texts)


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.one_of(st.sampled_from(TEXTS), st.text("gobad ñ.!", max_size=30), st.text(max_size=30)), max_size=4),
    st.sampled_from(range(len(VECTORIZERS))),
)
def test_terms_that_are_searched_for_give_the_same_bits_as_a_table_of_all(texts, which):
    model = model_of(VECTORIZERS[which])
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(vocabulary, "SEARCHED_PER_TERM", 1e9)
        loaded = pickle.loads(pickle.dumps(model))
        changed.setattr(_native, "Vocabulary", None)  # what makes the table
        searched = loaded.decision_function(texts)
    assert searched.tobytes() == model.decision_function(texts).tobytes()


def test_a_table_is_made_when_many_texts_have_been_asked_for(monkeypatch):
    loaded = pickle.loads(pickle.dumps(model_of(VECTORIZERS[0])))
    made = []
    monkeypatch.setattr(_native, "Vocabulary", lambda *parts, make=_native.Vocabulary: made.append(1) or make(*parts))
    monkeypatch.setattr(vocabulary, "SEARCHED_PER_TERM", 100)
    for _ in range(200):
        loaded.decision_function(["good film"])
    assert made == [1]


def test_terms_out_of_order_are_found():
    analysis = Analysis()
    words = Vocabulary.from_arrays(analysis, *strings_to_arrays(["good", "bad", "ugly"]))
    model = LinearTextModel(
        (TextFeatures(analysis, words, Weighting()),), np.array([[1.0], [2.0], [4.0]]), np.zeros(1), ("no", "yes")
    )
    assert model.decision_function(["bad", "good", "ugly", "fine"]).tolist() == [2.0, 1.0, 4.0, 0.0]


@pytest.mark.parametrize("norm", ["l1", "l2", None])
@pytest.mark.parametrize("ngrams", [(1, 1), (1, 2), (2, 2)])
def test_many_documents_are_scored_with_the_same_bits_as_few(norm, ngrams, monkeypatch):
    vectorizer = TfidfVectorizer(
        ngram_range=ngrams, norm=norm, sublinear_tf=True, dtype=np.float32, stop_words=["one"], use_idf=norm != "l1"
    )
    model = model_of(vectorizer, n_labels=2, dtype=np.float32)
    texts = [" ".join(TEXTS[i % 6].split()[: 1 + i % 5] + TEXTS[i % 4].split()) for i in range(200)]
    few = model.decision_function(texts)
    monkeypatch.setattr(scoring, "CHARACTERS_PER_FEATURE", 0)
    assert model._scorer._quick is not None
    for threads in (1, 2):
        assert model.decision_function(texts, threads=threads).tobytes() == few.tobytes()
    broken = pa.array([b"good", b"caf\xe9"]).view(pa.string())
    with pytest.raises(DataError, match=r"document 1: byte 3 \(0xE9\) is not UTF-8"):
        model.predict(broken)


@pytest.mark.parametrize("vectorizer", [v for v in VECTORIZERS if getattr(v, "analyzer", "") != "word"], ids=repr)
def test_other_features_have_no_shortcut(vectorizer):
    assert model_of(vectorizer, n_labels=2, dtype=np.float32)._scorer._quick is None


def test_texts_come_in_every_form_that_read_takes(tmp_path):
    model = model_of(TfidfVectorizer())
    expected = model.predict(TEXTS).tolist()
    (tmp_path / "texts.txt").write_text("\n".join(text for text in TEXTS if text), "utf-8")
    forms = [
        tuple(TEXTS),
        np.array(TEXTS),
        np.array(TEXTS, dtype=object),
        (text for text in TEXTS),
        [text.encode() for text in TEXTS],
        polars.Series(TEXTS),
        pa.array(TEXTS),
        pa.chunked_array([TEXTS[:2], TEXTS[2:]]),
        Corpus(TEXTS),
    ]
    for form in forms:
        assert model.predict(form).tolist() == expected, type(form)
    filled = [text or "-" for text in TEXTS]
    for form in ({"text": filled}, polars.DataFrame({"text": filled}), pa.table({"text": filled})):
        assert model.predict(form).tolist() == model.predict(filled).tolist(), type(form)
    assert len(model.predict(Path(tmp_path / "texts.txt"))) == 5
    assert model.predict([]).tolist() == []


def test_one_text_is_refused_and_so_are_other_things():
    model = model_of(TfidfVectorizer())
    with pytest.raises(DataError, match=r"must be a list of texts\. Got one text instead, 'good film'\. Put it into a"):
        model.predict("good film")
    with pytest.raises(DataError, match=r"The texts must be a list of texts\. Got int instead"):
        model.predict(3)
    with pytest.raises(DataError, match=r"row 2 is no text but missing \(None\)"):
        model.predict(["good", None])
    with pytest.raises(DataError, match=r"The text b'\\xff' is not UTF-8"):
        model.predict([b"\xff"])


def test_bytes_of_an_arrow_array_that_are_not_utf8_are_said_with_their_row():
    broken = pa.array([b"good", b"caf\xe9"]).view(pa.string())
    with pytest.raises(DataError, match=r"document 1: byte 3 \(0xE9\) is not UTF-8\. Read the file again"):
        model_of(TfidfVectorizer()).predict(broken)


def test_probabilities_follow_the_link():
    model = model_of(TfidfVectorizer(), n_labels=3)
    scores = model.decision_function(TEXTS)
    powers = np.exp(scores)
    np.testing.assert_allclose(model.predict_proba(TEXTS), powers / powers.sum(axis=1, keepdims=True))
    two = model_of(TfidfVectorizer(), n_labels=2)
    second = 1 / (1 + np.exp(-two.decision_function(TEXTS)))
    np.testing.assert_allclose(two.predict_proba(TEXTS), np.column_stack([1 - second, second]))


def test_one_against_the_rest_is_divided_by_the_sum_and_even_where_all_are_zero():
    features = tuple(CountVectorizer().fit(["good"]).text_features())
    bias = np.array([-1000.0, -1000.0, -2000.0])
    model = LinearTextModel(features, np.zeros((1, 3)), bias, ("a", "b", "c"), "sigmoid")
    np.testing.assert_allclose(model.predict_proba(["good"]), [[1 / 3, 1 / 3, 1 / 3]])


def test_a_calibration_and_a_rule_follow_the_scores():
    features = tuple(CountVectorizer().fit(["good bad"]).text_features())
    labels = ("neg", "pos")
    calibration = Calibration(labels, "sigmoid", False, {"slopes": np.array([2.0]), "intercepts": np.array([1.0])})
    parts = (features, np.array([[-1.0], [1.0]]), np.zeros(1), labels)
    model = LinearTextModel(*parts, calibration=calibration)
    np.testing.assert_allclose(model.predict_proba(["bad"])[:, 1], 1 / (1 + np.exp(1.0)))
    assert model.predict(["bad", ""]).tolist() == ["neg", "pos"]
    strict = LinearTextModel(
        *parts, calibration=calibration, rule=DecisionRule(labels, "threshold", np.array([0.9]), 1)
    )
    assert strict.predict(["", "good"]).tolist() == ["neg", "pos"]
    shy = LinearTextModel(*parts, calibration=calibration, rule=DecisionRule(labels, abstain_below=0.74))
    assert shy.predict(["", "good"]).tolist() == [None, "pos"]


def test_scores_alone_are_no_probabilities():
    features = tuple(CountVectorizer().fit(["good"]).text_features())
    model = LinearTextModel(features, np.ones((1, 1)), np.zeros(1), ("a", "b"))
    with pytest.raises(NoProbabilitiesError, match=r"gives scores, not probabilities.*calibration='sigmoid'"):
        model.predict_proba(["good"])


def test_parts_that_do_not_fit_are_refused():
    features = tuple(CountVectorizer().fit(["good bad"]).text_features())
    good = {"features": features, "weights": np.zeros((2, 1)), "bias": np.zeros(1), "labels": ("a", "b")}
    rule = DecisionRule(("b", "a"))
    for change, message in [
        ({"weights": np.zeros((3, 1))}, r"weights have shape \(3, 1\), but 2 features and 2 labels need \(2, 1\)"),
        ({"weights": np.zeros((2, 1), np.int64)}, r"must be float32 or float64\. Got int64 instead"),
        ({"bias": np.zeros(2)}, r"bias must be 1 float64 numbers\. Got shape \(2,\)"),
        ({"weights": np.array([[np.nan], [0.0]])}, r"must be finite numbers\. Got NaN or infinity"),
        ({"labels": ("a", "a")}, r"labels must be two or more different names\. Got \['a', 'a'\]"),
        ({"link": "logit"}, r"link must be None or one of 'softmax', 'sigmoid', 'posterior'\. Got 'logit'"),
        (
            {"link": "sigmoid", "rule": rule},
            r"The DecisionRule is for the labels \['b', 'a'\], the model for \['a', 'b'\]",
        ),
        ({"rule": rule.reordered(("a", "b"))}, r"gives scores, not probabilities"),
    ]:
        with pytest.raises(ParameterError, match=message):
            LinearTextModel(**(good | change))
    of_probabilities = Calibration(("a", "b"), "temperature", True, {"temperature": np.ones(1)})
    with pytest.raises(ParameterError, match=r"A calibration of probabilities needs a link"):
        LinearTextModel(**good, calibration=of_probabilities)


def test_sparse_weights_that_contradict_themselves_are_refused():
    def sparse(indptr, indices, n_outputs=3):
        data = np.ones(len(indices))
        return SparseWeights(np.array(indptr, np.int64), np.array(indices, np.int32), data, n_outputs)

    assert sparse([0, 1, 1, 3], [2, 0, 1]).to_table().tolist() == [[0, 0, 1], [0, 0, 0], [1, 1, 0]]
    for indptr, indices, message in [
        ([0, 1], [0, 1], r"run from 0 to the number of weights"),
        ([], [], r"run from 0 to the number of weights"),
        ([0, 2, 1, 2], [0, 1], r"must not fall"),
        ([0, 2], [0, 3], r"outside of the 3 classes"),
        ([0, 2], [1, 1], r"must be different and rise"),
    ]:
        with pytest.raises(ParameterError, match=message):
            sparse(indptr, indices)
    with pytest.raises(ParameterError, match=r"There are 1 weights but 2 indices"):
        SparseWeights(np.array([0, 2]), np.array([0, 1], np.int32), np.ones(1), 2)


def test_a_model_can_be_pickled_and_copied():
    model = model_of(TfidfVectorizer(ngram_range=(1, 2)))
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.decision_function(TEXTS), model.decision_function(TEXTS))


def test_a_rule_in_another_order_decides_alike():
    table = np.random.default_rng(0).dirichlet(np.ones(3), size=20)
    labels, turned = ("a", "b", "c"), ("c", "a", "b")
    costs = np.array([[0.0, 1, 5], [2, 0, 1], [1, 1, 0]])
    for rule in (
        DecisionRule(labels),
        DecisionRule(labels, "weights", np.array([0.5, 0.2, 0.3])),
        DecisionRule(labels, "costs", costs),
        DecisionRule(labels, "threshold", np.array([0.2]), 1),
    ):
        assert rule.reordered(turned).predict(table[:, [2, 0, 1]]).tolist() == rule.predict(table).tolist()


def test_predicting_imports_neither_scikit_learn_nor_scipy():
    code = (
        "import sys, numpy as np\n"
        "from assay.features.ngrams.analysis import Analysis\n"
        "from assay.features.ngrams.text_features import Hashing, TextFeatures, Weighting\n"
        "from assay.prediction import LinearTextModel\n"
        "block = TextFeatures(Analysis(), Hashing(8), Weighting())\n"
        "model = LinearTextModel((block,), np.ones((8, 1)), np.zeros(1), ('a', 'b'), 'sigmoid')\n"
        "model.predict(['good film']), model.predict_proba(['good film'])\n"
        "heavy = {'sklearn', 'scipy', 'pyarrow', 'pandas'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_pointers_of_sparse_weights_cannot_be_changed_after_they_were_checked():
    sparse = SparseWeights.from_table(np.array([[0.0, 0.5, 0.0], [0.0, 0.0, 2.0]]))
    for pointers in (sparse.indptr, sparse.indices):
        with pytest.raises(ValueError, match="read-only"):
            pointers[0] = 7


def test_a_table_that_is_made_ahead_of_the_texts_gives_the_same_bits():
    fresh, ahead = (model_of(TfidfVectorizer(ngram_range=(1, 2))) for _ in range(2))
    words = ahead.features[0].columns
    stored = Vocabulary.from_arrays(words.analysis, *words.to_arrays())
    ahead = replace(ahead, features=(replace(ahead.features[0], columns=stored),))
    ahead.expect(1_000_000)
    assert ahead.decision_function(TEXTS).tobytes() == fresh.decision_function(TEXTS).tobytes()
    assert stored._stored is None
