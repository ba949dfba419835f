"""Models that give several labels a text, in files."""

import json
from dataclasses import replace

import numpy as np
import pytest
from safetensors import safe_open

from assay.errors import ModelFileError
from assay.features.ngrams.analysis import Analysis
from assay.features.ngrams.text_features import TextFeatures, Weighting
from assay.features.ngrams.vocabulary import Vocabulary
from assay.modelfile.read import read_model
from assay.modelfile.write import write_model
from assay.prediction.calibration import Calibration
from assay.prediction.linear_model import LinearTextModel
from assay.prediction.probability_cap import ProbabilityCap
from assay.prediction.set_rule import SetRule

TEXTS = ["ball goal", "vote", "ball vote vote", "nothing known"]


def model_of(labels, **parts):
    words = Vocabulary.from_terms(Analysis(), {"ball": 0, "goal": 1, "vote": 2})
    weights = np.zeros((3, len(labels)))
    weights[:, 0] = [1.0, 2.0, -1.0]
    weights[:, -1] += [-1.0, -0.5, 2.0]
    features = (TextFeatures(Analysis(), words, Weighting()),)
    return LinearTextModel(features, weights, np.full(len(labels), -0.25), labels, task="label-sets", **parts)


def full(labels):
    n = len(labels)
    sigmoid = {"slopes": np.linspace(1, 2, n), "intercepts": np.linspace(-1, 0, n)}
    return {
        "link": "independent",
        "calibration": Calibration(labels, "sigmoid", False, sigmoid, independent=True),
        "rule": SetRule(labels, "each", np.linspace(0.2, 0.6, n)),
        "cap": ProbabilityCap(labels, np.full(n, 0.9), independent=True),
    }


@pytest.mark.parametrize("labels", [("sport",), ("sport", "politics"), ("sport", "art", "politics")])
@pytest.mark.parametrize("parts", [lambda labels: {}, full], ids=["scores", "full"])
def test_a_model_of_sets_comes_back(labels, parts, tmp_path):
    model = model_of(labels, **parts(labels))
    write_model(tmp_path / "m.assay", model)
    again, _ = read_model(tmp_path / "m.assay")
    assert (again.task, again.labels) == ("label-sets", labels)
    assert np.array_equal(again.decision_function(TEXTS), model.decision_function(TEXTS))
    assert again.decision_function(TEXTS).shape == (4, len(labels))
    assert again.predict(TEXTS).tolist() == model.predict(TEXTS).tolist()
    if model.decision.has_probabilities:
        assert np.array_equal(again.predict_proba(TEXTS), model.predict_proba(TEXTS))
    write_model(tmp_path / "again.assay", again)
    assert (tmp_path / "again.assay").read_bytes() == (tmp_path / "m.assay").read_bytes()


def test_the_head_says_what_it_is(tmp_path):
    labels = ("sport", "politics")
    write_model(tmp_path / "m.assay", model_of(labels, **full(labels)))
    with safe_open(tmp_path / "m.assay", framework="numpy") as file:
        header = json.loads(file.metadata()["assay"])
    assert (header["task"], header["link"]) == ("label-sets", "independent")
    assert header["sections"]["thresholds"] == {"version": 1, "required": True, "content": {"kind": "each"}}


def test_a_rule_of_single_labels_is_no_part_of_it(tmp_path):
    labels = ("sport", "politics")
    model = model_of(labels, **full(labels))
    write_model(tmp_path / "m.assay", model)
    from assay.tensor_file import read_tensor_file, write_tensor_file

    file = read_tensor_file(tmp_path / "m.assay", {"model": 2}, "model")
    header, arrays = dict(file.header), {name: np.array(values) for name, values in file.arrays.items()}
    header["task"], header["link"] = "labels", "sigmoid"
    write_tensor_file(tmp_path / "other.assay", header, arrays)
    with pytest.raises(ModelFileError, match="the array 'table' has shape"):
        read_model(tmp_path / "other.assay")


def test_float16_keeps_the_sets(tmp_path):
    labels = ("sport", "art", "politics")
    model = model_of(labels)
    write_model(tmp_path / "m.assay", model, float16=True)
    again, _ = read_model(tmp_path / "m.assay")
    assert again.predict(TEXTS).tolist() == model.predict(TEXTS).tolist()
    assert replace(again, rule=None).task == "label-sets"


def test_a_file_with_a_wrong_tree_is_refused(tmp_path):
    import assay
    from assay.learners import LabelTreeClassifier
    from assay.modelfile.frame import Section, read_frame, write_frame

    texts = ["goal ball", "vote law", "rain wind", "goal vote", "rain law"] * 3
    topics = [["sport"], ["law"], ["weather"], ["sport", "law"], ["weather", "law"]] * 3
    path = tmp_path / "m.assay"
    assay.TextClassifier(learner=LabelTreeClassifier(leaf=2)).fit(texts, topics).save(path)
    frame = read_frame(path)
    tree = frame.sections["tree"]
    n = len(tree.arrays["parents"])
    wrong = [
        ({"parents": np.arange(n, dtype=np.int32)}, {}, "begin with -1"),
        ({"parents": tree.arrays["parents"][:-1]}, {}, "a parent and a label for each node"),
        ({"parents": tree.arrays["parents"].astype(np.int64)}, {}, "parents"),
        ({"labels": np.zeros(n, np.int32)}, {}, "Node 0 of a label tree"),
        ({"labels": np.where(tree.arrays["labels"] < 0, -1, 7).astype(np.int32)}, {}, "the numbers from 0 to 2"),
        ({}, {"beam": 0}, "beam"),
        ({}, {"most": -1}, "most"),
        ({"more": np.zeros(1)}, {}, "more"),
    ]
    for arrays, content, message in wrong:
        changed = Section({**tree.content, **content}, {**tree.arrays, **arrays})
        write_frame(tmp_path / "wrong.assay", frame.head, {**frame.sections, "tree": changed})
        with pytest.raises(ModelFileError, match=message):
            assay.load(tmp_path / "wrong.assay")
    without = {name: part for name, part in frame.sections.items() if name != "tree"}
    write_frame(tmp_path / "wrong.assay", frame.head, without)
    with pytest.raises(ModelFileError, match="damaged"):
        assay.load(tmp_path / "wrong.assay")
