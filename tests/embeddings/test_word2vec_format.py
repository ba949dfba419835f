"""The files of word2vec, gensim and fastText: read, written, and refused."""

from __future__ import annotations

import gzip
import re
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.embeddings import WordVectors, read_vectors, read_word2vec, write_word2vec
from assay.errors import DataError, ParameterError

WORDS = st.text(st.characters(blacklist_categories=("Cs",), blacklist_characters=" \t\n\r\v\f"), min_size=1, max_size=6)


@settings(max_examples=50, deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=8, unique=True), st.integers(1, 5), st.booleans(), st.booleans(), st.data())
def test_any_words_and_numbers_survive_both_forms(tmp_path_factory, words, n_dimensions, binary, packed, data):
    path = tmp_path_factory.mktemp("vectors") / ("any.vec.gz" if packed else "any.vec")
    numbers = st.floats(width=32, allow_nan=False, allow_infinity=False)
    row = st.lists(numbers, min_size=n_dimensions, max_size=n_dimensions)
    vectors = WordVectors(words, data.draw(st.lists(row, min_size=len(words), max_size=len(words))))
    write_word2vec(vectors, path, binary=binary)
    again = read_word2vec(path, binary=binary)
    assert again.words == vectors.words
    assert again.matrix.tobytes() == vectors.matrix.tobytes()


@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("name", ["vectors.vec", "vectors.vec.gz"])
def test_which_form_it_is_is_seen(random_vectors, tmp_path, binary, name):
    write_word2vec(random_vectors, tmp_path / name, binary=binary)
    again = read_vectors(tmp_path / name)
    assert again.words == random_vectors.words
    assert again.matrix.tobytes() == random_vectors.matrix.tobytes()
    assert len(read_word2vec(tmp_path / name, limit=7)) == 7


def test_one_word_in_binary_form_is_seen(tmp_path):
    write_word2vec(WordVectors(["a"], [[0.0, 0.0]]), tmp_path / "zeros", binary=True)
    assert read_word2vec(tmp_path / "zeros")["a"].tolist() == [0, 0]


@pytest.mark.parametrize("binary", [False, True])
def test_gensim_opens_ours_and_we_open_gensims(random_vectors, tmp_path, binary):
    keyed = pytest.importorskip("gensim.models.keyedvectors").KeyedVectors
    words = [*random_vectors.words[:-2], "naïve", "new_york"]
    vectors = WordVectors(words, random_vectors.matrix)
    write_word2vec(vectors, tmp_path / "ours", binary=binary)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        theirs = keyed.load_word2vec_format(str(tmp_path / "ours"), binary=binary)
        assert tuple(theirs.index_to_key) == vectors.words
        assert theirs.vectors.tobytes() == vectors.matrix.tobytes()
        theirs.save_word2vec_format(str(tmp_path / "theirs"), binary=binary)
    again = read_vectors(tmp_path / "theirs")
    assert again.words == vectors.words
    assert again.matrix.tobytes() == vectors.matrix.tobytes()


def test_fasttexts_lines_end_with_a_space(tmp_path):
    (tmp_path / "wiki.vec").write_text("3 2\n</s> 0.1 -2 \nkönig 1e-3 2 \n\u00a0x 1 1 \n", "utf-8")
    vectors = read_vectors(tmp_path / "wiki.vec")
    assert vectors.words == ("</s>", "könig", "\u00a0x")
    assert vectors["</s>"].tolist() == np.array([0.1, -2], dtype=np.float32).tolist()


def test_word2vec_puts_a_line_end_after_each_binary_vector(tmp_path):
    row = np.array([1, 2], dtype="<f4").tobytes()
    (tmp_path / "vectors.bin").write_bytes(b"2 2\nking " + row + b"\nqueen " + row + b"\n")
    assert read_vectors(tmp_path / "vectors.bin").words == ("king", "queen")


def test_a_last_line_need_not_end(tmp_path):
    (tmp_path / "a.vec").write_text("2 1\na 1\nb 2")
    assert read_word2vec(tmp_path / "a.vec").words == ("a", "b")


