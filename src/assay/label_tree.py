"""A tree over labels, at whose nodes linear models stand: which ways a text goes from the root, and what they score.

A way is scored by the linear scores s of its nodes: 1 − √(Σ max(0, 1 − s)²), or the least of them where each is 1 or
more. So a label that hangs at the root has just its linear score, and no way is better than a part of it. The search
goes down from the root with a beam; labels that it does not come to have the score `UNREACHED`: none is below it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay import _native
from assay.errors import ParameterError
from assay.label_sets import LabelSets

__all__ = ["UNREACHED", "LabelTree", "ReachedLabels", "TreeSearch", "way_score"]

UNREACHED: float = _native.UNREACHED

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ReachedLabels:
    """The labels that a search came to, of each text, each with a number: its score, or its probability.

    Examples
    --------
    >>> reached = ReachedLabels(LabelSets.of_rows([[0, 2], [1]], 3), np.array([0.5, -0.25, 1.0]))
    >>> reached.table(UNREACHED).tolist()
    [[0.5, -10.0, -0.25], [-10.0, 1.0, -10.0]]
    >>> [row.tolist() for row in reached.where(reached.values > 0)]
    [[0], [1]]
    """

    sets: LabelSets
    values: Floats  # one for each member of the sets

    def __len__(self) -> int:
        return len(self.sets)

    def table(self, others: float) -> Floats:
        """A row a text and a column a label; `others` stands for labels that were not reached."""
        found = np.full((len(self.sets), self.sets.n_classes), others)
        found[self.sets.texts, self.sets.members] = self.values
        return found

    def with_values(self, values: Floats) -> ReachedLabels:
        """The same labels with other numbers."""
        return ReachedLabels(self.sets, values)

    def where(self, kept: NDArray[np.bool_]) -> LabelSets:
        """Of each text the labels that are marked."""
        ends = np.concatenate([[0], np.cumsum(kept)]).astype(np.int64)
        return LabelSets(ends[self.sets.offsets], self.sets.members[kept], self.sets.n_classes)

    def take(self, texts: NDArray[np.integer[Any]]) -> ReachedLabels:
        """Those of some texts."""
        sizes = self.sets.sizes[texts]
        begins = np.cumsum(sizes) - sizes
        at = np.arange(sizes.sum()) + np.repeat(self.sets.offsets[texts] - begins, sizes)
        return ReachedLabels(self.sets.take(texts), self.values[at])

    def ranks(self) -> NDArray[np.int64]:
        """The place of each label among those of its text, from 0; of equal numbers the lower label is first."""
        order = np.lexsort((self.sets.members, -self.values, self.sets.texts))
        places = np.empty(len(order), np.int64)
        places[order] = np.arange(len(order)) - self.sets.offsets[:-1][self.sets.texts]
        return places

    @classmethod
    def joined(cls, parts: list[ReachedLabels]) -> ReachedLabels:
        """Those of texts one after the other."""
        sizes = np.concatenate([part.sets.sizes for part in parts])
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        members = np.concatenate([part.sets.members for part in parts])
        values = np.concatenate([part.values for part in parts])
        return cls(LabelSets(offsets, members, parts[0].sets.n_classes), values)


@dataclass(frozen=True, eq=False)
class LabelTree:
    """Which node hangs at which, and where the labels are.

    Parameters
    ----------
    parents
        int32, the parent of each node, never falling, each a lower number than the node; -1 for children of the root,
        which has no number. So the children of a node follow each other, and come after it.
    labels
        int32, the label of each node; -1 for inner nodes. Every label stands once.
    beam
        How many inner nodes of a depth a search goes into.
    most
        How many labels it answers with, the best of those that it came to; 0 for all.

    Examples
    --------
    >>> tree = LabelTree(np.array([-1, -1, 0, 0, 1], np.int32), np.array([-1, -1, 2, 0, 1], np.int32), 10)
    >>> tree.n_labels, tree.way(0).tolist(), tree.way(1).tolist(), tree.depth
    (3, [0, 3], [1, 4], 2)
    """

    parents: NDArray[np.int32]
    labels: NDArray[np.int32]
    beam: int
    most: int = 50

    def __post_init__(self) -> None:
        parents, labels = self.parents, self.labels
        for name, values in (("parents", parents), ("labels", labels)):
            if values.ndim != 1 or values.dtype != np.int32:
                raise ParameterError(
                    f"The {name} of a label tree must be one row of int32. Got {values.dtype} instead."
                )
        if len(parents) != len(labels) or not len(parents):
            raise ParameterError(
                f"A label tree has a parent and a label for each node. Got {len(parents)} parents and {len(labels)} "
                "labels."
            )
        before = np.arange(len(parents))
        if parents[0] != -1 or (np.diff(parents) < 0).any() or (parents >= before).any():
            raise ParameterError(
                "The parents of a label tree must begin with -1, never fall, and come before their children."
            )
        inner = np.zeros(len(parents), bool)
        inner[parents[parents >= 0]] = True
        if (inner != (labels == -1)).any():
            at = int(np.flatnonzero(inner != (labels == -1))[0])
            raise ParameterError(f"Node {at} of a label tree must have either children or a label.")
        found = np.sort(labels[~inner])
        if not np.array_equal(found, np.arange(len(found))):
            raise ParameterError(
                f"The labels of a label tree must be the numbers from 0 to {len(found) - 1}, each once."
            )
        if isinstance(self.beam, bool) or not isinstance(self.beam, int) or not 1 <= self.beam < 2**31:
            raise ParameterError(
                f"The beam of a label tree must be a whole number of at least 1. Got {self.beam!r} instead."
            )

        if isinstance(self.most, bool) or not isinstance(self.most, int) or not 0 <= self.most < 2**31:
            raise ParameterError(
                f"A label tree answers with a whole number of labels at most, 0 for all. Got {self.most!r} instead."
            )

    @property
    def n_nodes(self) -> int:
        """Nodes beside the root: scores that the weights have."""
        return len(self.parents)

    @property
    def n_labels(self) -> int:
        """Labels."""
        return int(np.count_nonzero(self.labels >= 0))

    @cached_property
    def child_begin(self) -> NDArray[np.int32]:
        """Where the children of the root, of node 0, of node 1 … begin, and an end."""
        return np.searchsorted(self.parents, np.arange(-1, self.n_nodes + 1)).astype(np.int32)

    @cached_property
    def nodes(self) -> NDArray[np.int32]:
        """The node of each label."""
        found = np.empty(self.n_labels, np.int32)
        at = np.flatnonzero(self.labels >= 0)
        found[self.labels[at]] = at
        return found

    @property
    def depth(self) -> int:
        """Nodes on the longest way."""
        return max(len(self.way(label)) for label in (int(self.labels[-1]), int(self.labels[self.labels >= 0][0])))

    def way(self, label: int) -> NDArray[np.int32]:
        """The nodes on the way from the root to a label."""
        node, found = int(self.nodes[label]), []
        while node >= 0:
            found.append(node)
            node = int(self.parents[node])
        return np.array(found[::-1], np.int32)

    def over_ways(self, of_nodes: NDArray[Any]) -> NDArray[Any]:
        """The sums, over the nodes on the way to each label, of numbers whose last axis is the nodes."""
        begins, nodes = self._ways
        return np.asarray(np.add.reduceat(of_nodes[..., nodes], begins, axis=-1))

    @cached_property
    def _ways(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """The nodes on the ways to all labels, one after the other, and where those of each begin."""
        listed = [self.way(label) for label in range(self.n_labels)]
        lengths = np.array([len(way) for way in listed])
        return np.cumsum(lengths) - lengths, np.concatenate(listed)


def way_score(scores: Floats) -> float:
    """The score of a way whose nodes have these linear scores.

    Examples
    --------
    >>> way_score(np.array([0.4])), way_score(np.array([1.5, 0.5])), way_score(np.array([1.5, 2.0]))
    (0.4, 0.5, 1.5)
    """
    cost = float((np.maximum(0, 1 - scores) ** 2).sum())
    return max(UNREACHED, 1 - float(np.sqrt(cost)) if cost > 0 else float(scores.min()))


class TreeSearch:
    """A tree with the weights of its nodes, ready to be searched.

    Parameters
    ----------
    tree
        The nodes.
    weights
        By feature, with indptr, indices (nodes, rising) and data.
    bias
        Of each node.
    """

    def __init__(
        self, tree: LabelTree, weights: tuple[NDArray[np.int64], NDArray[np.int32], NDArray[Any]], bias: Floats
    ) -> None:
        self._tree = tree
        self._native = _native.tree_of_models(*weights, bias, tree.child_begin, tree.labels)

    def reached(self, rows: tuple[NDArray[Any], NDArray[Any], NDArray[Any]], n_threads: int) -> ReachedLabels:
        """The labels that the search answers with, of each row."""
        tree = self._tree
        found = self._native.search(*rows, beam=tree.beam, most=tree.most, n_threads=n_threads)
        begin, labels, scores = found
        return ReachedLabels(LabelSets(begin, labels, tree.n_labels), scores)
