"""Networks on the command line: trained, and then used as any other model.

The command runs in this process: PyTorch would be loaded anew for every other one.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from assay import load
from assay.cli.main import main
from assay.cli.screens.training import RunProgress
from assay.samples import load_sample

ONE = ("--threads", "1")


class Done(NamedTuple):
    """What a command gave back and wrote."""

    code: int
    stdout: str
    stderr: str


Run = Callable[..., Done]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def run(*arguments: str | Path) -> Done:
        code = main(list(map(str, arguments)))
        return Done(code, *capsys.readouterr())

    return run


@pytest.fixture(scope="module")
def messages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some of the sample's messages as JSON Lines."""
    path = tmp_path_factory.mktemp("network") / "messages.jsonl"
    rows = list(load_sample())[::3]
    path.write_text("".join(json.dumps({"text": t, "label": y}) + "\n" for t, y in rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def model(messages: Path) -> Path:
    """A network of these messages."""
    code = main(["train", str(messages), "--learner", "averaging", "--epochs", "60", *ONE, "--quiet"])
    assert code == 0
    return messages.with_name("messages.assay")


def test_a_network_is_trained_tested_shown_and_kept(run: Run, messages: Path) -> None:
    done = run("train", messages, "--learner", "averaging", "--epochs", "30", *ONE, "-o", "shop.assay")
    assert done.code == 0, done.stderr
    for expected in (
        "Chosen: averaging network",
        "Trained for ",
        "The test, on ",
        "The worst mistakes",
        "shop.assay",
    ):
        assert expected in done.stdout
    assert "epoch  1/30: loss 1." in done.stderr
    assert {path.name for path in Path("shop.run").iterdir()} == {
        "settings.toml",
        "metrics.json",
        "predictions.parquet",
        "card.md",
        "report.html",
    }
    assert not Path("shop.checkpoint").exists()


def test_the_report_shows_how_it_learned(model: Path) -> None:
    report = (model.with_name("messages.run") / "report.html").read_text("utf-8")
    assert "How it learned" in report
    assert "loss after each pass over the training texts" in report
    assert "What speaks for each class" not in report
    assert "which is not exact" in report


def test_the_settings_of_a_run_repeat_it_to_the_bit(run: Run, model: Path, messages: Path) -> None:
    settings = model.with_name("messages.run") / "settings.toml"
    assert 'name = "averaging"' in settings.read_text("utf-8")
    done = run("train", messages, "--settings", settings, "-o", "again.assay", *ONE)
    assert done.code == 0, done.stderr
    assert Path("again.assay").read_bytes() == model.read_bytes()


def test_other_commands_take_it(run: Run, model: Path, messages: Path) -> None:
    done = run("predict", model, "where is my parcel", "--proba")
    assert done.code == 0, done.stderr
    assert "delivery" in done.stdout
    done = run("predict", model, messages, "-o", "answers.csv", "--quiet")
    assert done.code == 0, done.stderr
    assert len(Path("answers.csv").read_text("utf-8").splitlines()) > 180
    done = run("evaluate", model, messages, "--json")
    assert json.loads(done.stdout)["metrics"]["accuracy"]["value"] > 0.4  # of five classes, after few updates
    assert "a network of 5 classes" in run("inspect", model).stdout
    facts = json.loads(run("inspect", model, "--json").stdout)
    assert facts["network"] == "AveragingNetwork"
    assert facts["n_parameters"] > 1000
    assert run("card", model, "-o", "card.md").code == 0


def test_it_is_compared_with_a_linear_model(run: Run, model: Path, messages: Path) -> None:
    assert run("train", messages, "--learner", "nb", "--ngrams", "1", "-o", "linear.assay", "--quiet").code == 0
    done = run("compare", model, "linear.assay", messages, "--json")
    assert done.code == 0, done.stderr
    assert "difference" in json.loads(done.stdout)


def test_a_decision_is_explained_by_leaving_words_out(run: Run, model: Path) -> None:
    done = run("explain", model, "where is my parcel", "--html", "why.html")
    assert done.code == 0, done.stderr
    assert "Not exact" in done.stdout
    assert "parcel" in done.stdout
    assert "Not exact" in Path("why.html").read_text("utf-8")
    assert json.loads(run("explain", model, "where is my parcel", "--json").stdout)["kind"] == "occlusion"
    done = run("explain", model)
    assert done.code == 2
    assert "a network has no weight for each feature" in done.stderr


def test_ctrl_c_keeps_the_training_and_the_same_command_goes_on(
    run: Run, messages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ("train", messages, "--learner", "averaging", "--epochs", "9", "-o", "long.assay", *ONE)
    tell = RunProgress.epoch

    def press_ctrl_c(self: RunProgress, number: int, *others: object) -> None:
        tell(self, number, *others)  # type: ignore[arg-type]
        if number == 3:
            os.kill(os.getpid(), signal.SIGINT)

    with monkeypatch.context() as patch:
        patch.setattr(RunProgress, "epoch", press_ctrl_c)
        done = run(*command)
    assert done.code == 130
    assert "The training is kept in long.checkpoint: the same command goes on from there." in done.stderr
    assert not Path("long.assay").exists()
    done = run(*command)
    assert done.code == 0, done.stderr
    assert "Going on with the training that was interrupted (long.checkpoint)." in done.stderr
    assert "epoch 3/9" not in done.stderr
    assert "epoch 4/9" in done.stderr
    assert not Path("long.checkpoint").exists()
    whole = run(*command[:-4], "-o", "whole.assay", *ONE)
    assert whole.code == 0
    assert Path("whole.assay").read_bytes() == Path("long.assay").read_bytes()
    assert len(load("long.assay").history_.epochs) == 9


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--learner", "cnm"), "There is no learner 'cnm'. Learners are 'cnn', "),
        (("--learner", "cnn", "--ngrams", "1"), "ngrams is for linear learners, and 'cnn' is a network. Got '1'."),
        (("--learner", "svm", "--epochs", "3"), "--epochs is for networks. Choose one with --learner: cnn, "),
        (("--learner", "cnn", "--encoder", "x"), "--encoder is for --learner encoder, and this is --learner cnn"),
        (("--learner", "cnn", "--tuning", "all"), "--tuning is for --learner encoder, and this is --learner cnn"),
        (("--learner", "encoder", "--encoder", "x", "--epochs", "3"), "Leave it out, or add --tuning all to train all"),
        (("--learner", "cnn", "--folds", "5"), "folds must be 0 for a network"),
        (("--learner", "cnn", "--epochs", "0"), "--epochs must be a whole number"),
        (("--learner", "cnn", "--vectors", "none.vec"), "none.vec"),
    ],
)
def test_what_does_not_go_together_is_said(run: Run, messages: Path, options: tuple[str, ...], message: str) -> None:
    done = run("train", messages, *options, "-o", "x.assay")
    assert done.code in (2, 3)
    assert message in done.stderr
