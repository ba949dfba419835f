"""Files that are no models: each is a ModelFileError, and none takes the process down."""

from __future__ import annotations

import json
import re
import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from safetensors.numpy import save, save_file

from assay.errors import ModelFileError
from assay.features import HashingVectorizer, TfidfVectorizer
from assay.modelfile import Attachment, Lineage, ModelRecord, Parent, Update, read_model, write_model
from assay.prediction import LinearTextModel
from assay.tensor_file import read_tensor_file, write_tensor_file

RECORD = ModelRecord(
    {"seed": 3},
    Lineage((Parent("a.assay", "0" * 64),), (Update("again", 0, 5, 1, 0, "1" * 64),)),
    Attachment("minhash", {"seed": 7}, {"signatures": np.arange(8, dtype=np.uint32).reshape(4, 2)}),
)
TEXTS = ["Good, good film!", "a bad one"]


def parts_of(path):
    file = read_tensor_file(path, {"model": 2}, "model")
    return file.header, file.arrays


def refused(path, header, arrays) -> str:
    path.write_bytes(save(arrays, metadata={"assay": json.dumps(header)}))
    with pytest.raises(ModelFileError) as caught:
        read_model(path)
    assert str(caught.value).startswith(str(path))
    return str(caught.value)


def changed(header: Any, place: str, value: Any) -> Any:
    """A copy of the header with one value replaced; DELETE takes it out."""
    *way, last = [int(step) if step.isdigit() else step for step in place.split(".")]
    copy = json.loads(json.dumps(header))
    inner = copy
    for step in way:
        inner = inner[step]
    if value is DELETE:
        del inner[last]
    else:
        inner[last] = value
    return copy


