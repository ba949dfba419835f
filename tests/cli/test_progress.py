"""What long work shows: drawn on a terminal, lines elsewhere, or nothing; and how long a command says it took."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest

from assay.cli.clock import seconds_so_far
from assay.cli.main import main
from assay.cli.options.screen import Screen
from assay.cli.screens import progress
from assay.cli.screens.progress import PlainLines, byte_progress, row_progress, status
from assay.cli.screens.training import RunProgress
from assay.samples import SHOP_MESSAGES


@pytest.fixture
def seconds(monkeypatch):
    """A clock that goes when it is told to."""

    class Clock:
        now = 0.0

    monkeypatch.setattr(progress.time, "monotonic", lambda: Clock.now)
    return Clock


def reported(screen: Screen, seconds: type, capsys: pytest.CaptureFixture[str]) -> list[str]:
    lines = PlainLines(screen)
    for at in range(0, 200, 2):
        seconds.now = float(at)
        lines.report(lambda at=at: f"at {at}")
    return capsys.readouterr().err.splitlines()


def test_lines_that_were_asked_for_begin_at_once_and_come_every_five_seconds(seconds, capsys):
    assert reported(Screen(progress="plain"), seconds, capsys)[:4] == ["at 0", "at 6", "at 12", "at 18"]


def test_off_a_terminal_only_long_work_says_anything_and_a_line_a_minute(seconds, capsys):
    assert reported(Screen(), seconds, capsys) == ["at 60", "at 120", "at 180"]


@pytest.mark.parametrize(
    "screen", [Screen(progress="none"), Screen(progress="plain", quiet=True), Screen(progress="plain", as_json=True)]
)
def test_who_wants_no_lines_gets_none(screen, seconds, capsys):
    assert reported(screen, seconds, capsys) == []
    with byte_progress(screen) as advance:
        assert advance is None
    with row_progress(["a.csv"], screen) as begin:
        assert begin("a.csv") is None


def test_lines_say_how_much_is_done(seconds, capsys):
    screen = Screen(progress="plain")
    with byte_progress(screen) as advance:
        advance(1_500_000, 3_000_000)
    with row_progress(["x/a.csv", "x/b.csv"], screen) as begin:
        advance = begin("x/b.csv")
        seconds.now = 2.0
        advance(5000, 1_000_000, 4_000_000)
    with status(screen, "auditing") as say:
        seconds.now = 20.0
        say("auditing: half of it")
    assert capsys.readouterr().err.splitlines() == [
        "reading: 1.5 of 3.0 MB (50%)",
        "2/2 b.csv: 5,000 rows, 2,500 rows/s, 1.0 of 4.0 MB (25%)",
        "auditing",
        "auditing: half of it",
    ]


def test_what_comes_through_a_pipe_has_no_share(seconds, capsys):
    with row_progress(["-"], Screen(progress="plain")) as begin:
        advance = begin("-")
        seconds.now = 1.0
        advance(10, 2_000_000, 0)
    assert capsys.readouterr().err == "-: 10 rows, 10 rows/s, 2.0 MB\n"


def test_plain_lines_stand_beside_rows_on_standard_output(run, shop_model, tmp_path):
    (tmp_path / "in.csv").write_text("text\nWhere is my parcel?\n")
    shown = run("predict", shop_model, "in.csv", "--progress", "plain")
    assert shown.stdout.splitlines() == ["text,prediction", "Where is my parcel?,delivery"]
    assert re.fullmatch(r"in\.csv: 1 rows, [\d,]+ rows/s, 0\.0 of 0\.0 MB \(100%\)\n", shown.stderr)
    assert run("predict", shop_model, "in.csv").stderr == ""


def test_every_command_that_reads_has_plain_lines(run, shop_model):
    for command in (["inspect"], ["evaluate", shop_model], ["convert", "-o", "out.jsonl"]):
        shown = run(*command, SHOP_MESSAGES, "--progress", "plain")
        assert shown.returncode == 0
        assert "reading: " in shown.stderr


def test_on_a_terminal_nothing_is_drawn_where_lines_or_nothing_are_wanted(on_terminal, shop_model, tmp_path):
    predict = ("predict", shop_model, SHOP_MESSAGES, "-o", str(tmp_path / "out.csv"), "--force", "--progress")
    plain = on_terminal("stderr", *predict, "plain")
    assert b"shop_messages.csv: 549 rows" in plain
    assert b"\x1b" not in plain
    assert on_terminal("stderr", *predict, "none").count(b"rows/s") == 1  # the summary


def round_of(screen: Screen, metric: str = "accuracy") -> None:
    """A search reports its first round, the best recipe first."""
    trials = [
        SimpleNamespace(
            metric=metric, n_train=351, recipe=SimpleNamespace(name=name), score=SimpleNamespace(value=value)
        )
        for name, value in (("svm", 0.8), ("naive Bayes", 0.7))
    ]
    with RunProgress(screen) as watcher:
        watcher.stage("searching")
        watcher.trials(1, 2, trials[:1], 2)
        watcher.trials(1, 2, trials, 2)


@pytest.mark.usefixtures("seconds")
def test_a_training_says_a_line_a_round_off_a_terminal(capsys):
    said = "Round 1 of 2: 2 recipes on 351 texts; the best so far is svm (accuracy 0.800).\n"
    round_of(Screen())
    assert capsys.readouterr().err == said
    round_of(Screen(progress="plain"))
    assert capsys.readouterr().err == f"searching · 0 s\n{said}"
    round_of(Screen(progress="none"))
    assert capsys.readouterr().err == ""


def test_unknown_way_of_progress(run):
    shown = run("inspect", SHOP_MESSAGES, "--progress", "plan")
    assert shown.returncode == 2
    assert "Error: --progress must be one of 'plain', 'auto', 'none'. Got 'plan' instead." in shown.stderr


def test_a_training_is_done_when_the_whole_command_is(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr("assay.cli.clock.time", SimpleNamespace(monotonic=lambda: 2000.0))
    options = ["--learner", "nb", "--ngrams", "1", "-o", str(tmp_path / "m.assay")]
    assert main(["train", str(SHOP_MESSAGES), *options], began=500.0) == 0
    assert "Done in 1500.0 s." in capsys.readouterr().out
    assert main(["info"]) == 0
    assert seconds_so_far() == 0  # of another command, begun when it was asked for