def test_windows_line_ends_are_read(tmp_path):
    (tmp_path / "a.vec").write_bytes(b"2 1\r\na 1\r\nb 2\r\n")
    assert read_word2vec(tmp_path / "a.vec")["b"].tolist() == [2]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", r"line 1: expected the number of words and of dimensions, such as '400000 100', but found ''"),
        (b"the 0.1 0.2\nof 1 2\n", r"line 1: expected .* found 'the 0\.1 0\.2'\. .*Those of GloVe lack this line"),
        (b"2 0\na\nb\n", r"line 1: expected .* found '2 0'"),
        (b"0 2\n", r"line 1: expected .* found '0 2'"),
        (b"\x00\x01\x02\xff" * 500, r"line 1: expected .* Is this a file of word vectors\?"),
        (b"3 2\na 1 2\nb 3 4\n", r"promises 3 words, but the file ends after 2\. It was cut short"),
        (b"1 2\na 1 2\nb 3 4\n", r"promises 1 word, but more follow, beginning with 'b 3 4'\. .*limit=1"),
        (b"2 2\na 1 2\nb 3\n", r"line 3: after the word 'b' there must be 2 numbers.* Found 1 number: '3'"),
        (b"2 2\na 1 2\nb 3 4 5\n", r"line 3: after the word 'b' there must be 2 numbers.* Found 3 numbers: '3 4 5'"),
        (b"2 2\na 1 2\nb 3 four\n", r"line 3: after the word 'b' .* Found something that is no number: '3 four'"),
        (b"2 2\na 1 2\nb 3 nan\n", r"line 3: the vector of 'b' holds NaN or infinity"),
        (b"1 1\na 1e300\n", r"line 2: the vector of 'a' holds NaN or infinity"),
        (b"3 1\na 1\nb 2\na 3\n", r"line 4: the word 'a' is there a second time \(first: line 2\)"),
        (b"2 1\na 1\n\xff\xfe 2\n", r"line 3: the word b'\\xff\\xfe' is not UTF-8"),
        (b"99999999999 100\na 1\n", r"line 2: after the word 'a' there must be 100 numbers"),
    ],
)
def test_a_wrong_text_file_is_refused_with_its_line(tmp_path, content, message):
    path = tmp_path / "bad.vec"
    path.write_bytes(content)
    with pytest.raises(DataError, match=rf"^{re.escape(str(path))}.*{message}"):
        read_word2vec(path)


ROW = np.array([1, 2], dtype="<f4").tobytes()
BAD_ROW = np.array([1, np.inf], dtype="<f4").tobytes()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"3 2\na " + ROW + b"b " + ROW, r"promises 3 words, but the file ends after 2"),
        (b"2 2\na " + ROW + b"b " + ROW[:-1], r"promises 2 words, but the file ends after 1"),
        (b"1 2\na " + ROW + b"b " + ROW, r"promises 1 word, but more follow, beginning with 'b "),
        (b"2 2\na " + ROW + b"b " + BAD_ROW, r"word 2: the vector of 'b' holds NaN or infinity"),
        (b"2 2\na " + ROW + b"a " + ROW, r"word 2: the word 'a' is there a second time \(first: word 1\)"),
        (b"2 2\na " + ROW + b"\xff " + ROW, r"word 2: the word b'\\xff' is not UTF-8"),
        (b"2 2\na " + ROW + b"b" * 70000, r"word 2: no space within 65,536 bytes, so that no word ends"),
        (b"99999999999 1000000\na " + ROW, r"promises 99,999,999,999 words, but the file ends after 0"),
    ],
)
def test_a_wrong_binary_file_is_refused_with_its_word(tmp_path, content, message):
    path = tmp_path / "bad.bin"
    path.write_bytes(content)
    with pytest.raises(DataError, match=rf"^{re.escape(str(path))}.*{message}"):
        read_word2vec(path, binary=True)


def test_other_things_than_files_are_refused(tmp_path):
    with pytest.raises(DataError, match="no such file"):
        read_vectors(tmp_path / "nothing.vec")
    with pytest.raises(DataError, match="this is a folder"):
        read_vectors(tmp_path)
    packed = gzip.compress(b"2 1\na 1\nb 2\n" * 1000)
    (tmp_path / "cut.vec.gz").write_bytes(packed[: len(packed) // 2])
    with pytest.raises(DataError, match=r"gzip file is damaged or cut short"):
        read_vectors(tmp_path / "cut.vec.gz")
    (tmp_path / "a.vec").write_text("1 1\na 1\n")
    with pytest.raises(
        ParameterError, match=r"'limit' parameter of read_word2vec must be a whole number of at least 1\. Got 0"
    ):
        read_word2vec(tmp_path / "a.vec", limit=0)


@pytest.mark.parametrize("word", ["", "new york", "line\nend", "\ud800"])
def test_a_word_that_the_format_cannot_hold_is_refused(tmp_path, word):
    with pytest.raises(ParameterError, match=r"cannot be written in the format of word2vec"):
        write_word2vec(WordVectors([word], [[1.0]]), tmp_path / "a.vec")
    assert not (tmp_path / "a.vec").exists()


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=60), st.sampled_from([b"", b"2 1\n", b"1 2\na "]), st.sampled_from([None, True, False]))
def test_any_bytes_are_read_or_refused(tmp_path_factory, content, begin, binary):
    path = tmp_path_factory.mktemp("noise") / "noise.vec"
    path.write_bytes(begin + content)
    said, rows = str(path), np.zeros(1)
    try:
        rows = read_word2vec(path, binary=binary).matrix
    except DataError as error:
        said = str(error)
    assert said.startswith(str(path))
    assert np.isfinite(rows).all()
