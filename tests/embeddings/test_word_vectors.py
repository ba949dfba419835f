"""Lookup, similarity, neighbours, analogies, maps; and files without code."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import save

from assay.embeddings import WordVectors
from assay.errors import DataError, ModelFileError, ParameterError


def test_lookup_by_word_and_by_list(royal):
    assert len(royal) == 8
    assert "king" in royal
    assert "King" not in royal
    assert list(royal)[:2] == ["king", "man"]
    assert royal.n_dimensions == 4
    assert royal["man"].tolist() == pytest.approx([0, 1, 0, 0.1])
    assert royal[["man", "king"]].shape == (2, 4)
    assert royal[[]].shape == (0, 4)
    assert royal.matrix.dtype == np.float32
    assert repr(royal) == "<WordVectors: 8 words, 4 dimensions>"


def test_the_matrix_cannot_be_written_to(royal):
    with pytest.raises(ValueError, match="read-only"):
        royal.matrix[0, 0] = 3


def test_similarity_is_the_cosine(royal):
    a, b = royal["king"].astype(float), royal["queen"].astype(float)
    # float32 has seven digits
    assert royal.similarity("king", "queen") == pytest.approx(a @ b / np.linalg.norm(a) / np.linalg.norm(b), abs=1e-6)
    assert royal.similarity("king", "king") == pytest.approx(1, abs=1e-6)


def test_a_vector_of_zeros_is_like_nothing():
    vectors = WordVectors(["nothing", "thing"], [[0, 0], [1, 0]])
    assert vectors.similarity("nothing", "thing") == 0
    assert vectors.neighbors("nothing") == [("thing", 0.0)]


def test_very_long_vectors_have_a_direction_too():
    vectors = WordVectors(["far", "farther"], [[1e38, 1e38], [3e38, 3e38]])
    assert vectors.similarity("far", "farther") == pytest.approx(1, abs=1e-6)


def test_neighbours_come_nearest_first_and_without_the_word_itself(royal):
    found = royal.neighbors("king", top=3)
    assert [word for word, _ in found][:1] == ["prince"]
    assert len(found) == 3
    cosines = [cosine for _, cosine in royal.neighbors("king", top=100)]
    assert len(cosines) == 7
    assert cosines == sorted(cosines, reverse=True)


def test_an_analogy_is_a_sum_of_words_of_length_one(royal):
    assert royal.most_similar(["king", "woman"], ["man"])[0][0] == "queen"
    assert royal.most_similar("king") == royal.neighbors("king")


def test_of_one_word_there_are_no_neighbours():
    assert WordVectors(["only"], [[1.0]]).neighbors("only") == []


def test_most_similar_words_are_gensims(random_vectors):
    keyed = pytest.importorskip("gensim.models.keyedvectors").KeyedVectors(12)
    keyed.add_vectors(list(random_vectors.words), random_vectors.matrix)
    random = np.random.default_rng(0)
    for _ in range(20):
        a, b, c = (random_vectors.words[i] for i in random.choice(500, 3, replace=False))
        ours, theirs = random_vectors.most_similar([a, b], [c], 12), keyed.most_similar([a, b], [c], topn=12)
        assert [word for word, _ in ours] == [word for word, _ in theirs]
        assert [cosine for _, cosine in ours] == pytest.approx([cosine for _, cosine in theirs], abs=1e-5)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda v: v["qeen"], r"no vector for the word 'qeen' among 8\. Nearest spellings are 'queen'"),
        (lambda v: v.neighbors("KING"), r"no vector for the word 'KING' among 8\. Nearest spellings are 'king'"),
        (lambda v: v.similarity("king", "☃☃"), r"no vector for the word '☃☃' among 8\. None is spelled like it\."),
        (lambda v: v.most_similar([], []), r"most_similar needs at least one word"),
        (
            lambda v: v.neighbors("king", top=0),
            r"'top' parameter of most_similar must be a whole number of at least 1\. Got 0 instead",
        ),
        (lambda v: v.neighbors("king", top=True), r"Got True instead"),
        (lambda v: v.map(["king", "queen"]), r"A map needs at least 3 words\. Got 2\."),
    ],
)
def test_a_question_that_has_no_answer_is_refused(royal, ask, message):
    with pytest.raises(ParameterError, match=message):
        ask(royal)


@pytest.mark.parametrize(
    ("words", "matrix", "counts", "message"),
    [
        ([], np.zeros((0, 2)), None, "There are no words"),
        ("ab", [[1], [2]], None, "must be a list of words. Got the text 'ab'"),
        (["a", 3], [[1], [2]], None, "Word 2 is 3, which is no text"),
        (["a", "b", "a"], [[1], [2], [3]], None, "The word 'a' is there twice, in rows 1 and 3"),
        (["a", "b"], [[1], [2], [3]], None, "There are 2 words, but 3 vectors"),
        (["a", "b"], [1, 2], None, r"one row a word. Got an array of shape \(2,\)"),
        (["a", "b"], [[], []], None, r"Got an array of shape \(2, 0\)"),
        (["a", "b"], [[1, 2], [np.nan, 1]], None, r"the word 'b' \(row 2\) holds NaN or infinity, as do 0 more"),
        (["a", "b"], [[1, 2], [1e300, 1]], None, r"the word 'b' \(row 2\) holds NaN or infinity"),
        (["a", "b"], [[1, 2], [1]], None, r"must be a table of numbers, one row a word \(.*inhomogeneous"),
        (["a"], [["one"]], None, r"must be a table of numbers, one row a word \(could not convert"),
        (["a", "b"], [[1], [2]], [1], r"The counts must be 2 whole numbers, one a word\. Got int64 of shape \(1,\)"),
        (["a", "b"], [[1], [2]], [1, -4], r"Counts cannot be below 0\. Got -4"),
    ],
)
def test_what_is_no_table_of_words_is_refused(words, matrix, counts, message):
    with pytest.raises((DataError, ParameterError), match=message):
        WordVectors(words, matrix, counts)


def test_a_map_names_every_word(royal, tmp_path):
    figure = royal.map(["king", "queen", "tree", "oak"])
    figure.savefig(tmp_path / "map.svg")
    figure.savefig(tmp_path / "map.png")
    assert {text.get_text() for text in figure.axes[0].texts} == {"king", "queen", "tree", "oak"}
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")
    assert len(royal.map().axes[0].texts) == 8


def test_a_map_does_not_take_words_for_formulas(tmp_path):
    figure = WordVectors(["$x_$", "b", "c"], np.eye(3)).map()
    figure.savefig(tmp_path / "map.svg")
    assert figure.axes[0].texts[0].get_parse_math() is False


# --- files ------------------------------------------------------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.text(max_size=6), min_size=1, max_size=8, unique=True),
    st.integers(1, 5),
    st.booleans(),
    st.data(),
)
def test_any_words_and_numbers_survive_a_file(tmp_path_factory, words, n_dimensions, counted, data):
    path = tmp_path_factory.mktemp("vectors") / "any.safetensors"
    numbers = st.floats(width=32, allow_nan=False, allow_infinity=False)
    rows = data.draw(
        st.lists(
            st.lists(numbers, min_size=n_dimensions, max_size=n_dimensions), min_size=len(words), max_size=len(words)
        )
    )
    vectors = WordVectors(words, rows, np.arange(len(words)) if counted else None)
    vectors.save(path)
    again = WordVectors.load(path)
    assert again.words == vectors.words
    assert again.matrix.tobytes() == vectors.matrix.tobytes()
    assert (again.counts is None) == (not counted)
    if counted:
        assert again.counts.tolist() == list(range(len(words)))


def test_the_same_vectors_give_the_same_bytes(royal, tmp_path):
    for name in ("one", "two"):
        royal.save(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


GOOD = {
    "words": np.frombuffer(b"onetwo", dtype=np.uint8),
    "offsets": np.array([0, 3, 6]),
    "matrix": np.eye(2, dtype=np.float32),
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"words": None}, r"the array 'words' is missing"),
        ({"offsets": np.array([0, 7, 6])}, r"the offsets of the terms do not rise"),
        ({"words": np.frombuffer(b"one\xff\xffo", dtype=np.uint8)}, r"the terms are not UTF-8"),
        ({"matrix": np.eye(3, dtype=np.float32)}, r"There are 2 words, but 3 vectors"),
        ({"matrix": np.eye(2)}, r"the matrix is of type float64, not float32"),
        ({"matrix": np.full((2, 2), np.nan, dtype=np.float32)}, r"holds NaN or infinity"),
        ({"counts": np.array([1.0, 2.0])}, r"The counts must be 2 whole numbers"),
        ({"words": np.frombuffer(b"oneone", dtype=np.uint8)}, r"The word 'one' is there twice"),
        ({"extra": np.zeros(2)}, r"there are arrays that nothing refers to: extra"),
    ],
)
def test_a_damaged_file_is_refused(tmp_path, change, message):
    arrays = {name: values for name, values in {**GOOD, **change}.items() if values is not None}
    header = json.dumps({"format": "word vectors", "version": 1})
    (tmp_path / "bad").write_bytes(save(arrays, metadata={"assay": header}))
    with pytest.raises(ModelFileError, match=rf"^{re.escape(str(tmp_path))}.*the file is damaged.*{message}"):
        WordVectors.load(tmp_path / "bad")


def test_a_file_of_something_else_is_refused(tmp_path, royal):
    (tmp_path / "noise").write_bytes(b"noise" * 10)
    with pytest.raises(ModelFileError, match="this is no file of word vectors, or the file is damaged"):
        WordVectors.load(tmp_path / "noise")
    with pytest.raises(ModelFileError, match="no such file"):
        WordVectors.load(tmp_path / "nothing")
    royal.save(tmp_path / "cut")
    (tmp_path / "cut").write_bytes((tmp_path / "cut").read_bytes()[:-5])
    with pytest.raises(ModelFileError, match="or the file is damaged"):
        WordVectors.load(tmp_path / "cut")
