"""The test at the end of a training: once, on texts that had no part in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.evaluation.metrics.outcomes import Outcomes
from assay.evaluation.metrics.set_outcomes import SetOutcomes
from assay.evaluation.protocols.set_evaluation import SetEvaluation
from assay.label_sets import LabelSets
from assay.suggest import quote
from assay.training.run import MajorityBaseline

if TYPE_CHECKING:
    from assay.classifier.text_classifier import TextClassifier
    from assay.data.corpus.corpus import Corpus
    from assay.evaluation.protocols.comparison_result import Comparison
    from assay.evaluation.protocols.evaluation import Evaluation
    from assay.evaluation.uncertainty.metric_value import MetricLike
    from assay.modelfile.record import ModelRecord
    from assay.neural.networks.network_classifier import NetworkClassifier

__all__ = ["evaluate_once"]


class _Answers:
    """A model's answers to the test texts, read out once."""

    def __init__(self, model: TextClassifier | NetworkClassifier, texts: Any, record: ModelRecord | None) -> None:
        self.labels = model.labels
        self.record = record
        scores = model.decision_function(texts)
        decision = model.model.decision
        self._predicted = decision.predict(scores)
        if decision.has_probabilities:
            probabilities = decision.probabilities(scores)
            self.predict_proba = lambda _: probabilities
        else:
            self.decision_function = lambda _: scores

    def predict(self, texts: Any) -> NDArray[Any]:
        return self._predicted


class _Tree:
    """A model with a label tree as it is, but for what it remembers of the texts that these were held out of."""

    def __init__(self, model: Any, held_out: bool) -> None:
        self.labels, self.decision, self.model, self.scored = model.labels, model.decision, model.model, model.scored
        self.record = None if held_out else model.record

    def predict(self, texts: Any) -> Any:
        return self.decision.predict(self.scored(texts))


@dataclass(frozen=True)
class _Measured:
    """What `compare` takes for something that has been measured."""

    outcomes: Outcomes | SetOutcomes


def evaluate_once(
    model: TextClassifier | NetworkClassifier,
    baseline: MajorityBaseline,
    test: Corpus,
    metric: MetricLike,
    *,
    held_out: bool,
    seed: int,
    threads: int,
) -> tuple[Evaluation | SetEvaluation, Comparison | None]:
    """Measure the model, and compare it with the baseline by the metric of the search if that is one of labels by name.

    Otherwise by accuracy: the baseline has no probabilities, and a function would be called ten thousand times.
    Texts that somebody brought are looked up among those that the model remembers; only the others are compared on.
    What was `held_out` of the same data is none of them.
    """
    from assay.evaluation.metrics.catalogue import LabelMetric, parse_metric
    from assay.evaluation.protocols.comparison import compare
    from assay.evaluation.protocols.evaluation import evaluate

    settings: dict[str, Any] = {"seed": seed, "threads": threads}
    tree = getattr(model.model, "tree", None)
    answers: Any = _Tree(model, held_out) if tree is not None else None
    answers = answers or _Answers(model, test.texts, None if held_out else model.record)
    evaluation = evaluate(answers, test, allow_one_class=True, **settings)
    if isinstance(evaluation, SetEvaluation):
        return evaluation, _compared_sets(evaluation, baseline, metric, settings)
    if not evaluation.unseen or np.unique(evaluation.unseen_outcomes.truth).size < 2:
        return evaluation, None
    of_labels = isinstance(metric, str) and isinstance(parse_metric(metric, model.labels), LabelMetric)
    names = ("the model", f"always {quote(baseline.label)}")
    outcomes = evaluation.unseen_outcomes
    assert isinstance(baseline.label, str)
    always = np.full(outcomes.n_documents, outcomes.labels.index(baseline.label), np.int32)
    both = _Measured(outcomes), _Measured(Outcomes(outcomes.labels, outcomes.truth, always))
    comparison = compare(*both, metric=metric if of_labels else "accuracy", names=names, **settings)
    return evaluation, comparison  # type: ignore[return-value]


def _compared_sets(
    evaluation: SetEvaluation, baseline: MajorityBaseline, metric: MetricLike, settings: dict[str, Any]
) -> Comparison | None:
    """The model beside giving every text the same labels, by a metric of labels."""
    from assay.evaluation.protocols.comparison import compare

    outcomes = evaluation.unseen_outcomes
    if not outcomes.n_documents or not len(outcomes.truth.members):
        return None
    constant = [outcomes.labels.index(label) for label in baseline.label]
    always = LabelSets.of_rows([constant] * outcomes.n_documents, len(outcomes.labels))
    both = _Measured(outcomes), _Measured(SetOutcomes(outcomes.labels, outcomes.truth, always))
    by = metric if isinstance(metric, str) and metric.endswith("_f1") else "micro_f1"
    names = ("the model", f"always {baseline.said}")
    return compare(*both, metric=by, names=names, **settings)  # type: ignore[return-value]