DELETE = object()
BLOCK = "sections.features.content.blocks.0"
HEADERS = [
    ("format", "vectorizer", r"this is no model of assay"),
    ("format", ["model"], r"this is no model of assay"),
    ("version", 3, r"written in version 3 of the format; this assay reads version 2\. Install a newer assay"),
    ("version", "1", r"its version is '1'"),
    ("version", True, r"its version is True"),
    ("task", DELETE, r"'task' is missing"),
    ("task", "label-sets", r"there are arrays that nothing refers to: rule\.abstain_below, rule\.rule, rule\.values"),
    (
        "task",
        "tags",
        r"a model that gives a tag to every word of a text; this version of assay reads models",
    ),
    ("task", "summary", r"holds a model for the task 'summary'; this version of assay reads .* Install a newer assay"),
    ("kind", DELETE, r"'kind' is missing"),
    ("kind", "forest", r"this is no linear model, but of the kind 'forest'\. Use assay\.load"),
    ("labels", DELETE, r"'labels' is missing"),
    ("labels", "eins", r"'labels' is 'eins', which is no list"),
    ("labels", [], r"the 0 labels are not two or more"),
    ("labels", ["a", "b", "a"], r"the 3 labels are not two or more different ones"),
    ("labels", ["a", "b", 3], r"label 2 is 3, which is no text"),
    ("labels", ["a", "b", "\ud800"], r"label 2, '\\ud800', cannot be written as UTF-8"),
    ("labels", ["a", "b"], r"section 'weights': the array 'table' has shape"),
    ("labels", [str(i) for i in range(10**4)], r"section 'weights': the array 'table' has shape"),
    ("label_type", "complex", r"'label_type' is 'complex', which is none of"),
    ("label_type", "integer", r"the label 'eins' is no whole number"),
    ("label_type", "boolean", r"the label 'eins' is neither 'true' nor 'false'"),
    ("link", "logit", r"'link' is 'logit', which is none of"),
    ("link", ["softmax"], r"'link' is \['softmax'\], which is none of"),
    ("sections", DELETE, r"'sections' is missing"),
    ("sections", [], r"'sections' is \[\], which is no dict"),
    ("sections.weights", 3, r"'weights' is 3, which is no dict"),
    ("sections.weights", DELETE, r"arrays that nothing refers to: weights\.bias, weights\.table"),
    ("sections.weights.version", 0, r"'version' is 0, which is not between 1 and"),
    ("sections.weights.version", True, r"'version' is True, which is no int"),
    (
        "sections.weights.version",
        2,
        r"this model needs its section 'weights' \(version 2\), which this assay does",
    ),
    ("sections.weights.required", 1, r"'required' is 1, which is no bool"),
    ("sections.weights.content", [], r"'content' is \[\], which is no dict"),
    (
        "sections.forest",
        {"version": 1, "required": True, "content": {}},
        r"its section 'forest' \(version 1\), .*newer",
    ),
    ("sections.features.content", {}, r"section 'features': 'blocks' is missing"),
    ("sections.features.content.blocks", [], r"there are arrays that nothing|'table' has shape"),
    (BLOCK, 7, r"block 0: 'kind' is missing"),
    (f"{BLOCK}.kind", "trie", r"block 0: 'kind' is 'trie', which is none of \['embeddings'"),
    (f"{BLOCK}.kind", ["n-grams"], r"block 0: 'kind' is \['n-grams'\], which is none of"),
    (f"{BLOCK}.analysis", DELETE, r"block 0: 'analysis' is missing"),
    (f"{BLOCK}.analysis.ngrams", [1, 10**9], r"'ngrams' must be .* from 1 to 1,000\. Got \(1, 10"),
    (f"{BLOCK}.analysis.ngrams", [True, 2], r"'ngrams' must be"),
    (f"{BLOCK}.analysis.ngrams", [2, 1], r"'ngrams' must be the least and the greatest length of n-grams"),
    (f"{BLOCK}.analysis.ngrams", [1], r"'ngrams' must be"),
    (f"{BLOCK}.analysis.unit", "sentence", r"'unit' must be one of .*Got 'sentence' instead"),
    (f"{BLOCK}.analysis.lowercase", "yes", r"'lowercase' must be true or false\. Got 'yes' instead"),
    (f"{BLOCK}.analysis.stop_words", [1], r"'stop_words' must be a list of words"),
    (f"{BLOCK}.analysis.extra", 1, r"missing or unknown: \['extra'\]"),
    (f"{BLOCK}.columns", {"kind": "trie"}, r"'kind' is 'trie'"),
    (f"{BLOCK}.columns", {"kind": "hashing", "n_columns": 10**12, "alternate_sign": True}, r"not between 1 and"),
    (f"{BLOCK}.columns", {"kind": "hashing", "n_columns": 0, "alternate_sign": True}, r"not between 1 and"),
    (
        f"{BLOCK}.columns",
        {"kind": "hashing", "n_columns": 2**31 - 1, "alternate_sign": True},
        r"block 0: the array 'idf' has",
    ),
    (f"{BLOCK}.columns", {"kind": "hashing", "n_columns": 8, "alternate_sign": 1}, r"'alternate_sign' is 1"),
    (f"{BLOCK}.norm", "max", r"'norm' is 'max'"),
    (f"{BLOCK}.binary", 1, r"'binary' is 1, which is no bool"),
    ("sections.weights.content.form", "dense", r"section 'weights': 'form' is 'dense'"),
    ("sections.weights.content.form", "csr", r"the array 'indptr' is missing"),
    ("sections.calibration", DELETE, r"arrays that nothing refers to: calibration\."),
    ("sections.calibration.content.method", "isotonic", r"'method' is 'isotonic', but the arrays are of 'sigmoid'"),
    ("sections.rule.content", {}, r"section 'rule': 'kind' is missing"),
    ("sections.rule.content.kind", "coin", r"'kind' is 'coin', but the arrays are of 'weights'"),
    ("sections.provenance.content", [], r"'content' is \[\], which is no dict"),
]


@pytest.mark.parametrize(("place", "value", "message"), HEADERS, ids=[f"{h[0]}-{i}" for i, h in enumerate(HEADERS)])
def test_a_header_that_lies_is_refused(place, value, message, model, tmp_path):
    write_model(tmp_path / "m", model, RECORD)
    header, arrays = parts_of(tmp_path / "m")
    assert re.search(message, refused(tmp_path / "m", changed(header, place, value), arrays))


