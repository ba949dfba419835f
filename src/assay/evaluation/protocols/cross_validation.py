"""`assay.cross_validate`: how good a way of training is, when every document has been tested once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assay.arguments import in_our_words
from assay.data.corpus.near_copies import rows_together
from assay.errors import ParameterError
from assay.evaluation.metrics.outcomes import Outcomes, as_corpus
from assay.evaluation.metrics.set_outcomes import SetOutcomes
from assay.evaluation.protocols.asked import truth_of
from assay.evaluation.protocols.cross_validation_result import CrossValidation
from assay.evaluation.protocols.folds import (
    Fold,
    FoldPlan,
    Rows,
    check_two_classes,
    group_numbers,
    make_folds,
    small_class_notes,
    torn_copies,
)
from assay.evaluation.protocols.trainers import FeatureTrainer, Parameters, Trainer, trainer_for
from assay.evaluation.protocols.tuning import candidates, choose
from assay.evaluation.uncertainty.intervals import Floats, check_level
from assay.evaluation.uncertainty.metric_value import MetricLike, measure, metric_name, metric_sign
from assay.evaluation.uncertainty.resampling import Resampling
from assay.label_sets import LabelSets
from assay.suggest import counted

__all__ = ["cross_validate", "pooled_outcomes"]

Progress = Callable[[int, int], None]
Measured = Outcomes | SetOutcomes


@in_our_words
def cross_validate(
    model: Any,
    corpus: Any,
    *,
    metrics: MetricLike | Sequence[MetricLike] | None = None,
    folds: int = 10,
    repeats: int = 1,
    stratified: bool = True,
    groups: Any = None,
    near_copies: str = "together",
    leave_one_out: bool = False,
    small_classes: str = "error",
    param_grid: Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Sequence[Any]]] | None = None,
    inner_folds: int = 5,
    level: float = 0.95,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> CrossValidation:
    """Train and test a model on every fold of a corpus.

    The vectorizer is refitted inside each fold, so nothing of the test documents leaks into training; where a pipeline
    begins with a text vectorizer (assay's or scikit-learn's, or a FeatureUnion of them), texts are nevertheless
    tokenised once for all folds.

    Parameters
    ----------
    model
        Unfitted: anything with ``fit(texts, labels)`` and ``predict(texts)``; or a function that takes a training
        corpus and gives a fitted model.
    corpus
        A `Corpus`, or anything `assay.read` takes.
    metrics
        Names of metrics, or functions of ``(y_true, y_pred)``. The first is what tuning looks at. By default accuracy
        and macro-F1; of label sets micro-F1 and macro-F1.
    folds, repeats
        Parts, and how often the whole is done with other parts.
    stratified
        Give every part its share of each class.
    groups
        Name of a column, or one value a document: documents with the same value stay in the same part.
    near_copies
        ``"together"`` keeps documents with the same text, or nearly the same, in one part, so that none is tested by a
        model that has seen it (`Corpus.near_copies`); ``"ignore"`` deals out every document on its own.
    leave_one_out
        Every document (or group) is a part of its own.
    small_classes
        ``"error"`` or ``"allow"`` classes with fewer documents than folds.
    param_grid
        Settings to choose from, as scikit-learn writes them. They are chosen anew inside the training part of every
        fold (nested cross-validation), so the scores stay honest.
    inner_folds
        Folds of that inner choice.
    level
        Coverage of the intervals.
    seed
        Same seed, same folds.
    threads
        Folds trained at the same time; None: as many as there are processors.
    progress
        Called with (folds done, folds in all).

    Examples
    --------
    >>> from sklearn.feature_extraction.text import TfidfVectorizer
    >>> from sklearn.naive_bayes import MultinomialNB
    >>> from sklearn.pipeline import make_pipeline
    >>> texts = [f"{word} film {i}" for word in ("good", "bad") for i in range(4)]
    >>> pipeline = make_pipeline(TfidfVectorizer(), MultinomialNB())
    >>> result = cross_validate(pipeline, (texts, ["pos"] * 4 + ["neg"] * 4), folds=2)
    >>> round(result["accuracy"].value, 2)
    1.0
    """
    check_level(level)
    corpus = as_corpus(corpus)
    classes, labels = truth_of(corpus)
    if metrics is None:
        metrics = ("micro_f1", "macro_f1") if isinstance(classes, LabelSets) else ("accuracy", "macro_f1")
    metrics = (metrics,) if not isinstance(metrics, Iterable) or isinstance(metrics, str) else tuple(metrics)
    if not metrics:
        raise ParameterError("cross_validate needs at least one metric. Got none.")
    check_two_classes(classes, labels)
    plan = FoldPlan(folds, repeats, stratified, leave_one_out, small_classes, seed)
    grouping = group_numbers(groups, corpus, len(classes))
    first = rows_together(corpus, near_copies)
    together = first if near_copies == "together" else None
    parts = make_folds(classes, labels, plan, grouping, together)
    workers = Resampling(1, seed, threads=threads).n_threads
    run = _Run(
        trainer_for(model, corpus, 1 if workers > 1 else workers),
        parts,
        candidates(param_grid),
        metrics[0],
        FoldPlan(inner_folds, 1, stratified, small_classes="allow", seed=seed),
        together,
        progress,
    )
    tested = run.all_folds(workers if hasattr(model, "fit") else 1)
    notes = small_class_notes(classes, labels, plan) if stratified else []
    notes += _about_copies(corpus, near_copies, torn_copies(parts, first))
    return CrossValidation(
        tuple(labels),
        tuple(parts),
        {metric_name(metric): _scores(metric, tested) for metric in metrics},
        pooled_outcomes(parts, tested, len(classes), repeats),
        tuple(run.chosen) if param_grid is not None else (),
        leave_one_out,
        level,
        seed,
        corpus,
        tuple(notes),
        functions=frozenset(metric_name(metric) for metric in metrics if callable(metric)),
    )


@dataclass
class _Run:
    """The folds, one after another or several at a time."""

    trainer: Trainer
    folds: Sequence[Fold]
    grid: Sequence[Parameters]
    metric: MetricLike
    inner: FoldPlan
    together: Rows | None
    progress: Progress | None
    chosen: list[Parameters] = field(default_factory=list)

    def all_folds(self, workers: int) -> list[Measured]:
        self.chosen = [self.grid[0]] * len(self.folds)
        together = self._together(workers) if len(self.grid) == 1 else None
        if together is not None:
            return self._collected(together)
        with ThreadPoolExecutor(min(workers, len(self.folds))) as pool:
            return self._collected(pool.map(self._one, range(len(self.folds))))

    def _together(self, threads: int) -> list[Measured] | None:
        """The folds of each repeat at once, where the trainer has a way."""
        if not isinstance(self.trainer, FeatureTrainer):
            return None
        tested: list[Measured] = []
        for repeat in sorted({fold.repeat for fold in self.folds}):
            folds = [fold for fold in self.folds if fold.repeat == repeat]
            found = self.trainer.all_at_once(folds, self.grid[0], threads)
            if found is None:
                return None
            tested += found
        return tested

    def _collected(self, results: Iterable[Measured]) -> list[Measured]:
        collected = []
        for outcomes in results:
            collected.append(outcomes)
            if self.progress is not None:
                self.progress(len(collected), len(self.folds))
        return collected

    def _one(self, i: int) -> Measured:
        fold = self.folds[i]
        if len(self.grid) > 1:
            self.chosen[i] = choose(self.trainer, fold.train, self.grid, self._score, self.inner, self.together)
        else:
            self.chosen[i] = self.grid[0]
        return self.trainer.outcomes(fold.train, fold.test, self.chosen[i])

    def _score(self, outcomes: Measured) -> float:
        return metric_sign(self.metric) * measure(self.metric, outcomes)


def _about_copies(corpus: Any, near_copies: str, torn: int) -> list[str]:
    if near_copies == "together":
        said = corpus.near_copies.sentences("each group was kept in one fold")
        return [f"{sentence[:1].upper()}{sentence[1:]}." for sentence in said]
    if not torn:
        return []
    return [
        f"{counted(torn, 'document has', 'documents have')} an exact copy in another fold, and so a model that had "
        "seen the copy tested it. Pass near_copies='together' to keep copies and near-copies in one fold."
    ]


def _scores(metric: MetricLike, tested: Sequence[Measured]) -> Floats:
    return np.array([measure(metric, outcomes) for outcomes in tested])


def pooled_outcomes(folds: Sequence[Fold], tested: Sequence[Measured], n: int, repeats: int) -> tuple[Measured, ...]:
    """Out-of-fold outcomes of all documents in the corpus's order, for each repeat."""
    pooled = []
    for repeat in range(repeats):
        pairs = [(fold.test, outcomes) for fold, outcomes in zip(folds, tested, strict=True) if fold.repeat == repeat]
        rows = np.concatenate([test for test, _ in pairs])
        back = np.empty(n, np.int64)
        back[rows] = np.arange(n)
        pooled.append(_concatenated([outcomes for _, outcomes in pairs], back))
    return tuple(pooled)


def _concatenated(parts: Sequence[Measured], order: Rows) -> Measured:
    if isinstance(parts[0], SetOutcomes):
        return SetOutcomes.joined([part for part in parts if isinstance(part, SetOutcomes)], order)

    def column(name: str) -> Any:
        values = [getattr(part, name) for part in parts]
        return None if any(value is None for value in values) else np.concatenate(values)[order]

    names = ("truth", "predicted", "probabilities", "scores")
    return Outcomes(parts[0].labels, *(column(name) for name in names))
