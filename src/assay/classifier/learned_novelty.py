"""What a classifier knows of novelty: its learner, trained once more without some of the classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.evaluation.decisions.novelty_fit import fit_novelty
from assay.prediction.novelty import Novelty
from assay.prediction.probabilities import Floats
from assay.threads import count_threads

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["learn_novelty", "random_folds"]

_FOLDS = 5


def learn_novelty(
    vectorizer: Any, learner: Any, corpus: Corpus, classes: NDArray[np.int32], *, seed: int, threads: int | None
) -> Novelty:
    """How to tell texts that are unlike the training texts, by copies of a vectorizer and a learner."""
    from sklearn.base import clone

    def score(rows: NDArray[np.int64], asked: NDArray[np.int64], some: NDArray[np.int32]) -> Floats:
        parts = clone(vectorizer), clone(learner)
        parts[1].fit(parts[0].fit_transform(corpus.texts.take(rows), some), some)
        scores = np.asarray(parts[1].decision_function(parts[0].transform(corpus.texts.take(asked))), dtype=np.float64)
        return np.column_stack([-scores, scores]) if scores.ndim == 1 else scores

    folds = random_folds(corpus, seed)
    return fit_novelty(corpus.texts, classes, folds, score, seed=seed, threads=count_threads(threads))


def random_folds(corpus: Corpus, seed: int) -> NDArray[np.int64]:
    """A fold for each text, copies of a text in the same one."""
    return np.random.default_rng(seed).permutation(len(corpus))[corpus.first_occurrences] % _FOLDS
