"""Parts of texts with several labels in which every label has its share: iterative stratification.

Sets of labels are no strata: among 28 labels there are hundreds of sets, most of them of one text. Sechidis, Tsoumakas
& Vlahavas (2011) deal out the rarest label first, each of its texts to the part that lacks it most; the native kernel
does so with units of texts that stay together, in whole numbers, so that ties are ties everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay import _native
from assay.label_sets import LabelSets

__all__ = ["stratified_parts", "stratified_set_order"]

_MOST_STEPS = 128  # of an order


def stratified_parts(
    sets: LabelSets, weights: Sequence[int], *, seed: int, unit: NDArray[np.integer[Any]] | None = None
) -> NDArray[np.int64]:
    """The part of each text; the same seed gives the same parts, on every machine.

    Parameters
    ----------
    sets
        The labels of each text.
    weights
        What each part is to get of all texts and of those of each label, as whole numbers: ``[1] * 10`` for ten
        folds, ``[800, 200]`` for two parts of a thousand.
    seed
        Decides what nothing else decides, from 0 to below 2**64; of a larger number the lowest 64 bits.
    unit
        A number for each text; texts with the same number go to the same part.

    Examples
    --------
    >>> sets = LabelSets.of_rows([[0, 1], [0], [0, 1], [0], [], []], 2)
    >>> part = stratified_parts(sets, [1, 1], seed=0)
    >>> [[int(sets.having(k)[part == p].sum()) for k in (0, 1)] for p in (0, 1)], np.bincount(part).tolist()
    ([[2, 1], [2, 1]], [3, 3])
    """
    if unit is None:
        number, sizes = np.arange(len(sets)), np.ones(len(sets), np.int64)
        of_units, counts = sets, np.ones(len(sets.members), np.int64)
    else:
        _, number, sizes = np.unique(unit, return_inverse=True, return_counts=True)
        of_units, counts = _labels_of_units(sets, number, len(sizes))
    part = np.empty(len(sizes), np.int32)
    _native.stratify_units(
        of_units.offsets,
        of_units.members,
        counts,
        sizes.astype(np.int64),
        sets.n_classes,
        np.asarray(weights, np.int64),
        seed % 2**64,
        part,
    )
    return part[number].astype(np.int64)


def stratified_set_order(sets: LabelSets, *, seed: int) -> NDArray[np.int64]:
    """The texts in an order every beginning of which holds the labels in about their shares.

    Examples
    --------
    >>> sets = LabelSets.of_rows([[0]] * 50 + [[1]] * 50, 2)
    >>> sets.take(stratified_set_order(sets, seed=0)[:10]).class_counts.tolist()
    [5, 5]
    """
    steps = max(1, min(_MOST_STEPS, len(sets) // 2))
    random = np.random.Generator(np.random.Philox(seed))
    shuffled = random.permutation(len(sets))
    part = stratified_parts(sets.take(shuffled), [1] * steps, seed=seed)
    return np.asarray(shuffled[np.argsort(part, kind="stable")], np.int64)


def _labels_of_units(
    sets: LabelSets, number: NDArray[np.integer[Any]], n_units: int
) -> tuple[LabelSets, NDArray[np.int64]]:
    """The labels that texts of each unit have, and how many of its texts have each of them."""
    n_classes = max(sets.n_classes, 1)
    pairs, counts = np.unique(number[sets.texts].astype(np.int64) * n_classes + sets.members, return_counts=True)
    units, members = np.divmod(pairs, n_classes)
    offsets = np.searchsorted(units, np.arange(n_units + 1)).astype(np.int64)
    return LabelSets(offsets, members.astype(np.int32), sets.n_classes), counts.astype(np.int64)