ARRAYS = [
    ("weights.bias", lambda a: a[:2], r"'bias' has shape \(2,\), not \(3,\)"),
    (
        "weights.bias",
        lambda a: a * np.nan,
        r"holds (nan|inf) at \[\d(, \d)?\], and numbers from -1e\+100 to 1e\+100 are expected",
    ),
    ("weights.bias", lambda a: a.astype(np.float32), r"'bias' is of type float32, not float64"),
    ("weights.bias", lambda a: a * 1e200, r"'bias' holds .* at \[0\], and numbers"),
    ("weights.table", lambda a: a[1:], r"'table' has shape"),
    ("weights.table", lambda a: a.reshape(-1), r"'table' has shape"),
    (
        "weights.table",
        lambda a: np.where(a == a.max(), np.inf, a),
        r"holds (nan|inf) at \[\d(, \d)?\], and numbers from -1e\+100 to 1e\+100 are expected",
    ),
    ("weights.table", lambda a: a.astype(np.int64), r"'table' is of type int64"),
    ("features.0.terms", lambda a: a[:-1], r"offsets of a vocabulary must run from 0"),
    ("features.0.terms", lambda a: a.astype(np.int64), r"the terms are no bytes"),
    ("features.0.terms", lambda a: np.full_like(a, 0xFF), r"byte 0 of the terms is not UTF-8"),
    ("features.0.offsets", lambda a: a[:-1], r"offsets of a vocabulary must run from 0"),
    ("features.0.offsets", lambda a: a[:0], r"the offsets of the terms are int32 of shape \(0,\)"),
    ("features.0.offsets", lambda a: a.astype(np.float64), r"the offsets of the terms are float64"),
    ("features.0.offsets", lambda a: np.r_[a[:2], 10**9, a[3:]].astype(np.int32), r"out of order|must run"),
    ("features.0.offsets", lambda a: np.r_[a[:2], -5, a[3:]].astype(np.int32), r"out of order"),
    ("features.0.offsets", lambda a: np.r_[a[:2].astype(np.int64), 2**62, a[3:]], r"out of order"),
    ("features.0.idf", lambda a: a[1:], r"block 0: the array 'idf' has shape"),
    ("features.0.idf", lambda a: a * np.inf, r"'idf' holds inf at \[0\]"),
    ("calibration.slopes", lambda a: a[:2], r"no sigmoid calibration of 3 labels"),
    ("calibration.method", lambda a: a + 7, r"hold no calibration"),
    ("rule.values", lambda a: a[:1], r"does not have 1 values"),
    ("rule.rule", lambda a: a * 0 - 1, r"hold no decision rule"),
    ("more", lambda a: np.zeros(3), r"arrays that nothing refers to: more"),
    ("weights.table", None, r"the array 'table' is missing"),
    ("features.0.terms", None, r"section 'features': block 0: the array 'terms' is missing"),
    (
        "cap.values",
        lambda a: a[:2],
        r"'cap': A cap on .* of the 3 labels\. Got .* of shape \(2,\)",
    ),
    ("cap.values", lambda a: a * 0 + 0.4, r"section 'cap': A cap on probabilities must be a number from 0\.5 to 1"),
    ("cap.values", lambda a: a * np.nan, r"section 'cap': A cap on probabilities must be a number from 0\.5 to 1"),
    ("cap.values", lambda a: a.astype(np.float32), r"no cap on probabilities: they are \{'values': 'float32'\}"),
    ("cap.more", lambda a: np.zeros(3), r"no cap on probabilities: they are"),
    ("sketch.signatures", lambda a: a.reshape(1, 2, -1), r"section 'sketch': the array 'signatures' has 3 dimensions"),
    ("sketch.signatures", lambda a: a.astype(bool), r"section 'sketch': the array 'signatures' is of type bool"),
    ("sketch.signatures", lambda a: np.full(3, np.inf), r"section 'sketch': the array 'signatures' holds"),
    ("lineage.more", lambda a: np.zeros(3), r"arrays that nothing refers to: lineage\.more"),
]


@pytest.mark.parametrize(("name", "change", "message"), ARRAYS, ids=[f"{a[0]}-{i}" for i, a in enumerate(ARRAYS)])
def test_an_array_that_does_not_fit_is_refused(name, change, message, model, tmp_path):
    write_model(tmp_path / "m", model, RECORD)
    header, arrays = parts_of(tmp_path / "m")
    if change is None:
        del arrays[name]
    else:
        arrays[name] = np.ascontiguousarray(change(arrays.get(name)))
    assert re.search(message, refused(tmp_path / "m", header, arrays))


