"""Files of networks: what is in them, and files that lie."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from safetensors.numpy import save

import assay
from assay.errors import ModelFileError
from assay.tensor_file import read_tensor_file

DELETE = object()


@pytest.fixture
def parts(trained, tmp_path):
    path = tmp_path / "network.assay"
    trained.save(path)
    file = read_tensor_file(path, {"model": 2}, "model")
    return path, json.loads(json.dumps(file.header)), dict(file.arrays)


def refused(path, header, arrays):
    path.write_bytes(save(arrays, metadata={"assay": json.dumps(header)}))
    with pytest.raises(ModelFileError) as caught:
        assay.load(path)
    assert str(caught.value).startswith(str(path))
    return str(caught.value)


def test_the_file_holds_words_weights_and_curves_and_no_optimiser(parts):
    _, header, arrays = parts
    contents = {name: part["content"] for name, part in header["sections"].items()}
    assert header["kind"] == "network"
    assert contents["network"]["kind"] == "convolutional"
    assert contents["network"]["settings"]["widths"] == [3, 4, 5]
    assert len(contents["history"]["epochs"]) == 12
    kinds = {name.split(".")[0] for name in arrays}
    assert kinds == {"reader", "network", "cap", "novelty", "sketch"}
    assert "checkpoint" not in contents["provenance"]["learner"]["parameters"]


HEADERS = [
    ("version", 3, r"written in version 3 of the format; this assay reads version 2\. Install a newer assay"),
    ("labels", ["a", "b", "c"], r"the network has 2 outputs for 3 labels"),
    ("labels", ["a", 3], r"label 1 is 3, which is no text"),
    ("link", "logit", r"'link' is 'logit', which is none of"),
    ("network.kind", "transformer", r"'kind' is 'transformer', which is none of"),
    ("network.kind", "recurrent", r"'cell' is missing"),
    ("network.settings.size", 10**9, r"'embedding.tuned.weight' has shape"),
    ("network.settings.filters", 2**31 - 1, r"has shape \(6, 24\), not \(2147483647, 24\)"),
    ("network.settings.filters", 10**12, r"'filters' is 1000000000000, which is not between"),
    ("network.settings.filters", True, r"'filters' is True, which is no int"),
    ("network.settings.layers", 10**6, r"'layers' is 1000000, which is more than 100"),
    ("network.settings.widths", [1] * 1000, r"'widths' has 1000 numbers, which are more than 100"),
    ("network.settings.widths", [3, -1], r"'widths' is -1"),
    ("network.settings.dropout", 1.5, r"'dropout' is 1.5, which is not from 0 to below 1"),
    ("network.settings.dropout", "much", r"'dropout' is 'much', which is no"),
    ("network.settings.n_words", 3, r"'embedding.tuned.weight' has shape"),
    ("network.settings.extra", 3, r"settings that nothing knows: \['extra'\]"),
    ("network.settings", [], r"'settings' is \[\], which is no dict"),
    ("reader.kind", "pixels", r"'kind' is 'pixels'"),
    ("reader.kind", "numbers", r"'n_columns' is missing"),
    ("reader.analysis.ngrams", [1, 2], r"reads n-grams \(1, 2\) of words, not words"),
    ("reader.max_length", 0, r"'max_length' is 0, which is not between"),
    ("reader.long_texts", "drop", r"'long_texts' is 'drop'"),
    ("history", DELETE, r"the section 'history' is missing"),
    ("network", DELETE, r"arrays that nothing refers to: network\."),
    ("reader", DELETE, r"arrays that nothing refers to: reader\."),
    ("history.epochs", [{"loss": 1}], r"damaged"),
    ("history.epochs", "ten", r"'epochs' is 'ten', which is no list"),
    ("history.best", 99, r"'best' is 99, which is not between 0 and 12"),
    ("history.metric", 3, r"'metric' is 3, which is no str"),
    (
        "history.epochs",
        [{"loss": "low", "held_out_loss": None, "held_out_metric": None, "rate": 0.1}],
        r"'loss' of epoch 1 is 'low', which is no number",
    ),
    ("provenance", [], r"'content' is \[\], which is no dict"),
]


@pytest.mark.parametrize(("place", "value", "message"), HEADERS, ids=[f"{h[0]}-{i}" for i, h in enumerate(HEADERS)])
def test_a_header_that_lies_is_refused(parts, place, value, message):
    path, header, arrays = parts
    *way, last = place.split(".")
    if place.split(".")[0] in header["sections"]:
        inside = ["sections", place.split(".")[0], "content"]
        *way, last = inside[: 2 if value is DELETE else 3] + place.split(".")[1:]
    inner = header
    for step in way:
        inner = inner[step]
    if value is DELETE:
        del inner[last]
    else:
        inner[last] = value
    assert re.search(message, refused(path, header, arrays))


ARRAYS = [
    ("network.output.weight", lambda a: a[:, 1:], r"'output.weight' has shape \(2, 17\), not \(2, 18\)"),
    ("network.output.weight", lambda a: a * np.nan, r"holds nan at \[0, 0\], and numbers from"),
    ("network.output.bias", lambda a: a.astype(np.float64), r"is of type float64, not float16 or float32"),
    ("network.output.bias", None, r"section 'network': the array 'output.bias' is missing"),
    ("reader.words.terms", lambda a: np.full_like(a, 0xFF), r"is not UTF-8"),
    ("reader.words.offsets", lambda a: a[:-1], r"damaged"),
    ("reader.words.terms", None, r"damaged"),
    ("more", lambda _: np.zeros(3), r"arrays that nothing refers to: more"),
]


@pytest.mark.parametrize(("name", "change", "message"), ARRAYS, ids=[f"{a[0]}-{i}" for i, a in enumerate(ARRAYS)])
def test_an_array_that_does_not_fit_is_refused(parts, name, change, message):
    path, header, arrays = parts
    if change is None:
        del arrays[name]
    else:
        arrays[name] = np.ascontiguousarray(change(arrays.get(name)))
    assert re.search(message, refused(path, header, arrays))


@pytest.mark.parametrize("content", [b"", b"text,label\n", b"\x10\x00\x00\x00\x00\x00\x00\x00{}"])
def test_a_file_that_is_no_model_is_refused(tmp_path, content):
    path = tmp_path / "odd.assay"
    path.write_bytes(content)
    with pytest.raises(ModelFileError, match="this is no model"):
        assay.load(path)
