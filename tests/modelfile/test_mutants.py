"""Files that somebody has changed are refused in words, or answer with numbers (all mutants: benchmarks/mutants.py)."""

from __future__ import annotations

import importlib.util
import json
import random
from pathlib import Path

import numpy as np
import pytest

import assay
from assay.cli.main import main
from assay.errors import DataError, ModelFileError, ParameterError
from assay.features import HashingVectorizer, TfidfVectorizer
from assay.features.ngrams.text_features import Hashing, TextFeatures, Weighting
from assay.modelfile import ModelRecord, read_model, write_model
from assay.prediction import LinearTextModel
from assay.tensor_file import read_tensor_file, write_tensor_file

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "mutants.py"
A_FILE = 20  # mutants


@pytest.fixture(scope="module")
def script():
    specification = importlib.util.spec_from_file_location("mutants", SCRIPT)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_a_changed_file_is_refused_or_answers_with_numbers(script, tmp_path):
    chance = random.Random(0)
    found = set()
    for path in script.make_files(tmp_path, networks=False):
        listed = list(script.mutants(script.read_parts(path)))
        for what, parts in chance.sample(listed, A_FILE):
            script.write_parts(path, parts)
            try:
                found.add(script.outcome(path))
            except Exception as error:
                raise AssertionError(f"{path.name}: {what}") from error
    assert {"refused", "answers"} <= found


def test_logarithms_of_counts_with_signs_are_refused(tmp_path):
    (features,) = HashingVectorizer(n_features=8).text_features()
    model = LinearTextModel((features,), np.ones((8, 1)), np.zeros(1), ("a", "b"))
    write_model(tmp_path / "m", model)
    file = read_tensor_file(tmp_path / "m", {"model": 2}, "model")
    file.header["sections"]["features"]["content"]["blocks"][0]["sublinear"] = True
    write_tensor_file(tmp_path / "m", file.header, file.arrays)
    with pytest.raises(ModelFileError, match=r"'sublinear' takes logarithms of counts, which can be below 0 where"):
        read_model(tmp_path / "m")
    with pytest.raises(ParameterError, match=r"Give up one of them"):
        TextFeatures(features.analysis, Hashing(8), Weighting(sublinear=True))


def test_scores_past_all_numbers_are_said_and_never_answered(tmp_path):
    features = tuple(TfidfVectorizer(norm=None).fit(["good bad"]).text_features())
    model = LinearTextModel(features, np.full((2, 3), 1e308) * [1, -1, 1], np.zeros(3), ("a", "b", "c"), "softmax")
    with np.errstate(all="ignore"), pytest.raises(DataError, match=r"The score of row 2 is inf: the weights or the"):
        model.predict_proba(["good", "good bad good bad"])
    assert np.isfinite(model.predict_proba(["good", "bad"])).all()


@pytest.mark.parametrize("written", ["NaN", "-Infinity", "1e999"])
def test_a_header_with_what_is_no_number_is_refused_wherever_it_stands(written, tmp_path):
    TfidfVectorizer().fit(["good bad"]).save(tmp_path / "v")
    content = (tmp_path / "v").read_bytes()
    header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
    told = json.loads(header["__metadata__"]["assay"])
    told["made"] = {"by": [0.5]}
    header["__metadata__"]["assay"] = json.dumps(told).replace("0.5", written)
    changed = json.dumps(header).encode()
    rest = content[8 + int.from_bytes(content[:8], "little") :]
    (tmp_path / "v").write_bytes(len(changed).to_bytes(8, "little") + changed + rest)
    with pytest.raises(ModelFileError, match=rf"it holds {written}, which is no number"):
        assay.features.load(tmp_path / "v")


@pytest.mark.parametrize(
    "told",
    [
        {"data": [], "learner": None, "vectorizer": 3, "versions": "1"},
        {"data": {"rows": "x", "classes": {"a": None}, "merged_labels": {"a": 1}, "corrections": {"corrected": -1}}},
        {"data": {"source": "\udcff.csv", "sha256": {}}, "learner": {"class": 1, "parameters": 2}, "seed": [[]]},
    ],
)
def test_whatever_a_file_says_of_its_making_is_shown_or_left_out(told, tmp_path):
    features = tuple(TfidfVectorizer().fit(["good bad"]).text_features())
    write_model(tmp_path / "m", LinearTextModel(features, np.ones((2, 1)), np.zeros(1), ("a", "b")), ModelRecord(told))
    assert main(["inspect", str(tmp_path / "m")]) == 0
    assert main(["inspect", str(tmp_path / "m"), "--json"]) == 0
    for name in ("card.md", "card.html"):
        assert main(["card", str(tmp_path / "m"), "-o", str(tmp_path / name), "--quiet"]) == 0
        assert (tmp_path / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("n_jobs", [0, 10**10, "2", True, 1.5])
def test_a_number_of_threads_is_checked_where_it_is_read(n_jobs, tmp_path):
    TfidfVectorizer().fit(["good bad"]).save(tmp_path / "v")
    file = read_tensor_file(tmp_path / "v", {"vectorizer": 1}, "vectorizer")
    file.header["parameters"]["n_jobs"] = n_jobs
    write_tensor_file(tmp_path / "v", file.header, file.arrays)
    with pytest.raises(ModelFileError, match=r"v: the file is damaged \(.*n_jobs.* must be"):
        assay.features.load(tmp_path / "v")


@pytest.mark.parametrize("dtype", ["9" * 5000, "no type", "\ud800", "object", "U3", ""])
def test_a_type_of_numbers_is_checked_where_it_is_read(dtype, tmp_path):
    TfidfVectorizer().fit(["good bad"]).save(tmp_path / "v")
    file = read_tensor_file(tmp_path / "v", {"vectorizer": 1}, "vectorizer")
    file.header["parameters"]["dtype"] = dtype
    write_tensor_file(tmp_path / "v", file.header, file.arrays)
    with pytest.raises(
        ModelFileError, match=r"v: the file is damaged \(The 'dtype' parameter must be a type of numbers"
    ):
        assay.features.load(tmp_path / "v")


def test_a_pattern_of_python_is_not_kept_in_a_file(tmp_path):
    vectorizer = TfidfVectorizer(token_pattern=r"(a+)+b").fit(["aab ab"])
    with pytest.raises(ParameterError, match=r"The token_pattern '\(a\+\)\+b' needs Python's regular expressions"):
        vectorizer.save(tmp_path / "v")
    TfidfVectorizer().fit(["good bad"]).save(tmp_path / "v")
    file = read_tensor_file(tmp_path / "v", {"vectorizer": 1}, "vectorizer")
    file.header["parameters"]["token_pattern"] = r"(a+)+b"
    write_tensor_file(tmp_path / "v", file.header, file.arrays)
    with pytest.raises(ModelFileError, match=r"needs Python's regular expressions"):
        assay.features.load(tmp_path / "v")
