"""Examples in batches: shuffled for training, with those of like length together so that little is padding."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch
from numpy.typing import NDArray

__all__ = ["ExampleBatch", "NetworkExamples", "TrainingBatches", "batches_in_order"]

#: Batches whose examples are sorted by length together: more would waste less, and mix less.
POOL = 40

Rows = NDArray[np.int64]


class NetworkExamples(Protocol):
    """What a network can be shown: sequences of words, rows of features, whatever an encoder reads."""

    def __len__(self) -> int: ...

    @property
    def text_of(self) -> Rows | None:
        """Which text each is a piece of; None where each text is one example."""
        ...

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How long each is; those of like size go into a batch."""
        ...

    def inputs(self, rows: Rows) -> tuple[torch.Tensor, ...]:
        """Arguments of the network for some of them."""
        ...


class ExampleBatch(NamedTuple):
    """Some examples and their classes."""

    inputs: tuple[torch.Tensor, ...]
    targets: torch.Tensor
    rows: Rows


@dataclass(frozen=True, eq=False)
class TrainingBatches:
    """Batches of an epoch in an order that depends on nothing but the seed and the epoch's number.

    Attributes
    ----------
    examples
        To train on.
    classes
        Of each example; a row a text where it has several labels.
    size
        NetworkExamples in a batch.
    seed
        Of the order.
    """

    examples: NetworkExamples
    classes: NDArray[Any]
    size: int
    seed: int

    def __len__(self) -> int:
        return -(-len(self.examples) // self.size)

    def epoch(self, number: int, first: int = 0) -> Iterator[ExampleBatch]:
        """The batches of one pass over the examples, from number `first` on."""
        for rows in self._order(number)[first:]:
            yield ExampleBatch(self.examples.inputs(rows), torch.from_numpy(self.classes[rows]), rows)

    def _order(self, number: int) -> list[Rows]:
        random = np.random.default_rng([self.seed, number])
        rows = random.permutation(len(self.examples))
        sizes = self.examples.sizes[rows]
        # Sorted by pool, then by length: within a pool the shuffled order breaks ties.
        pool = np.arange(len(rows)) // (self.size * POOL)
        rows = rows[np.lexsort((sizes, pool))]
        batches = [rows[begin : begin + self.size] for begin in range(0, len(rows), self.size)]
        return [batches[k] for k in random.permutation(len(batches))]


def batches_in_order(
    examples: NetworkExamples, *, size: int = 256, most: int = 1 << 14
) -> Iterator[tuple[Rows, tuple[torch.Tensor, ...]]]:
    """All examples once, the longest first: at most `size` of them, and `most` words with the padding, at a time."""
    order = np.argsort(-examples.sizes, kind="stable")
    begin = 0
    while begin < len(order):
        longest = max(1, int(examples.sizes[order[begin]]))
        end = begin + max(1, min(size, most // longest))
        yield order[begin:end], examples.inputs(order[begin:end])
        begin = end
