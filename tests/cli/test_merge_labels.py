"""Labels that differ only in case or blanks, through every command that reads labels."""

from __future__ import annotations

import json
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from assay import load

Run = Callable[..., subprocess.CompletedProcess[str]]
BY_HAND = ("--learner", "nb", "--ngrams", "1")
SENTENCE = "3 labels differ only in case or blanks: 'Spam' (20), 'spam' (10), 'spam ' (10)"


@pytest.fixture
def spellings(tmp_path: Path) -> Path:
    path = tmp_path / "mail.csv"
    labels = ["Spam", "spam", "Spam", "spam "] * 10
    rows = [f"win money {i},{label}\nlunch at noon {i},ham" for i, label in enumerate(labels)]
    path.write_text("\n".join(["text,label", *rows]) + "\n", encoding="utf-8")
    return path


def test_without_the_option_a_warning_names_it_and_the_screen_says_it_first(run: Run, spellings: Path) -> None:
    done = run("train", spellings, *BY_HAND, "--holdout", "0.2")
    assert f"Warning: {SENTENCE}. They are taken for different classes; --merge-labels makes them one." in done.stderr
    assert done.stdout.startswith("! 3 labels look like spellings of one.\n  'Spam' (20), 'spam' (10), 'spam ' (10)\n")
    assert "  'spam '" in done.stdout, "the table of classes quotes what would look the same"
    page = spellings.with_name("mail.run").joinpath("report.html").read_text("utf-8")
    first = page.index("3 labels differ only in case or blanks")
    assert first < page.index("<h1")
    assert "&#39;spam &#39;" in page


def test_a_run_with_the_option_is_repeated_by_its_settings(run: Run, spellings: Path) -> None:
    done = run("train", spellings, *BY_HAND, "--holdout", "0.2", "--merge-labels")
    assert "merged: 'spam' (10), 'spam ' (10) into 'Spam' (20)" in done.stderr
    assert "look like spellings" not in done.stdout
    folder = spellings.with_name("mail.run")
    assert tomllib.loads((folder / "settings.toml").read_text("utf-8"))["data"]["merge_labels"] is True
    assert "Labels that differ only in case or blanks were merged" in (folder / "report.html").read_text("utf-8")
    assert "Labels that differ only in case or blanks were merged" in (folder / "card.md").read_text("utf-8")
    model = spellings.with_name("mail.assay")
    assert load(model).labels == ("Spam", "ham")
    first = model.read_bytes()
    again = model.with_name("again.assay")
    assert run("train", "--settings", folder / "settings.toml", "-o", again).returncode == 0
    assert again.read_bytes() == first


def test_a_person_who_says_yes_gets_what_the_option_gives(answered, run: Run, spellings: Path) -> None:
    code, said = answered("y\n", "train", spellings, *BY_HAND)
    assert code == 0, said
    assert f"{SENTENCE}. Merge them? [y/N]" in said
    asked = spellings.with_name("mail.assay").read_bytes()
    assert run("train", spellings, *BY_HAND, "--merge-labels", "--force").returncode == 0
    assert spellings.with_name("mail.assay").read_bytes() == asked
    assert "merge_labels = true" in spellings.with_name("mail.run").joinpath("settings.toml").read_text("utf-8")


def test_a_strange_answer_is_asked_for_again(answered, spellings: Path) -> None:
    code, said = answered("ja\nmaybe\nY\n", "train", spellings, *BY_HAND)
    assert code == 0, said
    assert said.count("Merge them? [y/N]") == 3
    assert "ja is neither y (yes) nor n (no)." in said
    assert load(spellings.with_name("mail.assay")).labels == ("Spam", "ham")


def test_a_person_who_says_nothing_or_no_does_not(answered, spellings: Path) -> None:
    code, said = answered("\n", "train", spellings, *BY_HAND)
    assert code == 0, said
    assert "neither" not in said
    assert load(spellings.with_name("mail.assay")).labels == ("Spam", "ham", "spam", "spam ")


def test_other_spellings_than_the_models_are_refused_with_the_way_out(run: Run, spellings: Path) -> None:
    run("train", spellings, *BY_HAND, "--merge-labels")
    test = spellings.with_name("test.csv")
    test.write_text("text,label\nmoney,SPAM\nmoney,SPAM\nlunch,ham\n", encoding="utf-8")
    refused = run("evaluate", "mail.assay", test)
    assert refused.returncode == 3
    assert "'SPAM' differs only in case or blanks from the model's 'Spam': use --merge-labels" in refused.stderr
    for command in (
        ("evaluate", "mail.assay", test),
        ("compare", "mail.assay", "mail.assay", test),
        ("audit", "mail.assay", test, "--swaps", "none"),
        ("card", "mail.assay", "--test", test),
    ):
        done = run(*command, "--merge-labels")
        assert done.returncode == 0, done.stderr
        assert "merged: 'SPAM' (2) into 'Spam'" in done.stderr


def test_a_test_file_takes_the_spellings_of_the_training_file(run: Run, spellings: Path) -> None:
    test = spellings.with_name("test.csv")
    test.write_text("text,label\nmoney,SPAM\nlunch,ham\n", encoding="utf-8")
    refused = run("train", spellings, *BY_HAND, "--test", test)
    assert refused.returncode == 3
    assert "differs only in case or blanks from 'Spam', which does: use --merge-labels" in refused.stderr
    assert run("train", spellings, *BY_HAND, "--test", test, "--merge-labels").returncode == 0


def test_inspect_shows_the_classes_merged(run: Run, spellings: Path) -> None:
    apart, merged = (
        json.loads(run("inspect", spellings, "--json", *more).stdout) for more in ((), ("--merge-labels",))
    )
    assert [item["label"] for item in apart["classes"]] == ["ham", "Spam", "spam", "spam "]
    assert [(item["label"], item["count"]) for item in merged["classes"]] == [("Spam", 40), ("ham", 40)]
    assert "--merge-labels" in next(f["advice"] for f in apart["findings"] if f["kind"] == "similar_labels")


def test_convert_writes_one_spelling(run: Run, spellings: Path) -> None:
    done = run("convert", spellings, "--merge-labels", "-o", "merged.jsonl")
    assert done.returncode == 0, done.stderr
    assert "merged: 'spam' into 'Spam', 'spam ' into 'Spam'" in done.stderr
    lines = spellings.with_name("merged.jsonl").read_text("utf-8").splitlines()
    assert {json.loads(line)["label"] for line in lines} == {"Spam", "ham"}


def test_convert_cannot_count_the_spellings_of_standard_input(run: Run) -> None:
    done = run("convert", "-", "--merge-labels", "--to", "jsonl", stdin="text,label\na,x\n")
    assert done.returncode == 2
    assert "standard input can be read only once" in done.stderr
