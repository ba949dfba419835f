"""Whether a model of label sets is worth having: better than giving every text the same labels, and silent about none.

Where nearly all texts have one label, or none, giving all of them that is right nearly always. The constant answer to
beat is the one with the largest micro-F1: of all sets with m labels that is the one of the m commonest, so that the
best of all is found by going through them once. The test is Student's on what leaving out each text does to the
difference (the jackknife), one-sided.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from assay.evaluation.metrics.catalogue import LabelMetric
from assay.evaluation.metrics.outcomes import Label
from assay.evaluation.metrics.set_catalogue import parse_set_metric
from assay.evaluation.metrics.set_outcomes import LabelCounts, SetOutcomes
from assay.evaluation.uncertainty.resampling import Resampling
from assay.evaluation.uncertainty.set_resampling import SetTexts
from assay.evaluation.uncertainty.verdict import FEWEST, LEVEL
from assay.label_sets import LabelSets

__all__ = ["SetVerdict", "best_constant", "judge_sets"]

Kind = Literal["useful", "silent", "guessing", "constant", "nothing", "no labels"]


@dataclass(frozen=True)
class SetVerdict:
    """What became of the questions.

    Attributes
    ----------
    kind
        ``"useful"``: a larger micro-F1 than any constant answer. ``"silent"``: that, but it never gives some label.
        ``"guessing"``: not better than the constant answer beyond chance. ``"constant"``: the same labels for every
        text. ``"nothing"``: no label for any text. ``"no labels"``: no text has one, which shows nothing of the kind.
    constant
        The labels to give every text for the largest micro-F1.
    micro_f1, constant_micro_f1
        Of the model and of that answer.
    commonest_set, exact, commonest_exact
        The commonest set of labels (it may be empty), and the share of texts that the model, and always giving that
        set, get exactly right.
    p_value
        Of the test that the model is better than the constant answer.
    silent
        Labels that were never given, though at least 3 texts have them.
    unproved
        Labels that were never given either, and that one or two texts have: too few to hold it against the model.
    n_documents
        Texts measured on.
    """

    kind: Kind
    constant: tuple[Label, ...]
    micro_f1: float
    constant_micro_f1: float
    commonest_set: tuple[Label, ...]
    exact: float
    commonest_exact: float
    p_value: float
    silent: tuple[Label, ...]
    n_documents: int
    unproved: tuple[Label, ...] = ()

    @property
    def trustworthy(self) -> bool:
        """Whether the figures may stand without a warning."""
        return self.kind in ("useful", "no labels")

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "kind": self.kind,
            "constant": list(self.constant),
            "micro_f1": None if np.isnan(self.micro_f1) else self.micro_f1,
            "constant_micro_f1": self.constant_micro_f1,
            "commonest_set": list(self.commonest_set),
            "exact": self.exact,
            "commonest_exact": self.commonest_exact,
            "p_value": self.p_value,
            "never_given": list(self.silent),
            "never_given_of_few": list(self.unproved),
        }


def judge_sets(outcomes: SetOutcomes) -> SetVerdict:
    """Judge a model by its answers to texts that it had not seen.

    Examples
    --------
    >>> truth = LabelSets.of_rows([[0]] * 8 + [[0, 1]] * 3, 2)
    >>> verdict = judge_sets(SetOutcomes(("news", "sport"), truth, LabelSets.of_rows([[0]] * 11, 2)))
    >>> verdict.kind, verdict.constant, round(verdict.constant_micro_f1, 2), verdict.silent
    ('constant', ('news',), 0.88, ('sport',))
    """
    counts, n = outcomes.counts, outcomes.n_documents
    constant = best_constant(counts, n)
    always = SetOutcomes(outcomes.labels, outcomes.truth, LabelSets.of_rows([constant] * n, len(outcomes.labels)))
    micro = parse_set_metric("micro_f1", outcomes.labels)
    assert isinstance(micro, LabelMetric)
    pair = SetTexts([outcomes, always], [micro], Resampling(1, threads=1), 0.0)
    p_value = _p_value(pair)
    numbers = outcomes.truth.numbers_of_sets()
    most = int(np.bincount(numbers).argmax())
    commonest = outcomes.truth[int(np.flatnonzero(numbers == most)[0])]
    never = (counts.documents > 0) & (counts.predicted == 0)
    silent, unproved = (np.flatnonzero(never & few) for few in (counts.documents >= FEWEST, counts.documents < FEWEST))
    kind: Kind
    if not counts.documents.any():
        kind = "no labels"
    elif not counts.predicted.any():
        kind = "nothing"
    elif n > 1 and np.unique(outcomes.predicted.numbers_of_sets()).size == 1:
        kind = "constant"
    elif p_value > LEVEL:
        kind = "guessing"
    else:
        kind = "silent" if silent.size else "useful"
    return SetVerdict(
        kind,
        tuple(outcomes.labels[k] for k in constant),
        float(pair.observed[0, 0]),
        float(pair.observed[1, 0]),
        tuple(outcomes.labels[k] for k in commonest),
        float(outcomes.correct.mean()),
        float((numbers == most).mean()),
        p_value,
        tuple(outcomes.labels[k] for k in silent),
        n,
        tuple(outcomes.labels[k] for k in unproved),
    )


def best_constant(counts: LabelCounts, n: int) -> list[int]:
    """The labels to give each of n texts for the largest micro-F1: 2 Σ c / (n m + Σ of all) for the m commonest."""
    order = np.argsort(-counts.documents, kind="stable")
    total = int(counts.documents.sum())
    if total == 0:
        return []
    found = 2 * np.cumsum(counts.documents[order]) / (n * np.arange(1, order.size + 1) + total)
    return sorted(order[: int(found.argmax()) + 1].tolist())


def _p_value(pair: SetTexts) -> float:
    """Student's one-sided p-value of the lead of the first of two systems, from leaving out each text."""
    from scipy.special import stdtr

    lead = float(pair.observed[0, 0] - pair.observed[1, 0])
    without = pair.left_out()[0]
    leads = without[:, 0, 0] - without[:, 1, 0]
    n = leads.size
    variance = (n - 1) / n * float(((leads - leads.mean()) ** 2).sum())
    if n < 2 or variance <= 0:
        return 0.0 if lead > 0 and n >= 6 else 1.0
    return float(stdtr(n - 1, -lead / np.sqrt(variance)))
