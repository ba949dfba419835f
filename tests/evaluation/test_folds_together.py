"""The folds of a support vector machine, trained side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline

import assay
from assay.evaluation.protocols import folds_together
from assay.evaluation.protocols.fold_features import settings_of
from assay.evaluation.protocols.folds import Fold, FoldPlan, make_folds
from assay.evaluation.protocols.folds_together import can_score_together, score_together
from assay.evaluation.protocols.trainers import FeatureTrainer
from assay.features import TfidfVectorizer
from assay.learners import LinearSVC

CLOSE = 1e-6


@pytest.fixture(autouse=True)
def _small_data_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folds_together, "SMALL_MATRIX", 0)


def texts_of(labels: Sequence[int], *, telling: bool, seed: int = 0) -> list[str]:
    """Texts of random words, of which some are more frequent in texts of a label, if they are telling."""
    random = np.random.default_rng(seed)
    words = [f"w{k}" for k in range(400)]
    return [
        " ".join(random.choice(words, 12)) + (f" tells{label}" if telling and random.random() < 0.5 else "")
        for label in labels
    ]


def pipeline(*, tol: float = CLOSE, **settings: Any) -> Any:
    return make_pipeline(TfidfVectorizer(**settings), LinearSVC(tol=tol))


def trainer_of(model: Any, texts: list[str], labels: Sequence[int]) -> tuple[FeatureTrainer, list[Fold]]:
    corpus = assay.Corpus(texts, [f"label {label}" for label in labels])
    folds = make_folds(corpus.classes, corpus.label_names, FoldPlan(5))
    return FeatureTrainer(model, corpus, 1), list(folds)


@pytest.mark.parametrize("n_labels", [2, 3, 4])
@pytest.mark.parametrize(
    "settings", [{}, {"min_df": 3, "sublinear_tf": True, "ngram_range": (1, 2)}, {"use_idf": False}, {"norm": None}]
)
def test_scores_are_those_of_machines_trained_one_by_one(n_labels: int, settings: dict[str, Any]) -> None:
    labels = np.arange(240) % n_labels
    trainer, folds = trainer_of(pipeline(**settings), texts_of(labels.tolist(), telling=True), labels.tolist())
    together = trainer.all_at_once(folds, {}, 1)
    assert together is not None
    for fold, found in zip(folds, together, strict=True):
        alone = trainer.outcomes(fold.train, fold.test, {})
        np.testing.assert_array_equal(found.truth, alone.truth)
        # Objectives of some 50, 1e-6 of it apart: weights are within √(2 · 5e-5) = 0.01, rows have the norm 1 (here
        # without norms: about 20 and 400).
        allowed = 0.02 if settings.get("norm", "l2") else 0.2
        np.testing.assert_allclose(found.scores, alone.scores, atol=allowed)


def test_cross_validation_goes_by_them() -> None:
    labels = (np.arange(200) % 2).tolist()
    corpus = assay.Corpus(texts_of(labels, telling=True), [str(label) for label in labels])
    at_once = assay.cross_validate(pipeline(), corpus, folds=5, threads=1)
    function = assay.cross_validate(
        lambda part: pipeline().fit(part.texts.to_pylist(), [part.label_names[k] for k in part.classes]),
        corpus,
        folds=5,
        threads=1,
    )
    assert at_once["accuracy"].value == pytest.approx(function["accuracy"].value, abs=0.01)
    assert at_once["accuracy"].value > 0.6


def scored(labels: Any, texts: list[str], folds: Sequence[Fold], threads: int = 1) -> Any:
    trainer, _ = trainer_of(pipeline(), texts, labels.tolist())
    vectorizer = trainer._pipeline.steps[0][1]
    found = score_together(
        trainer._features(vectorizer), settings_of(vectorizer), LinearSVC(), folds, labels.astype(np.int32), threads
    )
    assert found is not None
    return found


def test_random_labels_are_answered_by_chance() -> None:
    labels = np.random.default_rng(5).permutation(np.arange(600) % 2)
    texts = texts_of(labels.tolist(), telling=False)
    _, folds = trainer_of(pipeline(), texts, labels.tolist())
    right = (scored(labels, texts, folds)[:, 0] > 0) == labels
    assert abs(right.mean() - 0.5) < 3.5 * 0.5 / np.sqrt(600)  # a machine that had seen its rows would get all right


def test_the_labels_of_a_fold_do_not_touch_its_own_scores() -> None:
    labels = np.arange(240) % 3
    texts = texts_of(labels.tolist(), telling=True)
    _, folds = trainer_of(pipeline(), texts, labels.tolist())
    others = labels.copy()
    others[folds[1].test] = (labels[folds[1].test] + 1) % 3
    before, after = scored(labels, texts, folds), scored(others, texts, folds)
    np.testing.assert_array_equal(before[folds[1].test], after[folds[1].test])
    assert (before[folds[0].test] != after[folds[0].test]).any()


def test_threads_change_no_bit() -> None:
    labels = np.arange(240) % 4
    texts = texts_of(labels.tolist(), telling=True)
    _, folds = trainer_of(pipeline(), texts, labels.tolist())
    np.testing.assert_array_equal(scored(labels, texts, folds), scored(labels, texts, folds, threads=3))


@pytest.mark.parametrize(
    ("vectorizer", "learner", "n_classes"),
    [
        ({"max_df": 0.5}, {}, 2),
        ({"max_features": 10}, {}, 2),
        ({"norm": "l1"}, {}, 2),
        ({}, {"class_weight": "balanced"}, 2),
        ({}, {"loss": "hinge"}, 2),
        ({}, {"penalty": "l1"}, 2),
        ({}, {"multi_class": "crammer_singer"}, 3),
        ({}, {"dual": False}, 2),
        ({}, {}, 20),
    ],
)
def test_others_are_trained_one_by_one(vectorizer: dict[str, Any], learner: dict[str, Any], n_classes: int) -> None:
    folds = [Fold(0, 0, np.array([0]), np.array([1])), Fold(0, 1, np.array([1]), np.array([0]))]
    plain = settings_of(TfidfVectorizer())
    assert can_score_together(LinearSVC(), plain, folds, 2)
    assert not can_score_together(LinearSVC(**learner), settings_of(TfidfVectorizer(**vectorizer)), folds, n_classes)


def test_a_fold_without_a_class_is_trained_on_its_own() -> None:
    labels = np.array([0] * 40 + [1] * 35 + [2] * 5)
    trainer, _ = trainer_of(pipeline(), texts_of(labels.tolist(), telling=True), labels.tolist())
    rows = np.arange(labels.size)
    outside = [rows >= 75, rows < 40, (rows >= 40) & (rows < 75)]
    folds = [Fold(0, k, rows[~inside], rows[inside]) for k, inside in enumerate(outside)]
    assert trainer.all_at_once(folds, {}, 1) is None
