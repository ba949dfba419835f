"""Where features stand: the same features as a transform counts, at the right characters of the original text."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.explanation.located import locate
from assay.features.documents import as_documents
from assay.features.ngrams.analysis import Analysis
from assay.features.ngrams.text_features import Hashing, TextFeatures, Weighting
from assay.features.ngrams.vocabulary import Vocabulary

ANALYSES = [
    Analysis(),
    Analysis(ngrams=(1, 3), tokens="words_and_punctuation", min_token_length=1),
    Analysis(ngrams=(2, 2), stop_words=("the", "of")),
    Analysis(ngrams=(1, 2), accents="unicode"),
    Analysis(ngrams=(1, 2), accents="ascii", tokens="not_space", min_token_length=1),
    Analysis(ngrams=(1, 2), lowercase=False),
    Analysis(unit="char", ngrams=(1, 3), tokens="none", min_token_length=1),
    Analysis(unit="char", ngrams=(2, 4), tokens="none", min_token_length=1, accents="unicode"),
    Analysis(unit="char_wb", ngrams=(1, 4), tokens="not_space", min_token_length=1),
    Analysis(unit="char_wb", ngrams=(3, 5), tokens="not_space", min_token_length=1, accents="unicode"),
]
# Letters that change their length when lower-cased or stripped: İ, ﬁ, ẞ, Σ, a combining accent, an emoji.
LETTERS = "abAB zT.!'  \t\n" + "éÉİﬁẞΣσς\u0301あ很🙂thefo"
TEXTS = st.text(alphabet=LETTERS, max_size=40)


def all_terms(analysis: Analysis, texts: list[str]) -> dict[str, int]:
    names: dict[str, int] = {}
    everything = TextFeatures(analysis, Hashing(2**20), Weighting())
    for text in texts:
        located = locate(everything, text)
        for i in range(len(located.columns)):
            names.setdefault(located.name(i), len(names))
    return names


@pytest.mark.parametrize("analysis", ANALYSES)
@settings(max_examples=60, deadline=None)
@given(texts=st.lists(TEXTS, min_size=1, max_size=4))
def test_located_features_are_those_that_a_transform_counts(analysis: Analysis, texts: list[str]) -> None:
    terms = all_terms(analysis, texts)
    known = dict(list(terms.items())[:-1] or terms.items())  # one is left unknown
    if not known:
        return
    for columns in (Vocabulary.from_terms(analysis, known), Hashing(2**18), Hashing(3)):
        features = TextFeatures(analysis, columns, Weighting())
        indptr, indices, data = features.rows(as_documents(texts), n_threads=1)
        for row, text in enumerate(texts):
            located = locate(features, text)
            counts = np.bincount(located.columns, located.signs.astype(float), features.n_columns)
            here = slice(indptr[row], indptr[row + 1])
            assert counts[indices[here]].tolist() == data[here].tolist()
            assert set(located.columns.tolist()) == set(indices[here].tolist())


@pytest.mark.parametrize("analysis", ANALYSES)
@settings(max_examples=40, deadline=None)
@given(text=TEXTS)
def test_places_are_inside_the_text_and_rise(analysis: Analysis, text: str) -> None:
    located = locate(TextFeatures(analysis, Hashing(2**18), Weighting()), text)
    assert (located.starts >= 0).all()
    assert (located.starts <= located.ends).all()
    assert (located.ends <= len(text)).all()
    spans = [located.span(i) for i in range(len(located.columns))]
    assert all(start <= end for start, end in spans)
    assert [start for start, _ in spans] == sorted(start for start, _ in spans)


@settings(max_examples=100, deadline=None)
@given(text=st.text(alphabet="abcXYZ ,.", max_size=60))
def test_plain_words_are_found_where_they_stand(text: str) -> None:
    located = locate(TextFeatures(Analysis(), Hashing(2**18), Weighting()), text)
    for i in range(len(located.columns)):
        start, end = located.span(i)
        assert text[start:end].lower() == located.name(i)


@pytest.mark.parametrize(
    ("analysis", "text", "expected"),
    [
        (Analysis(accents="unicode"), "Un CAFÉ noir", {"un": "Un", "cafe": "CAFÉ", "noir": "noir"}),
        # A decomposed accent is shown with its letter, also at the end of a word.
        (Analysis(accents="unicode"), "cafe\u0301 noir", {"cafe": "cafe\u0301", "noir": "noir"}),
        (Analysis(accents="unicode"), "oﬃce", {"office": "oﬃce"}),
        (Analysis(accents="ascii"), "naïve ☃ café", {"naive": "naïve", "cafe": "café"}),
        (Analysis(min_token_length=1), "很好 🙂 ok", {"很好": "很好", "ok": "ok"}),
    ],
)
def test_spans_survive_normalisation(analysis: Analysis, text: str, expected: dict[str, str]) -> None:
    located = locate(TextFeatures(analysis, Hashing(2**18), Weighting()), text)
    found = {located.name(i): text[slice(*located.span(i))] for i in range(len(located.columns))}
    assert {name: found.get(name) for name in expected} == expected


def test_lower_case_of_two_code_points_maps_back_to_one() -> None:
    located = locate(
        TextFeatures(Analysis(unit="char", tokens="none", min_token_length=1), Hashing(64), Weighting()), "aİb"
    )
    assert [located.span(i) for i in range(len(located.columns))] == [(0, 1), (1, 2), (1, 2), (2, 3)]
    assert [located.name(i) for i in range(4)] == ["a", "i", "\u0307", "b"]


def test_greek_capitals_are_found_in_both_forms_of_sigma() -> None:
    located = locate(TextFeatures(Analysis(), Hashing(2**18), Weighting()), "ΟΔΟΣ, ΣΑΣ.")
    assert [(located.name(i), located.span(i)) for i in range(2)] == [("οδος", (0, 4)), ("σας", (6, 9))]


def test_words_of_a_bigram_over_a_stop_word_are_known_apart() -> None:
    analysis = Analysis(ngrams=(2, 2), stop_words=("of",))
    located = locate(TextFeatures(analysis, Hashing(2**18), Weighting()), "Bank of Spain")
    assert located.name(0) == "bank spain"
    assert list(zip(located.starts.tolist(), located.ends.tolist(), strict=True)) == [(0, 4), (8, 13)]


def test_the_space_that_pads_a_word_has_no_length() -> None:
    analysis = Analysis(unit="char_wb", ngrams=(2, 2), tokens="not_space", min_token_length=1)
    located = locate(TextFeatures(analysis, Hashing(2**18), Weighting()), "ab c")
    found = Counter((located.name(i), located.span(i)) for i in range(len(located.columns)))
    assert found == Counter(
        {(" a", (0, 1)): 1, ("ab", (0, 2)): 1, ("b ", (1, 2)): 1, (" c", (3, 4)): 1, ("c ", (3, 4)): 1}
    )
