from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import assay
from assay.data.corpus.corpus import Corpus
from assay.errors import DataError, ParameterError
from assay.training import TrainingRun, TrainingSettings, Trial, run_training
from assay.training.learner_settings import LearnerSettings
from assay.training.refit import fit_one
from assay.training.watching import Silent


def file_of(run: TrainingRun, path: Path) -> bytes:
    run.model.save(path)
    return path.read_bytes()


def test_a_search_finds_a_model_that_beats_guessing(searched: TrainingRun) -> None:
    assert searched.evaluation is not None
    assert searched.comparison is not None
    assert searched.comparison.significant
    assert searched.searched
    assert searched.evaluation.outcomes.probabilities is not None
    assert searched.cross_validation is not None
    assert searched.cross_validation["accuracy"].value > 0.6


def test_the_parts_share_no_text(searched: TrainingRun, sample: Corpus) -> None:
    assert searched.test is not None
    assert not set(searched.train.texts.to_pylist()) & set(searched.test.texts.to_pylist())
    assert len(searched.train) + len(searched.test) == len(sample)


def test_every_training_text_was_predicted_by_a_model_that_had_not_seen_it(searched: TrainingRun) -> None:
    assert searched.cross_validation is not None
    tested = np.concatenate([fold.test for fold in searched.cross_validation.folds])
    assert sorted(tested) == list(range(len(searched.train)))


def test_same_data_settings_and_seed_give_the_same_file_for_any_number_of_threads(
    sample: Corpus, searched: TrainingRun, tmp_path: Path
) -> None:
    again = run_training(sample, TrainingSettings(folds=3), threads=1)
    assert file_of(again, tmp_path / "a") == file_of(searched, tmp_path / "b")


