"""What a search knows of novelty: its winners, trained once more without some of the classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.evaluation.decisions.novelty_fit import fit_novelty
from assay.prediction.novelty import Novelty
from assay.prediction.probabilities import Floats
from assay.training.halving import Material
from assay.training.refit import Member

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["learn_novelty"]

Rows = NDArray[np.int64]


def learn_novelty(material: Material, members: Sequence[Member], train: Corpus) -> Novelty:
    """How to tell texts that are unlike the training texts, by the members of a model and the folds of its search."""

    def score(rows: Rows, asked: Rows, classes: NDArray[np.int32]) -> Floats:
        labels = tuple(str(k) for k in range(int(classes.max()) + 1))
        how: dict[str, Any] = {"seed": material.seed, "threads": material.threads}
        total: Floats | None = None
        for member in members:
            X, X_asked = material.matrices.part(member.recipe.blocks, rows, asked)
            scores = member.weight * member.recipe.learner.fit(X, classes, labels, **how).scores(X_asked)
            total = scores if total is None else total + scores
        assert total is not None
        return total

    how: dict[str, Any] = {"seed": material.seed, "threads": material.threads}
    return fit_novelty(train.texts, material.classes, material.fold_of, score, **how)