LINEAGES = [
    ("parents", {}, r"'parents' is \{\}, which is no list"),
    ("parents.0", 3, r"'file' is missing"),
    ("parents.0.file", None, r"'file' is None, which is no str"),
    ("parents.0.sha256", "0" * 63, r"'sha256' is '0+', which is no digest of 64 hexadecimal digits"),
    ("updates", DELETE, r"'updates' is missing"),
    ("updates.0.way", "backward", r"'way' is 'backward', which is none of \['again', 'onward'\]"),
    ("updates.0.parent", 1, r"'parent' is 1, which is not between 0 and 0"),
    ("updates.0.added", -1, r"'added' is -1, which is not between"),
    ("updates.0.removed", 10**30, r"'removed' is 1000000000000000000000000000000, which is not between"),
    ("updates.0.sha256", 7, r"'sha256' is 7, which is no str"),
]


@pytest.mark.parametrize(("place", "value", "message"), LINEAGES)
def test_a_lineage_that_is_none_is_refused(place, value, message, model, tmp_path):
    write_model(tmp_path / "m", model, RECORD)
    header, arrays = parts_of(tmp_path / "m")
    said = refused(tmp_path / "m", changed(header, f"sections.lineage.content.{place}", value), arrays)
    assert re.search(f"section 'lineage': {message}", said)


SKETCHES = [
    ("method", "", r"the name of a method has 0 characters"),
    ("method", "m" * 101, r"the name of a method has 101 characters"),
    ("settings", [], r"'settings' is \[\], which is no dict"),
    ("settings.seed", [1], r"the setting 'seed' is a list, which is no plain value"),
]


@pytest.mark.parametrize(("place", "value", "message"), SKETCHES)
def test_a_sketch_that_is_none_is_refused(place, value, message, model, tmp_path):
    write_model(tmp_path / "m", model, RECORD)
    header, arrays = parts_of(tmp_path / "m")
    said = refused(tmp_path / "m", changed(header, f"sections.sketch.content.{place}", value), arrays)
    assert re.search(f"section 'sketch': {message}", said)


LISTS = [
    ({"weights.indptr": [0, 1, 1, 2]}, r"do not rise from 0 to their number"),
    ({"weights.indptr": [0, 3, 2, 3]}, r"do not rise from 0 to their number"),
    ({"weights.indptr": [1, 2, 3, 3]}, r"do not rise from 0 to their number"),
    ({"weights.indptr": [0, 3]}, r"'indptr' has shape \(2,\), not \(4,\)"),
    ({"weights.indices": [0, 1, 10**6]}, r"outside of the \d+ features"),
    ({"weights.indices": [0, -1, 1]}, r"outside of the \d+ features"),
    (
        {"weights.indices": [1, 0, 2], "weights.indptr": [0, 2, 2, 3]},
        r"the features of a class's sparse weights do not",
    ),
    (
        {"weights.data": [1.0, np.nan, 2.0]},
        r"holds (nan|inf) at \[\d(, \d)?\], and numbers from -1e\+100 to 1e\+100 are expected",
    ),
    ({"weights.data": [1.0, 2.0]}, r"'data' has shape \(2,\), not \(3,\)"),
]


@pytest.mark.parametrize(("change", "message"), LISTS)
def test_lists_of_weights_that_contradict_themselves_are_refused(change, message, model, tmp_path):
    write_model(tmp_path / "m", model, RECORD)
    header, arrays = parts_of(tmp_path / "m")
    del arrays["weights.table"]
    lists = {"weights.indptr": [0, 1, 2, 3], "weights.indices": [0, 1, 2], "weights.data": [1.0, 2.0, 3.0]} | change
    types = {"weights.indptr": np.int64, "weights.indices": np.int32, "weights.data": np.float32}
    arrays |= {name: np.array(values, types[name]) for name, values in lists.items()}
    assert re.search(message, refused(tmp_path / "m", changed(header, "sections.weights.content.form", "csr"), arrays))


