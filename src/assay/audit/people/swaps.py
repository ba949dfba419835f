"""Swaps: what changes in a model's answers when only a name or a term for people changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.audit.people.gaps import Gap, group_gaps
from assay.audit.people.probes import Probe
from assay.audit.scoring import ProbedModel, given_any
from assay.errors import DataError
from assay.suggest import nearest_first, quote, quoted
from assay.wording import setting

__all__ = ["SwapResult", "WorstUnit", "probe_swaps"]

MEASURES = ("score", "rate", "false positive rate", "false negative rate")


@dataclass(frozen=True)
class WorstUnit:
    """Sentences of one unit that the model treats most differently."""

    highest: str
    high: float
    lowest: str
    low: float


@dataclass(frozen=True)
class SwapResult:
    """What a probe showed about one outcome.

    Attributes
    ----------
    outcome
        The label, or labels, looked at.
    unit
        ``"probability"``, or ``"score"`` where the model has none.
    gaps
        Of each group, by measure: ``"score"``, the mean probability of the outcome; ``"rate"``, how often it is
        predicted; and, where the truth is known, ``"false positive rate"`` and ``"false negative rate"``.
    worst
        The templates with the largest differences.
    labels
        The labels that the outcome is made of.
    terms
        The terms of each group.
    """

    name: str
    about: str
    outcome: str
    unit: str
    n_sentences: int
    n_units: int
    gaps: dict[str, tuple[Gap, ...]]
    worst: tuple[WorstUnit, ...]
    labels: tuple[str, ...]
    terms: dict[str, tuple[str, ...]]

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "name": self.name,
            "about": self.about,
            "outcome": self.outcome,
            "unit": self.unit,
            "n_sentences": self.n_sentences,
            "n_units": self.n_units,
            "gaps": {measure: [_gap_dict(gap) for gap in gaps] for measure, gaps in self.gaps.items()},
            "worst": [{"highest": w.highest, "high": w.high, "lowest": w.lowest, "low": w.low} for w in self.worst],
        }


def probe_swaps(
    scorer: ProbedModel, probe: Probe, *, positive: Sequence[str] | None = None, level: float = 0.95, n_worst: int = 5
) -> list[SwapResult]:
    """Put a probe to a model.

    Parameters
    ----------
    scorer
        The model, and the outcomes to look at.
    probe
        The sentences.
    positive
        Labels of the probe's sentences that truly are the outcome. With them, false-positive rates are measured.
    level
        Coverage of the intervals.
    n_worst
        Templates to show.
    """
    names, answers = scorer.answers(list(probe.texts))
    truth = _truth(probe, positive)
    made = []
    for column, (name, (_, classes)) in enumerate(zip(names, scorer.outcomes(answers.predicted), strict=True)):
        scores = answers.scores[:, column]
        called = given_any(answers.predicted, classes).astype(np.float64)
        gaps = {"score": tuple(group_gaps(scores, probe, level)), "rate": tuple(group_gaps(called, probe, level))}
        if truth is not None:
            gaps["false positive rate"] = tuple(group_gaps(called, probe, level, ~truth))
            gaps["false negative rate"] = tuple(group_gaps(1 - called, probe, level, truth))
        made.append(
            SwapResult(
                probe.name,
                probe.about,
                name,
                scorer.unit,
                len(probe.texts),
                len(probe.units),
                gaps,
                _worst(scores, probe, n_worst),
                tuple(scorer.labels[k] for k in classes),
                {group: _terms(probe, g) for g, group in enumerate(probe.groups)},
            )
        )
    return made


def _truth(probe: Probe, positive: Sequence[str] | None) -> NDArray[np.bool_] | None:
    if positive is None:
        return None
    if probe.labels is None:
        raise DataError(f"{probe.name}: the probe has no labels, so its true {quoted(positive)} cannot be found.")
    known = sorted(set(probe.labels))
    for name in positive:
        if name not in known:
            raise DataError(
                f"{probe.name}: no sentence of the probe has the label {quote(name)} for "
                f"{setting('probe_positive')}. "
                f"Its labels are {quoted(nearest_first(name, known))}."
            )
    return np.isin(np.array(probe.labels), list(positive))


def _worst(scores: NDArray[np.float64], probe: Probe, n: int) -> tuple[WorstUnit, ...]:
    """The units with the largest difference between two sentences."""
    order = np.lexsort((scores, probe.unit))
    begins = np.flatnonzero(np.append(True, np.diff(probe.unit[order]) != 0))
    ends = np.append(begins[1:], len(order)) - 1
    low, high = order[begins], order[ends]
    spread = scores[high] - scores[low]
    ranked = np.argsort(-spread, kind="stable")[:n]
    return tuple(
        WorstUnit(probe.texts[high[i]], float(scores[high[i]]), probe.texts[low[i]], float(scores[low[i]]))
        for i in ranked
        if spread[i] > 0
    )


def _terms(probe: Probe, group: int) -> tuple[str, ...]:
    own = np.flatnonzero(probe.term_groups == group)
    return tuple(probe.terms[term].rpartition("\0")[2] for term in own)  # those of a column carry their group


def _gap_dict(gap: Gap) -> dict[str, Any]:
    return {
        "group": gap.group,
        "against": gap.against,
        "mean": gap.mean,
        "other_mean": gap.other_mean,
        "difference": gap.difference.to_dict(),
        "p_units": gap.p_units,
        "p_terms": None if np.isnan(gap.p_terms) else gap.p_terms,
        "n_units": gap.n_units,
        "n_terms": gap.n_terms,
    }
