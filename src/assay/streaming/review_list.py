"""Rows that a person should look at: the novel, the unanswered, the unsure, those near a threshold; and some sure ones.

`assay label` takes the list back when its column ``label`` is filled in.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from assay.data.bytes.encoding import UTF8
from assay.data.reading.corrections import text_digest
from assay.prediction.decision_rule import DecisionRule
from assay.prediction.set_rule import SetRule
from assay.streaming.outputs import choose_format, open_rows
from assay.streaming.question import Question
from assay.streaming.replies import DECIMALS, Replies
from assay.streaming.written_sets import joined_names
from assay.suggest import counted

__all__ = ["COLUMNS", "REASONS", "ReviewList"]

COLUMNS = ("id", "row", "text", "prediction", "probability", "novelty", "why", "label")
REASONS = ("review-novel", "review-abstained", "review-unsure", "review-threshold", "review-check")

_MOST_ROWS = 10_000
_CHECKED = 50  # sure rows; where all of them are right, the others are so in 94 of 100 at least (95 % confidence)
_UNSURE = 0.5  # a label that is less probable is more likely wrong than right
_NEAR = 0.05  # of a threshold, in probability; two labels so near to each other are 0.1 apart


class ReviewList:
    """Collects rows while a file is labelled; no more than 10,000 are kept, so memory does not grow with the file.

    Kept are rows as new as one in a hundred of the training texts (``review-novel``, those first, the newest ahead);
    rows without a label (``review-abstained``) and rows whose label, or whole set of labels, has a probability below
    1/2 (``review-unsure``), the least probable ahead; rows that a little more or less would have decided otherwise
    (``review-threshold``): a label within 0.05 of its threshold, or the two best within 0.1 of each other. And, of all
    others, 50 drawn at random (``review-check``): how often these are right says what the sure answers are worth.

    Parameters
    ----------
    model
        A classifier with probabilities; without novelty, no row is new.
    question
        What the model is asked.
    """

    def __init__(self, model: Any, question: Question | None = None) -> None:
        model.model.decision.require_probabilities()
        self._labels = np.array([*model.labels, None], dtype=object)
        self._limit = model.known_texts.limit() if model.record.novelty is not None else np.inf
        self._threshold = None if question is None else question.threshold
        self._rule: DecisionRule | SetRule | None = model.model.rule
        self._rows: list[tuple[tuple[int, float, int], dict[str, Any]]] = []
        self._checks: list[tuple[tuple[int, float, int], dict[str, Any]]] = []
        self.found = 0

    @property
    def notes(self) -> list[str]:
        """What should be known of the list, in sentences."""
        notes = []
        if np.isinf(self._limit):
            notes.append("the review has no new rows: this model cannot tell texts unlike its training texts")
        if self.found > len(self._rows):
            notes.append(f"the review has the {len(self._rows):,} rows most in need, of {self.found:,}")
        if self._checks:
            notes.append(
                f"the review has {counted(len(self._checks), 'sure row', 'sure rows')} more to check, drawn at random"
            )
        return notes

    def add(self, texts: pa.Array, numbers: npt.NDArray[np.int64], replies: Replies) -> None:
        """Look at the answers to some rows, whose numbers in the file are given."""
        probability, distance = replies.certainty, self._distance(replies)
        novelty = np.full(len(numbers), np.nan) if replies.novelty is None else replies.novelty
        new = np.nan_to_num(novelty, nan=-1.0) >= self._limit
        doubtful = ~replies.answered | (probability < _UNSURE)
        why = np.select([new, ~replies.answered, doubtful, distance < _NEAR], [0, 1, 2, 3], 4)
        urgency = np.select([new, doubtful], [-np.nan_to_num(novelty), probability], distance)
        tier = np.select([new, doubtful], [0, 1], 2)  # the unanswered and the unsure stand together
        chance = _by_chance(numbers)
        wanted = np.flatnonzero(why < 4)
        self.found += wanted.size
        sure = np.flatnonzero(why == 4)
        sure = sure[np.argsort(chance[sure], kind="stable")][:_CHECKED]
        labels = self._said(replies)

        def row(i: int) -> dict[str, Any]:
            text = texts[i].as_py()
            return {
                "id": text_digest(text, 32),
                "row": int(numbers[i]),
                "text": text,
                "prediction": labels[i],
                "probability": round(float(probability[i]), DECIMALS),
                "novelty": None if np.isnan(novelty[i]) else round(float(novelty[i]), DECIMALS),
                "why": REASONS[why[i]],
                "label": None,
            }

        self._rows += [((int(tier[i]), float(urgency[i]), int(numbers[i])), row(i)) for i in wanted.tolist()]
        self._checks += [((0, float(chance[i]), int(numbers[i])), row(i)) for i in sure.tolist()]
        for kept, most in ((self._rows, _MOST_ROWS), (self._checks, _CHECKED)):
            kept.sort(key=lambda one: one[0])
            del kept[most:]

    def write(self, path: Path, *, safe_cells: bool = False) -> None:
        """Write the rows in the format that the name says, else as CSV, with the mark by which Excel knows UTF-8."""
        types = {"row": pa.int64(), "probability": pa.float64(), "novelty": pa.float64()}
        rows = [row for _, row in (*self._rows, *self._checks)]
        columns = {name: pa.array([row[name] for row in rows], types.get(name, pa.large_string())) for name in COLUMNS}
        kind = choose_format(path, None, "csv")
        with open_rows(path, kind, UTF8._replace(has_mark=kind in ("csv", "tsv")), safe_cells=safe_cells) as out:
            out.write(columns)

    def _distance(self, replies: Replies) -> npt.NDArray[np.float64]:
        """How much probability would have had to be another one for another answer."""
        assert replies.probabilities is not None, "asked for"
        table = replies.probabilities
        if replies.sets is not None:
            own = self._rule.thresholds() if isinstance(self._rule, SetRule) else np.full(table.shape[1], 0.5)
            thresholds = own if self._threshold is None else np.full(table.shape[1], self._threshold)
            if thresholds is None:
                return np.full(len(table), np.inf)
            return np.asarray(np.abs(table - thresholds).min(axis=1))
        if self._threshold is not None:
            return np.asarray(np.abs(replies.certainty - self._threshold))
        if isinstance(self._rule, DecisionRule) and self._rule.kind == "threshold":
            return np.asarray(np.abs(table[:, self._rule.positive] - self._rule.values[0]))
        two = np.partition(table, -2, axis=1)
        return np.asarray((two[:, -1] - two[:, -2]) / 2)

    def _said(self, replies: Replies) -> npt.NDArray[Any]:
        """The label of each row, or its labels between separators; None where there is no answer."""
        if replies.sets is None:
            return self._labels[np.where(replies.answered, replies.order[:, 0], -1)]
        names = [str(label) for label in self._labels[:-1]]
        said = np.array([None, *joined_names(replies.sets, names)], dtype=object)[1:]
        said[~replies.answered] = None
        return said


def _by_chance(numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """A place between 0 and 1 for each row, as good as drawn at random, by its number alone (splitmix64).

    Examples
    --------
    >>> _by_chance(np.arange(1, 4)).round(3).tolist()
    [0.883, 0.432, 0.026]
    """
    mixed = numbers.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    mixed ^= mixed >> np.uint64(31)
    return np.asarray((mixed >> np.uint64(11)).astype(np.float64) * 2.0**-53)
