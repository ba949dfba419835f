"""Trials: recipes trained on parts of the training texts and tested on others, several at a time.

What a recipe made of a fold in one round is not made again in the next, where that has the same texts.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay import _native
from assay.evaluation.uncertainty.estimate import Estimate
from assay.evaluation.uncertainty.fold_mean import mean_of_folds
from assay.label_sets import LabelSets
from assay.training.fold_matrices import FoldMatrices
from assay.training.parts import Part
from assay.training.recipes import Block, Recipe
from assay.training.room import fits_at_a_time
from assay.training.watching import Silent, Watcher
from assay.training.yardstick import Yardstick

__all__ = ["Finalist", "Material", "Trial", "try_recipes"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a recipe made of one fold: scores of its test rows, and what they took."""

    scores: Floats
    seconds: float
    passes: float  # of the solver, by the values that it read: the mean over the classes
    stopped: bool


@dataclass(frozen=True, eq=False)
class Trial:
    """What a recipe scored in one round.

    Attributes
    ----------
    recipe
        What was tried.
    round
        1 for the first.
    n_train
        Texts trained on in each fold.
    scores
        The metric on each fold tested.
    seconds
        Of one core, all folds together, without the reading of texts.
    test_share
        Texts tested in a fold over texts trained on.
    metric
        Its name.
    passes
        Of the solver over the values, the mean over folds and classes; 0 where it makes none.
    stopped
        Whether a solver was stopped at its limit of passes, before it was near its optimum.
    survived
        Whether it went on to the next round, or into the model in the last.
    answers
        The class that it gave each text; None where not every text was tested.
    """

    recipe: Recipe
    round: int
    n_train: int
    scores: Floats
    seconds: float
    test_share: float
    metric: str
    passes: float = 0.0
    stopped: bool = False
    survived: bool = False
    answers: NDArray[np.int32] | None = None

    @property
    def score(self) -> Estimate:
        """Mean over the folds, with an interval where there is more than one."""
        n_tested = round(self.test_share * self.n_train) * self.scores.size
        return mean_of_folds(self.metric, self.scores, n_tested, self.test_share)


@dataclass(frozen=True, eq=False)
class Finalist:
    """A recipe that was tried, with the scores (n, n_classes) that it gave to texts it was not trained on.

    They are of the texts `rows`, rising: of all of them in the last round.
    """

    trial: Trial
    held_out: Floats
    rows: NDArray[np.int64]


@dataclass
class Material:
    """What all rounds share."""

    matrices: FoldMatrices
    truth: NDArray[np.int32] | LabelSets
    labels: tuple[str, ...]
    order: NDArray[np.int64]
    fold_of: NDArray[np.int64]
    yardstick: Yardstick
    seed: int
    threads: int
    watcher: Watcher = field(default_factory=Silent)
    deadline: float = float("inf")
    known: dict[tuple[Recipe, int, int], Outcome] = field(default_factory=dict)  # of recipe, size of training, fold

    @property
    def classes(self) -> NDArray[np.int32]:
        """The class of each text, where it has one."""
        assert not isinstance(self.truth, LabelSets)
        return self.truth

    @property
    def sets(self) -> LabelSets:
        """The classes of each text, where it may have several."""
        assert isinstance(self.truth, LabelSets)
        return self.truth

    @property
    def out_of_time(self) -> bool:
        """Whether the budget is used up."""
        return time.monotonic() > self.deadline

    def read_for(self, recipes: Sequence[Recipe], n_texts: int) -> None:
        """Have the features of so many texts ready for these recipes, and give back the memory of all others."""
        blocks = [block for recipe in recipes for block in recipe.blocks]
        if n_texts == self.order.size:
            self.matrices = self.matrices.of_all()
        self.matrices.forget(blocks)
        self.matrices.count(blocks)
        self.known = {key: outcome for key, outcome in self.known.items() if key[0] in recipes}

    def best_first(self, finalists: Iterable[Finalist]) -> list[Finalist]:
        """By the metric: for some of them less is better."""
        return sorted(finalists, key=lambda finalist: -self.yardstick.rank(finalist.trial.scores))


