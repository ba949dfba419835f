"""Arbitrary bytes and ids through the binding of the word vectors: an error or a result, never a crash.

`make asan` runs this under AddressSanitizer and UndefinedBehaviorSanitizer.
"""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import _native
from assay.features.documents import documents_from_strings
from assay.features.ngrams.analysis import Analysis


def reader_of(tokens="words", by_sentence=False, keep_punctuation=False, lowercase=True):
    analysis = Analysis(tokens=tokens, min_token_length=1, lowercase=lowercase)
    return _native.WordReader(analysis.native, by_sentence, keep_punctuation)


def words_of(reader, ids):
    content, offsets = reader.words(np.asarray(ids, np.int32))
    joined = content.tobytes()
    return [joined[a:b].decode("utf-8", "surrogatepass") for a, b in pairwise(offsets)]


texts = st.lists(st.text(st.sampled_from("aB .!?…。”\n'é漢\U0001f600\ud800"), max_size=30), max_size=5)


@settings(max_examples=200, deadline=None)
@given(texts, st.booleans(), st.booleans(), st.integers(1, 3))
def test_words_are_those_of_the_regular_expression_in_order(documents, by_sentence, punctuation, threads):
    reader = reader_of(by_sentence=by_sentence, keep_punctuation=punctuation)
    ids = reader.read(documents_from_strings(documents), threads)
    pattern = r"\w+|[^\w\s]" if punctuation else r"\w+"
    expected = [word for text in documents for word in re.findall(pattern, text.lower())]
    assert words_of(reader, ids[ids >= 0]) == expected
    counts = reader.counts()
    assert counts.tolist() == [int((ids == word).sum()) for word in range(reader.n_words)]
    # A boundary stands behind every text that has words, and never twice.
    assert not len(ids) or (ids[-1] == -1 and ids[0] != -1 and not ((ids[1:] == -1) & (ids[:-1] == -1)).any())
    filled = sum(bool(re.search(pattern, text)) for text in documents)
    boundaries = int((ids == -1).sum())
    assert boundaries >= filled if by_sentence else boundaries == filled


@settings(max_examples=100, deadline=None)
@given(st.lists(st.binary(max_size=20), max_size=4), st.booleans())
def test_bytes_are_refused_or_read(documents, by_sentence):
    offsets = np.cumsum([0, *map(len, documents)]).astype(np.int64)
    native = _native.Documents()
    native.add_arrow(offsets, np.frombuffer(b"".join(documents), np.uint8))
    reader = reader_of(by_sentence=by_sentence)
    try:
        ids = reader.read(native, 2)
    except ValueError as error:
        assert "is not UTF-8" in str(error)  # noqa: PT017 (either outcome is right)
    else:
        assert ids.max(initial=-1) < reader.n_words


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(-1, 12), max_size=300),
    st.integers(1, 20),
    st.integers(1, 12),
    st.integers(1, 9),
    st.booleans(),
    st.integers(1, 4),
)
def test_learning_gives_finite_numbers_that_do_not_depend_on_threads(
    ids, dimensions, window, negatives, skip_gram, shards
):
    def learned(threads):
        rng = np.random.default_rng(0)
        rows = [rng.normal(0, 0.1, (13, dimensions)).astype(np.float32) for _ in range(2)]
        trainer = _native.Word2VecTrainer(
            *rows, np.arange(1.0, 14.0), np.linspace(0.1, 1, 13), window, negatives, skip_gram, shards, 7
        )
        for number in range(2):
            trainer.learn(np.array(ids, np.int32), number, 0.05, 0.01, threads)
        trainer.copy_vectors(*rows)
        return np.stack(rows)

    one, three = learned(1), learned(3)
    assert np.isfinite(one).all()
    assert one.tobytes() == three.tobytes()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"draw_weights": np.ones(4)}, "draw_weights has 4 values where 5 are needed"),
        ({"keep_shares": np.ones(6)}, "keep_shares has 6 values where 5 are needed"),
        ({"output": np.zeros((5, 4), np.float32)}, "input and output differ in shape"),
        ({"window": 0}, "window and n_shards must be at least 1"),
        ({"draw_weights": np.zeros(5)}, "all weights to draw by are zero"),
        ({"draw_weights": np.full(5, np.nan)}, "a weight to draw by is -?nan"),
    ],
)
def test_settings_that_do_not_fit_are_refused(change, message):
    given_ = {
        "input": np.zeros((5, 3), np.float32),
        "output": np.zeros((5, 3), np.float32),
        "draw_weights": np.ones(5),
        "keep_shares": np.ones(5),
        "window": 2,
        "negatives": 2,
        "skip_gram": True,
        "n_shards": 1,
        "seed": 0,
    }
    with pytest.raises(ValueError, match=message):
        _native.Word2VecTrainer(**(given_ | change))


def test_ids_of_words_that_are_not_there_are_refused():
    rows = np.zeros((5, 3), np.float32)
    trainer = _native.Word2VecTrainer(rows, rows, np.ones(5), np.ones(5), 2, 2, True, 1, 0)
    with pytest.raises(ValueError, match="word 5 is not one of 5"):
        trainer.learn(np.array([0, 5], np.int32), 0, 0.1, 0.1, 1)
    with pytest.raises(ValueError, match=r"ids holds 0, outside \[0, 0\)"):
        reader_of().words(np.array([0], np.int32))
