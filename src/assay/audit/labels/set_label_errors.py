"""Likely label errors where texts have sets of labels: labels that are missing, and labels too many.

Confident learning looks at each label by itself: its two classes are having it and not having it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.audit.labels.confident import confident_errors
from assay.audit.labels.out_of_fold import out_of_fold
from assay.evaluation.metrics.set_outcomes import SetOutcomes
from assay.label_sets import LabelSets

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["SuspectMember", "find_set_errors", "planted_in_sets"]

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


def find_set_errors(corpus: Corpus, model: Any, seed: int, threads: int | None) -> tuple[list[SuspectMember], float]:
    """Likely errors, the likeliest first, and the share of texts that the models give exactly their set."""
    outcomes = out_of_fold(corpus, model, "micro_f1", seed, threads)
    assert isinstance(outcomes, SetOutcomes), "the corpus has sets"
    outcomes = outcomes.reordered(tuple(corpus.label_names))
    found: list[SuspectMember] = []
    for k in np.flatnonzero(outcomes.truth.class_counts).tolist():
        of_label = outcomes.one_label(k)
        assert of_label.probabilities is not None, "logistic regression has probabilities"
        classes = of_label.truth.astype(np.intp)
        rows, suggested = confident_errors(of_label.probabilities, classes)
        margins = of_label.probabilities[rows, suggested] - of_label.probabilities[rows, classes[rows]]
        found += [
            SuspectMember(int(row), k, bool(new == 1), float(margin))
            for row, new, margin in zip(rows, suggested, margins, strict=True)
        ]
    return sorted(found, key=lambda item: (-item.margin, item.row, item.label)), float(outcomes.correct.mean())


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
    found, _ = find_set_errors(falsified, model, seed, threads)
    return len(planted), len(planted & {(item.row, item.label) for item in found}) / len(planted)
