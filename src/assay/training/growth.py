"""How many more examples of a class a model is likely to need: what was chosen, trained again on parts of the texts.

The parts are an eighth, a quarter and a half of what each fold of the search trained on, each within the next; the
weights of the members and the decision rule are found for each as for the whole. All parts together cost less than the
last round of the search, and are only asked for where less than half of a class was found.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from assay.evaluation.metrics.confusion import ConfusionMatrix
from assay.evaluation.metrics.outcomes import Outcomes
from assay.evaluation.uncertainty.forecast import FEWEST_HITS, Forecast, forecast_examples
from assay.evaluation.uncertainty.verdict import recognised_classes
from assay.training.parts import Part, make_parts
from assay.training.trials import Material, try_recipes
from assay.training.watching import Silent
from assay.training.winners import Winners, choose_winners

__all__ = ["more_examples"]

GOAL = 0.5  # of a class's texts, to be found
SHARES = (1 / 8, 1 / 4, 1 / 2)
FEWEST = 2  # examples of a class in a part, on average, for the part to count
MOST_CLASSES = 50  # of which it is said


def more_examples(material: Material, winners: Winners, n_train: int, *, rare: bool) -> dict[str, Forecast]:
    """Of each class of which less than half was found, how many examples are likely to be needed.

    Parameters
    ----------
    material
        Of the search.
    winners
        What was chosen, with its answers to texts that it had not seen.
    n_train
        Texts trained on in each fold of the last round.
    rare
        Whether labels were decided so that rare classes are said.
    """
    documents = np.bincount(material.classes, minlength=len(material.labels))
    hits = _hits(material, winners.tested.predicted)
    weak = np.flatnonzero((documents > 0) & (hits < GOAL * documents))
    if not weak.size or weak.size > MOST_CLASSES or material.out_of_time:
        return {}
    # What is found no more often than by chance grows by guessing more, which is no learning.
    outcomes = Outcomes(material.labels, material.classes, winners.tested.predicted)
    recognised = recognised_classes(ConfusionMatrix.of(outcomes))
    by_chance = {int(k) for k in weak if hits[k] >= FEWEST_HITS and not recognised[k]}
    if all(k in by_chance or hits[k] < FEWEST_HITS for k in weak):  # nothing could be said, whatever is trained
        return {material.labels[k]: Forecast(GOAL, reason="flat" if k in by_chance else "few") for k in weak}
    folds = int(material.fold_of.max()) + 1
    quiet = replace(material, watcher=Silent())
    curve = []  # of each part: examples of each class, and texts of it that were found
    for share in SHARES:
        parts = make_parts(material.order, material.fold_of, round(share * n_train), folds)
        examples = _examples(material, parts)
        if examples[weak].max() < FEWEST or any(np.unique(material.classes[part.train]).size < 2 for part in parts):
            continue
        finalists = try_recipes(quiet, [member.recipe for member in winners.members], parts)
        found = choose_winners(quiet, finalists, len(finalists), all_of_them=True, rare=rare)
        curve.append((examples, _hits(material, found.tested.predicted)))
    curve.append((_examples(material, make_parts(material.order, material.fold_of, n_train, folds)), hits))
    told = {}
    for k in weak:
        if k in by_chance:
            told[material.labels[k]] = Forecast(GOAL, reason="flat")
            continue
        points = [(float(n[k]), int(h[k])) for n, h in curve if n[k] >= FEWEST]
        told[material.labels[k]] = forecast_examples(
            [n for n, _ in points], [n for _, n in points], int(documents[k]), GOAL
        )
    return told


def _hits(material: Material, predicted: NDArray[np.int32]) -> NDArray[np.int64]:
    right = material.classes[predicted == material.classes]
    return np.bincount(right, minlength=len(material.labels))


def _examples(material: Material, parts: list[Part]) -> NDArray[np.float64]:
    """Of each class, how many a part trains on, on average."""
    each = [np.bincount(material.classes[part.train], minlength=len(material.labels)) for part in parts]
    return np.asarray(np.mean(each, axis=0))
