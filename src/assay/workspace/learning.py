"""What a workspace has to learn from, and what it measures by: never the same text, nor nearly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from assay.data.corpus.corpus import Corpus
from assay.errors import DataError
from assay.workspace.records import Label

if TYPE_CHECKING:
    from assay.workspace.workspace import Workspace

__all__ = ["labelled_corpus", "measuring_rows"]


def measuring_rows(space: Workspace) -> NDArray[np.int64]:
    """The texts that measure a model fairly: shown at random before anything else was known of them.

    A text that the data gave a label, or that was first shown for another reason, may have been trained on.
    """
    shown = [id for id, first in space.state.first.items() if first.why == "random"]
    rows = [row for row in space.known.rows_of(shown).tolist() if row >= 0 and space.known.labels[row] is None]
    return np.sort(np.array(rows, np.int64))


def labelled_corpus(space: Workspace) -> Corpus:
    """All other texts that have a label, in the order of the data."""
    measured = measuring_rows(space)
    kept_aside = np.zeros(len(space.known), bool)
    kept_aside[measured] = True
    labels: list[Label | None] = list(space.known.labels)
    from_data = sum(label is not None for label in labels)
    labels = [space.state.renamed_label(label) for label in labels]
    decided = replaced = elsewhere = 0
    rows_of = space.known.rows_of(list(space.decisions)).tolist()
    for row, decision in zip(rows_of, space.decisions.values(), strict=True):
        if row < 0:
            elsewhere += 1
            continue
        if not kept_aside[row]:
            decided += 1
            replaced += labels[row] is not None and labels[row] != decision.label
        labels[row] = decision.label
    rows = np.flatnonzero([label is not None for label in labels])
    near = _near_copies(space, rows, measured)
    rows = rows[~kept_aside[rows] & ~near]
    if not rows.size:
        raise DataError(
            f"{space.folder}: there is nothing to train on yet: no text has a label. 'assay label {space.folder}' asks "
            "for labels."
        )
    done: dict[str, Any] = {
        "workspace": space.folder.name,
        "decided": decided,
        "replaced": int(replaced),
        "from_data": from_data,
        "kept_aside": int(measured.size),
        "near_copies": int(near.sum()),
        "elsewhere": elsewhere,
    }
    return space.with_labels(rows, [labels[row] for row in rows.tolist()], {"decisions": done})


def _near_copies(space: Workspace, rows: NDArray[np.int64], measured: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which of some texts are nearly the same as one that is measured with, and are not measured with themselves."""
    if not measured.size:
        return np.zeros(len(rows), bool)
    place = np.isin(rows, measured)
    chosen = space.texts.select(rows)
    found = Corpus(pa.chunked_array(chosen.texts.chunks, pa.large_string())).near_copies.first
    return ~place & np.isin(found, found[place])
