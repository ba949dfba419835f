"""Models written and read again."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from safetensors import safe_open

from assay.errors import DataError, ParameterError
from assay.features import CountVectorizer, HashingVectorizer, TfidfVectorizer, WordCharVectorizer
from assay.modelfile import read_model, write_model
from assay.prediction import LinearTextModel, SparseWeights

TEXTS = ["Good, good film!", "a bad one", "naïve größe 😀", "good bad good", ""]


def header_of(path):
    with safe_open(path, framework="numpy") as file:
        metadata = file.metadata()
    assert list(metadata) == ["assay"]
    return json.loads(metadata["assay"])


def arrays_of(path):
    with safe_open(path, framework="numpy") as file:
        return {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118


def of_random_weights(vectorizer, n_labels, share=1.0, dtype=np.float64):
    features = tuple(vectorizer.fit(TEXTS).text_features())
    shape = (sum(block.n_columns for block in features), 1 if n_labels == 2 else n_labels)
    rng = np.random.default_rng(0)
    weights = np.where(rng.random(shape) < share, rng.normal(size=shape), 0.0).astype(dtype)
    return LinearTextModel(features, weights, rng.normal(size=shape[1]), tuple(map(str, range(n_labels))), "softmax")


def test_what_is_read_decides_with_the_same_bits(model, tmp_path):
    write_model(tmp_path / "m.assay", model, {"seed": 3})
    again, provenance = read_model(tmp_path / "m.assay")
    assert provenance == {"seed": 3}
    assert again.labels == model.labels
    assert again.decision_function(TEXTS).tobytes() == model.decision_function(TEXTS).tobytes()
    assert again.predict_proba(TEXTS).tobytes() == model.predict_proba(TEXTS).tobytes()
    assert again.predict(TEXTS).tolist() == model.predict(TEXTS).tolist()


def test_reading_and_writing_again_gives_the_same_bytes(model, tmp_path):
    write_model(tmp_path / "a", model, {"b": 1, "a": {"y": [1, 2], "x": None}})
    write_model(tmp_path / "b", *read_model(tmp_path / "a"))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize(
    "vectorizer",
    [
        CountVectorizer(ngram_range=(1, 3), stop_words=["so"], tokenizer="words and punctuation"),
        CountVectorizer(vocabulary={"good": 1, "bad": 0}, binary=True),
        TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4), sublinear_tf=True, strip_accents="unicode"),
        TfidfVectorizer(analyzer="char", use_idf=False, norm="l1", dtype=np.float32),
        HashingVectorizer(n_features=32, ngram_range=(1, 2)),
        WordCharVectorizer(char_ngrams=(3, 3)),
    ],
    ids=repr,
)
@pytest.mark.parametrize("n_labels", [2, 4])
def test_every_kind_of_feature_comes_back(vectorizer, n_labels, tmp_path):
    model = of_random_weights(vectorizer, n_labels)
    write_model(tmp_path / "m", model)
    again, _ = read_model(tmp_path / "m")
    assert [block.analysis for block in again.features] == [block.analysis for block in model.features]
    assert again.decision_function(TEXTS).tobytes() == model.decision_function(TEXTS).tobytes()


@pytest.mark.parametrize("n_labels", [2, 4])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_weights_that_are_mostly_zero_are_kept_as_lists(n_labels, dtype, tmp_path):
    vectorizer = TfidfVectorizer(analyzer="char", ngram_range=(1, 5))
    model = of_random_weights(vectorizer, n_labels, share=0.05, dtype=dtype)
    write_model(tmp_path / "m", model)
    assert header_of(tmp_path / "m")["weights"] == "csr"
    assert {"weights.indptr", "weights.indices", "weights.data"} < set(arrays_of(tmp_path / "m"))
    again, _ = read_model(tmp_path / "m")
    assert isinstance(again.weights, SparseWeights) == (n_labels > 2)
    assert again.decision_function(TEXTS).tobytes() == model.decision_function(TEXTS).tobytes()
    write_model(tmp_path / "again", again)
    assert (tmp_path / "again").read_bytes() == (tmp_path / "m").read_bytes()


def test_hashed_features_keep_a_table_which_bounds_their_number(tmp_path):
    model = of_random_weights(HashingVectorizer(n_features=500), 4, share=0.01)
    listed = replace(model, weights=SparseWeights.from_table(model.weights))
    write_model(tmp_path / "m", listed)
    assert header_of(tmp_path / "m")["weights"] == "table"
    again, _ = read_model(tmp_path / "m")
    assert again.decision_function(TEXTS).tobytes() == listed.decision_function(TEXTS).tobytes()


@pytest.mark.parametrize("share", [0.05, 1.0])
def test_half_precision_takes_half_the_room_and_changes_scores_little(share, tmp_path):
    model = of_random_weights(TfidfVectorizer(analyzer="char", ngram_range=(1, 5)), 4, share, np.float32)
    write_model(tmp_path / "half", model, float16=True)
    write_model(tmp_path / "full", model)
    kept, name = arrays_of(tmp_path / "half"), "weights" if share == 1.0 else "weights.data"
    assert kept[name].dtype == np.float16
    assert kept["features.0.idf"].dtype == np.float32
    assert (tmp_path / "half").stat().st_size < (tmp_path / "full").stat().st_size
    again, _ = read_model(tmp_path / "half")
    assert again.weights.dtype == np.float32
    # Half precision has 11 bits: each weight is off by at most 2^-11 of itself, and rows have length 1.
    np.testing.assert_allclose(again.decision_function(TEXTS), model.decision_function(TEXTS), atol=2**-9)


def test_a_weight_too_large_for_half_precision_is_said(model, tmp_path):
    large = replace(model, weights=model.weights * np.float32(1e6))
    with pytest.raises(ParameterError, match=r"float16 holds numbers up to 65504, but a weight of this model is"):
        write_model(tmp_path / "m", large, float16=True)
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_write_leaves_the_old_file(model, tmp_path, monkeypatch):
    write_model(tmp_path / "m", model)
    before = (tmp_path / "m").read_bytes()

    def interrupted(file):
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_model(tmp_path / "m", replace(model, bias=model.bias + 1))
    assert (tmp_path / "m").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["m"]


def test_a_folder_that_is_missing_is_named(model, tmp_path):
    with pytest.raises(DataError, match=r"the folder '.*nowhere' does not exist\. Make it first"):
        write_model(tmp_path / "nowhere" / "m", model)
