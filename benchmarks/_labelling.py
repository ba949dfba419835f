"""Simulated labelling for benchmarks: a pool whose labels are asked for, and texts on which models are measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from _datasets import read_all
from assay import Corpus
from assay.labeling import TextPool
from assay.labeling.features import PoolFeatures
from assay.labeling.quick_model import QuickModel

__all__ = ["CHECKED", "Desk", "asked_by_assay", "asked_by_chance"]

#: The sets of the figures. The constants of the strategy were chosen on mr, sst2, r8 and 20ng.
CHECKED = ("imdb", "ag_news_sub", "banking77", "davidson_hate", "sms_spam", "trec6", "subj")
POOL, TEST = 20_000, 3_000
START = 20


class Desk:
    """Texts of one draw: some whose labels may be asked for, others to test on, all with the same features.

    Parameters
    ----------
    name
        Data set.
    draw
        Which texts are in the pool.
    """

    def __init__(self, name: str, draw: int) -> None:
        texts, labels = read_all(name)
        order = np.random.default_rng([draw, 20]).permutation(len(texts))
        test = order[: min(TEST, len(texts) // 3)]
        pool = order[len(test) :][:POOL]
        self.names, classes = np.unique(labels.astype(str), return_inverse=True)
        self.y, self.y_test = classes[pool].astype(np.int32), classes[test].astype(np.int32)
        every = PoolFeatures.of(Corpus([texts[i] for i in [*pool, *test]]), 1)
        self.rows, self.rows_test = every.rows[np.arange(len(pool))], every.rows[len(pool) + np.arange(len(test))]
        self.texts, self.draw = [texts[i] for i in pool], draw
        self._every = every

    def __len__(self) -> int:
        return len(self.y)

    def pool(self) -> TextPool:
        """For `assay.labeling`; nothing is kept aside, as nothing is for others."""
        made = TextPool(Corpus(self.texts), share=0, seed=self.draw, threads=1)
        made.__dict__["features"] = PoolFeatures(self.rows, self._every._matrix)
        return made

    def model(self, asked: Sequence[int]) -> QuickModel:
        """The model that every strategy is measured by."""
        at = np.array(asked)
        there, classes = np.unique(self.y[at], return_inverse=True)
        return QuickModel.learn(self.rows[at], classes.astype(np.int32), tuple(self.names[there].tolist()), threads=1)

    def right(self, asked: Sequence[int], rows: Any = None, y: npt.NDArray[np.int32] | None = None) -> Any:
        """Whether a model of some labels is right about each text, by default about each to test on."""
        rows, y = (self.rows_test, self.y_test) if rows is None or y is None else (rows, y)
        there = np.unique(self.y[np.array(asked)])
        if len(there) < 2:
            return y == there[0]
        return there[self.model(asked).probabilities(rows, 1).argmax(axis=1)] == y

    def accuracy(self, asked: Sequence[int]) -> float:
        """Share of the texts to test on."""
        return float(np.mean(self.right(asked)))


def asked_by_chance(desk: Desk, sizes: Sequence[int], without: Sequence[int] = ()) -> Iterator[list[int]]:
    """The texts whose labels are there, at each size."""
    free = np.setdiff1d(np.arange(len(desk)), without)
    order = np.random.default_rng([desk.draw, 21]).permutation(free).tolist()
    return (order[:size] for size in sizes)


def asked_by_assay(desk: Desk, sizes: Sequence[int], without: Sequence[int] = ()) -> Iterator[list[int]]:
    """The same as `TextPool.pick` asks for them; a suspect costs a label, too, and tells nothing new."""
    pool, asked, shown, settled = desk.pool(), [], 0, list(without)
    for size in sizes:
        while shown < size:
            labels = {row: desk.names[desk.y[row]] for row in asked}
            picks = pool.pick(min(size - shown, 50), labels=labels, skip=settled)
            shown += len(picks)
            asked += [pick.row for pick in picks if pick.why != "suspect"]
            settled += [pick.row for pick in picks if pick.why == "suspect"]
        yield list(asked)
