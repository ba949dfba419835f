from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from scipy import sparse

from assay.data.corpus.corpus import Corpus
from assay.training import TrainingRun, TrainingSettings, run_training
from assay.training.candidates import Wishes, candidate_recipes
from assay.training.fold_matrices import FoldMatrices
from assay.training.plan import plan_rounds, texts_of_opening
from assay.training.prices import Prices
from assay.training.racing import behind_the_best, going_on, worth_reading
from assay.training.refit import text_matrix
from assay.training.trials import Finalist, Material, Trial
from assay.training.yardstick import Yardstick

TEXTS = 400


def finalists(scores: list[np.ndarray], truth: np.ndarray, recipes: list) -> list[Finalist]:
    right = [float(np.mean(table.argmax(axis=1) == truth)) for table in scores]
    trials = [Trial(r, 1, 300, np.array([a]), 1.0, 0.25, "accuracy") for r, a in zip(recipes, right, strict=True)]
    return [Finalist(trial, table, np.arange(len(truth))) for trial, table in zip(trials, scores, strict=True)]


@pytest.fixture
def recipes() -> list:
    found = candidate_recipes(Wishes(), n_texts=5000, spaces=True)
    kinds = {(recipe.blocks, recipe.learner.name): recipe for recipe in found}
    return list(kinds.values())


def material_of(truth: np.ndarray) -> Material:
    labels = ("a", "b")
    rows = np.arange(truth.size)
    read = FoldMatrices(pa.array(["text"] * truth.size), 1)
    return Material(read, truth, labels, rows, rows % 5, Yardstick("accuracy", labels), 0, 1)


def scores_of(signal: np.ndarray) -> np.ndarray:
    return np.column_stack([-signal, signal])


def test_a_recipe_far_behind_that_helps_nobody_is_out(recipes: list) -> None:
    random = np.random.default_rng(0)
    truth = random.integers(0, 2, TEXTS).astype(np.int32)
    sign = 2 * truth - 1
    good = sign * 1.0 + random.normal(0, 0.6, TEXTS)
    bad = random.normal(0, 1, TEXTS)
    prices = Prices(TEXTS, 2, dict.fromkeys((block for recipe in recipes for block in recipe.blocks), 10_000))
    ranked = finalists([scores_of(good), scores_of(bad)], truth, recipes[:2])
    assert going_on(material_of(truth), ranked, prices, 4) == recipes[:1]


def test_a_recipe_that_loses_alone_goes_on_where_the_best_is_better_with_it(recipes: list) -> None:
    random = np.random.default_rng(1)
    truth = random.integers(0, 2, TEXTS).astype(np.int32)
    sign = 2 * truth - 1
    best = sign + random.normal(0, 0.9, TEXTS)
    other = sign + random.normal(0, 1.5, TEXTS)  # its mistakes are others
    prices = Prices(TEXTS, 2, dict.fromkeys((block for recipe in recipes for block in recipe.blocks), 10_000))
    ranked = finalists([scores_of(best), scores_of(other)], truth, recipes[:2])
    right = [(finalist.held_out.argmax(axis=1) == truth) for finalist in ranked]
    assert behind_the_best(right[0], right[1], np.ones(TEXTS)) > 1.5
    assert going_on(material_of(truth), ranked, prices, 4) == recipes[:2]


