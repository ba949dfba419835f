"""Vectorizers against scikit-learn's on random Unicode text and random parameters."""

from __future__ import annotations

import re
import sys
import unicodedata
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction import text as theirs

from assay import _native
from assay.features import CountVectorizer, HashingVectorizer, TfidfVectorizer

# Letters that lower-case or decompose in special ways, marks, digits, spaces of all kinds, a few of each script.
SPECIAL = (
    "aAbBzZ_09 .,!?-'\t\n\x0b\x1c\x1f\x85\xa0"
    "\u0130\u0131\u03a3\u03c3\u03c2\u0307\u0345\u1e9e\xdf\xe9\xc9\u01c5\u02b0\xad\u2019\u2028\u3000\ufeff"
    "\ufb01\ufdfa\uac00\u0928\u093f\u4e2d\u6587\u0410\u0430\u0660\u00b2\u2460\U0001d400\U0001f600\U00010400\ud800"
)
characters = st.one_of(st.sampled_from(SPECIAL), st.characters())
texts = st.lists(st.text(characters, max_size=40), min_size=1, max_size=6)
patterns = st.sampled_from(
    [
        r"(?u)\b\w\w+\b",
        r"(?u)\b\w+\b",
        r"\w+",
        r"\S+",
        r"(?u)\w+|[^\w\s]",
        r"\b\w{3,}\b",
        r"\b\w\w+\b|[^\w\s]",
        r"[a-z]+",
    ]
)


@st.composite
def analyses(draw):
    lowest = draw(st.integers(1, 4))
    return {
        "analyzer": draw(st.sampled_from(["word", "word", "char", "char_wb"])),
        "ngram_range": (lowest, lowest + draw(st.integers(0, 3))),
        "lowercase": draw(st.booleans()),
        "strip_accents": draw(st.sampled_from([None, None, "unicode", "ascii"])),
        "token_pattern": draw(patterns),
        "stop_words": draw(st.sampled_from([None, ["a", "b", "the"], "english"])),
        "binary": draw(st.booleans()),
    }


frequencies = st.fixed_dictionaries(
    {
        "min_df": st.sampled_from([1, 1, 2, 0.3]),
        "max_df": st.sampled_from([1.0, 1.0, 3, 0.7]),
        "max_features": st.sampled_from([None, None, 1, 5]),
    }
)
weights = st.fixed_dictionaries(
    {
        "norm": st.sampled_from(["l1", "l2", None]),
        "use_idf": st.booleans(),
        "smooth_idf": st.booleans(),
        "sublinear_tf": st.booleans(),
    }
)


