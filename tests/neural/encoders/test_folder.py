"""What the folder of an encoder says about itself."""

from __future__ import annotations

import json
import shutil

import pytest

from assay.errors import ParameterError
from assay.neural.encoders.folder import open_folder


@pytest.fixture
def changeable(encoder, tmp_path):
    return shutil.copytree(encoder, tmp_path / "copy")


def test_sentence_transformers_settings_are_read(encoder):
    found = open_folder(encoder)
    assert (found.pooling, found.normalize, found.lowercase, found.max_length) == ("mean", True, True, 12)


def test_a_plain_transformer_is_averaged_up_to_its_positions(changeable):
    (changeable / "modules.json").unlink()
    (changeable / "sentence_bert_config.json").unlink()
    found = open_folder(changeable)
    assert (found.pooling, found.normalize, found.lowercase, found.max_length) == ("mean", False, False, 20)


def test_positions_of_roberta_begin_after_the_padding(changeable):
    config = json.loads((changeable / "config.json").read_text()) | {"model_type": "xlm-roberta", "pad_token_id": 1}
    (changeable / "config.json").write_text(json.dumps(config))
    (changeable / "sentence_bert_config.json").unlink()
    assert open_folder(changeable).max_length == 18


def test_positions_have_other_names_elsewhere(changeable):
    config = {"model_type": "gpt2", "n_positions": 9, "vocab_size": 18}
    (changeable / "config.json").write_text(json.dumps(config))
    assert open_folder(changeable).max_length == 9


def test_the_fingerprint_is_of_what_decides_and_of_nothing_else(encoder, changeable):
    before = open_folder(encoder).sha256
    (changeable / "README.md").write_text("words")
    assert open_folder(changeable).sha256 == before
    (changeable / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    assert open_folder(changeable).sha256 != before


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("config.json", "{", "cannot be read as JSON"),
        ("config.json", "[]", "holds no dict"),
        ("config.json", "{}", "does not say which kind of transformer"),
        ("modules.json", '[{"type": "x.Dense"}]', "a module 'Dense'"),
        ("1_Pooling/config.json", "{}", "the pooling is none"),
        ("1_Pooling/config.json", '{"pooling_mode_weightedmean_tokens": true}', "pooling_mode_weightedmean_tokens"),
    ],
)
def test_what_cannot_be_used_is_named(changeable, file, content, message):
    (changeable / file).write_text(content)
    with pytest.raises(ParameterError, match=message):
        open_folder(changeable)
