"""Training recipes on all training texts, and folding what they learned into one linear model.

Scores that are added up are scores of weights that are added up: members with the same features share their columns,
others have theirs side by side. Of two classes one score is kept, that of the second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay import _native
from assay.classifier.linear_form import linear_model, link_of
from assay.features.columns.blocks import FeatureBlock
from assay.features.columns.text_matrix import TextMatrix, learn_features
from assay.features.documents import as_documents
from assay.features.ngrams.ngram_settings import NgramSettings
from assay.label_sets import LabelSets, task_of
from assay.learners.solvers.solution import Solution
from assay.modelfile.kept_state import KeptState
from assay.prediction.linear_model import LinearTextModel, count_outputs
from assay.prediction.probabilities import Link
from assay.training.recipes import Block, Recipe
from assay.training.room import fits_at_a_time
from assay.training.vector_block import VectorBlock

if TYPE_CHECKING:
    from assay.training.fold_matrices import FoldMatrices

__all__ = ["Fitted", "Member", "fit_members", "fit_one", "text_matrix"]


@dataclass(frozen=True)
class Member:
    """A recipe, and the factor of its scores in the sum."""

    recipe: Recipe
    weight: float


@dataclass(frozen=True, eq=False)
class Fitted:
    """A model, whether its solvers converged, and what its learner could go on from."""

    model: LinearTextModel
    converged: bool
    state: KeptState | None = None


def fit_one(
    texts: Any,
    classes: NDArray[np.int32] | LabelSets,
    labels: tuple[str, ...],
    recipe: Recipe,
    *,
    seed: int,
    threads: int,
    before_solving: Callable[[], None] = lambda: None,
    read: FoldMatrices | None = None,
) -> Fitted:
    """Train one recipe; its scores stay as its learner makes them.

    `before_solving` is called when the texts have been read: threads that the solver has no use for may do its work.
    What has been read of them already need not be read again.
    """
    how: dict[str, Any] = {"seed": seed, "threads": threads}
    if recipe.designed is not None:
        vectorizer = recipe.designed.vectorizer(threads)
        found = recipe.learner.fit(vectorizer.fit_transform(texts, classes), classes, labels, **how)
        features = tuple(vectorizer.text_features())
    else:
        matrix = (None if read is None else read.take(recipe.blocks)) or text_matrix(texts, recipe.blocks, threads)
        before_solving()
        found = recipe.learner.fit(matrix.X, classes, labels, **how)
        features = matrix.features
    task = task_of(classes)
    link = link_of(recipe.learner.of_solver(), len(labels), task)
    state = None if found.state is None else KeptState(found.state)
    return Fitted(linear_model(features, found, labels, link, task), found.converged, state)


def fit_members(
    texts: Any,
    classes: NDArray[np.int32] | LabelSets,
    labels: tuple[str, ...],
    members: Sequence[Member],
    *,
    seed: int,
    threads: int,
    before_solving: Callable[[], None] = lambda: None,
    read: FoldMatrices | None = None,
) -> Fitted:
    """Train every member and add them up, with weights that make the scores logarithms of odds.

    What a search has read of the texts need not be read again.
    """
    layouts: dict[tuple[Block, ...], list[Member]] = {}
    for member in members:
        layouts.setdefault(member.recipe.blocks, []).append(member)
    features: list[FeatureBlock] = []
    tables: list[Any] = []
    task = task_of(classes)
    bias = np.zeros(count_outputs(len(labels), task))
    converged = True
    for blocks, group in layouts.items():
        matrix = (None if read is None else read.take(blocks)) or text_matrix(texts, blocks, threads)
        before_solving()
        # Two classes have the scores -s and s, and the logarithm of their odds is 2s.
        factors = [member.weight * (2 if len(bias) < len(labels) else 1) for member in group]
        found = _added_up(_fits(matrix.X, classes, labels, group, seed, threads), factors)
        tables.append(found.weights)
        bias += found.intercept
        converged &= found.converged
        features += matrix.features
    weights = tables[0] if len(tables) == 1 else _below_each_other(tables)
    together = Solution(weights, bias, converged=converged)
    link: Link = "independent" if task == "label-sets" else "sigmoid" if len(labels) == 2 else "softmax"
    state = None if len(members) > 1 or found.state is None else KeptState(found.state, factors[0])
    return Fitted(linear_model(tuple(features), together, labels, link, task), converged, state)


def _below_each_other(tables: list[Any]) -> Any:
    """Tables, or lists where the weights of some were pruned."""
    if any(hasattr(table, "indptr") for table in tables):
        from scipy.sparse import csr_array, vstack

        return vstack([csr_array(table) for table in tables], format="csr")
    return np.concatenate(tables)


def _added_up(fits: Iterable[Solution], factors: Sequence[float]) -> Solution:
    """The weighted sum, in the memory of the first, each added as it comes: there may be no room for all."""
    total: Solution | None = None
    for factor, found in zip(factors, fits, strict=True):
        listed = hasattr(found.weights, "indptr")
        weights = found.weights.astype(np.float32) if listed else np.asarray(found.weights, dtype=np.float32)
        weights *= np.float32(factor)
        if total is None:
            total = Solution(weights, factor * found.intercept, converged=found.converged, state=found.state)
            continue
        total.weights = total.weights + weights if listed else np.add(total.weights, weights, out=total.weights)
        found.weights = weights = total.weights[:0]  # given back before the next one is made
        total.intercept = total.intercept + factor * found.intercept
        total.converged &= found.converged
    assert total is not None
    return total


def text_matrix(texts: Any, blocks: Sequence[Block], threads: int) -> TextMatrix:
    """The matrix of the texts and its features, with those of word vectors last."""
    documents = as_documents(texts)
    ngrams = [block for block in blocks if isinstance(block, NgramSettings)]
    embedded = [block.fitted(documents, threads) for block in blocks if isinstance(block, VectorBlock)]
    return learn_features(documents, ngrams, embedded, threads=threads)


def _fits(
    X: Any,
    classes: NDArray[np.int32] | LabelSets,
    labels: tuple[str, ...],
    group: Sequence[Member],
    seed: int,
    threads: int,
) -> Iterator[Solution]:
    """Members that share their features, fitted in their order, several at a time; no bit depends on how many."""
    at_a_time = min(len(group), fits_at_a_time(X.shape[1], len(labels), threads))
    each, shared = threads // at_a_time, _native.FoldedForms()

    def fit(member: Member) -> Solution:
        return member.recipe.learner.fit(X, classes, labels, seed=seed, threads=each, shared=shared)

    if at_a_time == 1:
        yield from map(fit, group)
        return
    with ThreadPoolExecutor(at_a_time) as pool:
        yield from pool.map(fit, group)
