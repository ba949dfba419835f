"""Texts that are nearly the same, through the commands."""

from __future__ import annotations

import csv
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
BY_HAND = ("--learner", "nb", "--ngrams", "1", "--holdout", "0.2")


@pytest.fixture
def mails(tmp_path: Path) -> Path:
    """100 e-mails with random labels, and each once more in capitals."""
    rng = np.random.default_rng(3)
    path = tmp_path / "mails.csv"
    texts = [" ".join(f"w{k}" for k in rng.integers(0, 900, 20)) for _ in range(100)]
    labels = rng.choice(["yes", "no"], 100).tolist()
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = zip([*texts, *map(str.upper, texts)], labels * 2, strict=True)
        csv.writer(file).writerows([("text", "label"), *rows])
    return path


def test_inspect_names_the_groups(run: Run, mails: Path) -> None:
    done = run("inspect", mails)
    assert "! 200 rows are nearly the same as another (100 groups): 'w" in " ".join(done.stdout.split())
    assert "--dedupe" in done.stdout
    assert "Nothing to put right was found" not in done.stdout
    assert "nearly the same" not in run("inspect", mails, "--dedupe").stdout


def test_convert_writes_one_of_each(run: Run, mails: Path) -> None:
    out = mails.with_name("one.jsonl")
    done = run("convert", mails, "-o", out, "--dedupe")
    assert "100 rows were left out as a copy or near-copy of an earlier one" in done.stderr
    assert [json.loads(line)["text"].islower() for line in out.read_text("utf-8").splitlines()] == [True] * 100


def test_train_says_what_it_kept_together_and_evaluate_what_was_known(run: Run, mails: Path) -> None:
    done = run("train", mails, *BY_HAND)
    said = " ".join(done.stdout.split())
    assert "200 rows are nearly the same as another (100 groups); each group was kept on the same side" in said
    assert "Each group of near-copies is tested once: 20 near-copies were left out of the test part" in said
    model = mails.with_suffix(".assay")
    told = run("evaluate", model, mails)
    assert "160 of 200 documents are known to the model from its training" in told.stderr
    assert "It is no better than guessing." in " ".join(told.stdout.split())  # on the texts that it does not know
    assert "160 texts more, known to it from its training, can be no test." in " ".join(told.stdout.split())
    again = mails.with_name("again.assay")
    run("train", mails, *BY_HAND, "-o", again, "--no-sketch", "--near-copies", "ignore", "--force")
    assert "known to the model" not in run("evaluate", again, mails).stderr
    compared = run("compare", model, again, mails)
    assert "mails: 160 of 200 documents are known to the model from its training" in compared.stderr
