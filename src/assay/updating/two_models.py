"""Two models that differ in a few labels, for a comparison before and after: their texts are read once.

The matrices of a part of the texts, with the features and weights of that part, come out of counts of all of them
(`FoldMatrices`), and equal those of a training on the part: what the two say is what two trainings would say.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.data.corpus.corpus import Corpus
from assay.features.ngrams.ngram_settings import NgramSettings
from assay.label_types import sorted_labels
from assay.prediction.decision import Decision
from assay.prediction.probabilities import Floats
from assay.training.candidates import candidate_recipes
from assay.training.fold_matrices import FoldMatrices
from assay.training.recipes import Recipe
from assay.training.settings import TrainingSettings

__all__ = ["Said", "settled_recipe", "two_models"]

Rows = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Said:
    """What a model scored the texts of a test."""

    decision: Decision
    scores: Floats

    @property
    def labels(self) -> tuple[str, ...]:
        """Of the model."""
        return self.decision.labels

    def decision_function(self, texts: Corpus) -> Floats:
        """The scores; `texts` must be those of the test."""
        assert len(texts) == len(self.scores)
        return self.scores


def settled_recipe(settings: TrainingSettings | None, corpus: Corpus) -> Recipe | None:
    """The one recipe that a training would take, without a search, where it is n-grams and a learner; else None."""
    if settings is None or corpus.task != "labels" or not settings.by_hand or settings.resolved().folds:
        return None
    recipes = settings.recipes or candidate_recipes(settings.wishes, n_texts=len(corpus), spaces=True)
    recipe = recipes[0]
    plain = recipe.network is None and recipe.designed is None and recipe.learner.name != "label-tree"
    return recipe if plain and all(isinstance(block, NgramSettings) for block in recipe.blocks) else None


def two_models(
    recipe: Recipe,
    before: tuple[Corpus, Rows],
    after: tuple[Corpus, Rows],
    test: Rows,
    *,
    seed: int,
    threads: int,
) -> tuple[Said, Said, FoldMatrices]:
    """What models of two parts say of the rows `test`; and the counts of all texts.

    Parameters
    ----------
    recipe
        Of both.
    before, after
        A corpus each, and the rows that are learned from; the second holds the texts of the first in the same rows.
    test
        Rows of the second.
    seed, threads
        Of the solvers.
    """
    matrices = FoldMatrices(after[0].texts, threads)
    matrices.count(recipe.blocks)

    def said(corpus: Corpus, rows: Rows) -> Said:
        part = corpus.classes[rows]
        present = np.flatnonzero(np.bincount(part, minlength=len(corpus.label_names)))
        labels = sorted_labels([corpus.label_names[k] for k in present], corpus.label_type)
        number = {label: k for k, label in enumerate(labels)}
        place = np.array([number.get(name, -1) for name in corpus.label_names], dtype=np.int32)
        X, asked = matrices.part(recipe.blocks, rows, test)
        found = recipe.learner.fit(X, place[part], labels, seed=seed, threads=threads)
        return Said(Decision(labels, label_type=corpus.label_type), found.scores(asked))

    return said(*before), said(*after), matrices