def test_few_weights_cannot_claim_many_hashed_columns(tmp_path):
    (features,) = HashingVectorizer(n_features=8).text_features()
    write_model(tmp_path / "m", LinearTextModel((features,), np.ones((8, 1)), np.zeros(1), ("a", "b")))
    header, _ = parts_of(tmp_path / "m")
    header = changed(header, f"{BLOCK}.columns.n_columns", 2**31 - 1)
    header = changed(header, "sections.weights.content.form", "csr")
    arrays = {"bias": np.zeros(1), "indptr": np.zeros(2, np.int64)}
    arrays |= {"indices": np.empty(0, np.int32), "data": np.empty(0, np.float32)}
    arrays = {f"weights.{name}": values for name, values in arrays.items()}
    assert "sparse weights go with vocabularies only" in refused(tmp_path / "m", header, arrays)


def test_offsets_that_cut_a_character_in_two_are_refused(tmp_path, model):
    write_model(tmp_path / "m", model, RECORD)
    header, arrays = parts_of(tmp_path / "m")
    n = len(arrays["features.0.offsets"])
    arrays["features.0.terms"] = np.frombuffer("é".encode() * n, dtype=np.uint8)
    arrays["features.0.offsets"] = np.r_[0, np.arange(1, n - 1), 2 * n].astype(np.int32)
    assert "offset 1 of a vocabulary cuts a character in two" in refused(tmp_path / "m", header, arrays)


def test_other_files_are_said_to_be_no_models(tmp_path):
    with pytest.raises(ModelFileError, match=r"gone: no such file"):
        read_model(tmp_path / "gone")
    with pytest.raises(ModelFileError, match=r"this is no model, or the file is damaged"):
        read_model(tmp_path)
    for content in (b"", b"text,label\n", b"\x80\x04pickled", struct.pack("<Q", 10**12) + b"{}", b"\xff" * 100):
        (tmp_path / "other").write_bytes(content)
        with pytest.raises(ModelFileError, match=r"other: this is no model, or the file is damaged"):
            read_model(tmp_path / "other")
    save_file({"a": np.zeros(2)}, tmp_path / "tensors")
    with pytest.raises(ModelFileError, match=r"tensors: this is no model of assay"):
        read_model(tmp_path / "tensors")
    for metadata in ("[" * 10**5, "7", '{"format": "model"}', "{"):
        save_file({"a": np.zeros(2)}, tmp_path / "tensors", metadata={"assay": metadata})
        with pytest.raises(ModelFileError, match=r"tensors: "):
            read_model(tmp_path / "tensors")
    TfidfVectorizer().fit(TEXTS).save(tmp_path / "vectorizer")
    with pytest.raises(ModelFileError, match=r"vectorizer: this is no model of assay"):
        read_model(tmp_path / "vectorizer")


def with_header(content: bytes, text: str) -> bytes:
    size = struct.unpack("<Q", content[:8])[0]
    return struct.pack("<Q", len(text.encode())) + text.encode() + content[8 + size :]


def test_sizes_that_overflow_are_refused(model, tmp_path):
    write_model(tmp_path / "m", model, RECORD)
    content = (tmp_path / "m").read_bytes()
    size = struct.unpack("<Q", content[:8])[0]
    header = json.loads(content[8 : 8 + size])
    for shape, ends in ([10**12, 3], [0, 12]), ([2**63, 2], [0, 0]), ([2**32, 2**32], [0, 0]), ([-1], [0, 8]):
        lying = {**header, "weights.table": {"dtype": "F32", "shape": shape, "data_offsets": ends}}
        (tmp_path / "m").write_bytes(with_header(content, json.dumps(lying)))
        with pytest.raises(ModelFileError, match=r"this is no model, or the file is damaged"):
            read_model(tmp_path / "m")


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_damaged_file_is_refused_or_is_a_sound_model(data, model, tmp_path):
    write_model(tmp_path / "m", model, RECORD)
    content = bytearray((tmp_path / "m").read_bytes())
    way = data.draw(st.sampled_from(["flip", "cut", "pad", "overwrite", "swap"]))
    at = data.draw(st.integers(0, len(content) - 1))
    if way == "flip":
        content[at] ^= 1 << data.draw(st.integers(0, 7))
    elif way == "cut":
        del content[at:]
    elif way == "pad":
        content[at:at] = data.draw(st.binary(min_size=1, max_size=64))
    elif way == "overwrite":
        new = data.draw(st.binary(min_size=1, max_size=16))
        content[at : at + len(new)] = new
    else:
        other = data.draw(st.integers(0, len(content) - 1))
        content[at], content[other] = content[other], content[at]
    (tmp_path / "damaged").write_bytes(bytes(content))
    try:
        found, _ = read_model(tmp_path / "damaged")
    except ModelFileError:
        return
    assert np.isfinite(found.decision_function(TEXTS)).all()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
