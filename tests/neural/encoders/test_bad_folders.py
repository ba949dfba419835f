"""Folders that are almost encoders: each is refused with what is wrong in it, whatever it was wanted for."""

from __future__ import annotations

import json
import shutil

import pytest

from assay.errors import DataError, ParameterError
from assay.neural import EncoderClassifier, EncoderVectorizer

from .conftest import LABELS, TEXTS


def change_json(name, **changes):
    def change(folder):
        found = json.loads((folder / name).read_text(encoding="utf-8"))
        (folder / name).write_text(json.dumps({**found, **changes}), encoding="utf-8")

    return change


def write(name, content):
    return lambda folder: (folder / name).write_bytes(content)


def cut_the_weights_off(folder):
    file = folder / "model.safetensors"
    file.write_bytes(file.read_bytes()[:5000])


def spoil_the_weights(folder):
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    weights["embeddings.word_embeddings.weight"][5:] = float("nan")
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


def add_a_token(folder):
    found = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    found["model"]["vocab"]["further"] = 500
    (folder / "tokenizer.json").write_text(json.dumps(found), encoding="utf-8")


def put_a_decoder_there(folder):
    from transformers import T5Config, T5Model

    for file in folder.glob("*.json"):
        if file.name != "tokenizer.json":
            file.unlink()
    sizes = {"d_model": 16, "d_kv": 8, "d_ff": 16, "num_layers": 1, "num_heads": 2}
    T5Model(T5Config(vocab_size=30, **sizes)).save_pretrained(folder)


CHANGES = {
    "truncated weights": (cut_the_weights_off, "the transformer cannot be read .* It must be a whole model"),
    "weights that are no numbers": (spoil_the_weights, "'embeddings.word_embeddings.weight' hold NaN or infinity"),
    "layers without weights": (
        change_json("config.json", num_hidden_layers=3),
        r"there are no weights 'encoder\.layer\.2\..*' and 15 more\. The folder must hold a whole model: get it again",
    ),
    "other sizes": (
        change_json("config.json", hidden_size=32),
        r"have shape \(16,\), and config\.json asks for \(32,\)\. The folder must hold a whole model",
    ),
    "an unknown kind": (change_json("config.json", model_type="no such"), "model type `no such`"),
    "a decoder": (put_a_decoder_there, "a transformer of the kind 't5' cannot be used: .* Choose an encoder such as"),
    "a tokenizer without words": (write("tokenizer.json", b"{}"), r"tokenizer\.json: the tokenizer cannot be read"),
    "a tokenizer of bytes": (write("tokenizer.json", b"\xff\xfe"), r"tokenizer\.json: the tokenizer cannot be read"),
    "another model's tokenizer": (
        add_a_token,
        "the transformer knows 18 tokens, and the tokenizer has 501. Tokenizer and transformer must be of one model",
    ),
    "modules that are none": (write("modules.json", b"[1]"), r"modules\.json: a module is 1, and must be an object"),
}


@pytest.mark.parametrize("tuning", ["head", "all"])
@pytest.mark.parametrize(("change", "message"), CHANGES.values(), ids=CHANGES)
def test_the_folder_and_what_is_wrong_in_it_are_named(encoder, tmp_path, change, message, tuning):
    folder = shutil.copytree(encoder, tmp_path / "copy")
    change(folder)
    with pytest.raises(ParameterError, match=message) as caught:
        EncoderClassifier(encoder=folder, tuning=tuning, epochs=1, threads=1).fit(TEXTS, LABELS)
    assert str(caught.value).startswith(str(folder))


def test_what_is_neither_a_folder_nor_a_name_is_refused():
    with pytest.raises(ParameterError, match=r"An encoder is a folder or the name of a package\. Got 3 instead"):
        EncoderClassifier(encoder=3).fit(TEXTS, LABELS)


@pytest.mark.parametrize("ngrams", [3, "1-2", (2, 1), (1, 2, 3), (0, 1)], ids=str)
def test_n_grams_are_a_pair_of_numbers(encoder, ngrams):
    with pytest.raises(ParameterError, match=r"'ngrams' parameter .* such as \(1, 2\)\. Got"):
        EncoderClassifier(encoder=encoder, ngrams=ngrams).fit(TEXTS, LABELS)


def test_a_cache_that_is_no_folder_is_refused(encoder, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ParameterError, match=r"file: vectors cannot be kept there .* Name another folder as cache"):
        EncoderClassifier(encoder=encoder, cache=tmp_path / "file").fit(TEXTS, LABELS)


def test_a_vectorizer_needs_a_text(encoder):
    with pytest.raises(DataError, match="There are no texts to learn from"):
        EncoderVectorizer(encoder, standardize=True).fit([])
