"""``assay card``: results of the very model, found by itself or refused."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def trained(run: Run, tmp_path: Path) -> Path:
    """Two models with their run folders, of the same data and another strength."""
    rows = [f"win money {i},spam\nlunch at noon {i},ham" for i in range(20)]
    (tmp_path / "mail.csv").write_text("\n".join(["text,label", *rows]) + "\n", encoding="utf-8")
    for name, strength in (("one", "1"), ("two", "0.1")):
        done = run(
            *("train", "mail.csv", "-o", f"{name}.assay", "--learner", "nb", "--ngrams", "1", "--holdout", "0.2"),
            *("--C", strength),
        )
        assert done.returncode == 0, done.stderr
    return tmp_path


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_results_say_which_model_they_are_of(run: Run, trained: Path) -> None:
    of = {"file": "one.assay", "sha256": sha256(trained / "one.assay")}
    assert json.loads(run("evaluate", "one.assay", "mail.csv", "--json").stdout)["model"] == of
    assert json.loads(run("audit", "one.assay", "--swaps", "gender", "--json").stdout)["model"] == of
    assert json.loads((trained / "one.run" / "metrics.json").read_text("utf-8"))["model"] == of


def test_the_run_folder_beside_the_model_is_found(run: Run, trained: Path) -> None:
    done = run("card", "one.assay")
    assert done.returncode == 0, done.stderr
    assert "the evaluation is that of one.run/metrics.json" in done.stderr
    assert "| accuracy |" in (trained / "one.card.md").read_text("utf-8")


def test_what_lies_beside_the_model_but_is_of_another_is_left_and_said_to_be(run: Run, trained: Path) -> None:
    (trained / "one.assay").write_bytes((trained / "two.assay").read_bytes())
    done = run("card", "one.assay")
    assert done.returncode == 0, done.stderr
    assert "the evaluation beside the model was not used" in done.stderr
    assert "No evaluation was given" in (trained / "one.card.md").read_text("utf-8")


def test_the_metrics_of_a_run_are_an_evaluation(run: Run, trained: Path) -> None:
    done = run("card", "one.assay", "--evaluation", "one.run/metrics.json", "-o", "card.md")
    assert done.returncode == 0, done.stderr
    assert "| accuracy |" in (trained / "card.md").read_text("utf-8")


@pytest.mark.parametrize("kind", ["evaluation", "audit"])
def test_results_of_another_model_are_refused_with_both_digests(run: Run, trained: Path, kind: str) -> None:
    command = (
        ("evaluate", "two.assay", "mail.csv") if kind == "evaluation" else ("audit", "two.assay", "--swaps", "age")
    )
    (trained / "of-two.json").write_text(run(*command, "--json").stdout, encoding="utf-8")
    done = run("card", "one.assay", f"--{kind}", "of-two.json")
    assert done.returncode == 3
    assert f"of-two.json: this {kind} is of another model: of two.assay" in done.stderr
    assert sha256(trained / "one.assay") in done.stderr
    assert sha256(trained / "two.assay") in done.stderr
    assert not (trained / "one.card.md").exists()


def test_a_run_in_which_nothing_was_measured_has_no_evaluation(run: Run, trained: Path) -> None:
    assert run("train", "mail.csv", "-o", "all.assay", "--learner", "nb", "--ngrams", "1").returncode == 0
    done = run("card", "all.assay", "--evaluation", "all.run/metrics.json")
    assert done.returncode == 3
    assert "nothing was held out in this run" in done.stderr
    assert "--test" in done.stderr


def test_a_result_that_names_no_model_is_taken_with_a_note(run: Run, trained: Path) -> None:
    found = json.loads(run("evaluate", "one.assay", "mail.csv", "--json").stdout)
    del found["model"]
    (trained / "old.json").write_text(json.dumps(found), encoding="utf-8")
    done = run("card", "one.assay", "--evaluation", "old.json")
    assert done.returncode == 0, done.stderr
    assert "old.json does not say which model it is of" in done.stderr
