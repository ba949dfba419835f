"""The report's section on texts from elsewhere."""

from __future__ import annotations

import numpy as np

from assay.report.build import render_report
from assay.training import TrainingSettings, run_training

WORDS = {"a": "parcel post late", "b": "money card bank", "c": "shoe size color"}


def test_the_report_says_what_a_threshold_stops_and_draws_it_where_a_class_could_be_left_out():
    random = np.random.default_rng(0)
    for labels in (["a", "b", "c"] * 15, ["a", "b"] * 15):
        texts = [" ".join([*random.choice(WORDS[label].split(), 3), random.choice(["my", "the"])]) for label in labels]
        settings = TrainingSettings.chosen(learner="svm", ngrams="1", folds=3)
        page = render_report(run_training((texts, labels), settings))
        assert "Texts from elsewhere" in page
        assert "a threshold that stops one in a hundred of the texts it is made for stops" in " ".join(page.split())
        assert ("What a threshold stops, and what it costs" in page) == (len(set(labels)) == 3)


def test_a_model_that_cannot_say_it_has_no_such_section():
    settings = TrainingSettings.chosen(learner="svm", ngrams="1", holdout=0.25)
    texts = ["loved it", "so dull", "great fun", "a dull mess", "loved the fun", "dull, dull"] * 4
    page = render_report(run_training((texts, ["pos", "neg"] * 12), settings))
    assert "Texts from elsewhere" not in page
