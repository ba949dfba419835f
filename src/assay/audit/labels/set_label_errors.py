"""Likely label errors where texts have sets of labels: labels that are missing, and labels too many.

Each label is looked at by itself, with calibrated probabilities p of models that had not seen the text. Confident
learning does not serve here: most texts of a hard label look as if they did not have it, and would all be suspect. So a
label counts as suspect only if it is more likely wrong than right were one label of five (ε) wrong:

    missing    p / (1 - p) > 1 / ε
    too many   p / (1 - p) < ε · n / (n' - n)     of a label that n of n' texts have, by mistake n/5 of them

Of a label of which the models are never so sure, nothing can be said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from assay.audit.labels.out_of_fold import out_of_fold
from assay.evaluation.decisions.set_calibration import fit_set_calibration
from assay.evaluation.metrics.set_outcomes import SetOutcomes
from assay.label_sets import LabelSets
from assay.prediction.probabilities import log_odds

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["SetErrors", "SuspectMember", "find_set_errors", "planted_in_sets"]

_WRONG = 0.2  # of five labels one, for the sake of argument
_FEWEST_LEFT = 5  # texts of a label that a planted error must leave it
_FEWEST_PLANTED = 5


@dataclass(frozen=True, slots=True)
class SuspectMember:
    """A text and a label (by its number in the corpus) that it likely lacks, or likely should not have."""

    row: int
    label: int
    missing: bool
    margin: float

    def told(self, names: Sequence[object]) -> tuple[int, str, str, float]:
        """Row, what it is labelled and what it looks like, and the margin."""
        has, lacks = str(names[self.label]), f"not {names[self.label]}"
        return (self.row, lacks, has, self.margin) if self.missing else (self.row, has, lacks, self.margin)


class SetErrors(NamedTuple):
    """What was found."""

    suspects: list[SuspectMember]
    """The likeliest first."""
    accuracy: float
    """Share of texts that the models give exactly their set."""
    unjudged: tuple[str, ...]
    """Labels of which the models are never sure enough to call one wrong."""


def find_set_errors(corpus: Corpus, model: Any, seed: int, threads: int | None) -> SetErrors:
    """Likely errors, by models that had not seen the texts."""
    outcomes = out_of_fold(corpus, model, "micro_f1", seed, threads)
    assert isinstance(outcomes, SetOutcomes), "the corpus has sets"
    outcomes = outcomes.reordered(tuple(corpus.label_names))
    assert outcomes.probabilities is not None, "logistic regression has probabilities"
    labels = outcomes.labels
    calibration = fit_set_calibration(outcomes.probabilities, outcomes.truth, labels, of_probabilities=True)
    probabilities = calibration.apply(outcomes.probabilities)
    counts = outcomes.truth.class_counts
    odds = log_odds(probabilities)
    varied = (counts > 0) & (counts < len(corpus))
    base = np.log(np.maximum(counts, 0.5) / np.maximum(len(corpus) - counts, 0.5))
    likely_true, likely_false = odds + np.log(_WRONG), base + np.log(_WRONG) - odds
    surprise = np.where(outcomes.truth.table(), likely_false, likely_true)
    found: list[tuple[float, SuspectMember]] = []
    for row, k in np.argwhere((surprise > 0) & varied).tolist():
        missing, margin = k not in outcomes.truth[row], abs(2 * probabilities[row, k] - 1)
        found.append((float(surprise[row, k]), SuspectMember(row, k, missing, float(margin))))
    found.sort(key=lambda item: (-item[0], item[1].row, item[1].label))
    sure = (likely_true > 0).any(axis=0) | (likely_false > 0).any(axis=0)
    unjudged = tuple(str(labels[k]) for k in np.flatnonzero(varied & ~sure))
    return SetErrors([item for _, item in found], float(outcomes.correct.mean()), unjudged)


def planted_in_sets(
    corpus: Corpus, model: Any, suspects: Sequence[SuspectMember], share: float, seed: int, threads: int | None
) -> tuple[int, float]:
    """How many labels were added or taken away on purpose, in texts not suspect, and the share that is found."""
    generator = np.random.default_rng([seed, 4])
    sets = corpus.label_sets
    known = {item.row for item in suspects}
    free = np.array([row for row in range(len(corpus)) if row not in known], np.intp)
    n = round(share * len(free))
    if n < _FEWEST_PLANTED:
        return 0, float("nan")
    left = sets.class_counts
    rows = [row.tolist() for row in sets]
    planted: set[tuple[int, int]] = set()
    for row in generator.choice(free, n, replace=False).tolist():
        own = [k for k in rows[row] if left[k] > _FEWEST_LEFT]
        others = [k for k in np.flatnonzero(left).tolist() if k not in rows[row]]
        if not own and not others:
            continue
        drop = bool(own) and (not others or generator.random() < 0.5)
        k = int(generator.choice(own if drop else others))
        rows[row] = [j for j in rows[row] if j != k] if drop else [*rows[row], k]
        left[k] += -1 if drop else 1
        planted.add((row, k))
    falsified = corpus.with_label_sets(LabelSets.of_rows(rows, sets.n_classes), corpus.label_names, changes={})
    found = find_set_errors(falsified, model, seed, threads).suspects
    return len(planted), len(planted & {(item.row, item.label) for item in found}) / len(planted)
