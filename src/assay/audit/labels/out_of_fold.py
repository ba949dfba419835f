"""What models say of texts that they had not seen, for the search of label errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus
    from assay.evaluation.metrics.outcomes import Outcomes
    from assay.evaluation.metrics.set_outcomes import SetOutcomes

__all__ = ["out_of_fold"]

_FOLDS = 5


def out_of_fold(corpus: Corpus, model: Any, metric: str, seed: int, threads: int | None) -> Outcomes | SetOutcomes:
    """Outcomes of a cross-validation in five folds, or in as many as the rarest class has texts.

    Parameters
    ----------
    corpus
        Labelled texts; every class needs two at least.
    model
        Not fitted, with probabilities; None for logistic regression (C = 10) on words and pairs of words, of sets with
        the texts that have a label weighted like those that lack it.
    metric
        One that texts of this kind have: nothing is done with it.
    seed, threads
        Of the folds and of the work.
    """
    from assay.classifier.text_classifier import TextClassifier
    from assay.evaluation.protocols.cross_validation import cross_validate
    from assay.evaluation.protocols.trainers import fresh
    from assay.learners import LogisticRegression

    counts = corpus.class_counts
    folds = int(min(_FOLDS, counts[counts > 0].min()))
    asked: dict[str, Any] = {
        "folds": folds,
        "metrics": [metric],
        "near_copies": "ignore",
        "seed": seed,
        "threads": threads,
    }
    # Most texts lack a label: unweighted, one that is missing would hardly ever be more probable than its absence.
    weight: Literal["balanced"] | None = "balanced" if corpus.task == "label-sets" else None
    usual = LogisticRegression(C=10.0, class_weight=weight)
    judge = TextClassifier(learner=usual, threads=1) if model is None else model

    def trained(part: Corpus) -> Any:
        return fresh(judge, {}).fit(part)

    # A corpus keeps the names of the labels; of the indicator matrix that a model would be given, they are lost.
    learner = trained if corpus.task == "label-sets" else judge
    outcomes: Outcomes | SetOutcomes = cross_validate(learner, corpus, **asked).outcomes
    return outcomes
