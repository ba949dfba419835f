"""What a search does for rare classes: which metric leads, and what else is tried.

Data are *skewed* where some class has less than a third of an equal share, 1/(3K) of K classes. Accuracy hardly sees
such a class, and a model that never says it may win. There, unless a metric was chosen, recipes are compared by
macro-F1, which counts every class the same; the best of them are also tried with balanced class weights; and labels are
decided by probabilities from which the classes' shares are taken back as far as held-out texts show to be best.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from assay.label_sets import LabelSets
from assay.suggest import quote
from assay.training.recipes import Recipe
from assay.training.settings import TrainingSettings
from assay.wording import setting

__all__ = ["balanced_recipes", "is_skewed", "lead_note", "leading_metric", "looks_at_rare_classes"]

LEADERS = 3  # recipes that are tried with class weights too
RARE_METRIC = "macro_f1"
SET_METRIC = "micro_f1"  # where texts have several labels
# Means over classes, agreement beyond chance, and F of one class: what a decision may be tuned for. Precision or recall
# alone would be largest where a class is said hardly ever, or always.
_SEES_RARE = re.compile(r"macro_f[\d.]+|f[\d.]+:.*|balanced_accuracy|macro_recall|matthews|kappa", re.DOTALL)
_WEIGHABLE = ("svm", "logistic", "nbsvm", "averaged-perceptron")


def is_skewed(classes: NDArray[np.int32], n_classes: int) -> bool:
    """Whether some class has less than a third of an equal share.

    Examples
    --------
    >>> is_skewed(np.repeat(np.int32([0, 1]), [5, 1]), 2), is_skewed(np.repeat(np.int32([0, 1]), [6, 1]), 2)
    (False, True)
    """
    return bool(np.bincount(classes, minlength=n_classes).min() * 3 * n_classes < classes.size)


def leading_metric(
    settings: TrainingSettings, classes: NDArray[np.int32] | LabelSets, n_classes: int
) -> TrainingSettings:
    """The settings with the metric that was chosen, or else the one that suits the shares of the classes."""
    if settings.metric is not None:
        return settings
    if isinstance(classes, LabelSets):
        return replace(settings, metric=SET_METRIC)
    rare = bool(settings.folds) and is_skewed(classes, n_classes)
    return replace(settings, metric=RARE_METRIC if rare else "accuracy")


def looks_at_rare_classes(settings: TrainingSettings, classes: NDArray[np.int32] | LabelSets, n_classes: int) -> bool:
    """Whether class weights and decision rules are to be tried: of skewed data, by a metric that sees rare classes.

    Not where factors of the classes were chosen: what they cost has been said; and not of sets of labels, each of which
    has a threshold of its own anyway.
    """
    if isinstance(classes, LabelSets):
        return False
    chosen = [dict(settings.wishes.settings).get("class_weight")]
    chosen += [recipe.learner.class_weight for recipe in settings.recipes]
    if any(isinstance(weights, tuple) for weights in chosen):
        return False
    sees = isinstance(settings.metric, str) and _SEES_RARE.fullmatch(settings.metric) is not None
    return sees and is_skewed(classes, n_classes)


def balanced_recipes(ranked: Sequence[Recipe]) -> list[Recipe]:
    """The first recipes that can weigh classes and do not yet, with balanced weights."""
    fit = [recipe for recipe in ranked if recipe.learner.name in _WEIGHABLE and recipe.learner.class_weight is None]
    return [replace(recipe, learner=replace(recipe.learner, class_weight="balanced")) for recipe in fit[:LEADERS]]


def lead_note(classes: NDArray[np.int32], labels: tuple[str, ...], metric: str) -> str:
    """What to say where rare classes changed what a search does."""
    counts = np.bincount(classes, minlength=len(labels))
    k = int(counts.argmin())
    return (
        f"{quote(labels[k])} has {counts[k] / classes.size:.1%} of the training texts, less than a third of an equal "
        f"share: recipes were compared by {metric}, which sees rare classes, also with class weights, and labels are "
        f"decided so that {metric} is largest on held-out texts. {setting('metric', 'accuracy')} goes by accuracy alone"
    )
