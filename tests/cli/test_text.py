from __future__ import annotations

import pytest

from assay.terminal import one_line, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text\n\tkept", "plain text\n\tkept"),
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("\x9b31m", "\\x9b31m"),
        ("a\u202eb", "a\\u202eb"),
        ("naïve 🙂", "naïve 🙂"),
    ],
)
def test_control_characters_are_shown_not_obeyed(text, shown):
    assert visible(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("short", "short"),
        ("exactly ten", "exactly t…"),
        ("one\ntwo", "one two"),
        ("word" + " " * 100 + "x", "word…"),
        ("", ""),
    ],
)
def test_a_beginning_fits_on_one_line(text, shown):
    assert one_line(text, 10) == shown
