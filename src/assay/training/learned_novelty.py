"""What a search knows of novelty: its winners, trained once more without some of the classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.evaluation.decisions.novelty_fit import fit_novelty
from assay.prediction.novelty import Novelty
from assay.prediction.probabilities import Floats
from assay.training.refit import Member
from assay.training.trials import Material

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["learn_novelty"]

Rows = NDArray[np.int64]


def learn_novelty(material: Material, members: Sequence[Member], train: Corpus, together: Rows) -> Novelty:
    """How to tell texts that are unlike the training texts, by the members of a model and the folds of its search."""

    def score(rows: Rows, asked: Rows, classes: NDArray[np.int32]) -> Floats:
        labels = tuple(material.labels[k] for k in np.unique(material.classes[rows]))
        how: dict[str, Any] = {"seed": material.seed, "threads": material.threads}
        total: Floats | None = None
        for member in members:
            X, X_asked = material.matrices.part(member.recipe.blocks, rows, asked)
            learner = member.recipe.learner
            if isinstance(learner.class_weight, tuple):  # without those of the classes that are left out
                factors = dict(learner.class_weight)
                learner = replace(learner, class_weight=tuple((label, factors.get(label, 1.0)) for label in labels))
            scores = member.weight * learner.fit(X, classes, labels, **how).scores(X_asked)
            total = scores if total is None else total + scores
        assert total is not None
        return total

    how: dict[str, Any] = {"seed": material.seed, "threads": material.threads}
    return fit_novelty(train.texts, material.classes, material.fold_of, score, together, **how)