PLACES = ["task", "kind", "labels", "labels.0", "label_type", "link", "sections"]
PLACES += [f"sections.{name}" for name in ("features", "weights", "calibration", "rule", "cap", "provenance", "new")]
PLACES += [f"sections.{name}.content" for name in ("features", "weights", "rule", "lineage", "sketch", "provenance")]
PLACES += [f"sections.weights.{name}" for name in ("version", "required")]
PLACES += [f"sections.lineage.content.{name}" for name in ("parents", "parents.0", "parents.0.file", "updates.0.added")]
PLACES += [f"sections.sketch.content.{name}" for name in ("method", "settings", "settings.seed")]
PLACES += [BLOCK, *(f"{BLOCK}.{name}" for name in ("kind", "analysis", "columns", "binary", "sublinear", "norm"))]
PLACES += [f"{BLOCK}.analysis.{name}" for name in ("unit", "ngrams", "tokens", "min_token_length", "lowercase")]
PLACES += [f"{BLOCK}.analysis.{name}" for name in ("accents", "stop_words", "stop_words.0")]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.sampled_from(PLACES), value=JSON)
@example(place=f"{BLOCK}.analysis.min_token_length", value=2**70)
@example(place=f"{BLOCK}.analysis.min_token_length", value=-1)
@example(place=f"{BLOCK}.analysis.stop_words.0", value="\ud800")
def test_any_value_in_the_header_is_refused_or_harmless(place, value, model, tmp_path):
    write_model(tmp_path / "m", model, RECORD)
    header, arrays = parts_of(tmp_path / "m")
    content = save(arrays, metadata={"assay": json.dumps(changed(header, place, value))})
    (tmp_path / "changed").write_bytes(content)
    try:
        found, _ = read_model(tmp_path / "changed")
    except ModelFileError:
        return
    assert np.isfinite(found.decision_function(TEXTS)).all()


def test_an_array_of_a_type_that_numpy_has_not_is_refused(tmp_path):
    header = json.dumps({"weights": {"dtype": "BF16", "shape": [2], "data_offsets": [0, 4]}}).encode()
    path = tmp_path / "odd.assay"
    path.write_bytes(struct.pack("<Q", len(header)) + header + bytes(4))
    with pytest.raises(ModelFileError, match="the array 'weights' is of type BF16"):
        read_model(path)


def test_every_type_of_array_is_read_as_it_was_written(tmp_path):
    kinds = [np.bool_, *(np.dtype(f"{kind}{size}") for kind in "iu" for size in (1, 2, 4, 8)), "f2", "f4", "f8"]
    arrays = {np.dtype(kind).name: np.arange(6).reshape(2, 3).astype(kind) for kind in kinds}
    arrays["nothing"] = np.empty((0, 4))
    write_tensor_file(tmp_path / "all", {"format": "any", "version": 1}, arrays)
    found = read_tensor_file(tmp_path / "all", {"any": 1}, "file").arrays
    assert {name: (a.dtype, a.tolist()) for name, a in found.items()} == {
        name: (a.dtype, a.tolist()) for name, a in arrays.items()
    }


def test_a_file_that_shrinks_while_it_is_read_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "shrinking"
    write_tensor_file(path, {"format": "any", "version": 1}, {"a": np.arange(9)})
    whole = path.read_bytes()
    shorter = tmp_path / "shorter"
    shorter.write_bytes(whole[:-8])
    monkeypatch.setattr("builtins.open", lambda name, *args, true=open, **how: true(shorter, *args, **how))
    with pytest.raises(ModelFileError, match="it ended while it was read"):
        read_tensor_file(path, {"any": 1}, "file")