def test_of_one_kind_only_the_best_strength_goes_on(recipes: list) -> None:
    found = candidate_recipes(Wishes("svm"), n_texts=5000, spaces=True)[:3]
    truth = np.tile(np.int32([0, 1]), TEXTS // 2)
    same = scores_of(2.0 * truth - 1)
    prices = Prices(TEXTS, 2, dict.fromkeys((block for recipe in found for block in recipe.blocks), 10_000))
    ranked = finalists([same, same, same], truth, found)
    assert going_on(material_of(truth), ranked, prices, 4) == found[:1]
    assert going_on(material_of(truth), ranked, prices, 4, strengths=2) == found[:2]


def test_other_features_are_tried_with_the_strengths_that_did_well_on_the_first() -> None:
    found = candidate_recipes(Wishes("svm"), n_texts=5000, spaces=True)
    first = [recipe for recipe in found if recipe.blocks == found[0].blocks]
    others = [recipe for recipe in found if recipe.blocks != found[0].blocks]
    truth = np.tile(np.int32([0, 1]), TEXTS // 2)
    good = scores_of(2.0 * truth - 1)
    worse = good.copy()
    worse[:20] *= -1
    ranked = finalists([good, worse, worse], truth, first)
    kept = worth_reading(material_of(truth), ranked, others)
    assert [recipe.learner for recipe in kept] == [first[0].learner] * (len(others) // len(first))
    as_good = finalists([good, good, worse], truth, first)
    assert len(worth_reading(material_of(truth), as_good, others)) == 2 * len(kept)
    assert worth_reading(material_of(truth), ranked, candidate_recipes(Wishes("nb"), n_texts=5000, spaces=True))


def test_much_text_is_opened_by_a_sample_and_raced_on_few_folds() -> None:
    recipes = candidate_recipes(Wishes(), n_texts=20_000, spaces=True)
    blocks = {block for recipe in recipes for block in recipe.blocks}
    prices = Prices(20_000, 2, dict.fromkeys(blocks, 6_000_000))
    opening, race, last = plan_rounds(prices, recipes, 5, 40, texts_of_opening(20_000, 26_000_000))
    assert opening.n_texts < 5000
    assert (race.n_texts, race.n_train, race.tested) == (20_000, 16_000, 1)
    assert (last.n_train, last.tested) == (16_000, 5)
    assert race.most > last.most


def test_the_counts_of_a_search_make_the_matrix_of_a_fit(sample: Corpus) -> None:
    recipe = candidate_recipes(Wishes(), n_texts=5000, spaces=True)[0]
    read = FoldMatrices(sample.texts, 1)
    read.count(recipe.blocks)
    taken, fresh = read.take(recipe.blocks), text_matrix(sample.texts, recipe.blocks, 1)
    assert taken is not None
    assert taken.features[0].n_columns == fresh.features[0].n_columns
    assert taken.X.indices.tolist() == fresh.X.indices.tolist()
    # The squares of a row are added up in another order.
    assert taken.X.data == pytest.approx(fresh.X.data, rel=1e-6)
    assert read.take(recipe.blocks) is None


def test_random_labels_are_cross_validated_at_chance() -> None:
    random = np.random.default_rng(5)
    words = np.array([f"w{k}" for k in range(300)])
    texts = [" ".join(random.choice(words, 12)) for _ in range(2400)]
    labels = [str(k) for k in random.integers(0, 2, len(texts))]
    run: TrainingRun = run_training((texts, labels), TrainingSettings(folds=3, holdout=0.0), threads=1)
    assert len({trial.round for trial in run.trials}) > 1
    assert run.cross_validation is not None
    # Four standard errors of 2,400 coin tosses.
    assert abs(run.cross_validation["accuracy"].value - 0.5) < 0.041


def test_a_recipe_that_overruns_its_price_is_stopped_and_named(
    two_topics: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assay.training.candidates.most_passes", lambda *_: 1)
    run = run_training(two_topics, TrainingSettings(folds=3), threads=1)
    assert any(trial.stopped for trial in run.trials)
    (note,) = [note for note in run.notes if "stopped at 4 times its price" in note]
    assert "after 1 pass over the counts" in note
    assert any(candidate["stopped"] for candidate in run.to_dict()["candidates"])


def test_counted_passes_correct_the_price_of_a_recipe() -> None:
    recipes = candidate_recipes(Wishes("svm"), n_texts=TEXTS, spaces=True)
    usual = Prices(TEXTS, 2, dict.fromkeys((block for recipe in recipes for block in recipe.blocks), 10_000))
    slow = usual.learned({recipes[0]: 20.0, recipes[1]: 0.0})
    assert slow.seconds(recipes[:1], TEXTS, 1) > 1.5 * usual.seconds(recipes[:1], TEXTS, 1)
    assert slow.seconds(recipes[1:2], TEXTS, 1) == usual.seconds(recipes[1:2], TEXTS, 1)


def test_a_solver_of_a_search_takes_no_more_passes_than_four_times_its_price() -> None:
    """Rows that no hyperplane tells apart, far more of them than features: coordinate descent crawls there."""
    random = np.random.default_rng(3)
    X = sparse.random(3000, 200, 0.05, "csr", np.float32, random_state=random)
    classes = random.integers(0, 3, 3000).astype(np.int32)
    for recipe in candidate_recipes(Wishes("svm"), n_texts=3000, spaces=True):
        strict = replace(recipe.learner, tolerance=1e-12).fit(X, classes, ("a", "b", "c"))
        assert (strict.iterations <= recipe.learner.max_iterations).all()
        # Newton's method counts the passes of conjugate gradients inside its steps; one that has begun is ended.
        assert strict.work.max() <= (recipe.learner.max_iterations + 5) * (X.nnz + X.shape[0])
        found = recipe.learner.fit(X, classes, ("a", "b", "c"))
        assert 1 <= found.passes_over(X) <= recipe.learner.max_iterations


def test_large_weights_are_fitted_one_after_the_other_to_the_same_bits(
    two_topics: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = []
    for most in (1 << 26, 1):
        monkeypatch.setattr("assay.training.room.MOST_WEIGHTS", most)
        runs.append(run_training(two_topics, TrainingSettings(folds=3), threads=2))
    beside, after = (run.model.predict_proba(list(two_topics.texts.to_pylist())[:50]) for run in runs)
    assert np.array_equal(beside, after)
    assert [trial.scores.tolist() for trial in runs[0].trials] == [trial.scores.tolist() for trial in runs[1].trials]
