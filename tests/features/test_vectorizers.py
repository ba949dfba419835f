"""What the vectorizers do beyond scikit-learn's, and what they say of bad input."""

from __future__ import annotations

import pickle
import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction import text as theirs
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import FeatureUnion, Pipeline

from assay.errors import DataError, ParameterError
from assay.features import CountVectorizer, HashingVectorizer, TfidfTransformer, TfidfVectorizer, WordCharVectorizer

TEXTS = [
    "The parcel came late, and the box was torn.",
    "Łódź café: ÇA VA? ΟΔΥΣΣΕΥΣ said so",
    "",
    "late late late!!! 😀 where is my parcel",
    "İstanbul'da 中文 文本 naïve résumé",
] * 40


def assert_equal(a, b):
    assert a.shape == b.shape
    assert (a != b).nnz == 0


FORMS = {
    "tuple": tuple,
    "generator": lambda texts: (text for text in texts),
    "object array": lambda texts: np.array(texts, dtype=object),
    "string array": lambda texts: np.array(texts),
    "pandas": pd.Series,
    "pandas object": lambda texts: pd.Series(texts, dtype=object),
    "pandas category": lambda texts: pd.Series(texts, dtype="category"),
    "polars": pl.Series,
    "arrow string": lambda texts: pa.array(texts, pa.string()),
    "arrow large_string": lambda texts: pa.array(texts, pa.large_string()),
    "arrow string_view": lambda texts: pa.array(texts, pa.string_view()),
    "arrow dictionary": lambda texts: pa.array(texts).dictionary_encode(),
    "arrow chunks": lambda texts: pa.chunked_array([texts[:7], [], texts[7:]]),
    "arrow slice": lambda texts: pa.array(["left out", *texts, "and this"])[1:-1],
    "bytes": lambda texts: [text.encode() for text in texts],
    "mixed": lambda texts: [text.encode() if i % 2 else text for i, text in enumerate(texts)],
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("vectorizer", [TfidfVectorizer(ngram_range=(1, 2)), HashingVectorizer(), WordCharVectorizer()])
def test_every_form_of_texts_gives_the_same_matrix(form, vectorizer):
    expected = clone(vectorizer).fit_transform(TEXTS)
    assert_equal(clone(vectorizer).fit_transform(FORMS[form](TEXTS)), expected)


@pytest.mark.parametrize("analyzer", ["word", "char", "char_wb"])
def test_any_number_of_threads_gives_the_same_bits(analyzer):
    matrices = []
    for n_jobs in (1, 2, 3, 7):
        vectorizer = TfidfVectorizer(analyzer=analyzer, ngram_range=(1, 3), sublinear_tf=True, n_jobs=n_jobs)
        X = vectorizer.fit_transform(TEXTS)
        Z = vectorizer.transform(TEXTS)
        matrices.append([a.tobytes() for M in (X, Z) for a in (M.indptr, M.indices, M.data)])
        matrices[-1].append(vectorizer.get_feature_names_out().tolist())
    assert all(matrix == matrices[0] for matrix in matrices)


def test_columns_of_a_row_ascend():
    X = CountVectorizer(ngram_range=(1, 2)).fit_transform(TEXTS)
    assert all((np.diff(X[[i]].indices) > 0).all() for i in range(X.shape[0]))


def test_it_works_in_pipelines_and_searches():
    search = GridSearchCV(
        Pipeline([("text", TfidfVectorizer()), ("learner", MultinomialNB())]),
        {"text__ngram_range": [(1, 1), (1, 2)], "text__tokenizer": [None, "words and punctuation"]},
        cv=2,
    )
    search.fit(TEXTS, [i % 5 for i in range(len(TEXTS))])
    assert search.best_score_ == pytest.approx(0.8)  # the empty text belongs to a class of its own


@pytest.mark.parametrize(
    ("name", "pattern"),
    [("words", r"\b\w\w+\b"), ("all words", r"\w+"), ("words and punctuation", r"\w+|[^\w\s]"), ("whitespace", r"\S+")],
)
def test_a_named_tokenizer_is_its_regular_expression(name, pattern):
    ours = CountVectorizer(tokenizer=name).fit(TEXTS)
    assert ours.vocabulary_ == theirs.CountVectorizer(token_pattern=pattern).fit(TEXTS).vocabulary_
    assert ours.build_tokenizer()("It's 5 o'clock!") == re.findall(pattern, "It's 5 o'clock!")


@pytest.mark.parametrize(
    "settings",
    [
        {"tokenizer": str.split, "token_pattern": None},
        {"tokenizer": lambda text: re.split("[,;]", text), "token_pattern": None, "ngram_range": (1, 3)},
        {"tokenizer": lambda text: text.split("a"), "token_pattern": None, "ngram_range": (2, 2)},
        {"tokenizer": lambda text: [""], "token_pattern": None},
        {"tokenizer": lambda text: [text, "\x1f"], "token_pattern": None},
        {"token_pattern": r"[a-z]{3,}", "ngram_range": (1, 2)},
        {"preprocessor": lambda text: text.upper().replace("LATE", "early")},
        {"strip_accents": lambda text: text.replace("é", "e")},
        {"analyzer": lambda text: text.split("e")},
        {"analyzer": lambda text: [len(word) for word in text.split()]},
        {"tokenizer": str.split, "token_pattern": None, "stop_words": ["the", "late"], "ngram_range": (1, 2)},
    ],
)
@pytest.mark.filterwarnings("ignore:Your stop_words may be inconsistent")
def test_functions_take_the_python_path_and_stay_correct(settings):
    ours, expected = CountVectorizer(**settings), theirs.CountVectorizer(**settings)
    assert_equal(ours.fit_transform(TEXTS), expected.fit_transform(TEXTS))
    assert ours.vocabulary_ == expected.vocabulary_
    assert_equal(ours.transform(TEXTS[::-1]), expected.transform(TEXTS[::-1]))
    if not callable(settings.get("analyzer")):
        settings = {**settings, "n_features": 64}
        hashed, expected = HashingVectorizer(**settings), theirs.HashingVectorizer(**settings)
        np.testing.assert_allclose(hashed.transform(TEXTS).toarray(), expected.transform(TEXTS).toarray(), rtol=1e-12)


def test_words_and_characters_are_a_union_of_both():
    union = FeatureUnion(
        [
            ("word", theirs.TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, min_df=2)),
            ("char", theirs.TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4), sublinear_tf=True, min_df=2)),
        ]
    )
    ours = WordCharVectorizer(char_ngrams=(2, 4), sublinear_tf=True, min_df=2)
    np.testing.assert_allclose(ours.fit_transform(TEXTS).toarray(), union.fit_transform(TEXTS).toarray(), rtol=1e-12)
    np.testing.assert_allclose(ours.transform(TEXTS[:3]).toarray(), union.transform(TEXTS[:3]).toarray(), rtol=1e-12)
    assert ours.get_feature_names_out().tolist() == union.get_feature_names_out().tolist()


