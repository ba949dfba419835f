"""Likely label errors by confident learning.

Every text gets probabilities from models that were not trained on it (out-of-fold). A class's own average probability,
over the texts that carry its label, is the confidence that counts as high for it. Texts that are confidently of some
class say how many of each label are truly of another; so many, those with the widest margins, are likely errors. To
learn how well this works on these very data, some labels are falsified on purpose and looked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.arguments import in_our_words

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["LabelErrors", "SuspectLabel", "confident_errors", "find_label_errors"]

Floats = NDArray[np.float64]
_FOLDS = 5
_PLANTED = 0.05


@dataclass(frozen=True)
class SuspectLabel:
    """A text whose label is likely wrong.

    Attributes
    ----------
    position
        In the corpus, from 0.
    place, file, row
        Where it stands, in words, and as the reader of the file counts: row 0 where the file itself is the text.
    margin
        P(suggested) - P(label), out of fold.
    """

    position: int
    place: str
    file: str
    row: int
    text: str
    label: str
    suggested: str
    margin: float


@dataclass(frozen=True)
class LabelErrors:
    """Likely label errors of a corpus.

    Attributes
    ----------
    suspects
        The likeliest first.
    accuracy
        Share of texts whose label the out-of-fold models give them, too.
    found_planted
        Share of labels falsified on purpose that were found among the suspects; NaN where this was not tried.
    by_pair
        Suspects by (label, suggested).
    unjudged
        Labels of which nothing can be said: the out-of-fold models never recognised them, so that every text of theirs
        looks wrong. All labels, where the models do no better than guessing: then `guessing` is true.
    """

    n_texts: int
    suspects: tuple[SuspectLabel, ...]
    accuracy: float
    n_planted: int
    found_planted: float
    by_pair: dict[tuple[str, str], int]
    unjudged: tuple[str, ...] = ()
    guessing: bool = False

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "n_texts": self.n_texts,
            "n_suspects": len(self.suspects),
            "accuracy": self.accuracy,
            "n_planted": self.n_planted,
            "found_planted": None if np.isnan(self.found_planted) else self.found_planted,
            "unjudged": list(self.unjudged),
            "guessing": self.guessing,
            "by_pair": [{"label": a, "suggested": b, "texts": n} for (a, b), n in self.by_pair.items()],
            "suspects": [
                {
                    "position": s.position,
                    "place": s.place,
                    "file": s.file,
                    "row": s.row,
                    "text": s.text,
                    "label": s.label,
                    "suggested": s.suggested,
                    "margin": s.margin,
                }
                for s in self.suspects
            ],
        }


def confident_errors(probabilities: Floats, classes: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows whose label is likely wrong, the likeliest first, and the class that each is likely of.

    Parameters
    ----------
    probabilities
        (n, n_classes), from models that had not seen the row.
    classes
        The label of each row.

    Examples
    --------
    >>> P = np.array([[0.9, 0.1], [0.8, 0.2], [0.05, 0.95], [0.1, 0.9], [0.2, 0.8]])
    >>> confident_errors(P, np.array([0, 0, 0, 1, 1]))
    (array([2]), array([1]))

    References
    ----------
    Northcutt, Jiang & Chuang (2021), Confident learning.
    """
    n, n_classes = probabilities.shape
    thresholds = np.array(
        [probabilities[classes == k, k].mean() if (classes == k).any() else np.inf for k in range(n_classes)]
    )
    confident = np.where(probabilities >= thresholds, probabilities, -1.0)
    likely = confident.argmax(axis=1)
    sure = confident[np.arange(n), likely] >= 0
    joint = np.zeros((n_classes, n_classes))
    np.add.at(joint, (classes[sure], likely[sure]), 1.0)
    # Texts about which nothing is sure are taken to be divided like the others of their label.
    expected = (
        joint / np.maximum(joint.sum(axis=1, keepdims=True), 1.0) * np.bincount(classes, minlength=n_classes)[:, None]
    )
    best = probabilities.argmax(axis=1)
    margins = probabilities[np.arange(n), best] - probabilities[np.arange(n), classes]
    rows: list[NDArray[np.intp]] = []
    for label, other in zip(*np.nonzero(joint), strict=True):
        if label != other:
            candidates = np.flatnonzero((classes == label) & (best == other))
            ranked = candidates[np.argsort(-margins[candidates], kind="stable")]
            rows.append(ranked[: round(expected[label, other])])
    found = np.concatenate([np.empty(0, np.intp), *rows])
    found = found[np.lexsort((found, -margins[found]))]
    return found, best[found]


