"""A tree of linear models for thousands of labels.

Labels whose texts are alike hang together: a label is stood for by the mean of its rows, and the labels are divided
into leaves of the same size by balanced 2-means, again and again; neighbouring leaves hang at one inner node, and so
on up to the root. Each node is learned against its siblings, by a support vector machine on the rows that have a label
below its parent; at the root, on all. So a label is not learned on all rows, nor scored for all texts.

References
----------
Prabhu et al. (2018), Parabel; Khandagale, Xiao & Babbar (2020), Bonsai, whose trees are wide and shallow as ours.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay import _native
from assay.errors import DataError, ParameterError
from assay.label_sets import LabelSets
from assay.label_tree import LabelTree
from assay.learners.solvers.labelled_rows import LabelledRows
from assay.learners.solvers.solution import Solution
from assay.learners.solvers.svm import SvmSettings, fit_svm

__all__ = ["LabelTreeSettings", "fit_label_tree", "plant"]

MOST_DIVISIONS = 20  # iterations of each 2-means


@dataclass(frozen=True, slots=True)
class LabelTreeSettings:
    """Settings of a label tree; `LabelTreeClassifier` of `assay.learners` explains them."""

    C: float = 1.0
    branches: int = 100  # inner nodes at a node, at most
    leaf: int = 100  # labels at a node, at most
    beam: int = 10
    most: int = 50  # labels that a row can be given; 0 for all
    intercept_scale: float = 1.0
    tolerance: float = 1e-2
    max_iterations: int = 1000
    prune: float = 0.01


def fit_label_tree(rows: LabelledRows, settings: LabelTreeSettings) -> Solution:
    """Plant the tree, and learn the model of every node."""
    if not isinstance(rows.classes, LabelSets):
        raise DataError(
            "A label tree learns sets of labels, and each row has one label here. Use a linear SVM, or give sets of "
            "one label each."
        )
    if rows.class_weight is not None:
        raise ParameterError("A label tree has no weights of classes. Leave class_weight out.")
    from scipy.sparse import csr_array

    X = rows.X
    listed = (X.data, X.indices, X.indptr) if hasattr(X, "indptr") else X
    rows = replace(rows, X=csr_array(listed, shape=X.shape), shared=None)
    tree = plant(rows, settings)
    children = tree.child_begin
    inner = [node for node in range(-1, tree.n_nodes) if children[node + 1] < children[node + 2]]
    bias, pieces, converged, passes = np.empty(tree.n_nodes), [], True, 1
    for begin, found, columns in _fits(rows, tree, inner, settings):
        end = begin + len(found.intercept)
        bias[begin:end] = found.intercept
        converged &= found.converged
        passes = max(passes, int(found.iterations.max(initial=0)))
        listed = found.weights.tocoo()
        pieces.append((columns[listed.row], listed.col.astype(np.int32) + np.int32(begin), listed.data))
    features, nodes, values = (np.concatenate(parts) for parts in zip(*pieces, strict=True))
    weights = csr_array((values, (features, nodes)), shape=(rows.X.shape[1], tree.n_nodes))
    weights.sort_indices()
    most = np.array([passes], np.int32)
    return Solution(weights, bias, iterations=most, converged=converged, of_sets=True, tree=tree)


def plant(rows: LabelledRows, settings: LabelTreeSettings) -> LabelTree:
    """The tree alone: labels of which no row tells anything hang where there is room."""
    assert isinstance(rows.classes, LabelSets)
    n_labels, levels = rows.classes.n_classes, []
    if n_labels > settings.leaf:
        n_leaves = -(-n_labels // settings.leaf)
        where = _native.balanced_parts(
            rows.X.shape[1],
            *_mean_rows(rows),
            n_parts=n_leaves,
            max_iterations=MOST_DIVISIONS,
            seed=rows.seed,
            n_threads=rows.n_threads,
        )
        levels.append(n_leaves)
        while levels[-1] > settings.branches:
            levels.append(-(-levels[-1] // settings.branches))
    else:
        where = np.zeros(n_labels, np.int32)
    parents: list[NDArray[Any]] = []
    first = -1
    for above, n in zip([1, *levels[:0:-1]][: len(levels)], levels[::-1], strict=True):  # from the root down
        parents.append(first + np.arange(n) * above // n)
        first += above
    order = np.argsort(where, kind="stable")
    parents.append(first + where[order])
    n_inner = sum(levels)
    labels = np.concatenate([np.full(n_inner, -1), order])
    return LabelTree(np.concatenate(parents).astype(np.int32), labels.astype(np.int32), settings.beam, settings.most)


def _mean_rows(rows: LabelledRows) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """The mean of the rows of each label, brought to length 1, in compressed rows."""
    assert isinstance(rows.classes, LabelSets)
    X = rows.X
    lengths = np.sqrt(X.multiply(X).sum(axis=1))
    told = rows.classes.sparse().astype(X.dtype)
    told.data = (rows.row_weights / np.where(lengths > 0, lengths, 1))[rows.classes.texts].astype(X.dtype)
    sums = (told.T.tocsr() @ X).tocsr()
    sums.sort_indices()
    squares = np.add.reduceat(np.append(sums.data.astype(np.float64) ** 2, 0), sums.indptr[:-1])
    squares[np.diff(sums.indptr) == 0] = 1
    sums.data /= np.repeat(np.sqrt(np.where(squares > 0, squares, 1)), np.diff(sums.indptr)).astype(X.dtype)
    return sums.indptr, sums.indices, sums.data


def _fits(
    rows: LabelledRows, tree: LabelTree, inner: list[int], settings: LabelTreeSettings
) -> Iterator[tuple[int, Solution, NDArray[np.int32]]]:
    """Of each inner node its first child, the models of its children, and the columns of their weights.

    The root, which has all rows, takes all threads; the others are learned side by side. That changes no bit.
    """
    yield _fit_node(rows, tree, inner[0], settings)
    one = replace(rows, n_threads=1)
    if rows.n_threads == 1:
        yield from (_fit_node(one, tree, node, settings) for node in inner[1:])
        return
    with ThreadPoolExecutor(rows.n_threads) as pool:
        yield from pool.map(lambda node: _fit_node(one, tree, node, settings), inner[1:])


def _fit_node(
    rows: LabelledRows, tree: LabelTree, node: int, settings: LabelTreeSettings
) -> tuple[int, Solution, NDArray[np.int32]]:
    assert isinstance(rows.classes, LabelSets)
    begin, end = int(tree.child_begin[node + 1]), int(tree.child_begin[node + 2])
    sets = rows.classes.renumbered(_child_of_each(tree, begin, end), end - begin)
    # Rows without any label tell the children of the root what they are not.
    reaching = np.flatnonzero((sets.sizes > 0) | (node < 0))
    X, columns = _narrowed(rows.X[reaching])
    inside = replace(
        rows, X=X, classes=sets.take(reaching), labels=range(end - begin), weights=rows.row_weights[reaching]
    )
    machine = SvmSettings(
        settings.C,
        intercept_scale=settings.intercept_scale,
        tolerance=settings.tolerance,
        max_iterations=settings.max_iterations,
        prune=settings.prune,
    )
    found = fit_svm(inside, machine)
    return begin, found.pruned(0.0) if isinstance(found.weights, np.ndarray) else found, columns


def _child_of_each(tree: LabelTree, begin: int, end: int) -> NDArray[np.int64]:
    """Below which of some siblings each label hangs, counted from the first; -1 for none."""
    below = np.full(tree.n_nodes, -1, np.int64)
    below[begin:end] = np.arange(end - begin)
    first, last = begin, end
    while first < last:
        first, last = int(tree.child_begin[first + 1]), int(tree.child_begin[last + 1])
        below[first:last] = below[tree.parents[first:last]]
    return below[tree.nodes]


def _narrowed(X: Any) -> tuple[Any, NDArray[np.int32]]:
    """The same rows with the columns only that they have, and which these are."""
    from scipy.sparse import csr_array

    used = np.zeros(X.shape[1], bool)
    used[X.indices] = True
    columns = np.flatnonzero(used).astype(np.int32)
    numbers = np.cumsum(used, dtype=np.int32) - np.int32(1)
    return csr_array((X.data, numbers[X.indices], X.indptr.astype(np.int32)), shape=(X.shape[0], len(columns))), columns