def test_a_hashed_column_is_named_from_a_sample():
    vectorizer = HashingVectorizer(n_features=8, ngram_range=(1, 2))
    named = vectorizer.explain(range(8), sample=TEXTS)
    counts = theirs.CountVectorizer(ngram_range=(1, 2)).fit(TEXTS)
    assert {name for names in named.values() for name, _ in names} == set(counts.vocabulary_)
    for column, names in named.items():
        for name, count in names:
            (home,) = theirs.HashingVectorizer(n_features=8, analyzer=lambda t: [t]).transform([name]).indices
            assert home == column
            assert count == counts.transform(TEXTS)[:, [counts.vocabulary_[name]]].sum()


def test_partial_fit_adds_document_frequencies():
    parts = TfidfVectorizer(vocabulary=["late", "parcel", "torn"]).partial_fit(TEXTS[:50]).partial_fit(TEXTS[50:])
    whole = theirs.TfidfVectorizer(vocabulary=["late", "parcel", "torn"]).fit(TEXTS)
    np.testing.assert_allclose(parts.idf_, whole.idf_, rtol=1e-12)
    counts = theirs.CountVectorizer().fit_transform(TEXTS)
    transformer = TfidfTransformer().partial_fit(counts[:9]).partial_fit(counts[9:])
    np.testing.assert_allclose(transformer.idf_, theirs.TfidfTransformer().fit(counts).idf_, rtol=1e-12)


def test_a_vectorizer_survives_pickling_whole():
    vectorizer = TfidfVectorizer(ngram_range=(1, 2)).fit(TEXTS)
    again = pickle.loads(pickle.dumps(vectorizer))
    assert again.vocabulary_ == vectorizer.vocabulary_
    assert_equal(again.transform(TEXTS), vectorizer.transform(TEXTS))


def test_settings_changed_after_fitting_count():
    vectorizer = CountVectorizer(lowercase=False).fit(["Late late"])
    assert vectorizer.transform(["LATE late"]).toarray().tolist() == [[0, 1]]
    vectorizer.set_params(lowercase=True)
    assert vectorizer.transform(["LATE late"]).toarray().tolist() == [[0, 2]]


