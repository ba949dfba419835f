"""What commands print fits a window of 80 columns, and has no spaces at the ends of lines."""

from __future__ import annotations

import shutil

import pytest

from assay.samples import SHOP_MESSAGES

COMMANDS = {
    "train": ("train", "{data}", "-o", "m.assay", "--learner", "logistic", "--ngrams", "1-2", "--holdout", "0.2"),
    "evaluate": ("evaluate", "{model}", "{data}"),
    "compare": ("compare", "{model}", "{scores}", "{data}"),
    "compare three": ("compare", "{model}", "{scores}", "{model}", "{data}"),
    "audit": ("audit", "{model}", "{data}"),
    "inspect data": ("inspect", "{data}"),
    "inspect model": ("inspect", "{model}"),
    "explain": ("explain", "{model}", "Where is my parcel? It should have been here last week already."),
    "cluster": ("cluster", "{data}", "-k", "4", "-o", "clusters.csv"),
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS.keys())
def test_results_fit_80_columns(run, shop_model, score_model, tmp_path, command):
    # Some of it repeats the names that were given: those of this test are short wherever the project lies.
    places = {"data": "shop_messages.csv", "model": "shop.assay", "scores": "scores.assay"}
    for name, file in zip(places.values(), (SHOP_MESSAGES, shop_model, score_model), strict=True):
        shutil.copy(file, tmp_path / name)
    done = run(*(part.format(**places) for part in command))
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines
    assert [line for line in lines if len(line) > 80] == []
    assert [line for line in lines if line != line.rstrip()] == []