@in_our_words
def find_label_errors(
    corpus: Corpus, *, model: Any = None, plant: bool = True, seed: int = 0, threads: int | None = None
) -> LabelErrors:
    """Look for label errors in a corpus by 5-fold cross-validation.

    Parameters
    ----------
    corpus
        Labelled texts; every class needs two at least.
    model
        An unfitted model with probabilities; by default logistic regression (C = 10) on words and pairs of words.
    plant
        Falsify 5 % of the labels in a second run, to see how many of them are found.
    seed
        Of folds and falsified labels.
    threads
        None for every core.
    """
    probabilities, classes, names = _out_of_fold(corpus, model, seed, threads)
    judged = _judged(probabilities, classes)
    rows, suggested = confident_errors(probabilities, classes)
    rows, suggested = rows[judged[classes[rows]]], suggested[judged[classes[rows]]]
    margins = probabilities[rows, suggested] - probabilities[rows, classes[rows]]
    files = corpus.origin.files_of_rows()
    suspects = tuple(
        SuspectLabel(
            int(row),
            corpus.origin.place(int(row)),
            files[row],
            int(corpus.origin.rows([row])[0]),
            corpus.texts[int(row)].as_py(),
            names[classes[row]],
            names[k],
            float(m),
        )
        for row, k, m in zip(rows, suggested, margins, strict=True)
    )
    pairs: dict[tuple[str, str], int] = {}
    for suspect in suspects:
        pairs[suspect.label, suspect.suggested] = pairs.get((suspect.label, suspect.suggested), 0) + 1
    n_planted, share = _planted(corpus, model, set(rows.tolist()), seed, threads) if plant else (0, float("nan"))
    return LabelErrors(
        len(corpus),
        suspects,
        float(np.mean(probabilities.argmax(axis=1) == classes)),
        n_planted,
        share,
        dict(sorted(pairs.items(), key=lambda item: -item[1])),
        tuple(name for k, name in enumerate(names) if not judged[k] and (classes == k).any()),
        not judged.any(),
    )


def _judged(probabilities: Floats, classes: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Of which labels models that had not seen the texts can say anything: those that they found at least once.

    None, where they do no better than guessing: then what they are sure of is chance.
    """
    from assay.evaluation.metrics.outcomes import Outcomes
    from assay.evaluation.uncertainty.verdict import judge

    n_classes = probabilities.shape[1]
    predicted = probabilities.argmax(axis=1)
    outcomes = Outcomes(tuple(range(n_classes)), classes.astype(np.int32), predicted.astype(np.int32))
    if judge(outcomes).kind in ("guessing", "constant"):
        return np.zeros(n_classes, bool)
    return np.bincount(classes[predicted == classes], minlength=n_classes) > 0


def _out_of_fold(
    corpus: Corpus, model: Any, seed: int, threads: int | None
) -> tuple[Floats, NDArray[np.intp], list[str]]:
    from assay.classifier.text_classifier import TextClassifier
    from assay.evaluation.protocols.cross_validation import cross_validate
    from assay.learners import LogisticRegression

    counts = corpus.class_counts
    folds = int(min(_FOLDS, counts[counts > 0].min()))
    judge = TextClassifier(learner=LogisticRegression(C=10.0), threads=1) if model is None else model
    result = cross_validate(
        judge,
        corpus,
        folds=folds,
        metrics=["accuracy"],
        near_copies="ignore",
        seed=seed,
        threads=threads,
    )
    outcomes = result.outcomes
    assert outcomes.probabilities is not None, "logistic regression has probabilities"
    return outcomes.probabilities, outcomes.truth.astype(np.intp), [str(label) for label in outcomes.labels]


def _planted(corpus: Corpus, model: Any, suspects: set[int], seed: int, threads: int | None) -> tuple[int, float]:
    """How many labels were falsified, of those that were not suspect, and the share of them that is found."""
    from assay.data.corpus.corpus import Corpus

    generator = np.random.default_rng([seed, 4])
    counts = corpus.class_counts
    present = np.flatnonzero(counts)
    free = np.array([row for row in range(len(corpus)) if row not in suspects and counts[corpus.classes[row]] > 5])
    n = round(_PLANTED * len(free))
    if n < 5:
        return 0, float("nan")
    rows = generator.choice(free, n, replace=False)
    classes = corpus.classes.copy()
    for row in rows:
        others = present[present != classes[row]]
        classes[row] = generator.choice(others)
    left = np.bincount(classes, minlength=len(counts))
    if (left[present] < 2).any():
        return 0, float("nan")
    falsified = Corpus(corpus.texts, [corpus.label_names[k] for k in classes], source=corpus.source)
    probabilities, truth, _ = _out_of_fold(falsified, model, seed, threads)
    found, _ = confident_errors(probabilities, truth)
    found = found[_judged(probabilities, truth)[truth[found]]]
    return n, float(np.isin(rows, found).mean())
