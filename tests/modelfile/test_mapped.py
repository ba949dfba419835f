"""Weights are mapped: processes share them, and a file that is replaced stays whole for whoever has it open."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from mmap import mmap
from pathlib import Path

import numpy as np
import pytest

import assay
from assay.features import HashingVectorizer, TfidfVectorizer
from assay.modelfile import read_model, write_model
from assay.prediction import LinearTextModel
from assay.tensor_file import read_tensor_file

TEXTS = ["good film", "a bad one", ""]


def hashed(n_columns: int, n_labels: int, dtype: type = np.float32) -> LinearTextModel:
    features = tuple(HashingVectorizer(n_features=n_columns).text_features())
    weights = np.random.default_rng(0).normal(size=(n_columns, n_labels)).astype(dtype)
    return LinearTextModel(features, weights, np.zeros(n_labels), tuple(f"label {k}" for k in range(n_labels)))


def is_mapped(array: np.ndarray) -> bool:
    while isinstance(array.base, np.ndarray):
        array = array.base
    return isinstance(getattr(array.base, "obj", array.base), mmap)


@pytest.mark.parametrize(
    ("dtype", "float16", "mapped"), [("f4", False, True), ("f8", False, True), ("f4", True, False)]
)
def test_weights_that_are_used_as_they_are_stay_in_the_file(dtype, float16, mapped, tmp_path):
    write_model(tmp_path / "m", hashed(64, 3, dtype), float16=bool(float16))
    assert is_mapped(read_model(tmp_path / "m")[0].weights) == mapped


def test_what_is_pointed_with_is_copied(tmp_path):
    assay.TextClassifier(TfidfVectorizer(), sketch=False).fit(["good", "bad"], ["pos", "neg"]).save(tmp_path / "m")
    arrays = read_tensor_file(tmp_path / "m", {"model": 2}, "model").arrays
    assert {name: is_mapped(values) for name, values in arrays.items()} == {
        "features.0.terms": False,
        "features.0.offsets": False,
        "features.0.idf": True,
        "weights.table": True,
        "weights.bias": True,
    }


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="the system does not tell what is shared")
def test_a_loaded_model_has_no_memory_of_its_own_for_its_weights(tmp_path):
    write_model(tmp_path / "m", hashed(1 << 20, 16))
    code = (
        "import re, assay\n"
        "from pathlib import Path\n"
        "def own(): return int(re.search(r'Anonymous: +(\\d+) kB', Path('/proc/self/smaps_rollup').read_text())[1])\n"
        f"assay.load({str(tmp_path / 'm')!r}).predict({TEXTS!r})\n"  # whatever is imported for it
        "before = own()\n"
        f"model = assay.load({str(tmp_path / 'm')!r})\n"
        f"model.predict({TEXTS!r})\n"
        "print(own() - before, model.model.weights.nbytes // 1024)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    taken, size = map(int, done.stdout.split())
    assert size == 64 * 1024
    assert taken < size / 16


def test_whoever_has_a_file_open_keeps_it_when_it_is_saved_over(tmp_path):
    path = tmp_path / "m.assay"
    assay.TextClassifier(learner="nb").fit(["good", "bad"], ["pos", "neg"]).save(path)
    first = assay.load(path)
    expected = first.predict_proba(TEXTS)
    assay.TextClassifier(learner="nb").fit(["good", "bad", "so so"], ["x", "y", "z"]).save(path)
    assert first.predict_proba(TEXTS).tobytes() == expected.tobytes()
    first.save(path)
    assert assay.load(path).predict_proba(TEXTS).tobytes() == expected.tobytes()


def test_writing_into_an_array_leaves_the_file_as_it_is(tmp_path):
    write_model(tmp_path / "m", hashed(64, 3))
    before = (tmp_path / "m").read_bytes()
    read_model(tmp_path / "m")[0].weights[:] = 0
    assert (tmp_path / "m").read_bytes() == before


def test_an_array_that_begins_between_two_numbers_is_read(tmp_path):
    values = np.arange(4, dtype=np.float64)
    header = json.dumps(
        {
            "__metadata__": {"assay": json.dumps({"format": "any", "version": 1})},
            "odd": {"dtype": "U8", "shape": [3], "data_offsets": [0, 3]},
            "numbers": {"dtype": "F64", "shape": [4], "data_offsets": [3, 35]},
        }
    ).encode()
    content = struct.pack("<Q", len(header)) + header + bytes([1, 2, 3]) + values.tobytes()
    (tmp_path / "odd").write_bytes(content)
    arrays = read_tensor_file(tmp_path / "odd", {"any": 1}, "file").arrays
    assert arrays["numbers"].tolist() == values.tolist()
    assert arrays["numbers"].ctypes.data % 8 == 0
