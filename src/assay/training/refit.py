"""Training recipes on all training texts, and folding what they learned into one linear model.

Scores that are added up are scores of weights that are added up: members with the same features share their columns,
others have theirs side by side. Of two classes one score is kept, that of the second.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.features.columns.blocks import FeatureBlock
from assay.prediction.linear_model import LinearTextModel
from assay.prediction.probabilities import Link
from assay.prediction.weights import compact
from assay.training.linear_fit import LinearFit, fit_linear
from assay.training.recipes import Block, Recipe
from assay.training.text_matrix import learn_features

__all__ = ["Member", "fit_members", "fit_one"]


@dataclass(frozen=True)
class Member:
    """A recipe, and the factor of its scores in the sum."""

    recipe: Recipe
    weight: float


def fit_one(
    texts: Any, classes: NDArray[np.int32], labels: tuple[str, ...], recipe: Recipe, *, seed: int, threads: int
) -> tuple[LinearTextModel, bool]:
    """Train one recipe; its scores stay as its learner makes them. Also says whether the solver converged."""
    how: dict[str, Any] = {"seed": seed, "threads": threads}
    if recipe.designed is not None:
        vectorizer = recipe.designed.vectorizer(threads)
        fit = fit_linear(vectorizer.fit_transform(texts, classes), classes, labels, recipe.learner, **how)
        features = tuple(vectorizer.text_features())
    else:
        matrix = learn_features(texts, recipe.blocks, threads=threads)
        fit = fit_linear(matrix.X, classes, labels, recipe.learner, **how)
        features = matrix.features
    model = LinearTextModel(features, compact(fit.weights), fit.biases, labels, _own_link(recipe, labels))
    return model, fit.converged


def fit_members(
    texts: Any,
    classes: NDArray[np.int32],
    labels: tuple[str, ...],
    members: Sequence[Member],
    *,
    seed: int,
    threads: int,
) -> tuple[LinearTextModel, bool]:
    """Train every member and add them up, with weights that make the scores logarithms of odds."""
    layouts: dict[tuple[Block, ...], list[Member]] = {}
    for member in members:
        layouts.setdefault(member.recipe.blocks, []).append(member)
    features: list[FeatureBlock] = []
    tables = []
    bias = np.zeros(1 if len(labels) == 2 else len(labels))
    converged = True
    for blocks, group in layouts.items():
        matrix = learn_features(texts, blocks, threads=threads)
        fits = _fit_all(matrix.X, classes, labels, group, seed, threads)
        # Two classes have the scores -s and s, and the logarithm of their odds is 2s.
        factors = [member.weight * (2 if len(labels) == 2 else 1) for member in group]
        table = sum(factor * fit.weights for factor, fit in zip(factors, fits, strict=True))
        bias += sum(factor * fit.biases for factor, fit in zip(factors, fits, strict=True))
        converged &= all(fit.converged for fit in fits)
        features += matrix.features
        tables.append(np.asarray(table, dtype=np.float32))
    link: Link = "sigmoid" if len(labels) == 2 else "softmax"
    weights = compact(np.concatenate(tables))
    return LinearTextModel(tuple(features), weights, bias, labels, link), converged


def _fit_all(
    X: Any, classes: NDArray[np.int32], labels: tuple[str, ...], group: Sequence[Member], seed: int, threads: int
) -> list[LinearFit]:
    """Fit members that share their features, several at a time; no bit depends on how many."""
    each = max(1, threads // len(group))
    with ThreadPoolExecutor(threads) as pool:
        return list(
            pool.map(lambda m: fit_linear(X, classes, labels, m.recipe.learner, seed=seed, threads=each), group)
        )


def _own_link(recipe: Recipe, labels: tuple[str, ...]) -> Link | None:
    """What makes probabilities of the learner's own scores; None where they are only scores."""
    learner = recipe.learner
    if learner.name in ("nb", "complement-nb"):
        return "posterior"
    if learner.name == "logistic":
        return "softmax" if len(labels) > 2 and learner.multi_class != "ovr" else "sigmoid"
    return "sigmoid" if learner.name == "nbsvm" and learner.base == "logistic" else None
