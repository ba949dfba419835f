"""What a table from a stranger does to the terminal that it is shown on: nothing."""

from __future__ import annotations

import json

import pytest

CSV = 'text,label\n"red \x1b[31m, bell \x07, title \x1b]0;x\x07",pos\n\x9b2Jcleared,neg\n"left\u202eright\rover",pos\n'
HARMFUL = ("\x1b", "\x07", "\x9b", "\u202e", "\rover")


@pytest.fixture
def strange(tmp_path):
    path = tmp_path / "strange.csv"
    path.write_text(CSV, encoding="utf-8", newline="")
    return path


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "lines"])
def test_control_characters_are_shown_on_a_terminal(on_terminal, strange, form):
    shown = on_terminal("stdout", "convert", strange, "--to", form).decode()
    assert not any(harmful in shown for harmful in HARMFUL)
    if form == "jsonl":
        assert json.loads(shown.splitlines()[1])["text"] == "\x9b2Jcleared"
    else:
        assert r"red \x1b[31m, bell \x07" in shown
        assert r"\x9b2Jcleared" in shown


def test_predictions_on_a_terminal_are_harmless_too(on_terminal, shop_model, strange):
    shown = on_terminal("stdout", "predict", shop_model, strange).decode()
    assert r"title \x1b]0;x\x07" in shown
    assert not any(harmful in shown for harmful in HARMFUL)


def test_json_on_a_terminal_is_harmless_and_stays_json(on_terminal, strange):
    shown = on_terminal("stdout", "inspect", strange, "--label", "text", "--text", "label", "--json").decode()
    assert not any(harmful in shown for harmful in HARMFUL)
    assert any("\x9b2J" in row["label"] for row in json.loads(shown)["classes"])


def test_a_pipe_gets_the_characters_as_they_are(run, strange):
    assert run("convert", strange, "--to", "csv").stdout.count("\x1b") == 2
