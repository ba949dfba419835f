"""`assay.evaluate` where texts have sets of labels: how good it is, label by label, and how sure one can be of that."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import ParameterError
from assay.evaluation.metrics.catalogue import beta_name
from assay.evaluation.metrics.outcomes import Label, choices
from assay.evaluation.metrics.set_catalogue import OF_PROBABILITIES, parse_set_metric
from assay.evaluation.metrics.set_outcomes import LabelCounts, SetOutcomes
from assay.evaluation.presenting import set_errors
from assay.evaluation.presenting.headline import Headline
from assay.evaluation.presenting.set_headline import set_headline
from assay.evaluation.protocols.seen_texts import SeenTexts
from assay.evaluation.uncertainty.estimate import Estimate, notes_on_intervals
from assay.evaluation.uncertainty.resampling import Resampling
from assay.evaluation.uncertainty.set_measuring import estimate_set_metrics
from assay.evaluation.uncertainty.set_verdict import SetVerdict, judge_sets
from assay.suggest import counted, quote
from assay.tables import Page, Shown

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["SetEvaluation"]

RANKS = (1, 3, 5)


class SetEvaluation(Shown):
    """What was measured of label sets, with intervals. Made by `assay.evaluate`.

    ``evaluation["micro_f1"]`` gives the `Estimate` of any metric that `assay.evaluation.metrics.set_catalogue` names.

    Attributes
    ----------
    outcomes
        Labels, truth, predictions, probabilities.
    corpus
        The texts, or None where plain labels were evaluated.
    level
        Coverage of the intervals.
    seen
        Texts that the model knows from its training, where its file remembers them; None where there are none.

    Examples
    --------
    >>> import assay
    >>> result = assay.evaluate([["a"], ["a", "b"], []], [["a"], ["b"], ["b"]], labels=["a", "b"])
    >>> round(result["micro_f1"].value, 3), result.n_documents
    (0.667, 3)
    >>> [(pair.said, pair.true) for pair in result.confused_labels()]
    []
    """

    task = "label-sets"

    def __init__(
        self,
        outcomes: SetOutcomes,
        plan: Resampling | None = None,
        *,
        corpus: Any = None,
        betas: Sequence[float] = (),
        interval: str = "auto",
        level: float = 0.95,
        undefined: float = np.nan,
        seen: SeenTexts | None = None,
    ) -> None:
        self.outcomes = outcomes
        self.plan = Resampling() if plan is None else plan
        self.corpus = corpus
        self.betas = tuple(dict.fromkeys((1.0, *map(float, betas))))
        self.interval = interval
        self.level = level
        self.undefined = undefined
        self.seen = seen
        self._extra: dict[str, Estimate] = {}  # metrics outside the table, estimated when first asked for

    @property
    def labels(self) -> tuple[Label, ...]:
        """Every label, in the order of the columns of probabilities."""
        return self.outcomes.labels

    @property
    def n_documents(self) -> int:
        """Texts in the test set."""
        return self.outcomes.n_documents

    @property
    def counts(self) -> LabelCounts:
        """Of each label: texts that have it, that were given it, and both."""
        return self.outcomes.counts

    @cached_property
    def metrics(self) -> dict[str, Estimate]:
        """Every overall metric that can be measured, by name."""
        kinds = [*(beta_name(beta) for beta in self.betas), "precision", "recall"]
        names = [f"{average}_{kind}" for average in ("micro", "macro", "samples", "weighted") for kind in kinds]
        names += ["subset_accuracy", "hamming_loss"]
        if self.outcomes.table is not None or self.outcomes.reached is not None:
            ranks = [k for k in RANKS if k < len(self.labels)]
            names += [f"{kind}@{k}" for kind in ("p", "r", "ndcg") for k in ranks]
        if self.outcomes.probabilities is not None:
            names += OF_PROBABILITIES
        return self._estimate(names)

    @cached_property
    def by_label(self) -> dict[Label, dict[str, Estimate]]:
        """F, precision and recall of each label."""
        kinds = [*(beta_name(beta) for beta in self.betas), "precision", "recall"]
        found = self._estimate([f"{kind}:{label}" for label in self.labels for kind in kinds])
        return {label: {kind: found[f"{kind}:{label}"] for kind in kinds} for label in self.labels}

    @cached_property
    def calibration(self) -> dict[Label, dict[str, Estimate]]:
        """Log loss, Brier score and calibration error of each label's probabilities; {} where there are none."""
        if self.outcomes.probabilities is None:
            return {}
        found = self._estimate([f"{kind}:{label}" for label in self.labels for kind in OF_PROBABILITIES])
        return {label: {kind: found[f"{kind}:{label}"] for kind in OF_PROBABILITIES} for label in self.labels}

    @property
    def base_brier(self) -> dict[Label, float]:
        """The Brier score of always saying the share of the texts that have the label: s(1 - s)."""
        shares = self.counts.documents / self.n_documents
        return dict(zip(self.labels, (shares * (1 - shares)).tolist(), strict=True))

    @property
    def worst_first(self) -> tuple[Label, ...]:
        """The labels by their F1, the lowest first; those that neither occur nor were given come last."""
        f1 = [self.by_label[label]["f1"].value for label in self.labels]
        order = np.lexsort((-self.counts.documents, np.nan_to_num(f1, nan=2.0)))
        return tuple(self.labels[k] for k in order)

    @cached_property
    def verdict(self) -> SetVerdict:
        """Whether the model is better than giving every text the same labels, and which labels it never gives."""
        return judge_sets(self.unseen_outcomes)

    @property
    def headline(self) -> Headline:
        """The verdict in words, with what to do."""
        return set_headline(self.verdict, None if self.seen is None else self.seen.counts)

    @property
    def unseen_outcomes(self) -> SetOutcomes:
        """The outcomes on the texts that the model does not know from its training; all where it knows each."""
        if self.seen is None or self.seen.near.all():
            return self.outcomes
        return self.outcomes.among(np.flatnonzero(~self.seen.near))

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know before believing the numbers."""
        notes = [] if self.seen is None else [self._about_seen(self.seen)]
        notes += self.outcomes.notes
        empty = int((self.outcomes.truth.sizes == 0).sum())
        if empty:
            right = int(((self.outcomes.truth.sizes == 0) & self.outcomes.correct).sum())
            notes.append(
                f"{counted(empty, 'text has', 'texts have')} no label, and {right:,} of them were given none: samples "
                "averages leave those out."
                if np.isnan(self.undefined)
                else f"{counted(empty, 'text has', 'texts have')} no label."
            )
        if np.isnan(self.undefined):
            notes += self._left_out()
        notes += notes_on_intervals(self.metrics)
        return tuple(notes)

    def __getitem__(self, name: str) -> Estimate:
        if name in self.metrics:
            return self.metrics[name]
        if name not in self._extra:
            self._extra.update(self._estimate([name]))
        return self._extra[name]

    def confused_labels(self, n: int = 10) -> list[set_errors.ConfusedLabels]:
        """Labels that were given wrongly to texts that have another, most often in its place first."""
        return set_errors.confused_labels(self.outcomes, n)

    def errors_together(self, n: int = 10) -> list[set_errors.ErrorsTogether]:
        """Labels that are wrong in the same texts more often than by chance."""
        return set_errors.errors_together(self.outcomes, n)

    def missed(self, label: Label, n: int = 10) -> list[set_errors.SetMistake]:
        """Texts that have a label and were not given it, the least probable first."""
        return set_errors.mistakes_of_label(self.outcomes, self.corpus, self._index(label), True, n)

    def spurious(self, label: Label, n: int = 10) -> list[set_errors.SetMistake]:
        """Texts that were given a label that they do not have, the most probable first."""
        return set_errors.mistakes_of_label(self.outcomes, self.corpus, self._index(label), False, n)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        from assay.evaluation.presenting.set_presentation import set_evaluation_dict

        return set_evaluation_dict(self)

    def to_frame(self, what: str = "metrics") -> pd.DataFrame:
        """A pandas table of the ``"metrics"`` or the ``"labels"``."""
        from assay.evaluation.presenting.set_presentation import set_evaluation_frame

        return set_evaluation_frame(self, what)

    def _page(self) -> Page:
        from assay.evaluation.presenting.set_presentation import set_evaluation_page

        return set_evaluation_page(self)

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={self[name].value:.4f}" for name in ("micro_f1", "macro_f1"))
        return f"<SetEvaluation of {self.n_documents} texts, {len(self.labels)} labels: {shown}>"

    def _estimate(self, names: Sequence[str], outcomes: SetOutcomes | None = None) -> dict[str, Estimate]:
        metrics = [parse_set_metric(name, self.labels) for name in names]
        of = self.outcomes if outcomes is None else outcomes
        return estimate_set_metrics(of, metrics, self.plan, self.interval, self.level, self.undefined)

    def _about_seen(self, seen: SeenTexts) -> str:
        if seen.near.all():
            return f"{seen.sentence} None is left to say how good the model is on new texts."
        found = self._estimate(["micro_f1", "macro_f1"], self.unseen_outcomes)
        rest = counted(int((~seen.near).sum()), "text", "texts")
        scores = ", ".join(f"{name} {estimate.cell()}" for name, estimate in found.items())
        return f"{seen.sentence} Without them, on {rest}: {scores}."

    def _left_out(self) -> list[str]:
        """Which labels an average leaves out because their value is 0/0."""
        counts = self.counts
        kinds = (
            ((counts.documents > 0) & (counts.predicted == 0), "never given: precision leaves"),
            ((counts.documents == 0) & (counts.predicted > 0), "given, and no text has them: recall leaves"),
            ((counts.documents == 0) & (counts.predicted == 0), "neither there nor given: all averages leave"),
        )
        notes = []
        for which, what in kinds:
            n = int(which.sum())
            if n:
                named = [quote(self.labels[k]) for k in np.flatnonzero(which)[:5]]
                more = f" and {n - 5} more" if n > 5 else ""
                notes.append(f"Labels {what} them out of macro averages: {', '.join(named)}{more}.")
        return notes

    def _index(self, label: Label) -> int:
        if label not in self.labels:
            raise ParameterError(f"There is no label {quote(label)}. Labels are {choices(label, self.labels)}.")
        return self.labels.index(label)
