"""`EncoderClassifier`: a linear model over sentence vectors, or all weights trained."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest

import assay
from assay.errors import DataError, ModelFileError, ParameterError
from assay.features import JoinedVectorizer, TfidfVectorizer
from assay.neural import EncoderClassifier, EncoderVectorizer
from assay.neural.encoders.block import EncoderBlock
from assay.neural.encoders.sentence_encoder import _opened

from .conftest import LABELS, TEXTS

ASKED = ["a great film", "so dull", "fun and fine", "unheard of"]


@pytest.fixture(scope="module")
def tuned(encoder):
    settings = {"learning_rate": 3e-3, "epochs": 6, "batch_size": 8, "validation": 0, "threads": 1}
    return EncoderClassifier(encoder=encoder, tuning="all", **settings).fit(TEXTS, LABELS)


@pytest.mark.parametrize("settings", [{}, {"head": "svm"}, {"ngrams": (1, 2), "weight": 2.0}], ids=str)
def test_a_linear_model_over_sentence_vectors_learns_and_is_kept(encoder, tmp_path, settings):
    model = EncoderClassifier(encoder=encoder, **settings, threads=1).fit(TEXTS, LABELS)
    assert model.score(TEXTS, LABELS) == 1
    model.save(tmp_path / "model.assay")
    assert (tmp_path / "model.assay").stat().st_size < 20_000  # without the transformer
    loaded = assay.load(tmp_path / "model.assay")
    np.testing.assert_allclose(loaded.decision_function(ASKED), model.decision_function(ASKED), rtol=1e-5, atol=1e-5)
    assert loaded.predict(ASKED).tolist() == model.predict(ASKED).tolist()


def test_the_same_training_gives_the_same_bytes(encoder, tmp_path):
    for name in ("one", "two"):
        EncoderClassifier(encoder=encoder, threads=1).fit(TEXTS, LABELS).save(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.parametrize("tuning", ["head", "all"])
def test_where_vectors_are_kept_changes_no_byte(encoder, tmp_path, tuning):
    for name, cache in (("one", tmp_path / "cache"), ("two", None)):
        made = EncoderClassifier(encoder=encoder, tuning=tuning, cache=cache, epochs=1, threads=1)
        made.fit(TEXTS, LABELS).save(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.parametrize("tuning", ["head", "all"])
def test_texts_that_are_cut_and_classes_of_one_text_are_noted(encoder, tuning):
    texts, labels = [*TEXTS, "a great film " * 9, "so it was"], [*LABELS, "pos", "rare"]
    model = EncoderClassifier(encoder=encoder, tuning=tuning, epochs=1, threads=1).fit(texts, labels)
    assert model.notes_ == (
        "Classes with one text only, which was trained on and could not be held out: 'rare'",
        "1 of 34 training texts have more than 12 tokens and were cut off after 12 (max_length)",
    )


def test_it_is_the_classifier_of_its_vectorizer(encoder):
    from assay.learners import LogisticRegression

    own = EncoderClassifier(encoder=encoder, C=3.0, ngrams=(1, 1), threads=1).fit(TEXTS, LABELS)
    words = TfidfVectorizer(sublinear_tf=True, token_pattern=r"(?u)\b\w+\b", dtype=np.float32)
    parts = JoinedVectorizer([("words", words), ("encoder", EncoderVectorizer(encoder, layers=4, standardize=True))])
    same = assay.TextClassifier(parts, LogisticRegression(C=3.0), threads=1).fit(TEXTS, LABELS)
    np.testing.assert_allclose(own.predict_proba(ASKED), same.predict_proba(ASKED), rtol=1e-6)


def test_prediction_has_the_vectors_of_some_texts_in_memory_and_not_of_all(encoder, monkeypatch):
    from assay.prediction import scoring

    model = EncoderClassifier(encoder=encoder, ngrams=(1, 1), threads=1).fit(TEXTS, LABELS)
    expected, at_once, table = model.decision_function(TEXTS), [], EncoderBlock.table

    def noting(self, documents, **how):
        at_once.append(len(documents))
        return table(self, documents, **how)

    monkeypatch.setattr(EncoderBlock, "table", noting)
    monkeypatch.setattr(scoring, "AT_ONCE", 10)
    np.testing.assert_allclose(model.decision_function(TEXTS), expected, rtol=1e-6)
    assert at_once == [10, 10, 10, 2]


def test_its_decisions_are_explained_feature_by_feature(encoder):
    model = EncoderClassifier(encoder=encoder, ngrams=(1, 1), threads=1).fit(TEXTS, LABELS).linear_classifier_
    assert "great" in str(model.explain("a great film"))


def test_a_model_whose_encoder_is_gone_says_so_when_asked(encoder, tmp_path):
    copy = shutil.copytree(encoder, tmp_path / "copy")
    EncoderClassifier(encoder=copy, threads=1).fit(TEXTS, LABELS).save(tmp_path / "model.assay")
    shutil.rmtree(copy)
    loaded = assay.load(tmp_path / "model.assay")
    assert loaded.labels == ("neg", "pos")
    with pytest.raises(
        ModelFileError, match=r"This model reads texts with the encoder '.*copy', which is not"
    ) as caught:
        loaded.predict(ASKED)
    assert "There is no encoder" in str(caught.value)
    assert "the folders that the environment variable ASSAY_ENCODERS lists" in str(caught.value)


def test_a_model_finds_its_encoder_where_it_was_moved_to(encoder, tmp_path, monkeypatch):
    copy = shutil.copytree(encoder, tmp_path / "models" / "small")
    monkeypatch.chdir(tmp_path)
    EncoderClassifier(encoder="models/small", threads=1).fit(TEXTS, LABELS).save("model.assay")
    (tmp_path / "elsewhere").mkdir()
    copy.rename(tmp_path / "elsewhere" / "small")
    monkeypatch.setenv("ASSAY_ENCODERS", str(tmp_path / "elsewhere"))
    assert assay.load("model.assay").predict(["a great film"]).tolist() == ["pos"]


def test_a_decision_by_sentence_vectors_is_shown_on_the_screen_by_leaving_words_out(encoder, tmp_path, capsys):
    from assay.cli.main import main

    EncoderClassifier(encoder=encoder, threads=1).fit(TEXTS, LABELS).save(tmp_path / "model.assay")
    assert main(["explain", str(tmp_path / "model.assay"), "a great film"]) == 0
    shown = capsys.readouterr().out
    assert "What 'pos' loses without each word:" in shown
    assert "sentence vector" not in shown


def test_a_model_whose_encoder_has_changed_says_so(encoder, tmp_path):
    copy = shutil.copytree(encoder, tmp_path / "copy")
    EncoderClassifier(encoder=copy, threads=1).fit(TEXTS, LABELS).save(tmp_path / "model.assay")
    (copy / "sentence_bert_config.json").write_text('{"max_seq_length": 12}')
    _opened.cache_clear()
    with pytest.raises(ModelFileError, match="is not the one that this model was trained with"):
        assay.load(tmp_path / "model.assay").predict(ASKED)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sha256": "x"}, "'sha256'"),
        ({"weight": -1.0}, "'weight'"),
        ({"size": 0}, "'size'"),
        ({"encoder": 3}, "encoder"),
    ],
)
def test_a_damaged_block_is_refused(change, message):
    good = {"encoder": "here", "sha256": "0" * 64, "size": 3, "max_length": 5, "weight": 1.0}
    assert EncoderBlock.from_data(good, {}).n_columns == 3
    with pytest.raises(ValueError, match=message):
        EncoderBlock.from_data({**good, **change}, {})


def test_a_file_from_before_layers_and_spreads_is_read_as_it_was_meant(encoder, tmp_path):
    from assay.tensor_file import read_tensor_file, write_tensor_file

    model = assay.TextClassifier(EncoderVectorizer(encoder), "logistic", threads=1).fit(TEXTS, LABELS)
    model.save(tmp_path / "model.assay")
    file = read_tensor_file(tmp_path / "model.assay", {"model": 2}, "model")
    (block,) = file.header["sections"]["features"]["content"]["blocks"]
    assert block.pop("layers") == 1
    assert not [name for name in file.arrays if name.startswith("features.0.")]  # no shift, no scale
    write_tensor_file(tmp_path / "old.assay", file.header, file.arrays)
    old = assay.load(tmp_path / "old.assay")
    np.testing.assert_allclose(old.decision_function(ASKED), model.decision_function(ASKED), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"shift": np.zeros(3, np.float32)}, "the array 'scale' is missing"),
        ({"scale": np.zeros(3, np.float32)}, "the array 'shift' is missing"),
        ({"shift": np.zeros(2, np.float32), "scale": np.ones(3, np.float32)}, r"'shift' has shape \(2,\), not \(3,\)"),
        ({"shift": np.zeros(3), "scale": np.ones(3)}, "'shift' is of type float64, not float32"),
        ({"shift": np.full(3, np.nan, np.float32), "scale": np.ones(3, np.float32)}, "'shift' holds nan at"),
    ],
    ids=["no scale", "no shift", "too few", "of another type", "NaN"],
)
def test_a_damaged_spread_is_refused(arrays, message):
    described = {"encoder": "here", "sha256": "0" * 64, "size": 3, "max_length": 5, "weight": 1.0, "layers": 2}
    with pytest.raises(ValueError, match=message):
        EncoderBlock.from_data(described, arrays)


def test_all_weights_are_trained(tuned):
    assert tuned.score(TEXTS, LABELS) == 1
    assert len(tuned.history_.epochs) == 6
    assert tuned.history_.epochs[-1].loss < tuned.history_.epochs[0].loss


def test_what_is_no_text_is_refused_and_odd_texts_are_read(tuned, encoder):
    frozen = EncoderClassifier(encoder=encoder, threads=1).fit(TEXTS, LABELS)
    for model in (tuned, frozen):
        with pytest.raises(DataError, match="row 1 is no text but int 3"):
            model.predict([3])
        with pytest.raises(DataError, match="Got one text instead"):
            model.predict("a great film")
        assert model.predict([]).shape == (0,)
        assert model.predict(["\ud800 great", "\0", "", "😀" * 400]).shape == (4,)


def test_trained_weights_are_kept_with_the_tokenizer(tuned, encoder, tmp_path):
    tuned.save(tmp_path / "model.assay")
    loaded = assay.load(tmp_path / "model.assay")
    assert isinstance(loaded, EncoderClassifier)
    np.testing.assert_allclose(loaded.predict_proba(ASKED), tuned.predict_proba(ASKED), rtol=1e-5)


def test_the_same_seed_trains_the_same_weights(encoder, tmp_path):
    settings = {"tuning": "all", "epochs": 1, "batch_size": 8, "threads": 1}
    for name in ("one", "two"):
        EncoderClassifier(encoder=encoder, **settings).fit(TEXTS, LABELS).save(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"auto_map": {"AutoModel": "evil.Model"}}, "asks for code"),
        ({"num_hidden_layers": 10**9}, "num_hidden_layers"),
        ({"hidden_size": 32}, "damaged"),
        ({"model_type": "no such"}, "damaged"),
        ({"model_type": 3}, "describes no transformer"),
        ({"vocab_size": 5}, "damaged"),
        ({"vocab_size": [1, 1]}, "describes no transformer"),
        ({"is_decoder": "x"}, "describes no transformer"),
        ({"pad_token_id": -1}, "'pad_token_id' is -1, which is none of the"),
        ({"layer_norm_eps": None}, "describes no transformer"),
    ],
)
def test_a_damaged_file_of_trained_weights_is_refused(tuned, tmp_path, change, message):
    from assay.tensor_file import read_tensor_file, write_tensor_file

    tuned.save(tmp_path / "model.assay")
    file = read_tensor_file(tmp_path / "model.assay", {"model": 2}, "model")
    header = json.loads(json.dumps(file.header))
    header["sections"]["network"]["content"]["settings"]["config"] |= change
    write_tensor_file(tmp_path / "model.assay", header, file.arrays)
    with pytest.raises(ModelFileError, match=message):
        assay.load(tmp_path / "model.assay")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"tuning": "some"}, "'tuning'"),
        ({"head": "tree"}, "'head'"),
        ({"C": 0}, "'C'"),
        ({"weight": 0}, "'weight'"),
        ({"max_length": 1}, "'max_length'"),
        ({"tuning": "all", "ngrams": (1, 2)}, "is for tuning='head'"),
    ],
)
def test_a_setting_that_cannot_be_is_named(encoder, settings, message):
    with pytest.raises(ParameterError, match=message):
        EncoderClassifier(encoder=encoder, **settings).fit(TEXTS, LABELS)


@pytest.mark.parametrize("tuning", ["head", "all"])
def test_texts_that_are_all_empty_are_refused(encoder, tuning):
    with pytest.raises(DataError, match="all of the 4 texts are empty"):
        EncoderClassifier(encoder=encoder, tuning=tuning, validation=0).fit(assay.Corpus(["", " "] * 2, ["a", "b"] * 2))
