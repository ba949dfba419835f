"""Lexicons and their files."""

from __future__ import annotations

import unicodedata

import pytest

from assay.errors import DataError, ParameterError
from assay.features import Lexicon, read_lexicon
from assay.features.designed.tokens import Tokens


def found(lexicon, text):
    tokens = Tokens(text)
    return [" ".join(tokens.words[begin:end]) for begin, end, _ in lexicon.matches(tokens)]


def write(tmp_path, content, name="words.txt"):
    file = tmp_path / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


# -- matching ----------------------------------------------------------------------------------------------------------


def test_case_does_not_matter_unless_it_is_said_to():
    assert found(Lexicon.of_words(["may"]), "May may MAY") == ["May", "may", "MAY"]
    assert found(Lexicon.of_words(["May"], case_sensitive=True), "May may MAY") == ["May"]


@pytest.mark.parametrize("text", ["STRASSE", "straße", unicodedata.normalize("NFD", "Straße")])
def test_case_is_that_of_unicode(text):
    assert found(Lexicon.of_words(["Straße"]), text) == [unicodedata.normalize("NFC", text)]


def test_composed_and_decomposed_letters_are_the_same():
    lexicon = Lexicon.of_words([unicodedata.normalize("NFD", "naïve")])
    assert found(lexicon, "So naïve") == ["naïve"]
    assert found(lexicon, unicodedata.normalize("NFD", "So NAÏVE")) == ["NAÏVE"]


def test_a_word_is_not_found_inside_another():
    assert found(Lexicon.of_words(["art", "हिन"]), "start arts हिन्दी art") == ["art"]


def test_the_longest_phrase_wins_and_matches_do_not_overlap():
    lexicon = Lexicon.of_words(["not", "not good", "good", "well", "well-made"])
    assert found(lexicon, "Not good, well-made, well, good") == ["Not good", "well - made", "well", "good"]


def test_emoticons_and_marks_are_entries_like_others():
    assert found(Lexicon.of_words([":)", "a+", "!!"]), "Good :) an A+ film!!") == [": )", "A +", "! !"]


def test_scores_are_kept():
    lexicon = Lexicon({"good": 3, "not good": -2.5})
    assert [score for *_, score in lexicon.matches(Tokens("good, not good"))] == [3.0, -2.5]
    assert lexicon.scored
    assert not Lexicon.of_words(["good"]).scored


def test_same_content_is_equal():
    assert Lexicon({"good": 3}) == Lexicon({"good": 3.0})
    assert Lexicon({"good": 1}) != Lexicon.of_words(["good"])
    assert hash(Lexicon.of_words(["good"])) == hash(Lexicon.of_words(["good"]))
    assert repr(Lexicon({"good": 1})) == "Lexicon of 1 scored words"


def test_bad_entries_are_refused():
    with pytest.raises(ParameterError, match=r"A lexicon needs at least one word"):
        Lexicon.of_words([])
    with pytest.raises(ParameterError, match=r"The score of 'good' in a lexicon must be a finite number. Got inf"):
        Lexicon({"good": float("inf")})
    with pytest.raises(ParameterError, match=r"entry must hold a word or a mark. Got '  '"):
        Lexicon.of_words(["  "]).matches(Tokens("text"))
    with pytest.raises(ParameterError, match="'Good' with score 1 and 'good' with 2, which are the same entry"):
        Lexicon({"Good": 1, "good": 2}).matches(Tokens("text"))


# -- files -------------------------------------------------------------------------------------------------------------


def test_words_one_a_line_with_comments(tmp_path):
    file = write(tmp_path, "; a list\n;;\n\ngood\nvery good ; a phrase\r\nnaïve\n  spaced  \n")
    lexicon = read_lexicon(file)
    assert list(lexicon.entries) == ["good", "very good", "naïve", "spaced"]
    assert not lexicon.scored


@pytest.mark.parametrize(
    "content",
    [
        "good\t3\nnot bad\t1.5\n",
        "good,3\nnot bad,1.5\n",
        "word,valence\ngood,3\nnot bad,1.5\n",
        '"good",3\n"not bad",1.5\n',
        "good 3\nnot bad 1.5\n",
        "\ufeffgood\t3\nnot bad\t1.5",
    ],
)
def test_words_with_scores(tmp_path, content):
    assert read_lexicon(write(tmp_path, content)).entries == {"good": 3.0, "not bad": 1.5}


def test_a_phrase_that_ends_in_a_number_is_no_score(tmp_path):
    lexicon = read_lexicon(write(tmp_path, "catch 22\ngood\n"))
    assert list(lexicon.entries) == ["catch 22", "good"]
    assert not lexicon.scored


def test_other_comments(tmp_path):
    lexicon = read_lexicon(write(tmp_path, "# a list\nMr #title\n;)\n"), comments="#", case_sensitive=True)
    assert list(lexicon.entries) == ["Mr", ";)"]
    assert list(read_lexicon(write(tmp_path, "#win\n;)\n"), comments="").entries) == ["#win", ";)"]


def test_unknown_file_is_said_with_those_that_are_there(tmp_path):
    write(tmp_path, "good\n", "positive-words.txt")
    write(tmp_path, "bad\n", "other.txt")
    with pytest.raises(DataError, match=r"positive.txt: there is no such lexicon file. In that folder are 'positive-w"):
        read_lexicon(tmp_path / "positive.txt")
    with pytest.raises(DataError, match=r"no such lexicon file. There is no folder '.*nowhere' either"):
        read_lexicon(tmp_path / "nowhere" / "words.txt")
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match=r"no such lexicon file. That folder is empty"):
        read_lexicon(tmp_path / "empty" / "words.txt")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("; nothing\n", r"words.txt: this lexicon holds no words. Write one word a line"),
        ("good\t1\nbad\ndull\t-1\n", r"words.txt, line 2: 'bad' has no score, but 'good' in line 1 has one"),
        ("good\t1\ngood\t2\n", r"words.txt, line 2: 'good' has the score 2, but 1 in line 1. Keep one of them"),
        (b"good\nna\xefve\n", r"words.txt, line 2: byte 0xEF is not UTF-8. Save the file as UTF-8, or give its enc"),
    ],
)
def test_bad_files_are_named_with_the_line(tmp_path, content, message):
    with pytest.raises(DataError, match=message):
        read_lexicon(write(tmp_path, content))


def test_other_encodings(tmp_path):
    assert list(read_lexicon(write(tmp_path, "naïve\n".encode("latin-1")), encoding="latin-1").entries) == ["naïve"]


@pytest.mark.parametrize("encoding", ["latin9000", "unicode_escape", "base64", None])
def test_what_no_file_is_written_in_is_no_encoding(tmp_path, encoding):
    file = write(tmp_path, "good\n")
    with pytest.raises(ParameterError, match=r"The 'encoding' parameter of read_lexicon must be the name of a text"):
        read_lexicon(file, encoding=encoding)


def test_public_lexicons_are_read(shared_data):
    positive = read_lexicon(shared_data / "lexicons" / "positive-words.txt")
    assert (len(positive), positive.scored) == (2006, False)
    assert found(positive, "An A+ film, abundantly good") == ["A +", "good"]
    afinn = read_lexicon(shared_data / "lexicons" / "afinn-111.csv")
    assert afinn.scored
    assert afinn.entries["abandon"] == -2