@pytest.mark.slow
def test_a_document_of_200_megabytes_works():
    text = "late parcel " * (200_000_000 // 12)
    X = CountVectorizer(ngram_range=(1, 2)).fit_transform([text])
    n = 200_000_000 // 12
    assert X.toarray().tolist() == [[n, n, n, n - 1]]


# What is said of bad input


def test_no_text_is_said_with_its_row():
    with pytest.raises(DataError, match=r"row 2 is no text but int 3\. Every document must be a str or bytes"):
        CountVectorizer().fit(["fine", 3])
    with pytest.raises(DataError, match=r"row 3 is no text but missing \(None\)"):
        CountVectorizer().fit(["fine", "fine", None])


def test_a_missing_value_in_a_series_is_said_with_its_row():
    for series in (pd.Series(["a b", np.nan, None]), pl.Series(["a b", None, None]), pa.array(["a b", None, None])):
        with pytest.raises(DataError, match=r"row 2 is missing \(null or NaN\), as are 1 more\. Drop such rows"):
            TfidfVectorizer().fit(series)
    with pytest.raises(ValueError, match=r"np\.nan is an invalid document, expected byte or unicode string\."):
        TfidfVectorizer().fit(["a b", np.nan])


def test_bytes_that_are_not_utf8_are_said_with_document_and_byte():
    broken = pa.Array.from_buffers(
        pa.string(), 2, [None, pa.py_buffer(np.array([0, 2, 6], np.int32)), pa.py_buffer(b"okab\xffc")]
    )
    with pytest.raises(
        DataError, match=r"document 1: byte 2 \(0xFF\) is not UTF-8\. Read the file again with the right `encoding=`"
    ):
        CountVectorizer().fit(broken)
    for vectorizer in (HashingVectorizer(), CountVectorizer(vocabulary=["ok"])):
        with pytest.raises(DataError, match=r"document 1: byte 2"):
            vectorizer.transform(broken)
    with pytest.raises(UnicodeDecodeError):
        CountVectorizer().fit([b"\xff"])


def test_documents_of_only_stop_words_have_no_vocabulary():
    with pytest.raises(
        DataError, match=r"empty vocabulary; perhaps the documents only contain stop words: none of the 2 doc"
    ):
        CountVectorizer(stop_words="english").fit(["the and of", "to"])


def test_min_df_above_max_df_is_said_with_both():
    with pytest.raises(
        ParameterError, match=r"max_df=0\.1 is 0\.3 and min_df=2 is 2 of 3 documents\. Lower min_df or raise"
    ):
        CountVectorizer(min_df=2, max_df=0.1).fit(["a bc", "bc", "cd"])


def test_pruning_everything_says_what_was_asked():
    with pytest.raises(
        DataError, match=r"After pruning, no terms remain\. Try a lower min_df .* of 2 terms none is in 2 to 2 of"
    ):
        CountVectorizer(min_df=2).fit(["ab", "cd"])


@pytest.mark.parametrize("vectorizer", [CountVectorizer(), TfidfVectorizer(), WordCharVectorizer()])
def test_transforming_before_fitting_is_refused(vectorizer):
    with pytest.raises(NotFittedError, match=r"not fitted"):
        vectorizer.transform(["text"])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: HashingVectorizer(n_features=0),
            r"The 'n_features' parameter of HashingVectorizer must be .* Got 0 instead",
        ),
        (lambda: CountVectorizer(ngram_range=(2, 1)), r"Invalid value for ngram_range=\(2, 1\) lower boundary larger"),
        (
            lambda: CountVectorizer(ngram_range=(0, 1)),
            r"'ngram_range' parameter must be a pair of whole numbers .* Got \(0, 1\)",
        ),
        (
            lambda: CountVectorizer(tokenizer="wrods"),
            r"The 'tokenizer' parameter of CountVectorizer must be .*'words'.* Got 'wrods'",
        ),
        (
            lambda: TfidfVectorizer(n_jobs=0),
            r"n_jobs must be a positive number of threads, .* Got 0 instead",
        ),
        (lambda: TfidfVectorizer(norm="l3"), r"The 'norm' parameter of TfidfVectorizer must be .* Got 'l3' instead"),
        (lambda: CountVectorizer(vocabulary=["a", "a"]), r"Duplicate term in vocabulary: 'a'"),
    ],
)
def test_a_bad_parameter_is_said_with_its_value(make, message):
    with pytest.raises(ValueError, match=message):
        make().fit(["some text"]).transform(["some text"])


def test_a_single_string_is_not_taken_for_documents():
    for vectorizer in (CountVectorizer(), TfidfVectorizer(), HashingVectorizer(), WordCharVectorizer()):
        with pytest.raises(ValueError, match=r"Iterable over raw text documents expected, string object received"):
            vectorizer.fit_transform("one text")


def test_explaining_without_a_sample_says_what_is_missing():
    with pytest.raises(ParameterError, match=r"a hash cannot be undone: give texts like those that were hashed"):
        HashingVectorizer().explain([1])
    with pytest.raises(ParameterError, match=r"column 9 is not one of the 8 columns, 0 to 7"):
        HashingVectorizer(n_features=8).explain([9], sample=["text"])


def test_partial_fit_with_another_width_is_refused():
    with pytest.raises(DataError, match=r"the counts have 3 columns, but those learned before had 2\. Use the same"):
        TfidfTransformer().partial_fit(np.ones((2, 2))).partial_fit(np.ones((2, 3)))
