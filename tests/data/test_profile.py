"""The profile and its advice."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay.data.bytes.mojibake import find_mojibake, unscrambled
from assay.data.corpus.corpus import Corpus
from assay.data.profile.lengths import count_characters, count_words


def finding(profile, kind):
    found = [finding for finding in profile.findings if finding.kind == kind]
    assert len(found) == 1, [finding.kind for finding in profile.findings]
    return found[0]


@pytest.fixture
def troubled(write):
    """A file with everything in it that a profile looks for."""
    content = (
        b"text,label\n"
        b"loved it,pos\n"  # 2
        b"so dull,neg\n"  # 3
        b"loved it,neg\n"  # 4: conflict
        b"so dull,neg\n"  # 5: duplicate
        b",pos\n"  # 6: empty
        b"no label here,\n"  # 7
        b"un caf\xc3\x83\xc2\xa9 noir,pos\n"  # 8: mojibake
        b"caf\xe9,pos\n"  # 9: not UTF-8
        b"\n"  # 10: blank
        b"  \t ,neg\n"  # 11: white space
        b"spelled otherwise,Pos \n"  # 12
        b"a\0b,neg\n"  # 13
    )
    return assay.read(write("r.csv", content), skip_empty=True, skip_unlabelled=True, errors="replace")


def test_everything_is_counted(troubled):
    profile = troubled.profile()
    assert profile.n_texts == 9
    assert [(share.label, share.count) for share in profile.classes] == [("neg", 5), ("pos", 3), ("Pos ", 1)]
    assert profile.classes[0].share == 5 / 9
    rows = {
        name: getattr(profile, name).rows for name in ("duplicates", "conflicts", "empty", "white_space", "unlabelled")
    }
    assert rows == {"duplicates": 2, "conflicts": 2, "empty": 1, "white_space": 1, "unlabelled": 1}
    assert (profile.invalid.rows, profile.mojibake.rows, profile.nul.rows) == (1, 3, 1)
    assert profile.similar_labels == (("pos", "Pos "),)


def test_examples_name_text_labels_and_places(troubled):
    profile = troubled.profile()
    conflict = profile.conflicts.examples[0]
    assert (conflict.text, conflict.labels, conflict.places) == (
        "loved it",
        ("pos", "neg"),
        ("r.csv, row 2", "r.csv, row 4"),
    )
    assert [example.places for example in profile.duplicates.examples] == [
        ("r.csv, row 2", "r.csv, row 4"),
        ("r.csv, row 3", "r.csv, row 5"),
    ]
    assert profile.empty.examples[0].places == ("r.csv, row 6",)
    assert profile.unlabelled.examples[0].places == ("r.csv, row 7",)
    assert profile.white_space.examples[0].places == ("r.csv, row 11",)


def test_every_finding_says_what_where_and_what_to_do(troubled):
    profile = troubled.profile()
    assert {found.kind for found in profile.findings} == {
        "conflicts", "duplicates", "empty_texts", "few_examples", "invalid_bytes", "mojibake", "nul", "similar_labels",
        "single_example", "unlabelled", "white_space",
    }  # fmt: skip
    assert [found.severity for found in profile.findings] == sorted(
        (found.severity for found in profile.findings), key=["error", "warning", "note"].index
    )
    assert all(found.what and found.where and found.advice for found in profile.findings)
    conflicts = finding(profile, "conflicts")
    assert conflicts.what == "2 rows have a text that also stands under another label: 'loved it' ('pos', 'neg')."
    assert conflicts.where == "r.csv, rows 2, 4"
    assert conflicts.advice.startswith("Decide on one label for each of these texts")
    assert finding(profile, "mojibake").what == "3 texts look wrongly decoded, such as 'Ã©' for 'é'."
    assert finding(profile, "invalid_bytes").where == "r.csv, row 9"
    assert "encoding='cp1252'" in finding(profile, "invalid_bytes").advice
    assert "skip_empty=True" in finding(profile, "empty_texts").advice
    assert "skip_unlabelled=True" in finding(profile, "unlabelled").advice
    assert finding(profile, "similar_labels").where == "'pos' (3), 'Pos ' (1)"


def test_a_profile_is_ready_for_json(troubled):
    shape = troubled.profile().to_dict()
    assert json.loads(json.dumps(shape)) == shape
    assert list(shape) == [
        "source", "n_texts", "classes", "characters", "words", "duplicates", "conflicts", "near_copies",
        "near_conflicts", "empty", "white_space", "unlabelled", "invalid", "mojibake", "nul", "near_copy_groups",
        "near_copy_links_cut", "similar_labels", "notes", "findings",
    ]  # fmt: skip
    assert shape["classes"][0] == {"label": "neg", "count": 5, "share": 5 / 9}
    assert shape["conflicts"]["examples"][0] == {
        "text": "loved it",
        "labels": ["pos", "neg"],
        "places": ["r.csv, row 2", "r.csv, row 4"],
    }
    assert list(shape["characters"]) == ["minimum", "median", "mean", "p95", "maximum"]
    assert list(shape["findings"][0]) == ["kind", "severity", "what", "where", "advice"]


def test_a_sound_corpus_has_no_findings():
    corpus = Corpus([f"text number {i}" for i in range(40)], ["a", "b"] * 20)
    assert corpus.profile().findings == ()


def test_lengths():
    corpus = Corpus(["one two", "né", "  x  ", "a b c d"], list("abab"))
    profile = corpus.profile()
    assert profile.characters.to_dict() == {"minimum": 2, "median": 6.0, "mean": 5.25, "p95": 7.0, "maximum": 7}
    assert profile.words.to_dict() == {
        "minimum": 1,
        "median": 1.5,
        "mean": 2.0,
        "p95": pytest.approx(3.7),
        "maximum": 4,
    }


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(alphabet="ab \t\né日", max_size=8), max_size=20), st.integers(0, 20))
def test_lengths_are_those_of_python(texts, cut):
    chunked = pa.chunked_array([texts[:cut], texts[cut:]], pa.large_string()).slice(min(cut, 1))
    expected = texts[min(cut, 1) :]
    assert count_characters(chunked).tolist() == [len(text) for text in expected]
    assert count_words(chunked).tolist() == [len(text.split()) for text in expected]


@pytest.mark.parametrize(
    ("labels", "kind", "severity", "what"),
    [
        (["a"] * 30, "one_class", "error", "All 30 texts have the label 'a'."),
        (["a"] * 29 + ["b"], "single_example", "warning", "1 class has one example only."),
        (["a"] * 25 + ["b"] * 5, "few_examples", "note", "1 class has fewer than 10 examples."),
        (["a"] * 29 + ["b"], "skewed_classes", "note", "The largest class has 29 times as many texts as the smallest."),
        (
            [f"l{i}" for i in range(30)],
            "too_many_classes",
            "error",
            "There are 30 labels for 30 texts, and most of them",
        ),
        (["spam", "Spam "] * 15, "similar_labels", "warning", "2 labels look like spellings of one."),
        (["not-ok", "not ok", "Not_OK"] * 10, "similar_labels", "warning", "3 labels look like spellings of one."),
        (None, "no_labels", "note", "There are no labels."),
    ],
)
def test_what_is_said_about_classes(labels, kind, severity, what):
    found = finding(Corpus([f"text {i}" for i in range(30)], labels).profile(), kind)
    assert found.severity == severity
    assert found.what.startswith(what)


def test_an_empty_corpus_has_a_profile():
    profile = Corpus(["a"], ["x"])[:0].profile()
    assert (profile.n_texts, profile.classes, profile.characters) == (0, (), None)
    assert profile.to_dict()["words"] is None


def test_labels_that_only_the_whole_corpus_has_are_not_counted():
    corpus = Corpus([f"t{i}" for i in range(4)], ["a", "b", "a", "b"])
    assert [share.label for share in corpus.select(corpus.classes == 1).profile().classes] == ["b"]


@pytest.mark.parametrize(
    ("text", "scrambled"),
    [
        ("CafÃ©", True),
        ("Itâ€™s", True),
        ("â€œquotedâ€\x9d", True),
        ("ÐŸÑ€Ð¸Ð²ÐµÑ‚", True),
        ("Î³ÎµÎ¹Î¬", True),
        ("ðŸ˜€", True),
        ("æ—¥æœ¬èªž", True),
        ("ï»¿text", True),
        ("ï¿½", True),
        ("lost \ufffd here", True),
        ("Â£5", True),
        ("Café, naïve, Ångström", False),
        ("Il a répondu : « fatigué »", False),
        ("São Paulo, IRMÃ, ÎLE", False),
        ("Привет, γειά, 日本語, 😀", False),
        ("“quoted” – it’s…", False),
        ("Đà Nẵng, Ðað", False),
        ("£5 ±2°", False),
        ("plain", False),
        ("", False),
    ],
)
def test_mojibake_is_told_from_text(text, scrambled):
    assert find_mojibake(pa.chunked_array([[text]], pa.large_string())).tolist() == [scrambled]


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="éüñçàß’“–😀ж", min_size=1))
def test_text_read_in_the_wrong_encoding_is_found_and_understood(text):
    wrong = f"so {text} on".encode().decode("latin-1")
    assert find_mojibake(pa.chunked_array([[wrong]], pa.large_string())).tolist() == [True]
    assert unscrambled(wrong)[1] in text


def test_row_counts_are_plain_integers(troubled):
    assert all(type(share.count) is int for share in troubled.profile().classes)
    assert not isinstance(troubled.profile().duplicates.rows, np.integer)


def test_a_notebook_shows_classes_lengths_and_what_to_look_at(write):
    rows = ["text,label", *(f"text number {i},<b>" for i in range(3)), "text number 1,other", ",other"]
    html = assay.read(write("r.csv", "\n".join(rows).encode()), skip_empty=True).profile()._repr_html_()
    assert "r.csv: 4 texts in 2 classes" in html
    assert "<td style='text-align:left'>&lt;b&gt;</td><td style='text-align:right'>3</td>" in html
    assert "<td style='text-align:right'>75.0%</td>" in html
    assert "<td style='text-align:left'>characters</td><td style='text-align:right'>13</td>" in html
    assert "1 text is empty" in html
    assert "r.csv, row 6" in html
    assert "<b>" not in html


def test_a_notebook_shows_the_largest_classes_and_the_sum_of_the_others():
    corpus = assay.Corpus([f"text {i}" for i in range(50)], [f"l{i % 25}" for i in range(50)])
    html = corpus.profile()._repr_html_()
    assert "5 more</td><td style='text-align:right'>10</td><td style='text-align:right'>20.0%</td>" in html
    assert "Classes" not in assay.Corpus(["a", "b"]).profile()._repr_html_()
