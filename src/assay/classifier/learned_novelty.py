"""What a classifier knows of novelty: its learner, trained once more without some of the classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.data.arrays import integer_array
from assay.evaluation.decisions.novelty_fit import fit_novelty
from assay.prediction.novelty import Novelty
from assay.prediction.probabilities import Floats
from assay.threads import count_threads

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["learn_novelty", "random_folds"]

_FOLDS = 5


def learn_novelty(
    vectorizer: Any, learner: Any, corpus: Corpus, y: NDArray[Any], *, seed: int, threads: int | None
) -> Novelty:
    """How to tell texts that are unlike the training texts, by copies of a vectorizer and a learner."""
    from sklearn.base import clone

    def score(rows: NDArray[np.int64], asked: NDArray[np.int64], _: NDArray[np.int32]) -> Floats:
        parts = clone(vectorizer), clone(learner)
        weights = parts[1].get_params().get("class_weight")
        if isinstance(weights, Mapping):  # without those of the classes that are left out
            parts[1].set_params(class_weight={label: weights.get(label, 1.0) for label in np.unique(y[rows]).tolist()})
        learned, given = (corpus.texts.take(integer_array(part)) for part in (rows, asked))
        parts[1].fit(parts[0].fit_transform(learned, y[rows]), y[rows])
        asking = getattr(parts[1], "decision_function", None) or parts[1].predict_joint_log_proba  # of naive Bayes
        scores = np.asarray(asking(parts[0].transform(given)), dtype=np.float64)
        return np.column_stack([-scores, scores]) if scores.ndim == 1 else scores

    classes = np.unique(y, return_inverse=True)[1].astype(np.int32)
    folds = random_folds(corpus, seed)
    how: dict[str, Any] = {"seed": seed, "threads": count_threads(threads)}
    return fit_novelty(corpus.texts, classes, folds, score, corpus.first_occurrences, **how)


def random_folds(corpus: Corpus, seed: int) -> NDArray[np.int64]:
    """A fold for each text, copies of a text in the same one."""
    return np.random.default_rng(seed).permutation(len(corpus))[corpus.first_occurrences] % _FOLDS
