"""Cutting the training part for the search: folds that keep copies and near-copies together, and growing samples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.data.corpus.stratified_sets import stratified_parts, stratified_set_order
from assay.evaluation.protocols.folds import stratified_order
from assay.label_sets import LabelSets

__all__ = ["Part", "fold_numbers", "make_parts", "order_with_copies"]

Rows = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Part:
    """Rows to train on and rows to test on."""

    train: Rows
    test: Rows


def order_with_copies(classes: NDArray[np.int32] | LabelSets, together: Rows, seed: int) -> Rows:
    """All rows, shuffled so that every beginning holds the classes in about their shares, copies adjacent.

    Parameters
    ----------
    classes
        Class of each row, or its set of classes.
    together
        For each row the first of those that belong together: copies of a text, and near-copies.
    seed
        Chooses the order.
    """
    leaders = np.flatnonzero(together == np.arange(together.size))
    if isinstance(classes, LabelSets):
        order = leaders[stratified_set_order(classes[leaders], seed=seed)]
    else:
        order = stratified_order(classes, leaders, seed)
    place = np.empty(together.size, np.int64)
    place[order] = np.arange(leaders.size)
    return np.argsort(place[together], kind="stable")


def fold_numbers(classes: NDArray[np.int32] | LabelSets, together: Rows, order: Rows, folds: int) -> NDArray[np.int64]:
    """Fold of each row: within each class its texts are dealt out in turn, copies to one fold.

    Of sets of classes by iterative stratification, where the order stands in for chance.

    Examples
    --------
    >>> classes = np.array([0, 0, 0, 1, 1, 1, 1], dtype=np.int32)
    >>> alone = np.arange(7)
    >>> numbers = fold_numbers(classes, alone, order_with_copies(classes, alone, seed=0), folds=2)
    >>> [sorted(classes[numbers == k].tolist()) for k in range(2)]
    [[0, 0, 1, 1], [0, 1, 1]]
    """
    if isinstance(classes, LabelSets):
        numbers = np.empty(len(classes), np.int64)
        numbers[order] = stratified_parts(classes[order], [1] * folds, seed=0, unit=together[order])
        return numbers
    numbers = np.zeros(classes.size, np.int64)
    leaders = order[together[order] == order]
    dealt = 0
    for k in np.unique(classes[leaders]):
        members = leaders[classes[leaders] == k]
        numbers[members] = (dealt + np.arange(members.size)) % folds
        dealt += members.size
    return numbers[together]


def make_parts(order: Rows, numbers: NDArray[np.int64], n_train: int, tested: int) -> list[Part]:
    """For each of the first `tested` folds: its rows to test on, and the first `n_train` of the others to train on.

    Folds and samples are nested: what a small sample tests, a larger one tests as well.
    """
    parts = []
    for fold in range(tested):
        inside = numbers[order] == fold
        parts.append(Part(np.sort(order[~inside][:n_train]), np.sort(order[inside])))
    return parts