def outcome(make, train, test):
    """What a vectorizer makes of the documents, or the kind of error it raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            vectorizer = make()
            fitted = vectorizer.fit_transform(train)
            vocabulary = getattr(vectorizer, "vocabulary_", None)
            return vocabulary, fitted, vectorizer.transform(test), None
        except (ValueError, TypeError) as error:
            return None, None, None, str(error).split(":")[0][:40]


def by_count_then_term(make, analysis, limits, train, **others):
    """Scikit-learn's vectorizer; at `max_features` the first of equally frequent terms are kept.

    Which of them it keeps itself depends on NumPy's sorting, and so on the processor.
    """
    most = limits["max_features"]
    unlimited = {**limits, "max_features": None}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            counter = theirs.CountVectorizer(**analysis, **unlimited)
            counts = counter.fit_transform(train).sum(axis=0).A1
        except (ValueError, TypeError):
            return make(**analysis, **limits, **others)
    if most is None or len(counts) <= most:
        return make(**analysis, **unlimited, **others)
    terms = counter.get_feature_names_out()
    kept = sorted(range(len(terms)), key=lambda i: (-counts[i], terms[i]))[:most]
    return make(**analysis, vocabulary=sorted(terms[i] for i in kept), **others)


def assert_same(ours, expected, tolerance):
    assert ours[3] == expected[3]
    if expected[3] is not None:
        return
    assert ours[0] == expected[0]
    for mine, theirs_ in zip(ours[1:3], expected[1:3], strict=True):
        assert mine.shape == theirs_.shape
        assert mine.dtype == theirs_.dtype
        assert mine.nnz == theirs_.nnz
        np.testing.assert_allclose(mine.toarray(), theirs_.toarray(), rtol=tolerance, atol=tolerance)


@settings(max_examples=250, deadline=None)
@given(texts, texts, analyses(), frequencies, st.integers(1, 3))
def test_counts_are_those_of_scikit_learn(train, test, analysis, limits, n_jobs):
    assert_same(
        outcome(lambda: CountVectorizer(**analysis, **limits, n_jobs=n_jobs), train, test),
        outcome(lambda: by_count_then_term(theirs.CountVectorizer, analysis, limits, train), train, test),
        0,
    )


@settings(max_examples=150, deadline=None)
@given(texts, texts, analyses(), frequencies, weights)
def test_weights_are_those_of_scikit_learn(train, test, analysis, limits, weighting):
    assert_same(
        outcome(lambda: TfidfVectorizer(**analysis, **limits, **weighting), train, test),
        outcome(lambda: by_count_then_term(theirs.TfidfVectorizer, analysis, limits, train, **weighting), train, test),
        1e-12,
    )


@settings(max_examples=150, deadline=None)
@given(
    # scikit-learn cannot hash a lone surrogate
    st.lists(
        st.text(characters.filter(lambda c: not "\ud800" <= c <= "\udfff"), max_size=40),
        min_size=1,
        max_size=6,
    ),
    analyses(),
    st.sampled_from([1, 2, 7, 64, 2**20]),
    st.booleans(),
    st.sampled_from(["l1", "l2", None]),
)
def test_hashes_are_those_of_scikit_learn(documents, analysis, n_features, alternate_sign, norm):
    settings_ = {**analysis, "n_features": n_features, "alternate_sign": alternate_sign, "norm": norm}
    assert_same(
        outcome(lambda: HashingVectorizer(**settings_), documents, documents),
        outcome(lambda: theirs.HashingVectorizer(**settings_), documents, documents),
        1e-12,
    )


def test_the_tables_are_those_of_the_running_python():
    assert _native.unicode_version == unicodedata.unidata_version


@pytest.fixture(scope="module")
def every_character():
    return [chr(code_point) for code_point in range(sys.maxunicode + 1)]


def test_every_code_point_is_lowered_as_python_does(every_character):
    blocks = ["A".join(every_character[i : i + 64]) for i in range(0, len(every_character), 64)]
    ours = CountVectorizer(analyzer="char", ngram_range=(2, 2)).fit(blocks)
    lowered = CountVectorizer(analyzer="char", ngram_range=(2, 2), lowercase=False).fit([b.lower() for b in blocks])
    assert ours.vocabulary_ == lowered.vocabulary_


def test_every_code_point_is_a_word_character_where_python_says_so(every_character):
    # Each character between two spaces is a token exactly if \w matches it.
    ours = CountVectorizer(token_pattern=r"\w+", lowercase=False).fit([" ".join(every_character)])
    assert set(ours.vocabulary_) == set(re.findall(r"\w", "".join(every_character)))


def test_every_code_point_is_a_space_where_python_says_so(every_character):
    ours = CountVectorizer(token_pattern=r"\S+", lowercase=False).fit(["a" + c + "b" for c in every_character])
    assert set(ours.vocabulary_) == {t for c in every_character for t in re.findall(r"\S+", "a" + c + "b")}


@pytest.mark.parametrize(
    ("kind", "function"), [("unicode", theirs.strip_accents_unicode), ("ascii", theirs.strip_accents_ascii)]
)
def test_every_accent_is_stripped_as_scikit_learn_does(every_character, kind, function):
    blocks = ["".join(every_character[i : i + 64]) for i in range(0, len(every_character), 64)]
    settings_ = {"analyzer": "char", "lowercase": False, "ngram_range": (1, 2)}
    ours = CountVectorizer(**settings_, strip_accents=kind).fit(blocks)
    expected = CountVectorizer(**settings_, preprocessor=function).fit(blocks)
    assert ours.vocabulary_ == expected.vocabulary_
