"""Texts of every source as sequences of words."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

import assay
from assay.embeddings import encoded_text
from assay.embeddings.encoded_text import encode_text
from assay.errors import DataError, ParameterError

SETTINGS = {"unit": "document", "punctuation": False, "lowercase": True, "min_count": 1, "max_words": None}


def sequences(source, **settings):
    """The words of each sequence."""
    encoded = encode_text(source, **(SETTINGS | settings))
    parts = np.split(encoded.ids, np.flatnonzero(encoded.ids == -1))
    return [[encoded.vocabulary.words[word] for word in part if word >= 0] for part in parts[:-1]]


EXPECTED = [["good", "film"], ["so", "dull", "so", "dull"]]
TEXTS = ["Good film!", "So dull, so dull."]


def test_texts_in_memory_are_read_in_every_form():
    assert sequences(TEXTS) == EXPECTED
    assert sequences(iter(TEXTS)) == EXPECTED
    assert sequences((TEXTS, ["pos", "neg"])) == EXPECTED
    assert sequences({"review": TEXTS, "stars": [5, 1]}) == EXPECTED
    assert sequences(assay.read((TEXTS, ["pos", "neg"]))) == EXPECTED


def test_files_are_read_with_and_without_labels(tmp_path):
    lines = tmp_path / "corpus.txt.gz"
    lines.write_bytes(gzip.compress("\n".join(TEXTS).encode()))
    assert sequences(lines) == EXPECTED
    table = tmp_path / "reviews.csv"
    table.write_text('review,label\nGood film!,pos\n"So dull, so dull.",neg\n', encoding="utf-8")
    assert sequences(str(table)) == EXPECTED
    assert sequences([lines, lines]) == EXPECTED * 2
    assert sequences(table, text="label") == [["pos"], ["neg"]]


def test_settings_of_reading_are_passed_on(tmp_path):
    table = tmp_path / "reviews.csv"
    table.write_bytes("1;café\n2;déjà\n".encode("latin-1"))
    settings = {"encoding": "latin-1", "delimiter": ";", "names": ["id", "text"], "text": "text"}
    assert sequences(table, **settings) == [["café"], ["déjà"]]
    with pytest.raises(ParameterError, match=r"no setting 'label' for reading text without labels. There are 'names'"):
        sequences(table, label="id")


def test_token_lists_are_taken_as_they_are():
    tokens = [["Good", "film", "!"], ["New York", "", "…"]]
    assert sequences(tokens) == [["Good", "film", "!"], ["New York", "…"]]
    assert sequences(iter(tokens)) == sequences(tokens)


def test_a_row_that_is_no_token_list_is_named():
    with pytest.raises(DataError, match=r"row 2: 'film' where a list of tokens was expected"):
        sequences([["good"], "film"])
    with pytest.raises(DataError, match=r"row 2: list .* where a list of tokens was expected"):
        sequences([["good"], [3]])
    with pytest.raises(DataError, match=r"row 1: a token holds the control character U\+001F"):
        sequences([["a\x1fb"]])


def test_rows_without_a_text_are_left_out_and_counted(tmp_path):
    table = tmp_path / "reviews.csv"
    table.write_text('id,text\n1,good\n2,""\n3,film\n', encoding="utf-8")
    encoded = encode_text(table, **SETTINGS)
    assert encoded.vocabulary.words == ["good", "film"]
    assert any("1 row with an empty text was left out" in note for note in encoded.notes)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One two. Three!", [["one", "two"], ["three"]]),
        ("Really?! Yes... no", [["really"], ["yes"], ["no"]]),
        ('He said "stop." Then he left.', [["he", "said", "stop"], ["then", "he", "left"]]),
        ("(All of it.) More", [["all", "of", "it"], ["more"]]),
        ("It costs 3.50 at assay.org now", [["it", "costs", "3", "50", "at", "assay", "org", "now"]]),
        (
            "Mr. Smith met J. R. Brown vs. Dr. No. Good.",
            [["mr", "smith", "met", "j", "r", "brown", "vs", "dr", "no"], ["good"]],
        ),
        ("Part 3. Then 4", [["part", "3"], ["then", "4"]]),
        ("A title\n\nThe text", [["a", "title"], ["the", "text"]]),
        ("one line\nand the next", [["one", "line", "and", "the", "next"]]),
        ("你好。再见！好", [["你好"], ["再见"], ["好"]]),
        ("... what", [["what"]]),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(text, expected):
    assert sequences([text], unit="sentence") == expected
    assert sequences([text]) == [[word for sentence in expected for word in sentence]]


def test_punctuation_is_kept_on_request():
    assert sequences(["Stop. Go!"], punctuation=True) == [["stop", ".", "go", "!"]]
    assert sequences(["Stop. Go!"], punctuation=True, unit="sentence") == [["stop", "."], ["go", "!"]]


def test_case_is_kept_on_request():
    assert sequences(["Stop. MR. Go"], lowercase=False, unit="sentence") == [["Stop"], ["MR", "Go"]]


def test_words_are_ranked_by_count_then_by_first_appearance():
    encoded = encode_text(["b a c a c", "d"], **SETTINGS)
    assert encoded.vocabulary.words == ["a", "c", "b", "d"]
    assert encoded.vocabulary.counts.tolist() == [2, 2, 1, 1]
    assert encoded.ids.tolist() == [2, 0, 1, 0, 1, -1, 3, -1]
    assert (encoded.n_words, encoded.n_distinct) == (6, 4)


def test_rare_words_take_up_no_position():
    encoded = encode_text(["a b a c d a"], **(SETTINGS | {"min_count": 2}))
    assert encoded.ids.tolist() == [0, 0, 0, -1]
    assert (encoded.n_words, encoded.n_distinct) == (6, 4)


def test_the_most_frequent_words_are_kept():
    assert sequences(["a b c b c c"], max_words=2) == [["b", "c", "b", "c", "c"]]


def test_ids_that_do_not_fit_into_memory_are_kept_in_a_file(monkeypatch):
    texts = [f"word{n % 97} and word{n % 31}" for n in range(25_000)]
    expected = encode_text(iter(texts), **SETTINGS)
    monkeypatch.setattr(encoded_text, "MEMORY", 1 << 16)
    found = encode_text(iter(texts), **SETTINGS)
    assert isinstance(found.ids, np.memmap)
    assert not isinstance(expected.ids, np.memmap)
    assert np.array_equal(found.ids, expected.ids)
    assert found.vocabulary.words == expected.vocabulary.words


@pytest.mark.parametrize("source", [[], ["", " "], ["... !"], iter([]), [[]], [["", ""]]])
def test_a_text_without_words_is_refused(source):
    with pytest.raises(
        DataError, match=r"The text has no words\. Give at least one text with a letter or a digit in it"
    ):
        sequences(source)


def test_an_empty_file_is_refused(tmp_path):
    (tmp_path / "empty.txt").write_bytes(b"")
    with pytest.raises(DataError, match="the file is empty"):
        sequences(tmp_path / "empty.txt")
