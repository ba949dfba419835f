"""What the search does where a class is rare: another metric, class weights, thresholds; and nothing where none is."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.data.corpus.corpus import Corpus
from assay.evaluation.decisions.prior_weights import choose_prior_weights
from assay.evaluation.metrics.catalogue import LabelMetric, parse_metric
from assay.training import TrainingRun, TrainingSettings, run_training
from assay.training.rare_classes import balanced_recipes, is_skewed, looks_at_rare_classes
from assay.training.settings_file import read_settings, settings_text


def messages(n: int, n_rare: int, seed: int = 0) -> Corpus:
    """Texts of which a few are of a rare class, with words that it shares with the others half of the time."""
    random = np.random.default_rng(seed)
    common = [" ".join(f"w{i}" for i in random.integers(0, 60, 8)) for _ in range(n - n_rare)]
    rare = [" ".join(f"w{i}" for i in random.integers(20, 70, 8)) for _ in range(n_rare)]
    return Corpus(common + rare, ["keep"] * len(common) + ["remove"] * n_rare)


@pytest.fixture(scope="module")
def skewed() -> Corpus:
    return messages(600, 24)


@pytest.fixture(scope="module")
def run(skewed: Corpus) -> TrainingRun:
    return run_training(skewed, TrainingSettings.chosen(learner="logistic", folds=3), threads=2)


@pytest.mark.parametrize(("counts", "skewed"), [([90, 18], False), ([90, 17], True), ([40, 40, 9], True)])
def test_a_class_is_rare_below_a_third_of_an_equal_share(counts: list[int], skewed: bool) -> None:
    assert is_skewed(np.repeat(np.arange(len(counts), dtype=np.int32), counts), len(counts)) is skewed


def test_skewed_data_are_led_by_a_metric_that_sees_rare_classes(run: TrainingRun, skewed: Corpus) -> None:
    by_accuracy = TrainingSettings.chosen(learner="logistic", folds=3, metric="accuracy")
    other = run_training(skewed, by_accuracy, threads=2)
    assert (run.settings.metric, other.settings.metric) == ("macro_f1", "accuracy")
    assert any("less than a third of an equal share" in note and "metric='accuracy'" in note for note in run.notes)
    assert not any("equal share" in note for note in other.notes)
    assert any(", balanced, words 1–2" in trial.recipe.name for trial in run.trials)
    assert not any("balanced" in trial.recipe.name for trial in other.trials)
    assert run.model.model.rule is not None
    assert run.model.provenance["rule"] == "threshold"
    assert other.model.model.rule is None
    fresh = messages(3000, 120, seed=1)
    found, before = (assay.evaluate(model, fresh, n_resamples=1) for model in (run.model, other.model))
    assert found["recall:remove"].value > before["recall:remove"].value + 0.1
    assert found.macro_f1.value > before.macro_f1.value + 0.01


def test_the_settings_of_a_skewed_run_repeat_it(run: TrainingRun, skewed: Corpus, tmp_path) -> None:
    (tmp_path / "settings.toml").write_text(settings_text(run, {}))
    again = run_training(skewed, read_settings(str(tmp_path / "settings.toml")).settings, threads=1)
    assert again.model.model.rule is not None
    assert run.model.model.rule is not None
    assert again.model.model.rule.values.tolist() == run.model.model.rule.values.tolist()
    assert np.array_equal(again.model.model.weights, run.model.model.weights)


def test_answers_of_the_cross_validation_are_by_rules_chosen_without_them(run: TrainingRun) -> None:
    assert run.cross_validation is not None
    outcomes, folds = run.cross_validation.outcomes, run.cross_validation.folds
    assert outcomes.probabilities is not None
    metric = parse_metric("macro_f1", outcomes.labels)
    assert isinstance(metric, LabelMetric)
    for fold in folds:
        others = outcomes.probabilities[fold.train], outcomes.truth[fold.train]
        rule = choose_prior_weights(*others, outcomes.labels, metric)
        assert np.array_equal(rule.apply(outcomes.probabilities[fold.test]), outcomes.predicted[fold.test])
    assert not np.array_equal(outcomes.predicted, outcomes.probabilities.argmax(axis=1))


def test_even_classes_are_searched_as_before() -> None:
    corpus = messages(200, 60)
    settings = TrainingSettings.chosen(learner="logistic", folds=3)
    run = run_training(corpus, settings, threads=2)
    asked = run_training(corpus, TrainingSettings.chosen(learner="logistic", folds=3, metric="accuracy"), threads=2)
    assert run.settings.metric == "accuracy"
    assert run.model.model.rule is None
    assert np.array_equal(run.model.model.weights, asked.model.model.weights)
    assert not any("balanced" in trial.recipe.name for trial in run.trials)


@pytest.mark.parametrize(
    ("metric", "tuned"),
    [
        *[(metric, True) for metric in ("macro_f1", "balanced_accuracy", "f2:remove")],
        *[(metric, False) for metric in ("accuracy", "weighted_f1", "recall:remove", "log_loss")],
    ],
)
def test_only_metrics_that_weigh_both_kinds_of_mistakes_are_tuned_for(metric: str, tuned: bool) -> None:
    classes = np.repeat(np.arange(2, dtype=np.int32), [97, 3])
    assert looks_at_rare_classes(TrainingSettings.chosen(metric=metric), classes, 2) is tuned


def test_factors_that_were_chosen_for_the_classes_are_left_alone(skewed: Corpus) -> None:
    settings = TrainingSettings.chosen(learner="logistic", folds=3, class_weight={"remove": 4.0})
    run = run_training(skewed, settings, threads=2)
    assert run.model.model.rule is None
    assert {trial.recipe.learner.class_weight for trial in run.trials} == {(("remove", 4.0),)}


def test_recipes_that_cannot_weigh_classes_or_do_so_already_get_no_variant(run: TrainingRun) -> None:
    recipes = [trial.recipe for trial in run.trials]
    assert all(recipe.learner.class_weight == "balanced" for recipe in balanced_recipes(recipes))
    assert balanced_recipes(balanced_recipes(recipes)) == []


def test_of_several_classes_each_gets_a_weight_by_its_share() -> None:
    random = np.random.default_rng(0)
    truth = random.choice(3, 400, p=[0.8, 0.15, 0.05]).astype(np.int32)
    scores = random.normal(size=(400, 3)) + 1.5 * np.eye(3)[truth] + np.log([0.8, 0.15, 0.05])
    probabilities = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    metric = parse_metric("macro_f1", ("a", "b", "c"))
    assert isinstance(metric, LabelMetric)
    rule = choose_prior_weights(probabilities, truth, ("a", "b", "c"), metric)
    assert rule.kind == "weights"
    assert rule.values[0] < rule.values[1] < rule.values[2]
    found = np.mean([np.mean(rule.apply(probabilities)[truth == k] == k) for k in range(3)])
    assert found > np.mean([np.mean(probabilities.argmax(axis=1)[truth == k] == k) for k in range(3)])


def test_one_example_of_a_class_takes_no_confidence_from_the_others() -> None:
    words = {"fruit": "apple pear plum fig", "tool": "saw drill file plane", "sea": "wave tide reef shore"}
    texts = [f"{a} {b} {n}" for said in words.values() for a in said.split() for b in said.split() for n in range(3)]
    labels = [label for label in words for _ in range(48)]
    model = assay.train([*texts, "wood and wave"], [*labels, "odd"], learner="svm", ngrams="1-1", folds=4)
    assert model.predict(["a plum and a fig", "reef and tide"]).tolist() == ["fruit", "sea"]
    assert model.predict_proba(["a plum and a fig", "reef and tide"]).max(axis=1).min() > 0.6
