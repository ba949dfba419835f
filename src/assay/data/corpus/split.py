"""Dividing a corpus into parts that do not leak into each other.

Rows that must stay together (the same text or nearly so, the same group) form a unit; a unit goes to one part.
Within each class the units are put in a random order and cut where the wanted shares are reached, to within half a
unit; what a large unit brings too much, the next class gives less.  The order comes from the raw output of PCG64, which
numpy keeps the same in all versions.  Texts with several labels are dealt out by `assay.data.corpus.stratified_sets`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from assay.data.arrays import joined_integers
from assay.data.corpus.near_copies import NearCopies, rows_together
from assay.data.corpus.stratified_sets import stratified_parts
from assay.errors import DataError, ParameterError
from assay.suggest import counted, quote, quoted
from assay.wording import parameter, setting

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["Split", "SplitReport", "split"]

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SplitReport:
    """What happened in a split.

    Attributes
    ----------
    sizes
        Rows of each part.
    duplicate_rows
        Rows whose text stands in an earlier row too; each went where that row went.
    duplicated_texts
        How many different texts have such repetitions.
    near_copies
        Texts that are nearly the same, each group of which went to one part; None where they were ignored.
    groups
        How many groups there are, if they were asked for.
    missing
        For each part, the labels that it has no example of.
    """

    sizes: dict[str, int]
    duplicate_rows: int
    duplicated_texts: int
    near_copies: NearCopies | None
    groups: int | None
    missing: dict[str, tuple[str, ...]]

    @property
    def notes(self) -> tuple[str, ...]:
        """The same in sentences; nothing where there is nothing to say."""
        notes = []
        if self.duplicate_rows:
            notes.append(
                f"split: {counted(self.duplicate_rows, 'row repeats', 'rows repeat')} an earlier text; all copies of a "
                "text were kept on the same side"
            )
        if self.near_copies is not None:
            kept = "each group was kept on the same side"
            notes += [f"split: {sentence}" for sentence in self.near_copies.sentences(kept)]
        for part, labels in self.missing.items():
            if labels:
                notes.append(f"split: the {part} part has no example of {quoted(labels, 5)}: there are too few")
        return tuple(notes)


class Split(tuple["Corpus", ...]):
    """The parts, (train, test) or (train, dev, test), and a report.

    Attributes
    ----------
    report
        Duplicates that were kept together, and what the parts lack.
    """

    report: SplitReport

    @property
    def notes(self) -> tuple[str, ...]:
        """The report in sentences."""
        return self.report.notes

    def _repr_html_(self) -> str:
        from assay.data.corpus.corpus_view import split_html

        return split_html(self)


def split(
    corpus: Corpus,
    *,
    test: float,
    dev: float | None,
    seed: int,
    stratify: bool,
    group: str | None,
    near_copies: str,
) -> Split:
    """Divide a corpus; see `Corpus.split`."""
    parts = ("train", "test") if dev is None else ("train", "dev", "test")
    wanted = _wanted_sizes(len(corpus), test=test, dev=dev)
    if not isinstance(seed, int | np.integer) or seed < 0:
        raise ParameterError(f"The 'seed' parameter of split must be an integer of at least 0. Got {seed!r} instead.")
    first = corpus.first_occurrences
    groups = None if group is None else _group_numbers(corpus, group)
    together = rows_together(corpus, near_copies)
    unit = _units(together, groups)
    if not all(wanted):
        part_of_row = np.zeros(len(corpus), np.int64)  # a part of nothing, which is said below
    elif stratify and corpus.task == "label-sets":
        part_of_row = stratified_parts(corpus.label_sets, wanted, seed=int(seed), unit=unit)
    else:
        part_of_row = _assign(unit, _strata(corpus, unit, stratify), wanted, seed)[unit]

    empty = [name for i, name in enumerate(parts) if not (part_of_row == i).any()]
    if empty:
        raise DataError(
            f"{corpus.source}: {counted(len(corpus), 'row', 'rows')}, copies counted once, are too few for "
            f"{' and '.join(parts)} with {setting('test', test, option='--holdout')}"
            + (f", dev={dev!r}" if dev is not None else "")
            + f": nothing is left for {quoted(empty)}. Take a larger share, or more data."
        )
    copies = first != np.arange(len(first))
    report = SplitReport(
        sizes={name: int((part_of_row == i).sum()) for i, name in enumerate(parts)},
        duplicate_rows=int(copies.sum()),
        duplicated_texts=len(np.unique(first[copies])),
        near_copies=corpus.near_copies if near_copies == "together" else None,
        groups=None if groups is None else int(groups.max()) + 1,
        missing={name: _missing(corpus, part_of_row == i) for i, name in enumerate(parts)},
    )
    result = Split(_part(corpus, part_of_row == i, report) for i in range(len(parts)))
    result.report = report
    return result


def _part(corpus: Corpus, mask: npt.NDArray[np.bool_], report: SplitReport) -> Corpus:
    part = corpus.select(mask)._replaced(notes=(*corpus.notes, *report.notes))
    if report.near_copies is not None:  # the groups of the whole are those of its parts
        part._cache["near_copies"] = report.near_copies.among(np.flatnonzero(mask))
    return part


def _wanted_sizes(n: int, *, test: float, dev: float | None) -> list[int]:
    """Rows of (train, test) or (train, dev, test)."""
    sizes = []
    for name, share in (("dev", dev), ("test", test)):
        if share is None:
            continue
        whole = isinstance(share, int | np.integer) and not isinstance(share, bool)
        if not (whole and 0 < share < n) and not (isinstance(share, float) and 0 < share < 1):
            raise ParameterError(
                f"The '{name}' parameter of split must be a share between 0 and 1, or a number of rows below {n}. Got "
                f"{share!r} instead."
            )
        sizes.append(int(share) if whole else round(share * n))
    if sum(sizes) >= n:
        if dev is None:
            raise ParameterError(
                f"{parameter('test', of='split', option='--holdout')} must leave rows for training. Got {test!r} for "
                f"{counted(n, 'row', 'rows')} instead."
            )
        raise ParameterError(
            f"The 'test' and 'dev' parameters of split must leave rows for training. Got test={test!r} and dev={dev!r} "
            f"for {counted(n, 'row', 'rows')} instead."
        )
    return [n - sum(sizes), *sizes]


def _group_numbers(corpus: Corpus, group: str) -> Integers:
    column = corpus.column(group)
    if column.null_count:
        row = next(index for index, value in enumerate(column) if not value.is_valid)
        raise DataError(
            f"{corpus.origin.place(row)}: column {quote(group)} is missing, so the row belongs to no group. Fill it in."
        )
    encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    chunks = [joined_integers(chunk.indices) for chunk in encoded.unify_dictionaries().chunks]
    return np.concatenate(chunks).astype(np.int64)


def _units(first: Integers, groups: Integers | None) -> Integers:
    """Number the sets of rows that belong together by text or group, directly or through others."""
    n = len(first)
    if groups is None:
        return np.unique(first, return_inverse=True)[1].astype(np.int64)
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    rows = np.arange(n)
    links = coo_array(
        (np.ones(2 * n, np.int8), (np.concatenate([rows, rows]), np.concatenate([first, n + groups]))),
        shape=(n + int(groups.max()) + 1,) * 2,
    )
    component = connected_components(links, directed=False)[1][:n]
    return np.unique(component, return_inverse=True)[1].astype(np.int64)


def _strata(corpus: Corpus, unit: Integers, stratify: bool) -> Integers:
    """Return the class of each unit: the most frequent one among its rows."""
    n_units = int(unit.max()) + 1 if len(unit) else 0
    if not stratify or corpus.labels is None:
        return np.zeros(n_units, np.int64)
    n_classes = len(corpus.label_names)
    pairs, counts = np.unique(unit * n_classes + corpus.classes, return_counts=True)
    order = np.lexsort((-counts, pairs // n_classes))
    leading = np.unique(pairs[order] // n_classes, return_index=True)[1]
    return np.asarray(pairs[order][leading] % n_classes, np.int64)


def _assign(unit: Integers, strata: Integers, wanted: list[int], seed: int) -> Integers:
    sizes = np.bincount(unit)
    key = np.random.PCG64(seed).random_raw(len(sizes))
    part = np.zeros(len(sizes), np.int64)
    of_class = [np.flatnonzero(strata == number) for number in np.unique(strata)]
    shares = _shares([int(sizes[units].sum()) for units in of_class], wanted)
    surplus = np.zeros(len(wanted) - 1)  # what large units brought too much in the classes before
    for units, share in zip(of_class, shares, strict=True):
        shuffled = units[np.argsort(key[units], kind="stable")]
        ends = np.cumsum(sizes[shuffled])
        # test first, then dev, then train, so that a class of one example is trained on
        cuts = np.clip(np.cumsum(share[::-1])[:-1] - surplus, 0, ends[-1] - 1)
        cut = np.searchsorted(cuts, ends - sizes[shuffled] / 2)
        part[shuffled] = len(wanted) - 1 - cut
        taken = [int(sizes[shuffled[cut <= index]].sum()) for index in range(len(cuts))]
        surplus += taken - np.cumsum(share[::-1])[:-1]
    return part


def _shares(class_sizes: list[int], wanted: list[int]) -> list[Integers]:
    """Divide each class among the parts: in proportion, in whole rows, with the parts' totals as wanted.

    Largest remainders first; training keeps at least one row of every class.
    """
    n = sum(class_sizes)
    exact = np.outer(class_sizes, wanted[1:]) / max(n, 1)  # (classes, parts without train)
    rows = np.floor(exact).astype(np.int64)
    for column, total in enumerate(wanted[1:]):
        short = total - int(rows[:, column].sum())
        for row in np.argsort(-(exact - rows)[:, column], kind="stable"):
            if short > 0 and rows[row].sum() < class_sizes[row] - 1:
                rows[row, column] += 1
                short -= 1
    return [np.array([size - taken.sum(), *taken]) for size, taken in zip(class_sizes, rows, strict=True)]


def _missing(corpus: Corpus, mask: npt.NDArray[np.bool_]) -> tuple[str, ...]:
    if corpus.labels is None:
        return ()
    lacking = (corpus.class_counts > 0) & (corpus.label_sets.take(mask).class_counts == 0)
    return tuple(corpus.label_names[index] for index in np.flatnonzero(lacking))
