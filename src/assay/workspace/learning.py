"""What a workspace has to learn from, and what it measures by: never the same text, nor nearly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from assay.data.corpus.corpus import Corpus
from assay.errors import DataError
from assay.workspace.records import Label
from assay.workspace.state import names_of

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
    given = [space.state.renamed_label(label) for label in space.known.labels]
    labels = space.labels()
    rows_of = space.known.rows_of(list(space.decisions))
    here = [row for row in rows_of.tolist() if row >= 0 and not kept_aside[row]]
    replaced = sum(given[row] is not None and _differ(given[row], labels[row]) for row in here)
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
        "decided": len(here),
        "replaced": replaced,
        "from_data": sum(label is not None for label in given),
        "kept_aside": int(measured.size),
        "near_copies": int(near.sum()),
        "elsewhere": int((rows_of < 0).sum()),
    }
    return space.with_labels(rows, [labels[row] for row in rows.tolist()], {"decisions": done})


def _differ(one: Label | None, other: Label | None) -> bool:
    return set(names_of(one or ())) != set(names_of(other or ()))


def _near_copies(space: Workspace, rows: NDArray[np.int64], measured: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which of some texts are nearly the same as one that is measured with, and are not measured with themselves."""
    if not measured.size:
        return np.zeros(len(rows), bool)
    place = np.isin(rows, measured)
    chosen = space.texts.select(rows)
    found = Corpus(pa.chunked_array(chosen.texts.chunks, pa.large_string())).near_copies.first
    return ~place & np.isin(found, found[place])