def try_recipes(
    material: Material, recipes: Sequence[Recipe], parts: Sequence[Part], number: int = 1, of: int = 1
) -> list[Finalist]:
    """Train and test recipes on parts of the corpus, several at a time.

    Recipes that the budget left unfinished are not returned; those on the first features are always finished.
    """
    if not recipes:
        return []
    groups: dict[tuple[Block, ...], list[Recipe]] = {}
    for recipe in recipes:
        groups.setdefault(recipe.blocks, []).append(recipe)
    left = {recipe: set(range(len(parts))) for recipe in recipes}
    done: dict[Recipe, Finalist] = {}
    tasks = [(group, k) for group in groups.values() for k in range(len(parts))]
    for group, k in _in_parallel(material, tasks, parts):
        for recipe in group:
            left[recipe].remove(k)
            if not left[recipe]:
                done[recipe] = _finalist(material, recipe, parts, number)
        best = [finalist.trial for finalist in material.best_first(done.values())]
        material.watcher.trials(number, of, best, len(recipes))
    return [done[recipe] for recipe in recipes if recipe in done]


def _in_parallel(
    material: Material, tasks: Sequence[tuple[Sequence[Recipe], int]], parts: Sequence[Part]
) -> Iterable[tuple[Sequence[Recipe], int]]:
    """The tasks (recipes on the same features, number of the part) as they are done.

    Each runs in one thread; where weights are so large that fewer are done at a time, in more.
    """
    waiting = list(tasks)
    first = tasks[0][0]
    widest = max(material.matrices.n_columns(group[0].blocks) for group, _ in tasks)
    at_a_time = fits_at_a_time(widest, len(material.labels), material.threads)
    each = material.threads // at_a_time
    with ThreadPoolExecutor(at_a_time) as pool:
        running: set[Future[Any]] = set()
        try:
            while waiting or running:
                while waiting and len(running) < at_a_time:
                    group, k = waiting.pop(0)
                    if material.out_of_time and group is not first:
                        continue
                    running.add(pool.submit(_test_group, material, group, parts[k], k, each))
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _test_group(
    material: Material, group: Sequence[Recipe], part: Part, k: int, threads: int
) -> tuple[Sequence[Recipe], int]:
    """Have the test rows scored by each recipe, all on the same features, of which that is not known yet."""
    keys = {(recipe, part.train.size, k): recipe.learner for recipe in group}
    unknown = {key: learner for key, learner in keys.items() if key not in material.known}
    if unknown:
        train, test = material.matrices.part(group[0].blocks, part.train, part.test)
        classes, shared = material.truth[part.train], _native.FoldedForms()
        for key, learner in unknown.items():
            began = time.thread_time()
            found = learner.fit(train, classes, material.labels, seed=material.seed, threads=threads, shared=shared)
            scores, passes = _comparable(found.scores(test), classes), found.passes_over(train)
            stopped = found.iterations.size > 0 and not found.converged
            material.known[key] = Outcome(scores, time.thread_time() - began, passes, stopped)
    return group, k


def _comparable(scores: Floats, learned_from: NDArray[np.int32] | LabelSets) -> Floats:
    """Scores in which a class that no text of this fold taught is as unlikely as the least likely of the others.

    A learner says "never" by a score far below all others. One text of such a class would then, by its likelihood
    alone, make any confidence in all other answers wrong.
    """
    if isinstance(learned_from, LabelSets):
        return scores
    learned = np.isin(np.arange(scores.shape[1]), learned_from)
    if learned.all() or learned.sum() < 2:
        return scores
    return np.where(learned, scores, scores[:, learned].min(axis=1, keepdims=True))


def _finalist(material: Material, recipe: Recipe, parts: Sequence[Part], number: int) -> Finalist:
    tested = [material.known[recipe, part.train.size, k] for k, part in enumerate(parts)]
    scores = np.array(
        [
            material.yardstick(material.truth[part.test], outcome.scores)
            for part, outcome in zip(parts, tested, strict=True)
        ]
    )
    n_train = int(np.mean([part.train.size for part in parts]))
    share = float(np.mean([part.test.size for part in parts])) / max(n_train, 1)
    rows = np.sort(np.concatenate([part.test for part in parts]))
    held_out = tested[0].scores if len(parts) == 1 else np.empty((rows.size, len(material.labels)))
    if len(parts) > 1:
        for part, outcome in zip(parts, tested, strict=True):
            held_out[np.searchsorted(rows, part.test)] = outcome.scores
    every = rows.size == len(material.truth) and not isinstance(material.truth, LabelSets)
    answers = held_out.argmax(axis=1).astype(np.int32) if every else None
    trial = Trial(
        recipe,
        number,
        n_train,
        scores,
        sum(outcome.seconds for outcome in tested),
        share,
        material.yardstick.name,
        float(np.mean([outcome.passes for outcome in tested])),
        stopped=any(outcome.stopped for outcome in tested),
        answers=answers,
    )
    return Finalist(trial, held_out, rows)
