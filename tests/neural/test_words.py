"""Texts as numbers of their words."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import _native
from assay.features.documents import as_documents
from assay.features.ngrams.analysis import Analysis
from assay.features.ngrams.vocabulary import Vocabulary
from assay.neural.reading.sequences import Sequences
from assay.neural.reading.words import FIRST_WORD, UNKNOWN, Words


def names_of(words, sequences, i):
    known = ["<padding>", "<unknown>", *words.names()]
    return [known[number] for number in sequences.ids[sequences.begin[i] : sequences.begin[i + 1]]]


def test_words_keep_their_order_and_strangers_become_the_unknown_word():
    words = Words.learned(as_documents(["b a!", "a c"]))
    assert words.names() == ["!", "a", "b", "c"]
    assert len(words) == 6
    found = words.sequences(as_documents(["C, a b b?", "", "zzz"]))
    assert names_of(words, found, 0) == ["c", "<unknown>", "a", "b", "b", "<unknown>"]
    assert names_of(words, found, 1) == []
    assert names_of(words, found, 2) == ["<unknown>"]


def test_rare_words_and_all_but_the_most_frequent_are_left_out():
    documents = as_documents(["a a a b", "a b c", "d"])
    assert Words.learned(documents, min_count=2).names() == ["a", "b"]
    assert Words.learned(documents, most=2).names() == ["a", "b"]
    assert Words.learned(documents, most=3).names() == ["a", "b", "c"]  # of equals, the first in the alphabet


def test_further_words_follow_and_are_there_once():
    words = Words.learned(as_documents(["b a"])).joined(["z", "a", "z", "y"])
    assert words.names() == ["a", "b", "z", "y"]
    assert words.sequences(as_documents(["y a"])).ids.tolist() == [FIRST_WORD + 3, FIRST_WORD]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=30), min_size=1, max_size=8), st.integers(1, 3))
def test_the_native_tokenizer_reads_as_the_regular_expression_says(texts, threads):
    expected = [re.findall(r"\w+|[^\w\s]", text.lower()) for text in texts]
    words = Words.of(sorted({word for found in expected for word in found}))
    found = words.sequences(as_documents(texts), threads=threads)
    assert [names_of(words, found, i) for i in range(len(texts))] == expected
    assert UNKNOWN not in found.ids


def test_characters_have_no_sequence_of_tokens():
    analysis = Analysis(unit="char")
    vocabulary = Vocabulary.from_terms(analysis, {"a": 0})
    with pytest.raises(ValueError, match="only analyzers of tokens give sequences of tokens"):
        _native.token_columns(as_documents(["a"]), analysis.native, vocabulary.native, 1)


def sequences(*lengths):
    begin = np.r_[0, np.cumsum(lengths)].astype(np.int64)
    return Sequences(begin, np.arange(2, 2 + begin[-1], dtype=np.int32))


def test_inputs_are_padded_and_an_empty_text_has_length_one():
    ids, lengths = sequences(2, 0, 3).inputs(np.array([2, 1, 0]))
    assert ids.tolist() == [[4, 5, 6], [0, 0, 0], [2, 3, 0]]
    assert lengths.tolist() == [3, 1, 2]


def test_long_texts_lose_their_ends_and_these_are_counted():
    cut = sequences(2, 5, 0).limited(3, "truncate")
    assert cut.sizes.tolist() == [2, 3, 0]
    assert cut.ids.tolist() == [2, 3, 4, 5, 6]
    assert cut.cut == 1


def test_windows_hold_all_words_of_a_long_text():
    pieces = sequences(2, 5, 0, 6).limited(3, "window")
    assert pieces.sizes.tolist() == [2, 3, 2, 0, 3, 3]
    assert pieces.text_of.tolist() == [0, 1, 1, 2, 3, 3]
    assert pieces.inputs(np.array([2]))[0].tolist() == [[7, 8]]


def test_short_texts_are_left_as_they_are():
    whole = sequences(2, 3)
    assert whole.limited(3, "window") is whole
    assert whole.limited(None, "truncate") is whole
