"""Sentence vectors: right, whatever is encoded beside a text, and computed once."""

from __future__ import annotations

import shutil
from typing import ClassVar

import numpy as np
import pytest
import torch

from assay.errors import ParameterError
from assay.neural.encoders.folder import open_folder
from assay.neural.encoders.sentence_encoder import SentenceEncoder
from assay.neural.encoders.vectorizer import EncoderVectorizer

from .conftest import TEXTS, write_encoder


class Counting:
    """Counts the texts that a transformer is shown."""

    seen: ClassVar[int]

    def __init__(self, encoder):
        self.seen = 0
        inside = encoder._body.forward

        def forward(*args, **kwargs):
            self.seen += len(kwargs["input_ids"])
            return inside(*args, **kwargs)

        encoder._body.forward = forward


@pytest.mark.parametrize(
    ("pooling", "expected"),
    [
        ("pooling_mode_mean_tokens", lambda states: states.mean(0)),
        ("pooling_mode_max_tokens", lambda states: states.amax(0)),
        ("pooling_mode_cls_token", lambda states: states[0]),
        ("pooling_mode_lasttoken", lambda states: states[-1]),
    ],
)
def test_vectors_are_those_of_the_transformer_itself(tmp_path, pooling, expected):
    from transformers import AutoModel

    folder = write_encoder(tmp_path, pooling=pooling, normalize=False)
    encoder = SentenceEncoder(open_folder(folder))
    texts = ["A great film", "dull", "loved it and it was fun"]
    found = encoder.encode(texts)
    model = AutoModel.from_pretrained(folder).eval()
    for text, vector in zip(texts, found, strict=True):
        ids = torch.tensor([encoder.reader._native.encode(text.lower()).ids])
        with torch.inference_mode():
            states = model(input_ids=ids).last_hidden_state[0]
        # Sums in float32, in another order.
        np.testing.assert_allclose(vector, expected(states).numpy(), rtol=1e-4, atol=1e-5)


def test_vectors_have_length_one_where_the_folder_says_so(encoder):
    found = SentenceEncoder(open_folder(encoder)).encode(["great film", "", "unheard of"])
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, rtol=1e-5)


def test_what_is_beyond_the_longest_length_is_not_read(encoder):
    short = SentenceEncoder(open_folder(encoder), max_length=5)
    found = short.encode(["great fun film", "great fun film and a mess"])
    np.testing.assert_allclose(found[0], found[1], rtol=1e-5)
    assert short.reader.count_cut(["great fun film", "great fun film and a mess"]) == 1


def test_a_text_is_encoded_once_and_told(encoder):
    made = SentenceEncoder(open_folder(encoder))
    counting = Counting(made)
    told = []
    with made.telling(lambda done, of: told.append((done, of))):
        first = made.encode(TEXTS * 2)
    assert counting.seen == len(set(TEXTS)) == told[-1][0] == told[-1][1]
    np.testing.assert_array_equal(first, made.encode(TEXTS * 2))
    assert counting.seen == len(set(TEXTS))


def test_a_folder_keeps_vectors_for_later_runs(encoder, tmp_path):
    first = SentenceEncoder(open_folder(encoder), cache=tmp_path).encode(TEXTS)
    later = SentenceEncoder(open_folder(encoder), cache=tmp_path)
    counting = Counting(later)
    np.testing.assert_array_equal(later.encode(TEXTS), first)
    assert counting.seen == 0


def test_a_damaged_file_and_vectors_of_another_length_are_not_used(encoder, tmp_path):
    SentenceEncoder(open_folder(encoder), cache=tmp_path).encode(TEXTS)
    (file,) = tmp_path.iterdir()
    for other in (
        SentenceEncoder(open_folder(encoder), cache=tmp_path, max_length=4),
        file.write_bytes(file.read_bytes()[:100]) and SentenceEncoder(open_folder(encoder), cache=tmp_path),
    ):
        counting = Counting(other)
        other.encode(TEXTS)
        assert counting.seen == len(set(TEXTS))


def test_a_transformer_that_cannot_be_read_is_named(encoder, tmp_path):
    copy = shutil.copytree(encoder, tmp_path / "copy")
    (copy / "model.safetensors").write_bytes(b"nothing")
    with pytest.raises(ParameterError, match="the transformer cannot be read"):
        SentenceEncoder(open_folder(copy))


def test_a_missing_tokenizer_is_named(encoder, tmp_path):
    copy = shutil.copytree(encoder, tmp_path / "copy")
    (copy / "tokenizer.json").unlink()
    with pytest.raises(ParameterError, match=r"there is no tokenizer\.json"):
        SentenceEncoder(open_folder(copy))


def test_vectors_of_several_layers_stand_side_by_side(encoder):
    last = SentenceEncoder(open_folder(encoder)).encode(TEXTS)
    made = SentenceEncoder(open_folder(encoder), layers=2)
    found = made.encode(TEXTS)
    assert found.shape == (len(TEXTS), made.size) == (len(TEXTS), 2 * last.shape[1])
    np.testing.assert_allclose(found[:, last.shape[1] :], last, rtol=1e-4, atol=1e-6)
    assert np.abs(found[:, : last.shape[1]] - last).max() > 1e-3


def test_there_are_no_more_layers_than_the_transformer_has(encoder):
    assert SentenceEncoder(open_folder(encoder), layers=99).layers < 10


def test_standardized_columns_spread_alike_and_vectors_are_about_one_long(encoder):
    found = EncoderVectorizer(encoder, layers=2, standardize=True).fit_transform(TEXTS)
    spread = found.std(axis=0)
    np.testing.assert_allclose(spread[spread > 0], 1 / np.sqrt(found.shape[1]), rtol=1e-3)
    np.testing.assert_allclose(found.mean(axis=0), 0, atol=1e-6)
    assert 0.5 < np.sqrt((found**2).sum(axis=1).mean()) <= 1.001


def test_threads_are_those_that_were_asked_for_and_given_back_afterwards(encoder):
    made, seen = SentenceEncoder(open_folder(encoder)), []
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    try:
        with made.telling(lambda *_: seen.append(torch.get_num_threads())):
            made.encode(TEXTS, threads=1)
        assert torch.get_num_threads() == 3
    finally:
        torch.set_num_threads(before)
    assert set(seen) == {1}


def test_only_a_batch_is_padded_at_once(encoder):
    made = SentenceEncoder(open_folder(encoder), max_length=12)
    sizes, inside = [], made._body.forward

    def forward(*args, **kwargs):
        sizes.append(tuple(kwargs["input_ids"].shape))
        return inside(*args, **kwargs)

    made._body.forward = forward
    texts = [f"a film {i} " * (i % 9) for i in range(900)]
    made.encode(texts)
    assert max(n for n, _ in sizes) <= 64
    assert max(n * width for n, width in sizes) <= 4096
    assert sum(n for n, _ in sizes) == len(set(texts))
