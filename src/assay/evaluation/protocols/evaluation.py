"""`assay.evaluate`: how good it is, and how sure one can be of that."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from numbers import Real
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from assay.arguments import in_our_words
from assay.errors import DataError, ParameterError
from assay.evaluation.metrics.catalogue import AREAS, Metric, beta_name, parse_metric
from assay.evaluation.metrics.confusion import ConfusionMatrix
from assay.evaluation.metrics.outcomes import (
    Label,
    Outcomes,
    as_corpus,
    choices,
    from_labels,
    from_model,
    is_model,
)
from assay.evaluation.metrics.set_outcomes import SetOutcomes
from assay.evaluation.metrics.set_reading import sets_from_labels, sets_from_model, speak_of_sets
from assay.evaluation.presenting import curves, error_analysis
from assay.evaluation.presenting.headline import Circumstances, Headline, headline
from assay.evaluation.protocols.asked import has_label_sets
from assay.evaluation.protocols.seen_texts import SeenTexts, seen_texts
from assay.evaluation.protocols.set_evaluation import SetEvaluation
from assay.evaluation.protocols.shift import shift_note
from assay.evaluation.uncertainty.estimate import Estimate, notes_on_intervals
from assay.evaluation.uncertainty.intervals import check_level
from assay.evaluation.uncertainty.measuring import check_interval, estimate_metrics, notes_on_averages
from assay.evaluation.uncertainty.resampling import Resampling
from assay.evaluation.uncertainty.verdict import Verdict, judge
from assay.suggest import counted, quote
from assay.tables import Page, Shown
from assay.wording import setting

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from assay.modelfile.record import ModelRecord

__all__ = ["Evaluation", "evaluate"]

ZERO_DIVISIONS = {"undefined": float("nan"), 0: 0.0, 1: 1.0}


@in_our_words
def evaluate(
    model: Any = None,
    corpus: Any = None,
    probabilities: Any = None,
    *,
    y_true: Any = None,
    y_pred: Any = None,
    scores: Any = None,
    labels: Sequence[Label] | None = None,
    beta: float | Sequence[float] = (),
    interval: str = "auto",
    level: float = 0.95,
    n_resamples: int = 2000,
    stratified: bool = False,
    zero_division: str | int = "undefined",
    allow_one_class: bool = False,
    seed: int = 0,
    threads: int | None = None,
) -> Evaluation | SetEvaluation:
    """Measure a model on labelled documents, or predictions against the truth.

    ``evaluate(model, corpus)`` or ``evaluate(model, texts, labels)``; or ``evaluate(y_true, y_pred, probabilities)``
    without or with the names. Where documents have sets of labels, as the corpus says or as lists of labels or tables
    of 0 and 1 do, the result is a `SetEvaluation`.

    Parameters
    ----------
    model
        Anything with ``predict(texts)``: a `TextClassifier`, a fitted scikit-learn pipeline.
    corpus
        A `Corpus`, or anything that `assay.read` takes; or texts, followed by their labels.
    y_true, y_pred
        Labels, one a document; or a set of labels a document: lists, or tables with a column a label.
    probabilities, scores
        Shape (n, n_labels), columns in the order of `labels`; for two labels also (n,), of the second.
    labels
        Every label, where predictions may hold some that the truth does not.
    beta
        Further F_β to measure besides F1.
    interval
        ``"auto"``: Wilson's interval for shares, and for other metrics intervals that hold for few documents of a class
        too (`assay.evaluation.uncertainty`); where they would not, there is none, and the estimate's `reason` says why.
        ``"bca"`` or ``"percentile"``: that bootstrap for all, whether it holds or not.
    level
        Coverage of the intervals.
    n_resamples, seed
        Bootstrap resamples, and where their randomness comes from.
    stratified
        Keep the number of documents of each true class in every resample.
    zero_division
        What 0/0 is: ``"undefined"`` (shown as such and left out of averages), or 0 or 1 as in scikit-learn.
    allow_one_class
        Measure what can be measured although the truth holds one class only.
    threads
        None: every processor. The result does not depend on it.

    Examples
    --------
    >>> result = evaluate(y_true=["a", "a", "b", "b", "b"], y_pred=["a", "b", "b", "b", "a"])
    >>> print(result.accuracy)
    0.600 [0.231, 0.882]
    >>> round(result["recall:b"].value, 3)
    0.667
    """
    plan = Resampling(n_resamples, seed, stratified, threads)
    betas: tuple[Any, ...] = (beta,) if isinstance(beta, (Real, str)) else tuple(cast(Any, beta))
    for value in betas:
        beta_name(value)
    if zero_division not in ZERO_DIVISIONS or isinstance(zero_division, bool):
        raise ParameterError(f"zero_division must be 'undefined', 0 or 1. Got {zero_division!r} instead.")
    documents = None
    of_sets: SetOutcomes | None = None
    if is_model(model):
        if corpus is None:
            raise ParameterError("evaluate(model, corpus) needs the corpus to evaluate on. Got None instead.")
        documents = as_corpus(corpus, probabilities if y_true is None else y_true)
        if documents.labels is None and labels is not None:
            documents = as_corpus(documents, labels)
        if documents.labels is None:
            raise DataError(
                f"{documents.source}: the texts have no labels. Read them with {setting('label', of_read=True)}, or "
                "use evaluate(model, texts, labels)."
            )
        if y_pred is not None or scores is not None or (probabilities is not None and y_true is not None):
            raise ParameterError(
                "evaluate(model, texts, labels) lets the model predict: y_pred, scores and probabilities are for "
                "evaluate(y_true, y_pred, probabilities), without a model."
            )
        if has_label_sets(documents):
            of_sets = sets_from_model(model, documents)
        else:
            outcomes = from_model(model, documents, allow_one_class=allow_one_class)
    else:
        truth, predicted = (y_true if model is None else model), (y_pred if corpus is None else corpus)
        if truth is None or predicted is None:
            raise ParameterError(
                "evaluate needs a model with a predict method and a corpus, or y_true and y_pred. Got "
                f"{type(truth).__name__} and {type(predicted).__name__} instead."
            )
        if speak_of_sets(truth, predicted):
            of_sets = sets_from_labels(truth, predicted, probabilities, scores=scores, labels=labels)
        else:
            outcomes = from_labels(
                truth, predicted, probabilities, scores=scores, labels=labels, allow_one_class=allow_one_class
            )
    measured: dict[str, Any] = {
        "corpus": documents,
        "betas": betas,
        "interval": check_interval(interval),
        "level": check_level(level),
        "undefined": ZERO_DIVISIONS[zero_division],
        "seen": None if documents is None else seen_texts(model, documents),
    }
    if of_sets is not None:
        return SetEvaluation(of_sets, plan, **measured)
    known = Circumstances.told_in(getattr(model, "provenance", None) or {})
    return Evaluation(outcomes, plan, known=known, record=getattr(model, "record", None), **measured)


class Evaluation(Shown):
    """What was measured, with intervals. Made by `assay.evaluate`.

    ``evaluation["macro_f1"]`` gives the `Estimate` of any metric that `assay.evaluation.metrics.catalogue` names.

    Attributes
    ----------
    outcomes
        Labels, truth, predictions, probabilities.
    confusion
        The confusion matrix.
    corpus
        The documents that got an answer, or None where plain labels were evaluated.
    level
        Coverage of the intervals.
    seen
        Documents that the model knows from its training, where its file remembers the texts; None where there are none.
    """

    def __init__(
        self,
        outcomes: Outcomes,
        plan: Resampling,
        *,
        corpus: Any = None,
        betas: tuple[float, ...] = (),
        interval: str = "auto",
        level: float = 0.95,
        undefined: float = np.nan,
        known: Circumstances | None = None,
        seen: SeenTexts | None = None,
        record: ModelRecord | None = None,
    ) -> None:
        self.outcomes = outcomes
        self.confusion = ConfusionMatrix.of(outcomes)
        self.corpus = corpus if outcomes.answered is None else corpus.select(outcomes.answered)
        self.plan = plan
        self.betas = tuple(dict.fromkeys((1.0, *map(float, betas))))
        self.interval = interval
        self.level = level
        self.undefined = undefined
        self._known = known
        self._record = record
        self.seen = None if seen is None else seen.among(outcomes.answered)
        self._extra: dict[str, Estimate] = {}  # metrics outside the table, estimated when first asked for

    @property
    def labels(self) -> tuple[Label, ...]:
        """Every label, in the order of rows, columns and probabilities."""
        return self.outcomes.labels

    @property
    def n_documents(self) -> int:
        """Documents in the test set."""
        return self.outcomes.n_documents

    @property
    def accuracy(self) -> Estimate:
        """Share of documents given their true label."""
        return self["accuracy"]

    @property
    def macro_f1(self) -> Estimate:
        """Mean of the classes' F1."""
        return self["macro_f1"]

    @cached_property
    def metrics(self) -> dict[str, Estimate]:
        """Every overall metric that can be measured, by name."""
        return {**self._of_labels, **{name: self._of_scores[name] for name in self._score_names()}}

    @cached_property
    def classes(self) -> dict[Label, dict[str, Estimate]]:
        """Precision, recall, F (and areas, where there are scores) of each class."""
        kinds = self._class_kinds()
        of_labels = [f"{kind}:{label}" for label in self.labels for kind in kinds if kind not in AREAS]
        found = {**self._estimate(of_labels), **self._of_scores}
        return {label: {kind: found[f"{kind}:{label}"] for kind in kinds} for label in self.labels}

    @cached_property
    def verdict(self) -> Verdict:
        """Whether the model is better than always saying the commonest class, and which classes it never says.

        Judged on the documents that it does not know from its training, if there are any.
        """
        return judge(self.unseen_outcomes)

    @property
    def headline(self) -> Headline | None:
        """The verdict in words, with what to do; None where nothing is amiss and accuracy may be the headline."""
        return headline(self.verdict, self._known, None if self.seen is None else self.seen.counts)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know before believing the numbers."""
        notes = [*self.notes_on_seen, *([] if self.shift is None else [self.shift]), *self.outcomes.notes]
        if np.isnan(self.undefined):
            notes += notes_on_averages(self.confusion)
        notes += notes_on_intervals(self.metrics)
        return tuple(notes)

    @cached_property
    def shift(self) -> str | None:
        """That the documents differ from the training texts, and in what most, where it does far worse on them.

        Told by what the model's file says of its cross-validation; None where the result is not far below that, or
        nothing is known of it.
        """
        if self._record is None or self.corpus is None or not self.unseen:
            return None
        unseen = self.corpus if self.seen is None else self.corpus.select(~self.seen.near)
        return shift_note(self._record, unseen, self.unseen_outcomes)

    @cached_property
    def unseen(self) -> dict[str, Estimate]:
        """Accuracy and macro-F1 on the documents that the model does not know from its training; {} where none is left.

        Where it knows none, or its file does not remember texts, that is all documents.
        """
        if self.seen is not None and self.seen.near.all():
            return {}
        metrics = [parse_metric(name, self.labels) for name in ("accuracy", "macro_f1")]
        of = self.unseen_outcomes
        return estimate_metrics(of, metrics, self.plan, self.interval, self.level, self.undefined)

    @property
    def unseen_outcomes(self) -> Outcomes:
        """The outcomes on the documents that the model does not know from its training; all where it knows each."""
        if self.seen is None or self.seen.near.all():
            return self.outcomes
        return self.outcomes.among(np.flatnonzero(~self.seen.near))

    @property
    def notes_on_seen(self) -> list[str]:
        """How many documents the model knows from its training, and what it scores on the others, if it knows any."""
        if self.seen is None:
            return []
        if not self.unseen:
            return [f"{self.seen.sentence} None is left to say how good the model is on new texts."]
        rest = counted(int((~self.seen.near).sum()), "document", "documents")
        scores = ", ".join(f"{name} {estimate.cell()}" for name, estimate in self.unseen.items())
        return [f"{self.seen.sentence} Without them, on {rest}: {scores}."]

    def __getitem__(self, name: str) -> Estimate:
        for found in (self._of_labels, self._extra):
            if name in found:
                return found[name]
        kind, colon, label = name.partition(":")
        by_text = {str(own): own for own in self.labels}
        if colon and label in by_text and kind in self._class_kinds():
            return self.classes[by_text[label]][kind]
        if name in self._score_names():
            return self._of_scores[name]
        self._extra.update(self._estimate([name]))
        return self._extra[name]

    def roc(self, label: Label) -> curves.RocCurve:
        """ROC curve of one class against the rest."""
        return curves.roc_curve(self.outcomes, self.labels.index(self._label(label)))

    def precision_recall(self, label: Label) -> curves.PrecisionRecallCurve:
        """Precision–recall curve of one class against the rest."""
        return curves.precision_recall_curve(self.outcomes, self.labels.index(self._label(label)))

    def reliability(self, n_bins: int = 15, label: Label | None = None) -> curves.Reliability:
        """How often what was said with a probability was true: of the predicted label, or of one label."""
        k = None if label is None else self.labels.index(self._label(label))
        return curves.reliability(self.outcomes, n_bins, k, self.level)

    def coverage(self, threshold: float) -> curves.Coverage:
        """Share of documents with at least this confidence, and accuracy on them."""
        return curves.coverage(self.outcomes, threshold, self.level)

    def mistakes(self, n: int = 10) -> list[error_analysis.Mistake]:
        """The mistakes of which the model was most sure."""
        return error_analysis.confident_mistakes(self.outcomes, self.corpus, n)

    def confused_pairs(self, n: int = 10) -> list[error_analysis.ConfusedPair]:
        """The classes most often taken for each other."""
        return error_analysis.confused_pairs(self.confusion, n)

    def mistakes_by_length(self, n_bins: int = 5) -> list[error_analysis.MistakeGroup]:
        """Error rate from the shortest texts to the longest."""
        error_analysis.require_corpus(self.corpus, "mistakes_by_length")
        return error_analysis.mistakes_by_length(self.outcomes, self.corpus, n_bins, self.level)

    def mistakes_by(self, column: str, n_bins: int = 5) -> list[error_analysis.MistakeGroup]:
        """Error rate for each value of a column of the corpus, the highest first."""
        error_analysis.require_corpus(self.corpus, "mistakes_by")
        return error_analysis.mistakes_by_column(self.outcomes, self.corpus, column, n_bins, self.level)

    def errors(self, n: int = 5, columns: Sequence[str] = ()) -> error_analysis.ErrorAnalysis:
        """All of this on one page: n mistakes, n pairs, error rates by length and by columns of the corpus."""
        groups = {} if self.corpus is None else {"length": tuple(self.mistakes_by_length())}
        groups |= {column: tuple(self.mistakes_by(column)) for column in columns}
        wrong = int((~self.outcomes.correct).sum())
        pairs = tuple(self.confused_pairs(n))
        return error_analysis.ErrorAnalysis(self.n_documents, wrong, tuple(self.mistakes(n)), pairs, groups)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; the shape is described in the guide to evaluation and stays as it is."""
        from assay.evaluation.presenting.presentation import evaluation_dict

        return evaluation_dict(self)

    def to_frame(self, what: str = "metrics") -> pd.DataFrame:
        """A pandas table of the ``"metrics"``, the ``"classes"`` or the ``"confusion"`` matrix."""
        from assay.evaluation.presenting.presentation import evaluation_frame

        return evaluation_frame(self, what)

    def plot(self, what: str | Sequence[str] | None = None) -> Figure:
        """A matplotlib figure of ``"confusion"``, ``"reliability"``, ``"roc"``, ``"precision_recall"``, ``"coverage"``.

        By default of the first four, as far as there are probabilities.
        """
        from assay.evaluation.presenting.plots import plot_evaluation

        return plot_evaluation(self, what)

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={self[name].value:.4f}" for name in ("accuracy", "macro_f1"))
        return f"<Evaluation of {self.n_documents} documents, {len(self.labels)} classes: {shown}>"

    def _page(self) -> Page:
        from assay.evaluation.presenting.presentation import evaluation_page

        return evaluation_page(self)

    def _estimate(self, names: Sequence[str]) -> dict[str, Estimate]:
        metrics: list[Metric] = [parse_metric(name, self.labels) for name in names]
        return estimate_metrics(self.outcomes, metrics, self.plan, self.interval, self.level, self.undefined)

    @cached_property
    def _of_labels(self) -> dict[str, Estimate]:
        kinds = ["precision", "recall", *(beta_name(beta) for beta in self.betas)]
        averaged = [f"{average}_{kind}" for average in ("macro", "micro", "weighted") for kind in kinds]
        return self._estimate(["accuracy", "balanced_accuracy", "matthews", "kappa", *averaged])

    @cached_property
    def _of_scores(self) -> dict[str, Estimate]:
        """Overall and by class, from the same resamples: going down the ranks of every class takes long."""
        kinds = AREAS if self.outcomes.confidence is not None else ()
        return self._estimate([*self._score_names(), *(f"{kind}:{label}" for label in self.labels for kind in kinds)])

    def _score_names(self) -> list[str]:
        names = ["log_loss", "brier", "calibration_error"] if self.outcomes.probabilities is not None else []
        if self.outcomes.confidence is not None:
            names += AREAS
            names += [f"top_{k}_accuracy" for k in (2, 3, 5) if k < len(self.labels)]
        return names

    def _class_kinds(self) -> list[str]:
        kinds = ["precision", "recall", *(beta_name(beta) for beta in self.betas)]
        return kinds + (list(AREAS) if self.outcomes.confidence is not None else [])

    def _label(self, label: Label) -> Label:
        if label not in self.labels:
            raise ParameterError(f"There is no label {quote(label)}. Labels are {choices(label, self.labels)}.")
        return label
