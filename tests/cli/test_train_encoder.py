"""`assay train --learner encoder`, with an encoder that is made for the test."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

import assay
from assay.cli.main import main

SMALL = Path(__file__).resolve().parents[1] / "neural" / "encoders" / "conftest.py"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with an encoder and a file of texts."""
    pytest.importorskip("transformers", reason="needs the extra assay[encoders]")
    spec = importlib.util.spec_from_file_location("small_encoder", SMALL)
    small = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(small)
    small.write_encoder(tmp_path / "encoder")
    rows = [
        json.dumps({"text": f"{text} {i}", "label": label})
        for i in range(2)
        for text, label in zip(small.TEXTS, small.LABELS, strict=True)
    ]
    (tmp_path / "reviews.jsonl").write_text("\n".join(rows))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def train(*options):
    return main(["train", "reviews.jsonl", "--learner", "encoder", "--threads", "1", "--quiet", *options])


def test_an_encoder_beside_n_grams_is_trained_and_written(folder):
    assert train("--encoder", "encoder", "--ngrams", "1-2", "--C", "3", "-o", "model.assay") == 0
    model = assay.load("model.assay")
    assert isinstance(model, assay.TextClassifier)
    assert model.predict(["a great film", "so dull"]).tolist() == ["pos", "neg"]
    assert (folder / "model.run" / "report.html").exists()


def test_words_tell_classes_apart_and_numbers_of_sentence_vectors_do_not(folder, capsys):
    words = main(["train", "reviews.jsonl", "--learner", "encoder", "--encoder", "encoder", "--ngrams", "1", "-o", "a"])
    shown = capsys.readouterr().out
    assert words == 0
    assert "What tells the classes apart" in shown
    for page in (shown, (folder / "a.run" / "report.html").read_text(encoding="utf-8")):
        assert "sentence vector 1" not in page
    assert main(["train", "reviews.jsonl", "--learner", "encoder", "--encoder", "encoder", "-o", "b"]) == 0
    assert "What tells the classes apart" not in capsys.readouterr().out


@pytest.mark.parametrize("ngrams", [(), ("--ngrams", "1")])
def test_a_decision_over_sentence_vectors_is_explained_by_leaving_words_out(folder, capsys, ngrams):
    assert train("--encoder", "encoder", *ngrams, "-o", "model.assay") == 0
    capsys.readouterr()
    assert main(["explain", "model.assay", "a great film", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["kind"] == "occlusion"
    model = assay.load("model.assay")
    whole, without = model.predict_proba(["a great film", "a film"])
    lost = dict(zip(model.labels, whole - without, strict=True))[found["label"]]
    assert {piece["text"]: piece["contribution"] for piece in found["pieces"]}["great"] == pytest.approx(lost, abs=1e-5)


def test_all_weights_are_trained_if_asked(folder):
    assert train("--encoder", "encoder", "--tuning", "all", "--epochs", "1", "-o", "model.assay") == 0
    assert type(assay.load("model.assay")).__name__ == "EncoderClassifier"


def test_a_missing_encoder_is_named(folder, capsys):
    assert train("--encoder", "no-such-encoder") != 0
    assert "There is no encoder 'no-such-encoder'" in capsys.readouterr().err
