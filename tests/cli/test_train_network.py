"""Networks on the command line: trained, and then used as any other model."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from assay import load
from assay.samples import load_sample

Run = Callable[..., subprocess.CompletedProcess[str]]
ONE = ("--threads", "1")


@pytest.fixture(scope="module")
def messages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some of the sample's messages as JSON Lines."""
    path = tmp_path_factory.mktemp("network") / "messages.jsonl"
    rows = list(load_sample())[::3]
    path.write_text("".join(json.dumps({"text": t, "label": y}) + "\n" for t, y in rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def trained(messages: Path) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """A network of these messages, and what the command said."""
    import sys

    command = [Path(sys.executable).with_name("assay"), "train", messages.name, "--learner", "averaging", *ONE]
    environment = os.environ | {"COLUMNS": "80"}
    done = subprocess.run(
        command, cwd=messages.parent, capture_output=True, text=True, env=environment, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return messages.with_name("messages.assay"), done


def test_a_network_is_trained_tested_shown_and_kept(trained, messages: Path) -> None:
    model, done = trained
    for expected in (
        "Chosen: averaging network",
        "Trained for ",
        "the best was number ",
        "The test, on ",
        "The worst mistakes",
        "messages.assay",
    ):
        assert expected in done.stdout
    assert "epoch " in done.stderr
    folder = model.with_name("messages.run")
    assert {"settings.toml", "metrics.json", "predictions.parquet", "card.md", "report.html"} == {
        path.name for path in folder.iterdir()
    }
    metrics = json.loads((folder / "metrics.json").read_text("utf-8"))
    assert metrics["evaluation"]["metrics"]["accuracy"]["value"] > 0.5
    assert not model.with_name("messages.checkpoint").exists()


def test_the_report_shows_how_it_learned(trained) -> None:
    report = (trained[0].with_name("messages.run") / "report.html").read_text("utf-8")
    assert "How it learned" in report
    assert 'id="curves-' in report
    assert "What speaks for each class" not in report
    assert "which is not exact" in report


def test_the_settings_of_a_run_repeat_it_to_the_bit(run: Run, trained, messages: Path) -> None:
    model, _ = trained
    again = model.with_name("again.assay")
    settings = model.with_name("messages.run") / "settings.toml"
    assert 'name = "averaging"' in settings.read_text("utf-8")
    done = run("train", messages, "--settings", settings, "-o", again, *ONE)
    assert done.returncode == 0, done.stderr
    assert again.read_bytes() == model.read_bytes()


def test_other_commands_take_it(run: Run, trained, messages: Path) -> None:
    model, _ = trained
    done = run("predict", model, "where is my parcel", "--proba")
    assert done.returncode == 0, done.stderr
    assert "delivery" in done.stdout
    done = run("predict", model, messages, "-o", "answers.csv", "--quiet")
    assert done.returncode == 0, done.stderr
    done = run("evaluate", model, messages, "--json")
    assert json.loads(done.stdout)["metrics"]["accuracy"]["value"] > 0.6
    done = run("inspect", model)
    assert "a network of 5 classes" in done.stdout
    assert json.loads(run("inspect", model, "--json").stdout)["network"] == "AveragingNetwork"


def test_it_is_compared_with_a_linear_model(run: Run, trained, messages: Path) -> None:
    model, _ = trained
    assert run("train", messages, "--learner", "nb", "--ngrams", "1", "-o", "linear.assay").returncode == 0
    done = run("compare", model, "linear.assay", messages, "--json")
    assert done.returncode == 0, done.stderr
    assert "difference" in json.loads(done.stdout)


def test_a_decision_is_explained_by_leaving_words_out(run: Run, trained) -> None:
    done = run("explain", trained[0], "where is my parcel")
    assert done.returncode == 0, done.stderr
    assert "Not exact" in done.stdout
    assert "parcel" in done.stdout
    assert json.loads(run("explain", trained[0], "where is my parcel", "--json").stdout)["kind"] == "occlusion"
    done = run("explain", trained[0])
    assert done.returncode == 2
    assert "a network has no weight" in done.stderr


def test_ctrl_c_keeps_the_training_and_the_same_command_goes_on(assay_command: Path, messages: Path) -> None:
    command = [assay_command, "train", messages, "--learner", "averaging", "--epochs", "400", "-o", "long.assay", *ONE]
    folder = messages.parent
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for line in process.stderr:
        if line.startswith("epoch   3/400"):  # whose loss is the best so far, as is that of every early epoch
            process.send_signal(signal.SIGINT)
            break
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "The training is kept in long.checkpoint: the same command goes on from there." in said
    assert not (folder / "long.assay").exists()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=True)
    assert "Going on with the training that was interrupted (long.checkpoint)." in done.stderr
    assert "epoch   3/400" not in done.stderr
    assert not (folder / "long.checkpoint").exists()
    assert len(load(folder / "long.assay").history_.epochs) > 4


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--learner", "cnm"), "There is no learner 'cnm'. Learners are 'cnn', "),
        (("--learner", "cnn", "--ngrams", "1"), "ngrams is for linear learners, and 'cnn' is a network. Got '1'."),
        (("--learner", "svm", "--epochs", "3"), "--epochs is for networks. Choose one with --learner: cnn, "),
        (("--learner", "cnn", "--folds", "5"), "folds must be 0 for a network"),
        (("--learner", "cnn", "--epochs", "0"), "'epochs' parameter of ConvolutionalNetwork must be"),
        (("--learner", "cnn", "--vectors", "none.vec"), "none.vec"),
    ],
)
def test_what_does_not_go_together_is_said(run: Run, messages: Path, options, message: str) -> None:
    done = run("train", messages, *options)
    assert done.returncode in (2, 3)
    assert message in done.stderr