def test_no_recipe_learns_from_the_same_texts_twice(
    two_topics: Corpus, searched: TrainingRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len({trial.round for trial in searched.trials}) > 1
    fits: list[tuple[LearnerSettings, bytes]] = []

    def fit(self: LearnerSettings, X: Any, *given: Any, **further: Any) -> Any:
        fits.append((self, X.indptr.tobytes() + X.indices.tobytes() + X.data.tobytes()))
        return original(self, X, *given, **further)

    original = LearnerSettings.fit
    monkeypatch.setattr(LearnerSettings, "fit", fit)
    run = run_training(two_topics, TrainingSettings(folds=3), threads=1)
    assert len({trial.round for trial in run.trials}) > 1
    assert len(fits) == len(set(fits))


def test_the_recipes_of_a_run_repeat_it_to_the_bit_without_a_search(
    sample: Corpus, searched: TrainingRun, tmp_path: Path
) -> None:
    recipes = tuple(member.recipe for member in searched.members)
    again = run_training(sample, replace(searched.settings, recipes=recipes), threads=2)
    assert len(again.trials) == len(recipes)
    assert file_of(again, tmp_path / "a") == file_of(searched, tmp_path / "b")


def test_the_model_is_the_weighted_sum_of_its_members(searched: TrainingRun) -> None:
    texts = searched.train.texts
    labels = searched.labels
    classes = np.array([labels.index(name) for name in searched.train.label_names], np.int32)[searched.train.classes]
    total = np.zeros((len(searched.train), len(labels)))
    for member in searched.members:
        alone = fit_one(texts, classes, labels, member.recipe, seed=0, threads=1).model
        total += member.weight * alone.decision_function(texts)
    # Weights are kept in single precision.
    assert searched.model.decision_function(texts) == pytest.approx(total, rel=1e-4, abs=1e-3)


def test_another_seed_divides_the_data_otherwise(sample: Corpus, searched: TrainingRun) -> None:
    other = run_training(sample, TrainingSettings.chosen(learner="nb", ngrams="1", holdout=0.2, seed=1))
    assert other.test is not None
    assert searched.test is not None
    assert set(other.test.texts.to_pylist()) != set(searched.test.texts.to_pylist())


def test_by_hand_everything_is_trained_on_and_nothing_tried(two_topics: Corpus) -> None:
    run = run_training(two_topics, TrainingSettings.chosen(learner="svm", ngrams="1-2"))
    assert run.trials == ()
    assert run.evaluation is None
    assert len(run.train) == len(two_topics)
    assert run.model.predict(["soup with cheese", "the team"]).tolist() == ["food", "sport"]


def test_by_hand_with_folds_the_model_has_calibrated_probabilities(two_topics: Corpus) -> None:
    plain = run_training(two_topics, TrainingSettings.chosen(learner="svm", ngrams="1"))
    assert not hasattr(plain.model, "predict_proba")
    run = run_training(two_topics, TrainingSettings.chosen(learner="svm", ngrams="1", folds=3))
    assert run.model.predict_proba(["soup bread"])[0, 0] > 0.9


def test_words_and_characters_together_by_hand(two_topics: Corpus) -> None:
    run = run_training(two_topics, TrainingSettings.chosen(learner="logistic", ngrams="1", chars="2-3", holdout=0.3))
    assert len(run.model.model.features) == 2
    assert run.evaluation is not None
    assert run.evaluation.accuracy.value == 1.0


@pytest.mark.parametrize("metric", ["macro_f1", "log_loss", "roc_auc"])
def test_any_metric_can_be_searched_by(metric: str, two_topics: Corpus) -> None:
    run = run_training(two_topics, TrainingSettings.chosen(learner="nb", metric=metric, folds=3, budget=5))
    assert run.cross_validation is not None
    assert run.cross_validation[metric].defined


def test_the_classifier_of_assay_train_was_trained_on_all_texts(two_topics: Corpus) -> None:
    model = assay.train(two_topics, learner="nb", chars="2-3", seed=3)
    assert model.provenance["data"]["rows"] == 60
    assert model.provenance["seed"] == 3
    assert model.predict(["bread"]).tolist() == ["food"]


def test_texts_without_spaces_can_be_learned(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    words = {"吃": ["面包", "奶酪", "汤"], "球": ["比赛", "进球", "球队"]}
    rows = [("".join(random.choice(words[k], 4)), k) for k in words for _ in range(40)]
    run = run_training(([text for text, _ in rows], [label for _, label in rows]), TrainingSettings(folds=3))
    assert run.evaluation is not None
    assert run.evaluation.accuracy.value > 0.9


def test_a_budget_that_is_used_up_is_said(two_topics: Corpus) -> None:
    run = run_training(two_topics, TrainingSettings(folds=3, budget=1e-6))
    assert any("The budget of 1e-06 s ended the search early" in note for note in run.notes)
    assert run.model.predict(["bread"]).tolist() == ["food"]


def test_the_watcher_is_told_of_stages_and_trials(two_topics: Corpus) -> None:
    class Noting:
        def __init__(self) -> None:
            self.stages: list[str] = []
            self.counts: list[int] = []

        def stage(self, text: str) -> None:
            self.stages.append(text)

        def trials(self, round: int, of: int, trials: Sequence[Trial], n_recipes: int) -> None:
            self.counts.append(len(trials))

    watcher = Noting()
    run_training(two_topics, TrainingSettings.chosen(learner="svm", folds=3), watcher=watcher)
    assert watcher.stages[0] == "dividing the data"
    assert "testing" in watcher.stages
    assert max(watcher.counts) > 4


@pytest.mark.parametrize(("metric", "sign"), [("log_loss", 1), ("accuracy", -1)])
def test_the_watcher_hears_of_the_best_recipe_first(two_topics: Corpus, metric: str, sign: int) -> None:
    class Noting(Silent):
        def trials(self, round: int, of: int, trials: Sequence[Trial], n_recipes: int) -> None:
            means = [sign * trial.scores.mean() for trial in trials]
            assert means == sorted(means)
            heard.append(len(set(means)))

    heard: list[int] = []
    run_training(two_topics, TrainingSettings.chosen(learner="svm", folds=3, metric=metric), watcher=Noting())
    assert heard


class TestDataThatCannotBeLearnedFrom:
    def test_one_class(self) -> None:
        with pytest.raises(
            DataError, match=r"all 2 texts have the label 'x'. A classifier needs examples of two classes"
        ):
            assay.train(["a b", "c d"], ["x", "x"])

    def test_two_rows(self) -> None:
        with pytest.raises(DataError, match=r"2 of the 2 classes have one text only, in 2 texts: too few to learn"):
            assay.train(["good film", "bad film"], ["pos", "neg"])

    def test_two_rows_are_enough_by_hand(self) -> None:
        model = assay.train(["good film", "bad film"], ["pos", "neg"], learner="svm", ngrams="1")
        assert model.predict(["bad"]).tolist() == ["neg"]

    def test_all_texts_equal(self) -> None:
        with pytest.raises(DataError, match=r"all 20 texts are the same, so nothing tells their 2 classes apart"):
            assay.train(["the same text"] * 20, ["a", "b"] * 10)

    def test_texts_without_a_word(self) -> None:
        with pytest.raises(DataError, match=r"has anything of 'words 1' in it"):
            assay.train(["!", "?", "…"], ["a", "b", "a"], learner="svm", ngrams="1")

    def test_a_limit_that_leaves_no_ngram(self) -> None:
        with pytest.raises(ParameterError, match=r"max_df=1.0 is 3 and min_df=5 is 5 of 3 documents. Lower min_df"):
            assay.train(["one", "two", "one"], ["a", "b", "a"], learner="svm", ngrams="1", features={"min_df": 5})

    def test_a_label_that_only_the_test_has(self, two_topics: Corpus) -> None:
        test = Corpus(["soup", "goal", "x"], ["food", "sport", "fod"], source="test.csv")
        with pytest.raises(DataError, match=r"test.csv, row 3: the label 'fod' \(1 of 3 test texts have it\) does not"):
            run_training(two_topics, test=test)

    def test_a_class_smaller_than_the_folds_is_trained_and_said(self, two_topics: Corpus) -> None:
        texts = [*two_topics.texts.to_pylist(), "rain wind storm", "cloud rain snow"]
        labels = [label for _, label in two_topics] + ["weather"] * 2
        run = run_training((texts, labels), TrainingSettings.chosen(learner="svm", folds=5, holdout=0))
        assert "weather" in run.labels
        assert any(
            "fewer training texts than the 5 folds of the cross-validation: 'weather' (2)" in n for n in run.notes
        )

    def test_more_classes_than_can_be_searched_with(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("assay.training.train._MOST_SCORES", 10_000)
        texts = [f"word{i} thing{i} {j}" for i in range(200) for j in ("one", "two")]
        run = run_training((texts, [f"class {i}" for i in range(200) for _ in range(2)]), TrainingSettings(holdout=0))
        assert run.trials == ()
        assert "200 classes in 400 texts are too many to compare recipes" in run.notes[0]
        assert run.model.predict(["word7 thing7"]).tolist() == ["class 7"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"learner": "smv"}, "There is no learner 'smv'. Learners are 'svm'"),
        ({"ngrams": "2-1"}, "ngrams must be a range of numbers from 1 to 100, such as 1-2. Got '2-1' instead."),
        ({"chars": "x"}, "chars must be a range of numbers"),
        ({"C": 0}, "C must be a number above 0. Got 0 instead."),
        ({"budget": "soon"}, "budget must be a time such as 60s, 2m or 1h. Got 'soon' instead."),
        ({"holdout": 1.5}, "holdout must be a share of the texts"),
        ({"folds": 1}, "folds must be 0"),
        ({"combine": 0}, "combine must be at least 1. Got 0 instead."),
        ({"seed": -1}, "seed must be a whole number from 0"),
        ({"class_weight": "heavy"}, "class_weight must be 'balanced', or factors such as spam=2,ham=1."),
        ({"class_weight": {"a": -1}}, "class_weight of 'a' must be a number above 0. Got -1 instead."),
        ({"features": {"mindf": 1}}, "There is no setting 'mindf' of a block of features. Settings are 'min_df'"),
        ({"learner_settings": {"aplha": 1}}, "There is no setting 'aplha' of a learner. Settings are 'alpha'"),
        ({"budget": 0.0}, "budget must be a time"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError) as raised:
        TrainingSettings.chosen(**settings)  # type: ignore[arg-type]
    assert message in str(raised.value)


def test_an_unknown_metric_is_refused_before_the_search(two_topics: Corpus) -> None:
    with pytest.raises(ParameterError, match=r"There is no metric 'acuracy'. Metrics are 'accuracy'"):
        run_training(two_topics, TrainingSettings(metric="acuracy"))


def test_a_test_of_other_shares_is_held_against_its_own_commonest_class(two_topics: Corpus) -> None:
    for n_food, commonest in ((2, "sport"), (12, "food")):
        labels = ["food"] * n_food + ["sport"] * (14 - n_food)
        words = {"food": "soup with bread", "sport": "goal of the team"}
        test = Corpus([f"{words[label]} on day{i} at place{i} by man{i}" for i, label in enumerate(labels)], labels)
        run = run_training(two_topics, TrainingSettings.chosen(learner="svm", folds=3), test=test)
        assert run.baseline.label == commonest
        assert run.verdict.commonest == commonest
        assert run.comparison.second_value == pytest.approx(12 / 14)
