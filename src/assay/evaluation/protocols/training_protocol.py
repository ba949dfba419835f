"""The protocol of `assay train`: choose by cross-validation inside the training part, test once on the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay.arguments import in_our_words
from assay.errors import ParameterError
from assay.evaluation.metrics.outcomes import as_corpus
from assay.evaluation.protocols.cross_validation import cross_validate
from assay.evaluation.protocols.cross_validation_result import CrossValidation
from assay.evaluation.protocols.evaluation import Evaluation, evaluate
from assay.evaluation.protocols.trainers import trainer_for
from assay.evaluation.uncertainty.metric_value import MetricLike, metric_name, metric_sign
from assay.tables import Table, page_html, page_text

__all__ = ["Selection", "select_and_test"]


@dataclass(frozen=True, eq=False)
class Selection:
    """The best of several models, and what it is worth on documents that had no part in the choice.

    Attributes
    ----------
    name
        Of the chosen model.
    model
        The chosen model, trained on the whole training part.
    cross_validations
        Of every candidate, on the same folds of the training part.
    evaluation
        Of the chosen model on the test part.
    train, test
        The two parts.
    """

    name: str
    model: Any
    metric: str
    cross_validations: Mapping[str, CrossValidation]
    evaluation: Evaluation
    train: Any
    test: Any

    def __str__(self) -> str:
        return f"{page_text(*self._page())}\n\n{self.evaluation}"

    def _repr_html_(self) -> str:
        return page_html(*self._page()) + self.evaluation._repr_html_()

    def _page(self) -> tuple[str, list[Table], tuple[str, ...]]:
        heading = f"{self.name} was chosen by cross-validation of {len(self.train):,} training documents"
        rows = [
            (f"{name}{' *' if name == self.name else ''}", result[self.metric].cell())
            for name, result in self.cross_validations.items()
        ]
        return heading, [Table("Candidates (* chosen)", ("model", self.metric), rows)], ()


@in_our_words
def select_and_test(
    candidates: Mapping[str, Any],
    corpus: Any,
    *,
    test: Any = 0.2,
    metric: MetricLike = "macro_f1",
    folds: int = 5,
    seed: int = 0,
    threads: int | None = None,
    level: float = 0.95,
    small_classes: str = "allow",
    **evaluation: Any,
) -> Selection:
    """Set a test part aside, choose among candidates by cross-validation of the rest, and test the choice once.

    Parameters
    ----------
    candidates
        Unfitted models (or functions that train one) by name; the first of equals is chosen.
    corpus
        A `Corpus`, or anything `assay.read` takes.
    test
        Share of documents to set aside (`Corpus.split`), or a corpus to test on.
    metric
        What the choice looks at.
    folds
        Of the cross-validation inside the training part; the same for every candidate.
    seed
        Of the split and of the folds.
    threads
        Folds trained at the same time; None: as many as there are processors.
    level
        Coverage of the intervals.
    small_classes
        ``"error"`` or ``"allow"`` classes with fewer documents than folds.
    evaluation
        Settings of `assay.evaluate` for the test.
    """
    if not candidates:
        raise ParameterError("select_and_test needs at least one candidate. Got none.")
    corpus = as_corpus(corpus)
    if isinstance(test, (int, float)):
        train_part, test_part = corpus.split(test=test, seed=seed)
    else:
        train_part, test_part = corpus, as_corpus(test)
    settings: dict[str, Any] = {"folds": folds, "seed": seed, "threads": threads, "small_classes": small_classes}
    results = {
        name: cross_validate(model, train_part, metrics=[metric], level=level, **settings)
        for name, model in candidates.items()
    }
    shown = metric_name(metric)
    best = max(results, key=lambda name: metric_sign(metric) * _or_worst(results[name][shown].value, metric))
    model = trainer_for(candidates[best], train_part, 1).fitted({})
    measured = evaluate(model, test_part, level=level, seed=seed, threads=threads, **evaluation)
    assert isinstance(measured, Evaluation)
    return Selection(best, model, shown, results, measured, train_part, test_part)


def _or_worst(value: float, metric: MetricLike) -> float:
    """An undefined score loses against every other."""
    return -metric_sign(metric) * float("inf") if value != value else value
