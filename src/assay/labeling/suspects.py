"""Labels that are likely wrong, with the likely right one: confident learning over quick models of the others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.audit.labels.confident import confident_errors, judged_classes
from assay.features.columns.text_matrix import CompressedRows
from assay.label_sets import LabelSets
from assay.labeling.known import KnownLabels
from assay.labeling.picks import Label, label_text
from assay.labeling.quick_model import QuickModel
from assay.suggest import quote

__all__ = ["Suspect", "find_suspects", "held_out_probabilities"]

Floats = NDArray[np.float64]

FEWEST = 50  # labelled texts
_MOST = 2_000  # that are looked at in one round, drawn
_FOLDS = 3
_LEAST_MARGIN = 0.5  # P(likely label) - P(label)


@dataclass(frozen=True)
class Suspect:
    """A labelled text whose label is likely wrong."""

    row: int
    label: Label
    suggestion: Label
    margin: float

    @property
    def sentence(self) -> str:
        """What it is labelled, and what it looks like."""
        if isinstance(self.label, str):
            return f"labelled {quote(self.label)}, but looks like {quote(label_text(self.suggestion))}"
        lacks = [label for label in self.suggestion if label not in self.label]
        many = [label for label in self.label if label not in self.suggestion]
        said = [f"lacks {quote(label)}" for label in lacks] + [f"should not have {quote(label)}" for label in many]
        return f"its set of labels likely {' and '.join(said)}"


def find_suspects(
    rows: CompressedRows, known: KnownLabels, *, seed: int = 0, threads: int | None = None
) -> list[Suspect]:
    """Likely label errors among labels that were learned from, those with the widest margins first.

    Every text gets probabilities from a quick model that was not trained on it. Nothing is said with fewer than 50
    labels, nor of a label that these models never recognise.
    """
    if len(known) < FEWEST or not known.can_teach:
        return []
    at = np.arange(len(known))
    if len(at) > _MOST:
        at = np.sort(np.random.default_rng([seed, len(known)]).choice(at, _MOST, replace=False))
    classes = known.take(at)
    table = held_out_probabilities(rows[known.rows[at]], classes, known.names, seed=seed, threads=threads)
    if isinstance(classes, LabelSets):
        return _of_sets(known, at, classes, table)
    truth = classes.astype(np.intp)
    judged = judged_classes(table, truth)
    found, likely = confident_errors(table, truth)
    margins = table[found, likely] - table[found, truth[found]]
    return [
        Suspect(int(known.rows[at[i]]), known.names[truth[i]], known.names[k], float(margin))
        for i, k, margin in zip(found, likely, margins, strict=True)
        if judged[truth[i]] and margin >= _LEAST_MARGIN
    ]


def held_out_probabilities(
    rows: CompressedRows,
    classes: NDArray[np.int32] | LabelSets,
    names: tuple[str, ...],
    *,
    seed: int,
    threads: int | None,
) -> Floats:
    """Probabilities (n, n_labels) of each row by a model of other folds."""
    n = len(classes)
    order = np.random.default_rng([seed, 6]).permutation(n)
    if not isinstance(classes, LabelSets):
        order = order[np.argsort(classes[order], kind="stable")]  # each fold gets its part of every class
    fold = np.empty(n, np.int64)
    fold[order] = np.arange(n) % _FOLDS
    table = np.zeros((n, len(names)))
    for k in range(_FOLDS):
        train, test = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
        part = classes.take(train) if isinstance(classes, LabelSets) else classes[train]
        model = QuickModel.learn(rows[train], part, names, seed=seed, threads=threads)
        table[test] = model.probabilities(rows[test], threads)
    return table


def _of_sets(known: KnownLabels, at: NDArray[np.intp], sets: LabelSets, table: Floats) -> list[Suspect]:
    """Each label by itself: having it and not having it are its two classes; a text is said once, with all of them."""
    changes: dict[int, dict[int, float]] = {}
    for k in np.flatnonzero(sets.class_counts).tolist():
        two = np.column_stack([1 - table[:, k], table[:, k]])
        classes = sets.having(k).astype(np.intp)
        if not judged_classes(two, classes).all():
            continue
        found, likely = confident_errors(two, classes)
        for i, new in zip(found.tolist(), likely.tolist(), strict=True):
            margin = float(two[i, new] - two[i, classes[i]])
            if margin >= _LEAST_MARGIN:
                changes.setdefault(i, {})[k] = margin
    suspects = []
    for i, changed in changes.items():
        own = set(sets[i].tolist())
        right = tuple(known.names[k] for k in sorted(own ^ set(changed)))
        suspects.append(Suspect(int(known.rows[at[i]]), known.label(int(at[i])), right, max(changed.values())))
    return sorted(suspects, key=lambda suspect: (-suspect.margin, suspect.row))
