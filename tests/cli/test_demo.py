"""``assay demo`` through the installed command: the whole way on the sample."""

from __future__ import annotations

import json
import re

import pytest

from assay.samples import SHOP_MESSAGES, TOWN_MESSAGES, load_sample


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The demo, run once: its folder and what it printed."""
    import os
    import subprocess
    import sys
    from pathlib import Path

    folder = tmp_path_factory.mktemp("demo")
    command = [Path(sys.executable).with_name("assay"), "demo"]
    done = subprocess.run(command, cwd=folder, capture_output=True, env=os.environ | {"COLUMNS": "80"}, check=False)
    return folder, done


def test_demo_trains_tests_explains_and_says_what_is_next(demo):
    _, done = demo
    shown = done.stdout.decode()
    assert (done.returncode, done.stderr) == (0, b"")
    words = " ".join(shown.split())
    for part in (
        "The sample: 549 texts in 5 classes",
        "What was tried: ",
        "The test, on 110 texts that had no part in any of this",
        "What tells the classes apart",
        "Why? assay explain assay-demo/shop.assay",
        "Without 'courier' it would be",
        "assay train FILE",
    ):
        assert part in words
    assert max(map(len, shown.splitlines())) <= 80


def test_demo_writes_model_run_folder_and_report(demo, run):
    folder, _ = demo
    written = folder / "assay-demo"
    assert (written / "shop.run" / "report.html").stat().st_size < 2_000_000
    labelled = run("predict", written / "shop.assay", "Where is my parcel?")
    assert labelled.stdout.split()[0] == "delivery"


def test_demo_may_be_run_again_and_elsewhere(run, tmp_path):
    for force in ([], ["--force"]):
        done = run("demo", "--json", "-o", "elsewhere/here", *force)
        assert done.returncode == 0
    facts = json.loads(done.stdout)
    assert facts["profile"]["n_texts"] == 549
    assert facts["training"]["evaluation"]["metrics"]["accuracy"]["value"] > 0.75
    assert facts["explanation"]["label"] == "delivery"
    assert (tmp_path / facts["files"]["report"]).is_file()


def test_sample_is_written_for_other_commands_and_replaces_nothing_unasked(run, tmp_path):
    done = run("demo", "--write", "reviews.csv")
    assert (done.returncode, done.stdout) == (0, "549 messages to a shop, in 5 classes → reviews.csv\n")
    assert (tmp_path / "reviews.csv").read_bytes() == SHOP_MESSAGES.read_bytes()
    assert len(load_sample()) == 549
    again = run("demo", "--write", "reviews.csv")
    assert (again.returncode, again.stdout) == (2, "")
    assert "reviews.csv: the file exists. Use --force" in again.stderr
    facts = json.loads(run("demo", "--write", "reviews.csv", "--force", "--json").stdout)
    assert facts == {"files": {"sample": "reviews.csv"}}
    assert [path.name for path in tmp_path.iterdir()] == ["reviews.csv"]


def test_readme_shows_the_real_output_but_for_its_numbers(demo, pytestconfig):
    readme = (pytestconfig.rootpath / "README.md").read_text("utf-8")
    block = readme.partition("```text\n")[2].partition("```")[0]
    shown = "\n".join(line.rstrip() for line in demo[1].stdout.decode().splitlines())
    for part in block.split("\n  …\n"):
        assert re.sub(r"[\d.]", "0", part.strip("\n")) in re.sub(r"[\d.]", "0", shown)


def test_demo_of_several_labels_trains_explains_and_writes(run, tmp_path):
    done = run("demo", "--multi-label", "--json", "-o", "town")
    assert done.returncode == 0
    facts = json.loads(done.stdout)
    assert facts["profile"]["n_texts"] == 178
    verdict = facts["training"]["verdict"]
    assert verdict["kind"] == "useful"
    assert verdict["micro_f1"] > verdict["constant_micro_f1"]
    assert set(facts["explanation"]["label"]) == {"fees", "parking"}
    shown = run("explain", "town/town.assay", "Loud music at night", "--class", "noise")
    assert "'noise' is given: its probability is" in shown.stdout
    card = run("card", "town/town.assay", "-o", "card.md")
    assert card.returncode == 0
    assert "### By label" in (tmp_path / "card.md").read_text(encoding="utf-8")
    assert (tmp_path / "town" / "town.run" / "report.html").is_file()


def test_sample_of_several_labels_is_written_as_it_is(run, tmp_path):
    done = run("demo", "--multi-label", "--write", "town.csv")
    assert "178 messages to a town office" in done.stdout
    assert (tmp_path / "town.csv").read_bytes() == TOWN_MESSAGES.read_bytes()
    run("demo", "--multi-label", "-o", "town", "--json")
    arguments = ("audit", "town/town.assay", "town.csv", "--labels-separator", "|")
    listed = run(*arguments, "--swaps", "none", "--label-errors", "list.csv")
    assert listed.returncode == 0
    assert (tmp_path / "list.csv").is_file()
    assert "assay train town.csv --corrections list.csv --labels-separator '|'" in " ".join(listed.stderr.split())
    audited = run(*arguments, "--swaps", "none", "--no-label-errors")
    assert audited.returncode == 0
    assert "exactly right" in audited.stdout
