"""Tokens as hand-made features see them."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.features.designed.tokens import Tokens, fold


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("  \n", []),
        ("Don't stop!", ["Don't", "stop", "!"]),
        ("well-made", ["well", "-", "made"]),
        ("O’Neill’s ’tis", ["O’Neill’s", "’", "tis"]),
        ("naïve Ärger", ["naïve", "Ärger"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("日本。語", ["日本", "。", "語"]),
        (":-) 😀😀", [":", "-", ")", "😀", "😀"]),
    ],
)
def test_words_keep_apostrophes_and_marks_stand_alone(text, words):
    assert Tokens(text).words == words


def test_decomposed_letters_are_composed():
    assert Tokens(unicodedata.normalize("NFD", "café!")).words == ["café", "!"]


@settings(max_examples=50, deadline=None)
@given(st.text())
def test_every_token_is_where_it_says(text):
    tokens = Tokens(text)
    found = [tokens.text[begin:end] for begin, end in zip(tokens.starts, tokens.ends, strict=True)]
    assert found == tokens.words
    rest = tokens.text
    for word in tokens.words:
        rest = rest.replace(word, " ", 1)
    assert not rest.strip() or not any(c.isalnum() for c in rest)


def test_folding_unites_cases_and_apostrophes():
    assert fold("DON’T") == fold("don't") == "don't"
    assert fold("ΣΊΣΥΦΟΣ") == fold("σίσυφος")


def test_marks_are_no_words():
    tokens = Tokens("a 1 _ ! don't é")
    assert dict(zip(tokens.words, tokens.is_word, strict=True)) == {
        "a": True,
        "1": True,
        "_": True,
        "!": False,
        "don't": True,
        "é": True,
    }
