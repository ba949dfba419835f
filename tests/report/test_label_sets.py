"""The report of a training on sets of labels, and the page of an evaluation of one."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from assay.data.corpus.corpus import Corpus
from assay.prediction.set_rule import SetRule
from assay.report import render_report
from assay.report.evaluation import render_evaluation
from assay.report.sections.documents import documents_section
from assay.report.sections.measured import measured
from assay.report.sections.results import results_section
from assay.report.sections.set_results import set_results
from assay.report.threshold_figure import threshold_curve, threshold_figure
from assay.samples import load_sample
from assay.training.settings import TrainingSettings
from assay.training.train import run_training


@pytest.fixture(scope="module")
def run():
    return run_training(load_sample(multi_label=True), TrainingSettings.chosen(holdout=0.3), threads=2)


@pytest.fixture(scope="module")
def page(run):
    return render_report(run)


def words(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def test_sample_trains_to_something_better_than_a_constant_answer(run):
    assert run.verdict.kind == "useful"
    assert run.evaluation["micro_f1"].low > run.verdict.constant_micro_f1


def test_first_screen_stands_beside_the_best_constant_answer(run, page):
    told = words(page)
    assert "Which of 7 labels does a text have? It may have several, or none." in told
    assert "than giving every text the same labels." in told
    verdict = run.verdict
    assert f"Its micro-F1 is {verdict.micro_f1:.3f}; giving every text" in told
    for name in ("Micro F1", "Macro F1", "Exactly right", "… always giving"):
        assert name in told
    assert "Hardest label" in told


def test_a_threshold_that_all_labels_share_is_not_called_their_own(run):
    measured_on = measured(run)
    values = np.full(len(run.labels), 0.25)
    rules = [SetRule(run.labels, "each", values), SetRule(run.labels, "each", values + np.arange(len(values)) / 100)]
    said = []
    for rule in rules:
        found = run.model.model
        said.append(
            set_results(measured_on.evaluation, dict(zip(found.labels, found.labels, strict=True)), {}, rule).rule
        )
    assert "one threshold for all" in said[0]
    assert "a threshold of its own" in said[1]


def test_data_says_how_many_labels_a_text_has_and_which_come_together(page):
    told = words(page)
    assert "How many labels a text has" in told
    assert "Labels that come together" in told
    assert "label by label" in told


def test_labels_come_worst_first_with_their_thresholds(run):
    results = results_section(measured(run), run.model)
    f1 = [row.f1.value for row in results.classes]
    assert f1 == sorted(f1)
    rule = run.model.decision.rule
    assert {row.label: row.threshold for row in results.classes} == dict(
        zip(rule.labels, rule.thresholds().tolist(), strict=True)
    )
    assert {row.label for row in results.sets.calibration} == set(run.labels)
    assert results.sets.curves[0].label == results.classes[0].label
    share = {row.label: row.share for row in results.sets.calibration}
    assert share["fees"] == run.evaluation.counts.documents[run.evaluation.labels.index("fees")] / len(run.test)


def test_texts_can_be_found_by_what_was_missed_and_by_what_was_too_many(run, page):
    shown = documents_section(run.model, measured(run))
    truth, said = run.evaluation.outcomes.truth.table(), run.evaluation.outcomes.predicted.table()
    assert shown.n_mistakes == int((truth != said).any(axis=1).sum())
    labels = np.array(run.evaluation.labels)
    for item in shown.mistakes:
        missed = set(item.missed.split("\n")) - {""}
        assert missed == set(labels[truth[item.row] & ~said[item.row]])
        assert item.about in missed | set(item.spurious.split("\n"))
    assert "Given wrongly" in page
    sure = [item.sureness for item in shown.mistakes]
    assert sure == sorted(sure, reverse=True)


def test_threshold_curve_has_the_figures_of_the_labels_given_there():
    probabilities, has_it = np.array([0.9, 0.6, 0.55, 0.1]), np.array([True, False, True, True])
    curve = threshold_curve(probabilities, has_it)
    assert curve["precision"][50] == pytest.approx(2 / 3)
    assert curve["recall"][50] == pytest.approx(2 / 3)
    assert np.isnan(curve["precision"][-1])
    figure = threshold_figure(curve, 0.5, "<b>")
    assert "&lt;b&gt;" in figure
    assert "nan" not in figure


def test_page_of_an_evaluation_has_the_same_parts(run):
    page = words(render_evaluation(run.evaluation, model=run.model, corpus=run.test, name="town"))
    for part in ("How good is town on these", "Label by label", "What another threshold would do", "Missed"):
        assert part in page


@pytest.mark.parametrize("kind", ["top", "at-least-one", "shared"])
def test_other_rules_are_said(run, kind):
    labels = run.model.labels
    values = {"top": np.empty(0), "at-least-one": np.full(len(labels), 0.4), "shared": np.array([0.4])}[kind]
    changed = replace(run.model.model, rule=SetRule(labels, kind, values, 1 if kind == "top" else 0))
    section = results_section(measured(run), changed)
    assert section.sets.rule.endswith("; this was chosen inside the training texts.")


def test_a_model_that_was_measured_on_nothing_says_so(run):
    alone = replace(run, test=None, split=None, evaluation=None, cross_validation=None, comparison=None)
    told = words(render_report(alone))
    assert "How good it is, is not known ." in told
    assert "with 7 labels, all of them used for the training." in told


def test_a_model_with_scores_alone_has_no_curves_and_no_thresholds():
    settings = TrainingSettings.chosen(learner="svm", ngrams="1", holdout=0.3)
    run = run_training(load_sample(multi_label=True), settings, threads=2)
    results = results_section(measured(run), run.model)
    assert (results.sets.curves, results.sets.calibration) == ((), ())
    assert results.sets.rule == "A label is given where its score is above 0."
    told = words(render_report(run))
    assert "What another threshold would do" not in told
    assert "Mistakes" in told


def test_the_most_typical_texts_are_different_texts(run):
    on = measured(run)
    typical = [item.row for item in documents_section(run.model, on).typical]
    assert len(typical) == len(set(typical)) > 1
    texts = [on.corpus[typical[0]].text if row in typical else text for row, (text, _) in enumerate(on.corpus)]
    copied = Corpus(texts).with_label_sets(on.corpus.label_sets, on.corpus.label_names, changes={})
    found = documents_section(run.model, replace(on, corpus=copied)).typical
    shown = [texts[item.row] for item in found]
    assert len(shown) == len(set(shown)) > 1
