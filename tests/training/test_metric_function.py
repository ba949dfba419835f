"""A search that compares by a function of one's own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import assay
from assay.data.corpus.corpus import Corpus
from assay.errors import ParameterError
from assay.report import write_report
from assay.training import TrainingRun, TrainingSettings, run_training
from assay.training.settings_file import read_settings, settings_text


def share_right(truth: np.ndarray, said: np.ndarray) -> float:
    return float(np.mean(truth == said))


def test_a_function_finds_what_the_same_metric_by_name_finds(
    searched: TrainingRun, sample: Corpus, tmp_path: Path
) -> None:
    run = run_training(sample, TrainingSettings(folds=3, metric=share_right), threads=2)
    assert [member.recipe for member in run.members] == [member.recipe for member in searched.members]
    named = searched.cross_validation.scores["accuracy"].mean()  # before what choosing by it has added is taken off
    ours = run.cross_validation["share_right"].value
    assert ours == pytest.approx(named, abs=1e-12)  # a mean of 0 and 1, and a sum over cells of a matrix
    assert (run.to_dict()["metric"], run.model.provenance["metric"]) == ("share_right", "share_right")
    assert {trial.metric for trial in run.trials} == {"share_right"}
    assert run.comparison.metric == "accuracy"

    write_report(run, tmp_path / "report.html")
    assert "compared by share right" in (tmp_path / "report.html").read_text("utf-8")

    (tmp_path / "settings.toml").write_text(settings_text(run, {}), "utf-8")
    again = read_settings(str(tmp_path / "settings.toml")).settings
    assert again == replace(run.settings, metric="accuracy", wishes=again.wishes, recipes=again.recipes)
    assert again.recipes == tuple(member.recipe for member in run.members)


def test_the_search_takes_what_the_function_prefers(two_topics: Corpus) -> None:
    """Right answers cost: the worst recipe wins, which no metric by name would choose."""
    chosen: dict[str, Any] = {"learner": "nb", "ngrams": "1", "folds": 2, "combine": 1}
    asked = []

    def wrong(truth: np.ndarray, said: np.ndarray) -> float:
        asked.append((truth.dtype.kind, {*truth}, {*said} <= {*truth}))
        return -share_right(truth, said)

    run = run_training(two_topics, TrainingSettings.chosen(metric=wrong, **chosen), threads=1)
    assert run.cross_validation["wrong"].value == -1
    assert asked[0] == ("U", {"food", "sport"}, True)


def test_train_takes_a_function(two_topics: Corpus) -> None:
    model = assay.train(two_topics, metric=share_right, budget=0.1, folds=2, threads=1)
    assert model.provenance["metric"] == "share_right"


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        (lambda truth, said: [1.0, 2.0], r"A metric must give one number\. <lambda> gave list of shape \(2,\)"),
        (3, r"^metric must be a text or a function or None\. Got 3 instead\."),
        ("acuracy", r"There is no metric 'acuracy'\. Metrics are 'accuracy'"),
    ],
)
def test_what_is_no_metric_is_refused(two_topics: Corpus, metric: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        assay.train(two_topics, metric=metric, budget=0.1, folds=2, threads=1)
