"""Rows that a person should look at, those most in need first: unlike the training texts, unsure, without a label."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from assay.streaming.outputs import choose_format, open_rows
from assay.streaming.replies import DECIMALS, Replies
from assay.streaming.written_sets import joined_names

__all__ = ["ReviewQueue"]

_MOST_ROWS = 10_000
_UNSURE = 0.5  # a label that is less probable is more likely wrong than right


class ReviewQueue:
    """Collects rows while a file is labelled; no more than 10,000 are kept, so memory does not grow with the file.

    Kept are rows as new as one in a hundred of the training texts (those first, the newest ahead), then rows without a
    label and rows whose label has a probability below 1/2, the least probable ahead. Of sets of labels those count of
    which some label was given, or left out, that is more likely wrong than right.

    Parameters
    ----------
    model
        A classifier with probabilities; without novelty, unsure rows alone are kept.
    """

    def __init__(self, model: Any) -> None:
        model.model.decision.require_probabilities()
        self._labels = np.array([*model.labels, None], dtype=object)
        self._limit = model.known_texts.limit() if model.record.novelty is not None else np.inf
        self._rows: list[tuple[float, int, dict[str, Any]]] = []
        self.found = 0

    @property
    def notes(self) -> list[str]:
        """What should be known of the queue, in sentences."""
        notes = []
        if np.isinf(self._limit):
            notes.append("the queue has unsure rows only: this model cannot tell texts unlike its training texts")
        if self.found > len(self._rows):
            notes.append(f"the queue has the {len(self._rows):,} rows most in need, of {self.found:,}")
        return notes

    def add(self, texts: pa.Array, numbers: npt.NDArray[np.int64], replies: Replies) -> None:
        """Look at the answers to some rows, whose numbers in the file are given."""
        chosen, probability = replies.order[:, 0], replies.certainty
        novelty = np.full(len(chosen), np.nan) if replies.novelty is None else replies.novelty
        new = np.nan_to_num(novelty, nan=-1.0) >= self._limit
        wanted = np.flatnonzero(new | ~replies.answered | (probability < _UNSURE))
        self.found += wanted.size
        need = np.where(new, 1 + np.nan_to_num(novelty), 1 - probability)
        labels = self._said(replies)
        for i in wanted.tolist():
            why = "unlike the training texts" if new[i] else "unsure" if replies.answered[i] else "no label"
            said = {"prediction": labels[i], "probability": round(float(probability[i]), DECIMALS)}
            score = None if np.isnan(novelty[i]) else round(float(novelty[i]), DECIMALS)
            row = {"row": int(numbers[i]), "text": texts[i].as_py(), **said, "novelty": score, "reason": why}
            self._rows.append((-float(need[i]), int(numbers[i]), row))
        self._rows.sort(key=lambda kept: kept[:2])
        del self._rows[_MOST_ROWS:]

    def _said(self, replies: Replies) -> npt.NDArray[Any]:
        """The label of each row, or its labels between separators; None where there is no answer."""
        if replies.sets is None:
            return self._labels[np.where(replies.answered, replies.order[:, 0], -1)]
        names = [str(label) for label in self._labels[:-1]]
        said = np.array([None, *joined_names(replies.sets, names)], dtype=object)[1:]
        said[~replies.answered] = None
        return said

    def write(self, path: Path) -> None:
        """Write the rows in the format that the name says, else as CSV."""
        types = {"row": pa.int64(), "probability": pa.float64(), "novelty": pa.float64()}
        names = ("row", "text", "prediction", "probability", "novelty", "reason")
        columns = {
            name: pa.array([row[name] for *_, row in self._rows], types.get(name, pa.large_string())) for name in names
        }
        with open_rows(path, choose_format(path, None, "csv")) as out:
            out.write(columns)
