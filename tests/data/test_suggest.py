"""Names and numbers in sentences: quotes without escapes, and nothing in the plural that is one."""

from __future__ import annotations

import numpy as np
import pytest

from assay.suggest import counted, excerpt, quote, quoted


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("spam", "'spam'"),
        ("it's", '"it\'s"'),
        ("\"a\" and 'b'", "“\"a\" and 'b'”"),
        ("one\ntwo\r\nthree", "'one ↵ two ↵ three'"),
        ("tab\there", "'tab⇥here'"),
        ("C:\\new", "'C:\\new'"),  # a backslash once, as it stands
        ("👩\u200d👧", "'👩\u200d👧'"),  # joined emoji
        ("می\u200cخواهم", "'می\u200cخواهم'"),  # Persian needs its joiner
        ("1\u00a0000", "'1\u00a0000'"),
        ("\x1b[31m", "'\\x1b[31m'"),  # what could command a terminal stays escaped
        ("a\u202eb", "'a\\u202eb'"),
        ("", "''"),
        (3, "3"),
        (None, "None"),
        (np.str_("x"), "'x'"),
    ],
)
def test_a_name_is_quoted_as_a_person_reads_it(value: object, shown: str) -> None:
    assert quote(value) == shown


def test_lists_and_beginnings_are_quoted_alike() -> None:
    assert quoted(["a\nb", "it's", 1]) == "'a ↵ b', \"it's\", 1"
    assert excerpt("می\u200cخواهم بروم", 100) == "'می\u200cخواهم بروم'"


@pytest.mark.parametrize(("n", "shown"), [(0, "0 texts"), (1, "1 text"), (2, "2 texts"), (12345, "12,345 texts")])
def test_one_is_not_many(n: int, shown: str) -> None:
    assert counted(n, "text", "texts") == shown
