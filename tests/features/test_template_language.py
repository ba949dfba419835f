"""Reading templates: what they mean, and where they are wrong."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import DataError, ParameterError
from assay.features import read_templates
from assay.features.designed.template import Term
from assay.features.designed.template_language import parse_template


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("word", [Term("word")]),
        ("word[0]", [Term("word")]),
        ("lower[-2]", [Term("lower", offset=-2)]),
        ("shape[+1]", [Term("shape", offset=1)]),
        ("prefix(3)", [Term("prefix", 3)]),
        ("suffix( 2 )[ 1 ]", [Term("suffix", 2, 1)]),
        ("ngram(2)[-1]", [Term("ngram", 2, -1)]),
        ("in(positive)", [Term("in", "positive")]),
        ('in("my list")[-1]', [Term("in", "my list", -1)]),
        ('matches("[A-Z]+")', [Term("matches", "[A-Z]+")]),
        ("matches('\\d+')", [Term("matches", "\\d+")]),
        (r'matches("\"\w")', [Term("matches", r'"\w')]),
        ('lower = "no"', [Term("lower", equals="no")]),
        ('case[+1] != "title"', [Term("case", offset=1, differs="title")]),
        ("not in(stop)", [Term("in", "stop", negated=True)]),
        ('not lower = "no"', [Term("lower", negated=True, equals="no")]),
        ("lower[0] & shape[+1]", [Term("lower"), Term("shape", offset=1)]),
    ],
)
def test_terms(text, terms):
    assert parse_template(text).terms == tuple(terms)
    assert parse_template(text).aggregate == "count"


@pytest.mark.parametrize("aggregate", ["count", "presence", "log-count", "sum"])
def test_aggregates(aggregate):
    template = parse_template(f"{aggregate}(length & in(a))")
    assert (template.aggregate, len(template.terms)) == (aggregate, 2)


@pytest.mark.parametrize("measure", ["text-length", "log-text-length"])
def test_measures_of_the_text(measure):
    assert parse_template(measure).aggregate == measure


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 1, "a feature must come here, but the template ends. Features are "),
        ("lowr[0]", 1, "a feature must come here, but 'lowr' is none. Features are 'lower', "),
        ("lower[0] & ", 12, "a feature must come here, but the template ends"),
        ("lower[0] shape", 10, "'shape' is too much: the template is whole before it"),
        ("lower[x]", 7, r"an offset is a whole number, such as \[-1\]; got 'x'"),
        ("lower[", 7, "an offset is a whole number, .*; the template ends"),
        ("lower[9999]", 7, "an offset is a whole number"),
        ("lower[1", 8, "a ']' must come here, but the template ends"),
        ("lower(2)", 6, "'lower' takes nothing in parentheses"),
        ("prefix[0]", 7, r"'prefix' needs a number in parentheses, such as prefix\(3\)"),
        ("prefix(x)", 8, r"'prefix' needs a number, such as prefix\(3\); got 'x'"),
        ("suffix(0)", 8, "'suffix' needs a number"),
        ("in(3)", 4, r"'in' needs a lexicon, such as in\(positive\); got '3'"),
        ("matches([A-Z])", 9, r"'matches' needs a pattern, such as matches\(\"\[A-Z\]\+\"\); got '\['"),
        ('matches("a(b")', 11, "the regular expression is wrong: missing \\), unterminated subpattern"),
        (
            'matches("(a+)\\1")',
            10,
            "the regular expression is wrong: it has a back-reference, which could take for ever",
        ),
        ('starts("(a{1,50}){1,50}")', 9, "the regular expression is wrong: it is too large: more than 1,000 states"),
        ('matches("ab', 9, "a text that is not closed has no meaning here"),
        ("count(lower[0]", 15, r"a '\)' must come here, but the template ends"),
        ("count(lower) & word", 14, "'&' is too much"),
        ("sum(lower)", 5, "'sum' adds up numbers: one of its features must be length or score"),
        ('sum(length = "3")', 5, "'sum' adds up numbers"),
        ("in(a) = 'x'", 7, "'in' holds or not: it has no value to compare"),
        ("lower = no", 9, "a text in quotes must come here, such as \"no\", but 'no' does"),
        ("not lower", 5, "'lower' has a value: compare it"),
        ("lower % word", 7, "'%' has no meaning here"),
    ],
)
def test_errors_name_the_column(text, column, message):
    with pytest.raises(ParameterError, match=rf"^template ['\"].*, column {column}: {message}") as caught:
        parse_template(text)
    shown, caret = str(caught.value).splitlines()[1:]
    assert shown == f"    {text}"
    assert caret.index("^") == 4 + column - 1


@pytest.mark.parametrize("text", ["lower[{}]", "lower[-{}]", "suffix({})", "ngram({})"])
def test_a_number_of_any_length_is_refused_in_words(text):
    with pytest.raises(ParameterError, match=r"an offset is a whole number|needs a number, such as"):
        parse_template(text.format("9" * 5000))


def test_a_named_template_is_named_in_the_error():
    with pytest.raises(ParameterError, match=r"template 'pair' \('lower\[0'\), column 8: a ']' must come here"):
        parse_template("lower[0", "pair")


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="lowersum()[]&=!\"'\\ +-019not", max_size=25))
def test_any_text_is_a_template_or_a_clear_error(text):
    try:
        said = repr(parse_template(text).terms)
    except ParameterError as error:
        said = str(error)
    assert ", column " in said or said.startswith("(Term(")


def test_of_a_template_without_end_the_place_is_shown():
    with pytest.raises(ParameterError, match=r"(?s)column 5001: .*\n    …[^\n]{160}…\n {85}\^$") as caught:
        parse_template("lower & " * 625 + "x" * 5000)
    assert len(str(caught.value)) < 1000


def test_files_hold_one_template_a_line(tmp_path):
    file = tmp_path / "stops.txt"
    file.write_text('; comment\n\nbefore: lower[-1]\nin quotes: lower = ":"\n')
    assert read_templates(file) == {"before": "lower[-1]", "in quotes": 'lower = ":"'}


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        (None, DataError, "stops.txt: there is no such file of templates"),
        ("; nothing\n", DataError, "stops.txt: this file holds no templates"),
        ("\nlower\n", DataError, "stops.txt, line 2: 'lower' is no template with its name. Write it as 'before: "),
        ("a: word\na: lower\n", DataError, "stops.txt, line 2: there is a template 'a' already"),
        ("a: word\nb: lower[\n", ParameterError, r"stops.txt, line 2: template 'b' \('lower\['\), column 7: an offset"),
        (b"a: \xff\n", DataError, "stops.txt: this file of templates is not UTF-8"),
    ],
)
def test_bad_files_are_named_with_the_line(tmp_path, content, error, message):
    file = tmp_path / "stops.txt"
    if content is not None:
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(error, match=message):
        read_templates(file)
