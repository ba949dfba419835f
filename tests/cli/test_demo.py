from __future__ import annotations

import json

import pytest


@pytest.mark.parametrize("columns", ["80", "120"])
def test_demo_shows_the_sample_and_its_telling_words_within_the_terminal(run, columns):
    shown = run("demo", COLUMNS=columns)
    assert (shown.returncode, shown.stderr) == (0, "")
    words = " ".join(shown.stdout.split())
    assert "The sample: 549 texts in 5 classes" in words
    assert "parcel 32/7 card 21/7 is the 30/17 back 39/21 thank 15/5" in words
    assert "assay inspect FILE" in words
    assert max(map(len, shown.stdout.splitlines())) <= int(columns)


def test_demo_as_json(run):
    facts = json.loads(run("demo", "--json").stdout)
    assert facts["profile"]["n_texts"] == 549
    best = facts["telling_ngrams"]["delivery"][0]
    assert (best["ngram"], best["inside"], best["outside"]) == ("parcel", 32, 7)


def test_readme_shows_the_real_output(run, pytestconfig):
    readme = (pytestconfig.rootpath / "README.md").read_text("utf-8")
    shown = "\n".join(line.rstrip() for line in run("demo").stdout.splitlines())
    assert shown in readme
