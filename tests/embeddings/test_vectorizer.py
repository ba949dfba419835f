"""Texts as means of word vectors: values, models, files, explanations."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import save

import assay
from assay.embeddings import EmbeddingVectorizer, WordVectors
from assay.embeddings.text_vectors import zipf_shares
from assay.errors import DataError, ModelFileError, ParameterError
from assay.explanation import top_features
from assay.features import JoinedVectorizer, TfidfVectorizer
from assay.tensor_file import read_tensor_file

WORDS = ["a", "film", "bad", "dull", "great", "fantastic", "awful", "story"]
COUNTS = np.array([1000, 100, 50, 40, 30, 20, 10, 5])
TEXTS = ["A great film", "so dull", "a GREAT great story", "a bad, dull film", "great fun", "bad story", "nothing"]
LABELS = ["pos", "neg", "pos", "neg", "pos", "neg", "neg"]


@pytest.fixture
def vectors() -> WordVectors:
    good = {"great": 1, "fantastic": 1, "bad": -1, "dull": -1, "awful": -1}
    rows = np.random.default_rng(0).normal(size=(len(WORDS), 5)) * 0.3
    rows[:, 0] += [good.get(word, 0) for word in WORDS]
    return WordVectors(WORDS, rows, COUNTS)


def known(text: str) -> list[str]:
    return [word for word in text.lower().replace(",", " ").split() if word in WORDS]


def by_hand(vectors: WordVectors, weights: dict[str, float], texts: list[str] = TEXTS) -> np.ndarray:
    rows = []
    for text in texts:
        words = known(text)
        each = [weights[word] * vectors[word].astype(float) for word in words]
        rows.append(np.sum(each, axis=0) / len(words) if words else np.zeros(5))
    return np.array(rows)


def unit(rows: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(lengths > 0, lengths, 1)


def test_mean_of_the_vectors_of_known_words(vectors):
    expected = by_hand(vectors, dict.fromkeys(WORDS, 1.0))
    plain = EmbeddingVectorizer(vectors, weighting="mean", length=None).fit_transform(TEXTS)
    assert plain == pytest.approx(expected, abs=1e-6)  # vectors are float32
    assert EmbeddingVectorizer(vectors, weighting="mean").fit_transform(TEXTS) == pytest.approx(
        unit(expected), abs=1e-6
    )


def test_weights_by_inverse_document_frequency(vectors):
    frequency = {word: sum(word in known(text) for text in TEXTS) for word in WORDS}
    weights = {word: np.log(8 / (1 + frequency[word])) + 1 for word in WORDS}
    found = EmbeddingVectorizer(vectors, weighting="idf", length=None).fit_transform(TEXTS)
    assert found == pytest.approx(by_hand(vectors, weights), abs=1e-6)


@pytest.mark.parametrize("counted", [True, False])
def test_weights_by_smooth_inverse_frequency(vectors, counted):
    shares = COUNTS / COUNTS.sum() if counted else zipf_shares(len(WORDS))
    weights = dict(zip(WORDS, 0.01 / (0.01 + shares), strict=True))
    given = vectors if counted else WordVectors(WORDS, vectors.matrix)
    found = EmbeddingVectorizer(given, weighting="sif", a=0.01, length=None).fit_transform(TEXTS)
    assert found == pytest.approx(by_hand(vectors, weights), abs=1e-6)


def test_the_first_component_of_the_training_texts_is_removed(vectors):
    means = by_hand(vectors, dict.fromkeys(WORDS, 1.0))
    first = np.linalg.svd(means)[2][0]
    found = EmbeddingVectorizer(vectors, weighting="mean", length=None, remove_component=True).fit(TEXTS)
    assert found.transform(TEXTS) == pytest.approx(means - np.outer(means @ first, first), abs=1e-6)
    new = ["awful fantastic", "dull dull"]
    means = by_hand(vectors, dict.fromkeys(WORDS, 1.0), new)
    assert found.transform(new) == pytest.approx(means - np.outer(means @ first, first), abs=1e-6)


def test_vectors_are_read_from_a_file(vectors, tmp_path):
    vectors.save(tmp_path / "v.safetensors")
    found = EmbeddingVectorizer(tmp_path / "v.safetensors").fit_transform(TEXTS)
    assert (found == EmbeddingVectorizer(vectors).fit_transform(TEXTS)).all()


def test_words_that_no_text_can_hold_are_left_out():
    words = ["new_york", "new york", "</s>", "don't", "New", "new"]
    vectors = WordVectors(words, np.eye(6))
    fitted = EmbeddingVectorizer(vectors, lowercase=True).fit(["new"])
    assert fitted.block_.words.names() == ["new_york", "new"]
    assert EmbeddingVectorizer(vectors).fit(["new"]).block_.words.names() == ["new_york", "New", "new"]
    fitted = EmbeddingVectorizer(vectors, tokenizer="whitespace").fit(["new"])
    assert fitted.block_.words.names() == ["new_york", "</s>", "don't", "New", "new"]


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("length", [0.5, None])
def test_a_model_of_ngrams_and_vectors_survives_its_file(vectors, tmp_path, length, threads):
    parts = [("words", TfidfVectorizer()), ("vectors", EmbeddingVectorizer(vectors, length=length))]
    model = assay.TextClassifier(JoinedVectorizer(parts), "logistic", threads=threads).fit(TEXTS, LABELS)
    model.save(tmp_path / "m.assay")
    texts = [*TEXTS, "fantastic", "unknown words"]
    assert (assay.load(tmp_path / "m.assay").predict_proba(texts) == model.predict_proba(texts)).all()
    model.save(tmp_path / "again.assay")
    assert (tmp_path / "m.assay").read_bytes() == (tmp_path / "again.assay").read_bytes()


def test_a_word_never_seen_counts_because_a_near_one_was(vectors):
    parts = [("words", TfidfVectorizer()), ("vectors", EmbeddingVectorizer(vectors))]
    alone = assay.TextClassifier(TfidfVectorizer(), "logistic").fit(TEXTS, LABELS)
    joined = assay.TextClassifier(JoinedVectorizer(parts), "logistic").fit(TEXTS, LABELS)
    unseen = ["fantastic", "awful"]
    assert len(set(alone.decision_function(unseen))) == 1
    assert joined.predict(unseen).tolist() == ["pos", "neg"]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from([*WORDS, "so", "Fun", "!", ","]), max_size=8), st.sampled_from([2.0, None]))
def test_an_explanation_gives_every_word_its_exact_part(words, length):
    rows = np.random.default_rng(1).normal(size=(len(WORDS), 5))
    vectors = WordVectors(WORDS, rows, COUNTS)
    parts = [("words", TfidfVectorizer()), ("vectors", EmbeddingVectorizer(vectors, length=length))]
    model = assay.TextClassifier(JoinedVectorizer(parts), "logistic").fit(TEXTS, LABELS)
    text = " ".join(words)
    explanation = model.explain(text)
    score = model.decision_function([text])[0]
    # Sums of float64 in another order.
    assert explanation.score_for("pos") == score
    assert explanation.bias_for("pos") + explanation.contributions_to("pos").sum() == pytest.approx(score, abs=1e-12)
    characters = explanation.characters("pos")
    assert explanation.bias_for("pos") + characters.sum() == pytest.approx(score, abs=1e-12)
    assert explanation.unplaced("pos") == 0
    for item in explanation.top(None):
        if item.kind == "vector":
            assert {text[begin:end].lower() for begin, end in item.places} == {item.feature}
            assert len(item.places) == words.count(item.feature)


def test_one_words_part_is_its_share_times_its_vector_times_the_weights(vectors):
    model = assay.TextClassifier(EmbeddingVectorizer(vectors, weighting="mean", length=None), "svm").fit(TEXTS, LABELS)
    weights = model.model.weights[:, 0]
    (item,) = [item for item in model.explain("great bad bad so").top(None, "pos") if item.feature == "bad"]
    assert item.contribution == pytest.approx(2 / 3 * float(vectors["bad"] @ weights), abs=1e-6)
    assert item.places == ((6, 9), (10, 13))


def test_a_model_is_described_by_words_and_not_by_dimensions(vectors):
    model = assay.TextClassifier(EmbeddingVectorizer(vectors), "svm").fit(TEXTS, LABELS)
    found = top_features(model.model, assay.read((TEXTS, LABELS)), top=2)
    assert [item.feature for item in found["pos"]][:1] == ["great"]
    assert {item.kind for items in found.values() for item in items} == {"vector"}
    assert model.explain("great awful").smallest_removal().words
    assert "≈ great" in str(model.explain("great awful"))


def test_scaled_vectors_join_too(vectors):
    parts = [("words", TfidfVectorizer()), ("vectors", EmbeddingVectorizer(vectors))]
    model = assay.TextClassifier(JoinedVectorizer(parts, scaling={"vectors": "z-score"}), "svm").fit(TEXTS, LABELS)
    assert model.predict(["great"]).tolist() == ["pos"]
    assert "vector 1" in {item.feature for item in model.explain("fantastic").top(None)}


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"weighting": "tfidf"}, r"The 'weighting' parameter of EmbeddingVectorizer must be a str among"),
        ({"a": 0}, r"The 'a' parameter of EmbeddingVectorizer must be a float in the range \(0"),
        ({"length": 0}, r"The 'length' parameter of EmbeddingVectorizer must be"),
        ({"tokenizer": "spaces"}, r"The 'tokenizer' parameter of EmbeddingVectorizer must be a str among"),
        ({"vectors": None}, r"The 'vectors' parameter of EmbeddingVectorizer must be"),
    ],
)
def test_a_wrong_setting_is_refused(vectors, parameters, message):
    with pytest.raises(ParameterError, match=message):
        EmbeddingVectorizer(**{"vectors": vectors, **parameters}).fit(TEXTS)


def test_vectors_without_any_word_of_the_texts_are_refused(vectors):
    with pytest.raises(
        DataError, match=r"None of the words of the 2 training texts has a vector.*begin with 'a', 'fil"
    ):
        EmbeddingVectorizer(vectors).fit(["nichts", "davon"])
    with pytest.raises(DataError, match="no such file"):
        EmbeddingVectorizer("nothing.vec").fit(TEXTS)


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        ("length", "l1", r"'length' is 'l1'"),
        ("length", -1.0, r"'length' is -1\.0"),
        ("analysis", {"unit": "char"}, r"an analysis has the settings"),
        ("analysis.unit", "char", r"vectors are of words, not of char"),
        ("analysis.ngrams", [1, 2], r"vectors are of words, not of word \(1, 2\)"),
        ("matrix", np.zeros((8, 5)), r"the vectors, float64 of shape \(8, 5\), do not fit 8 words"),
        ("matrix", np.zeros((7, 5), np.float32), r"the vectors, float32 of shape \(7, 5\), do not fit 8 words"),
        ("matrix", np.full((8, 5), np.inf, np.float32), r"the array 'matrix' holds inf at"),
        ("words", np.zeros(3, np.uint8), r"the file is damaged"),
        ("offsets", np.zeros(9), r"the offsets of the terms are float64"),
    ],
)
def test_a_model_file_with_damaged_vectors_is_refused(vectors, tmp_path, place, value, message):
    path = tmp_path / "m.assay"
    assay.TextClassifier(EmbeddingVectorizer(vectors), "svm").fit(TEXTS, LABELS).save(path)
    file = read_tensor_file(path, {"model": 2}, "model")
    header, arrays = file.header, dict(file.arrays)
    description = header["sections"]["features"]["content"]["blocks"][0]
    if place.startswith("analysis."):
        description["analysis"][place.partition(".")[2]] = value
    elif place in description:
        description[place] = value
    else:
        arrays[f"features.0.{place}"] = value
    path.write_bytes(save(arrays, metadata={"assay": json.dumps(header)}))
    with pytest.raises(ModelFileError, match=message):
        assay.load(path)


def test_prediction_with_vectors_needs_neither_scikit_learn_nor_scipy(vectors, tmp_path):
    import subprocess
    import sys

    assay.TextClassifier(EmbeddingVectorizer(vectors), "svm").fit(TEXTS, LABELS).save(tmp_path / "m.assay")
    code = (
        f"import assay, sys; assay.load({str(tmp_path / 'm.assay')!r}).predict(['great']); "
        "print(sorted({'scipy', 'sklearn'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
