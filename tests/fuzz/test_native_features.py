"""Arbitrary bytes, offsets and settings through the binding: an error or a result, never a crash.

`make asan` runs this under AddressSanitizer and UndefinedBehaviorSanitizer.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import _native
from assay.features.ngrams.string_arrays import strings_to_arrays
from assay.features.ngrams.text_features import Weighting, native_matrix

offsets = st.lists(st.one_of(st.integers(-3, 70), st.sampled_from([2**31 - 1, -(2**31)])), max_size=12)
content = st.binary(max_size=64)


@st.composite
def analyzers(draw):
    unit = draw(st.sampled_from(["word", "char", "char_wb", "piece"]))
    lowest = 1 if unit == "piece" else draw(st.integers(1, 5))
    return _native.Analyzer.make(
        unit=unit,
        min_n=lowest,
        max_n=1 if unit == "piece" else lowest + draw(st.integers(0, 4)),
        min_token_length=draw(st.integers(1, 4)),
        lowercase=draw(st.booleans()),
        accents=draw(st.sampled_from(["keep", "unicode", "ascii"])),
        # Unit and marking are drawn apart: the kernels must bear every combination.
        marking=draw(st.sampled_from(["none", "words", "words_and_punctuation", "not_space", "separated"])),
        stop_words=draw(st.lists(st.binary(max_size=12), max_size=3)),
    )


def documents_of(positions, data, wide):
    documents = _native.Documents()
    kind = np.int64 if wide else np.int32
    try:
        documents.add_arrow(np.array(positions, dtype=kind), np.frombuffer(data, np.uint8))
    except ValueError as error:
        assert "out of range" in str(error)  # noqa: PT017 (either outcome is right)
        return None
    return documents


@settings(max_examples=400, deadline=None)
@given(offsets, content, st.booleans(), analyzers(), st.integers(1, 3), st.integers(1, 40))
def test_bytes_and_offsets_are_refused_or_counted(positions, data, wide, analyzer, threads, n_columns):
    documents = documents_of(positions, data, wide)
    if documents is None:
        return
    try:
        (counted,) = _native.count_documents(documents, [analyzer], threads)
    except ValueError as error:
        assert "is not UTF-8" in str(error)  # noqa: PT017
        return
    width = counted.assign_columns(0.0, np.inf)
    block = _native.counted_block(counted, first_column=0, n_columns=width, **Weighting(norm="l2").settings())
    indptr, indices, _ = native_matrix([block], n_threads=threads, dtype=np.float64)
    assert indptr[-1] == len(indices)
    vocabulary = counted.take_vocabulary()
    assert len(vocabulary.name_list(analyzer)) == width
    (rows,) = _native.look_up(documents, [analyzer], [vocabulary], threads)
    assert len(rows) == len(documents)
    assert len(_native.hash_documents(documents, analyzer, n_columns, True, threads)) == len(documents)


def test_rows_go_into_one_matrix_and_are_refused_afterwards():
    documents = _native.Documents()
    documents.add_strings(["a b", "b c"])
    analyzer = _native.Analyzer.make(
        unit="word",
        min_n=1,
        max_n=2,
        min_token_length=1,
        lowercase=True,
        accents="keep",
        marking="words",
        stop_words=[],
    )
    (counted,) = _native.count_documents(documents, [analyzer], 2)
    width = counted.assign_columns(0.0, np.inf)
    block = _native.counted_block(counted, first_column=0, n_columns=width, **Weighting().settings())
    assert native_matrix([block], n_threads=2, dtype=np.float64)[0].tolist() == [0, 3, 6]
    for use in (
        lambda: native_matrix([block], n_threads=2, dtype=np.float64),
        lambda: counted.term_frequencies(False),
        lambda: _native.counted_block(counted, first_column=0, n_columns=width, **Weighting().settings()),
    ):
        with pytest.raises(RuntimeError, match="in a matrix already"):
            use()


@settings(max_examples=400, deadline=None)
@given(
    analyzers(), content, offsets, st.lists(st.integers(-2, 12), max_size=12), st.integers(-1, 12), st.text(max_size=30)
)
def test_a_vocabulary_of_arbitrary_arrays_is_refused_or_used(analyzer, data, positions, columns, n_columns, text):
    try:
        stored = _native.StoredTerms(np.frombuffer(data, np.uint8), np.array(positions, dtype=np.int64))
        vocabulary = _native.Vocabulary(analyzer, stored, np.array(columns, dtype=np.int32), n_columns)
    except (ValueError, RuntimeError) as error:
        assert str(error)  # noqa: PT017
        return
    documents = _native.Documents()
    documents.add_strings([text, text * 3])
    (rows,) = _native.look_up(documents, [analyzer], [vocabulary], 2)
    assert len(rows) == 2


terms = st.text("ab é\ud800", max_size=6)


@settings(max_examples=300, deadline=None)
@given(analyzers(), st.sets(terms, max_size=30), st.lists(st.text("abAB é\ud800", max_size=12), min_size=1, max_size=3))
def test_stored_terms_are_found_by_searching_as_by_a_table(analyzer, chosen, texts):
    content, ends = strings_to_arrays(sorted(chosen))
    stored = _native.StoredTerms(content, ends)
    assert stored.rise
    documents = _native.Documents()
    documents.add_strings(texts)
    (counted,) = _native.count_documents(documents, [analyzer], 1)
    counted.assign_columns(0.0, np.inf)
    whole = _native.Vocabulary(analyzer, stored, np.arange(len(stored), dtype=np.int32), len(stored))
    part = stored.wanted_part(analyzer, counted.take_vocabulary())
    assert part.n_columns == whole.n_columns
    found = [_matrix(_native.look_up(documents, [analyzer], [each], 1)[0], len(stored)) for each in (part, whole)]
    assert found[0] == found[1]


def _matrix(rows, n_columns):
    block = _native.row_block(rows, signed_counts=False, first_column=0, n_columns=n_columns, **Weighting().settings())
    return [part.tolist() for part in _native.matrix_int64([block], 1)]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(st.characters(), max_size=80), max_size=5), analyzers())
def test_python_strings_of_every_width_are_counted(texts, analyzer):
    documents = _native.Documents()
    documents.add_strings(texts)
    (counted,) = _native.count_documents(documents, [analyzer], 2)
    assert counted.n_documents == len(texts)
    assert counted.assign_columns(1.0, 1.0) <= counted.n_features


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.text(st.characters(), max_size=20), max_size=4), analyzers(), st.lists(st.integers(0, 1), max_size=9)
)
def test_marks_for_another_number_of_columns_are_refused(texts, analyzer, marked):
    documents = _native.Documents()
    documents.add_strings(texts)
    (counted,) = _native.count_documents(documents, [analyzer], 1)
    width = counted.assign_columns(1.0, np.inf)
    marks = np.array(marked, np.uint8)
    if width != len(marked):
        with pytest.raises(ValueError, match=f"{len(marked)} marks for {width} columns"):
            counted.keep_columns(marks)
        return
    counted.keep_columns(marks)
    assert len(counted.document_frequencies()) == sum(marked)
