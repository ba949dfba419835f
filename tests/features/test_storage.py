"""Vectorizers in files."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import save_file

from assay.errors import DataError, ModelFileError, NotFittedError, ParameterError
from assay.features import CountVectorizer, HashingVectorizer, TfidfVectorizer, WordCharVectorizer, load

TEXTS = ["Late parcel, torn box 😀", "thank you so much", "wo ist mein Päckchen", "late again"]


@pytest.mark.parametrize(
    "vectorizer",
    [
        CountVectorizer(ngram_range=(1, 3), stop_words=["so"], tokenizer="words and punctuation", dtype=np.float32),
        CountVectorizer(vocabulary={"late": 1, "torn": 0}),
        TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5), sublinear_tf=True, strip_accents="unicode"),
        TfidfVectorizer(use_idf=False, norm=None),
        HashingVectorizer(n_features=32, norm="l1"),
        WordCharVectorizer(char_ngrams=(3, 3), min_df=2),
    ],
)
def test_what_is_loaded_transforms_to_the_same_bits(vectorizer, tmp_path):
    expected = vectorizer.fit(TEXTS).transform(TEXTS)
    vectorizer.save(tmp_path / "vectorizer.safetensors")
    again = load(tmp_path / "vectorizer.safetensors")
    found = again.transform(TEXTS)
    for part in ("indptr", "indices", "data"):
        assert getattr(found, part).tobytes() == getattr(expected, part).tobytes()
    assert again.get_params() == vectorizer.get_params()


def test_saving_twice_gives_the_same_bytes(tmp_path):
    for name in ("a", "b"):
        TfidfVectorizer(ngram_range=(1, 2)).fit(TEXTS).save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_learning_goes_on_after_loading(tmp_path):
    vectorizer = TfidfVectorizer().partial_fit(TEXTS[:2])
    vectorizer.save(tmp_path / "v")
    again = load(tmp_path / "v").partial_fit(TEXTS[2:])
    np.testing.assert_array_equal(again.idf_, vectorizer.partial_fit(TEXTS[2:]).idf_)


def test_a_function_cannot_be_saved(tmp_path):
    vectorizer = CountVectorizer(tokenizer=str.split, token_pattern=None).fit(TEXTS)
    with pytest.raises(
        ParameterError, match=r"the 'tokenizer' of this CountVectorizer is a Python function, and a file of data"
    ):
        vectorizer.save(tmp_path / "v")


def test_nothing_learned_is_nothing_to_save(tmp_path):
    with pytest.raises(NotFittedError, match=r"this TfidfVectorizer has learned nothing yet: call 'fit' before 'save'"):
        TfidfVectorizer().save(tmp_path / "v")


def test_a_folder_that_is_missing_is_named(tmp_path):
    with pytest.raises(DataError, match=r"the folder '.*nowhere' does not exist\. Make it first"):
        CountVectorizer().fit(TEXTS).save(tmp_path / "nowhere" / "v")
    with pytest.raises(DataError, match=r"this is a folder\. Give the name of a file in it"):
        CountVectorizer().fit(TEXTS).save(tmp_path)


def test_a_file_that_is_missing_or_something_else_is_said_so(tmp_path):
    with pytest.raises(ModelFileError, match=r"gone: no such file"):
        load(tmp_path / "gone")
    (tmp_path / "text").write_text("not a vectorizer at all")
    with pytest.raises(ModelFileError, match=r"text: this is no vectorizer, or the file is damaged"):
        load(tmp_path / "text")
    save_file({"a": np.zeros(2)}, tmp_path / "other")
    with pytest.raises(
        ModelFileError, match=r"other: this is no vectorizer of assay\. A vectorizer is what `save` writes"
    ):
        load(tmp_path / "other")
    save_file({"a": np.zeros(2)}, tmp_path / "newer", metadata={"assay": '{"format": "vectorizer", "version": 99}'})
    with pytest.raises(ModelFileError, match=r"newer: written in version 99 of the format; this assay reads version 1"):
        load(tmp_path / "newer")


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("saved") / "v"
    WordCharVectorizer().fit(TEXTS).save(path)
    return path.read_bytes()


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_a_damaged_file_is_refused_or_read_but_never_crashes(saved, tmp_path_factory, data):
    content = bytearray(saved)
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    content = content[: data.draw(st.one_of(st.just(len(content)), st.integers(0, len(content))))]
    path = tmp_path_factory.mktemp("damaged") / "v"
    path.write_bytes(content)
    try:
        vectorizer = load(path)
    except ModelFileError:
        return
    assert vectorizer.transform(TEXTS).shape[0] == len(TEXTS)


@pytest.mark.parametrize(
    "offsets",
    [[0, 5, 3, 9], [0, 2**40, 9, 9], [-1, 2, 4, 9], [0, 2, 4, 8], [0, 2, 9]],
)
def test_offsets_that_do_not_fit_are_refused(offsets, tmp_path):
    header = {
        "class": "CountVectorizer",
        "parameters": {"ngram_range": [1, 1], "dtype": "<i8"},
        "parts": {
            "": {
                "analysis": {
                    "unit": "word",
                    "ngrams": [1, 1],
                    "tokens": "words",
                    "min_token_length": 2,
                    "lowercase": True,
                    "accents": "keep",
                    "stop_words": [],
                }
            }
        },
    }
    arrays = {".terms": np.frombuffer(b"latepracl", np.uint8), ".offsets": np.array(offsets, np.int64)}
    metadata = {"assay": json.dumps({"format": "vectorizer", "version": 1, **header})}
    save_file(arrays, tmp_path / "v", metadata=metadata)
    if offsets == [0, 2, 9]:
        assert load(tmp_path / "v").get_feature_names_out().tolist() == ["la", "tepracl"]
        return
    with pytest.raises(ModelFileError, match=r"the file is damaged \(.*offset"):
        load(tmp_path / "v")
