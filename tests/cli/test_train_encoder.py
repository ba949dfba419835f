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


def test_all_weights_are_trained_if_asked(folder):
    assert train("--encoder", "encoder", "--tuning", "all", "--epochs", "1", "-o", "model.assay") == 0
    assert type(assay.load("model.assay")).__name__ == "EncoderClassifier"


def test_a_missing_encoder_is_named(folder, capsys):
    assert train("--encoder", "no-such-encoder") != 0
    assert "There is no encoder 'no-such-encoder'" in capsys.readouterr().err
