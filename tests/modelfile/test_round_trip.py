"""Models written and read again."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import save

import assay
from assay.errors import AssayWarning, DataError, ModelFileError, ParameterError
from assay.features import CountVectorizer, HashingVectorizer, TfidfVectorizer, WordCharVectorizer
from assay.modelfile import Attachment, Lineage, ModelRecord, Parent, Update, read_model, write_model
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
    write_model(tmp_path / "m.assay", model, ModelRecord({"seed": 3}))
    again, record = read_model(tmp_path / "m.assay")
    assert record.provenance == {"seed": 3}
    assert again.labels == model.labels
    assert again.decision_function(TEXTS).tobytes() == model.decision_function(TEXTS).tobytes()
    assert again.predict_proba(TEXTS).tobytes() == model.predict_proba(TEXTS).tobytes()
    assert again.predict(TEXTS).tolist() == model.predict(TEXTS).tolist()


def test_reading_and_writing_again_gives_the_same_bytes(model, tmp_path):
    write_model(tmp_path / "a", model, ModelRecord({"b": 1, "a": {"y": [1, 2], "x": None}}))
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
    assert header_of(tmp_path / "m")["sections"]["weights"]["content"]["form"] == "csr"
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
    assert header_of(tmp_path / "m")["sections"]["weights"]["content"]["form"] == "table"
    again, _ = read_model(tmp_path / "m")
    assert again.decision_function(TEXTS).tobytes() == listed.decision_function(TEXTS).tobytes()


@pytest.mark.parametrize("share", [0.05, 1.0])
def test_half_precision_takes_half_the_room_and_changes_scores_little(share, tmp_path):
    model = of_random_weights(TfidfVectorizer(analyzer="char", ngram_range=(1, 5)), 4, share, np.float32)
    write_model(tmp_path / "half", model, float16=True)
    write_model(tmp_path / "full", model)
    kept, name = arrays_of(tmp_path / "half"), "weights.table" if share == 1.0 else "weights.data"
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


def test_what_a_file_remembers_comes_back(model, tmp_path):
    lineage = Lineage((Parent("a.assay", "0" * 64),), (Update("onward", 0, 5, 1, 2, "1" * 64),))
    signatures = np.arange(8, dtype=np.uint32).reshape(4, 2)
    sketch = Attachment("minhash", {"seed": 7, "exact": True}, {"signatures": signatures})
    novelty = Attachment("known-features", {"share": 0.5}, {"scores": np.array([0.1, 0.9])})
    write_model(tmp_path / "m", model, ModelRecord({}, lineage, sketch, novelty))
    again, record = read_model(tmp_path / "m")
    assert record.lineage == lineage
    assert record.sketch.settings == {"seed": 7, "exact": True}
    assert record.sketch.arrays["signatures"].tolist() == signatures.tolist()
    assert (record.novelty.method, record.novelty.arrays["scores"].tolist()) == ("known-features", [0.1, 0.9])
    write_model(tmp_path / "again", again, record)
    assert (tmp_path / "again").read_bytes() == (tmp_path / "m").read_bytes()


def with_section(path, required, version=1):
    """Put a section into a file that no assay knows yet."""
    header, arrays = header_of(path), arrays_of(path)
    content = {"version": version, "required": required, "content": {"any": 1}}
    header["sections"]["weather"] = content
    path.write_bytes(save({**arrays, "weather.wind": np.ones(2)}, metadata={"assay": json.dumps(header)}))


def test_a_section_that_nobody_knows_yet_is_left_out_and_said_if_the_model_answers_without(model, tmp_path):
    write_model(tmp_path / "m", model)
    with_section(tmp_path / "m", required=False)
    with pytest.warns(AssayWarning, match=r"m: a newer assay wrote 'weather' into this file, which this one does not"):
        loaded = assay.load(tmp_path / "m")
    assert loaded.record.ignored == ("weather",)
    assert loaded.decision_function(TEXTS).tobytes() == model.decision_function(TEXTS).tobytes()
    loaded.save(tmp_path / "again")
    assert "weather" not in header_of(tmp_path / "again")["sections"]


def test_a_section_that_a_model_needs_and_nobody_knows_yet_is_refused(model, tmp_path):
    write_model(tmp_path / "m", model)
    with_section(tmp_path / "m", required=True, version=4)
    with pytest.raises(ModelFileError, match=r"m: this model needs its section 'weather' \(version 4\), which this as"):
        assay.load(tmp_path / "m")


def test_a_newer_version_of_what_a_model_remembers_is_left_out(model, tmp_path):
    write_model(tmp_path / "m", model, ModelRecord({"seed": 3}, sketch=Attachment("minhash")))
    header = header_of(tmp_path / "m")
    header["sections"]["sketch"] |= {"version": 2, "content": {"of another form": []}}
    (tmp_path / "m").write_bytes(save(arrays_of(tmp_path / "m"), metadata={"assay": json.dumps(header)}))
    _, record = read_model(tmp_path / "m")
    assert (record.sketch, record.ignored, record.provenance) == (None, ("sketch",), {"seed": 3})


def test_a_kind_of_model_that_is_not_known_is_said(model, tmp_path):
    write_model(tmp_path / "m", model)
    header = header_of(tmp_path / "m") | {"kind": "forest"}
    (tmp_path / "m").write_bytes(save(arrays_of(tmp_path / "m"), metadata={"assay": json.dumps(header)}))
    with pytest.raises(ModelFileError, match=r"m: this model is of the kind 'forest', which this assay does not know"):
        assay.load(tmp_path / "m")


@pytest.mark.parametrize(("labels", "kind"), [(("9", "10"), "integer"), (("false", "true"), "boolean")])
def test_the_type_of_the_labels_is_kept(labels, kind, tmp_path):
    model = replace(of_random_weights(HashingVectorizer(n_features=8), 2), labels=labels, label_type=kind)
    write_model(tmp_path / "m", model)
    again, _ = read_model(tmp_path / "m")
    assert again.decision.values.tolist() == model.decision.values.tolist()
    assert again.labels == labels
