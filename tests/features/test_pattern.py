"""Regular expressions that no text can keep busy, against Python's `re`."""

from __future__ import annotations

import re
import warnings

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assay.features.designed.pattern import MOST_STATES, Pattern, PatternError

LETTERS = "aAbkKſsSßéÉ_-1٣ .\n"  # the third k is the Kelvin sign, which lower-cases to a letter of ASCII
ONE = ["a", "b", "K", "ſ", "é", ".", r"\d", r"\D", r"\s", r"\S", r"\w", r"\W", "[a-k]", "[^a]", r"[^\w\s]", r"[\dé-]"]
ASSERTIONS = ["^", "$", r"\A", r"\Z", r"\b", r"\B"]
QUANTIFIERS = ["*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{2,}", "{0,2}?", "{,1}"]


def joined(inner):
    pieces = st.lists(inner, min_size=1, max_size=3)
    group = st.sampled_from(["(?:{})", "({})", "(?i:{})", "(?a:{})", "(?s:{})", "(?m:{})", "(?-i:{})"])
    return st.one_of(
        pieces.map("".join),
        pieces.map(lambda parts: f"(?:{'|'.join(parts)})"),
        st.tuples(group, inner).map(lambda drawn: drawn[0].format(drawn[1])),
        st.tuples(inner, st.sampled_from(QUANTIFIERS)).map(lambda drawn: f"(?:{drawn[0]}){drawn[1]}"),
    )


PATTERNS = st.recursive(st.sampled_from([*ONE, *ASSERTIONS, ""]), joined, max_leaves=8)
FLAGS = st.sampled_from(["", "(?i)", "(?a)", "(?s)", "(?m)", "(?ims)", "(?x)"])


@settings(max_examples=400, deadline=None)
@given(flags=FLAGS, pattern=PATTERNS, text=st.text(LETTERS, max_size=7))
@example(flags="(?i)", pattern="K", text="K")
@example(flags="", pattern="(?:a|b?)*$", text="ab\n")
@example(flags="", pattern=r"\B", text="")
def test_the_same_matches_as_those_of_python(flags, pattern, text):
    with warnings.catch_warnings(action="ignore"):
        theirs, ours = re.compile(flags + pattern), Pattern(flags + pattern)
    assert ours.fullmatch(text) == bool(theirs.fullmatch(text))
    expected = {i for i in range(len(text) + 1) if theirs.match(text, i)}
    assert ours.positions(text) == expected
    assert {i for i in range(len(text) + 1) if ours.match(text, i)} == expected
    assert all(ours.may_begin(text[i]) for i in expected if i < len(text))


@pytest.mark.parametrize(
    "pattern", ["a", "[^a]", r"\w", r"\W", r"\s", r"\d", "(?i)k", "(?i)[^ſ]", "(?a)\\w", r"(?ai)s"]
)
def test_the_same_characters_as_those_of_python(pattern):
    theirs, ours = re.compile(pattern), Pattern(pattern)
    characters = [chr(point) for point in (*range(0x2000), *range(0x2100, 0x2200), 0xD800, 0x1D400, 0x10FFFF)]
    assert [c for c in characters if ours.fullmatch(c)] == [c for c in characters if theirs.fullmatch(c)]


@pytest.mark.parametrize("pattern", ["(a+)+b", "(a|aa)*b", "(a|a)*b", "(.*)*b", "a*a*a*a*a*a*a*b", "(a?){200}b"])
def test_no_pattern_takes_for_ever(pattern):
    text = "a" * 2000
    assert not Pattern(pattern).fullmatch(text)
    assert Pattern(pattern).fullmatch(text[:200] + "b")
    assert Pattern(pattern).positions(text) == set()


def test_what_is_remembered_is_bounded():
    pattern = Pattern("(?:a|b)*a(?:a|b){60}")
    text = "".join("ab"[i * i * 7919 % 31 % 2] for i in range(3000))
    whole = pattern.fullmatch(text)
    assert whole == (text[-61] == "a")
    assert sum(len(members) for members in pattern._whole._known) <= 100_000


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        (r"(a)\1", "it has a back-reference"),
        ("(?=a)", "it has look-around"),
        ("(?<!a)b", "it has look-around"),
        ("(?!)", "it has look-around"),
        ("(?>a)", "it has an atomic group"),
        ("a++", "it has a possessive repeat"),
        ("(a)?(?(1)b)", "it has a condition"),
        ("(?:a{1,1000}){1,1000}", f"it is too large: more than {MOST_STATES:,} states"),
        ("(?:){4000000000}", "it is too large"),
        ("a{9999999999999}", "a number in it is too large"),
        (f"a{{{'9' * 5000}}}", "a number in it is too large"),
        (r"\UFFFFFFFF", "a number in it is too large"),
        ("(" * 101 + "a" + ")" * 101, "more than 100 groups, repeats or alternatives stand inside each other"),
        ("(?:" * 100_000 + "a" + ")" * 100_000, "more than 100 groups, repeats or alternatives"),
        ("(?u)(?a)a", "ASCII and UNICODE flags are incompatible"),
    ],
)
def test_what_could_take_for_ever_is_refused(pattern, message):
    with pytest.raises(PatternError, match=message):
        Pattern(pattern)


def test_a_set_that_python_warns_of_is_taken_without_a_word():
    assert [Pattern("[[a]").fullmatch(letter) for letter in "[ab"] == [True, True, False]
