"""Which column is meant: asked at a terminal, refused elsewhere."""

from __future__ import annotations

import pytest


@pytest.fixture
def news(tmp_path):
    rows = [f"article number {n} about something,{'ab'[n % 2]},{'xyz'[n % 3]}" for n in range(30)]
    (tmp_path / "news.csv").write_text("\n".join(["body,author,section", *rows]) + "\n")
    return tmp_path / "news.csv"


def test_a_person_presses_a_number(answered, news):
    code, said = answered("7\n2\n", "inspect", "news.csv")
    assert code == 0, said
    assert "Which column holds the labels?" in said
    assert "1  author  'a'" in said
    assert "2  section  'x'" in said
    assert "7 is not one of 1 to 3." in said
    assert "--label section says it at once." in said


@pytest.mark.parametrize("typed", ["\n", "\x04"])
def test_no_answer_is_the_error(answered, news, typed):
    code, said = answered(typed, "inspect", "news.csv")
    assert code == 2
    assert "it is not clear which column holds the labels; 'author', 'section' could. Say --label" in said


def test_where_nobody_can_answer_it_is_an_error_of_usage(run, news, answered):
    done = run("train", "news.csv")
    assert (done.returncode, done.stdout) == (2, "")
    assert "it is not clear which column holds the labels; 'author', 'section' could. Say --label" in done.stderr
    code, said = answered("2\n", "inspect", "news.csv", "--json")
    assert code == 2
    assert "Which column" not in said
