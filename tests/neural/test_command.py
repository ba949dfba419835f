"""`assay train` with networks: what the installed command says about bad input, and Ctrl-C in the midst of it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import assay
from assay.cli.main import main

from .conftest import LABELS, TEXTS

ASSAY = Path(sys.executable).with_name("assay")
NETWORKS = ("cnn", "averaging", "recurrent", "feedforward")
SETTINGS = """
[[recipes]]

[recipes.network]
name = "{name}"

[recipes.network.settings]
{settings}
"""


def write_texts(path, rows):
    path.write_text("text,label\n" + "".join(f'"{text}",{label}\n' for text, label in rows), encoding="utf-8")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder with a file of texts in it, in which commands are run."""
    write_texts(tmp_path / "texts.csv", zip(TEXTS, LABELS, strict=True))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


@pytest.fixture
def train(folder, capsys):
    """Run the command in this process, where PyTorch is loaded already: its exit code and what it wrote."""

    def train(*arguments, data="texts.csv"):
        code = main(["train", data, *arguments, "-o", "m.assay", "--threads", "1"])
        return code, *capsys.readouterr()

    return train


def settings(name, **chosen):
    lines = "\n".join(f"{key} = {value!r}" for key, value in chosen.items())
    Path("settings.toml").write_text(SETTINGS.format(name=name, settings=lines), encoding="utf-8")
    return "--settings", "settings.toml", "--holdout", "0"


def nothing_is_left(folder):
    return not [path.name for path in folder.iterdir() if path.name.startswith("m.")]


@pytest.mark.parametrize("learner", NETWORKS)
@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("", "a"), (" ", "b")] * 5, "bad.csv, row 2: column 'text' is empty. Use --skip-empty"),
        (
            [(f"text {i}", "a") for i in range(9)],
            "bad.csv: all 9 texts have the label 'a'. A classifier needs examples of two",
        ),
        ([("one", "a"), ("two", "b")], "bad.csv: 2 of the 2 classes have one text only"),
    ],
    ids=["empty texts", "one class", "two texts"],
)
def test_texts_that_cannot_be_learned_from_are_refused(train, folder, learner, rows, message):
    write_texts(folder / "bad.csv", rows)
    code, _, error = train("--learner", learner, data="bad.csv")
    assert code == 3
    assert message in error
    assert nothing_is_left(folder)


@pytest.mark.parametrize("learner", NETWORKS)
def test_a_label_seen_once_is_trained_on_and_said(train, folder, learner):
    write_texts(folder / "once.csv", [*zip(TEXTS, LABELS, strict=True), ("only once", "rare")])
    code, shown, error = train("--learner", learner, "--epochs", "1", data="once.csv")
    assert code == 0, error
    assert "Classes with one text only, which was trained on" in " ".join(shown.split())
    assert "rare" in assay.load("m.assay").labels


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"2 3\ngreat 1 0\ndull 0 1 0\n", "words.vec, line 2: after the word 'great' there must be 3 numbers"),
        (
            b"1 3\ngreat 1 nan 0\n",
            "words.vec, line 2: the vector of 'great' holds NaN or infinity. Leave the word out.",
        ),
        (bytes(range(256)), "words.vec, line 1: expected the number of words and of dimensions"),
        (b"", "words.vec, line 1: expected the number of words and of dimensions"),
        (None, "words.vec: there is no such file. --vectors names it"),
    ],
    ids=["too few numbers", "NaN", "bytes", "empty", "missing"],
)
def test_vectors_that_cannot_be_read_are_named_with_the_place(train, folder, content, message):
    if content is not None:
        (folder / "words.vec").write_bytes(content)
    code, _, error = train("--learner", "cnn", "--vectors", "words.vec")
    assert code == 3
    assert message in error
    assert nothing_is_left(folder)


def test_vectors_of_another_dimension_are_named(train, folder):
    (folder / "words.vec").write_text("1 3\ngreat 1 0 0\n", encoding="utf-8")
    code, _, error = train(*settings("cnn", embedding_size=5, vectors="words.vec"))
    assert code == 2
    assert "The vectors have 3 numbers each, but embedding_size=5. Leave embedding_size out, or give vectors" in error
    assert nothing_is_left(folder)


def test_a_loss_that_is_no_number_from_the_beginning_leaves_no_model(train, folder):
    code, _, error = train(*settings("cnn", learning_rate=1e30, batch_size=8))
    assert code == 1
    assert re.search(r"Error: The loss became nan in epoch 1, update \d\. The likely cause is a learning rate", error)
    assert "No epoch had ended: there is no model." in error
    assert nothing_is_left(folder)


@pytest.mark.parametrize("validation", [0.0, 0.25])
def test_a_loss_that_is_no_number_later_leaves_the_best_model_and_says_so(train, folder, validation):
    diverging = {"learning_rate": 1e8, "optimiser": "sgd", "batch_size": 64, "validation": validation}
    code, shown, error = train(*settings("averaging", **diverging))
    assert code == 0, error
    said = " ".join(shown.split())
    assert re.search(r"The loss became (nan|inf) in epoch \d, [\w ]+\. The likely cause is a learning rate that", said)
    assert re.search(r"too high, 1e\+08: divide it by ten.* The weights of epoch \d are kept\.", said)
    assert np.isfinite(assay.load("m.assay").predict_proba(TEXTS)).all()
    assert not Path("m.checkpoint").exists()


def test_what_another_training_left_is_not_taken_for_that_of_a_linear_model(train, folder):
    (folder / "m.checkpoint").write_text("")
    code, _, error = train("--learner", "nb", "--ngrams", "1")
    assert code == 0, error
    assert "interrupted" not in error


def test_a_model_that_was_cut_off_is_refused_everywhere(train, folder, capsys):
    assert train("--learner", "averaging", "--epochs", "1")[0] == 0
    file = folder / "m.assay"
    file.write_bytes(file.read_bytes()[:3000])
    for command in (
        ["predict", "m.assay", "great"],
        ["explain", "m.assay", "great"],
        ["evaluate", "m.assay", "texts.csv"],
    ):
        assert main(command) == 3
        assert capsys.readouterr().err.startswith("Error: m.assay: this is no model, or the file is damaged")


def test_ctrl_c_during_training_and_the_same_command_again_give_the_same_bytes(folder):
    small = settings("cnn", embedding_size=24, filters=16, epochs=90)
    command = ["train", "texts.csv", *small, "--threads", "1"]
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    how = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True, "env": environment}
    with subprocess.Popen([ASSAY, *command, "-o", "long.assay"], **how) as process:
        for line in process.stderr:
            if line.startswith("epoch  3/90"):
                process.send_signal(signal.SIGINT)
                break
        rest = process.stderr.read()
    assert process.returncode == 130
    assert "The training is kept in long.checkpoint: the same command goes on from there.\nInterrupted.\n" in rest
    assert not Path("long.assay").exists()
    again = subprocess.run([ASSAY, *command, "-o", "long.assay"], capture_output=True, text=True, check=False)
    assert again.returncode == 0, again.stderr
    assert "Going on with the training that was interrupted (long.checkpoint)." in again.stderr
    assert "epoch  2/90" not in again.stderr
    assert main([*command, "-o", "whole.assay", "--quiet"]) == 0
    assert Path("whole.assay").read_bytes() == Path("long.assay").read_bytes()
