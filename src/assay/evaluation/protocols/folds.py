"""Cutting a corpus into folds: stratified, grouped, repeated, or one document at a time."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.corpus.stratified_sets import stratified_parts, stratified_set_order
from assay.data.corpus.two_classes import one_class_only
from assay.errors import DataError, ParameterError
from assay.evaluation.metrics.outcomes import Label, choices
from assay.evaluation.parameters import is_whole
from assay.label_sets import LabelSets
from assay.suggest import counted, quote, shortened

__all__ = ["Fold", "FoldPlan", "make_folds"]

Rows = NDArray[np.int64]

_MOST_REPEATS = 10_000


@dataclass(frozen=True)
class Fold:
    """Which documents are trained on and which are tested, in one fold of one repeat."""

    repeat: int
    number: int
    train: Rows
    test: Rows


@dataclass(frozen=True)
class FoldPlan:
    """How folds are made.

    Attributes
    ----------
    folds
        Parts; each is tested once by a model trained on the others.
    repeats
        How often the whole is done, with other parts each time.
    stratified
        Give every part its share of each class.
    leave_one_out
        Every document (or group, where there are groups) is a part of its own; `folds` is not used.
    small_classes
        ``"error"`` or ``"allow"`` classes with fewer documents than folds, which some parts then lack.
    seed
        Where the randomness comes from.
    """

    folds: int = 10
    repeats: int = 1
    stratified: bool = True
    leave_one_out: bool = False
    small_classes: str = "error"
    seed: int = 0

    def __post_init__(self) -> None:
        if not is_whole(self.folds, 2):
            raise ParameterError(f"folds must be a whole number of at least 2. Got {self.folds!r} instead.")
        if not is_whole(self.repeats, 1) or self.repeats > _MOST_REPEATS:
            raise ParameterError(
                f"repeats must be a whole number from 1 to {_MOST_REPEATS:,}. Got {shortened(self.repeats)} instead."
            )
        if self.leave_one_out and self.repeats > 1:
            raise ParameterError(
                f"repeats must be 1 with leave_one_out: every repeat would be the same. Got {self.repeats}."
            )
        if not is_whole(self.seed, 0, 2**64):
            raise ParameterError(
                f"seed must be a whole number from 0 to 2**64 - 1. Got {shortened(self.seed)} instead."
            )
        if self.small_classes not in ("error", "allow"):
            raise ParameterError(f"small_classes must be 'error' or 'allow'. Got {self.small_classes!r} instead.")


def make_folds(
    classes: NDArray[np.int32] | LabelSets,
    labels: Sequence[Label],
    plan: FoldPlan,
    groups: NDArray[np.int64] | None = None,
    together: NDArray[np.int64] | None = None,
) -> list[Fold]:
    """Every fold of every repeat, by scikit-learn's splitters; of label sets by iterative stratification.

    Parameters
    ----------
    classes
        Class index of each document, or its set of labels.
    labels
        Names of the classes, for error messages.
    plan
        How folds are made.
    groups
        Group number of each document: a group is never torn apart.
    together
        For each document the first of those that belong together, copies and near-copies: the first is dealt out, and
        the others follow it. With groups, both stay whole.
    """
    if groups is not None and together is not None:
        groups, together = _joined(together, groups), None
    n = len(classes)
    leaders = np.arange(n) if together is None else np.flatnonzero(together == np.arange(n))
    if isinstance(classes, LabelSets):
        _check_sizes(np.zeros(leaders.size, np.int32), labels, plan, groups, copies=leaders.size < n)
        if plan.stratified and not plan.leave_one_out:
            return _folds_of_sets(classes, plan, together if groups is None else groups)
        classes = np.zeros(n, np.int32)  # nothing to stratify by
    else:
        _check_sizes(classes[leaders], labels, plan, groups, copies=leaders.size < n)
    folds = []
    for repeat in range(plan.repeats):
        splitter = _splitter(plan, repeat, groups is not None)
        with warnings.catch_warnings():
            # scikit-learn's warnings about small classes: they were dealt with above.
            warnings.simplefilter("ignore", UserWarning)
            parts = list(splitter.split(np.zeros(leaders.size), classes[leaders], groups))
        folds += [
            Fold(repeat, k, *(_followed(leaders[part], together) for part in (train, test)))
            for k, (train, test) in enumerate(parts)
        ]
    return folds


def _folds_of_sets(sets: LabelSets, plan: FoldPlan, unit: NDArray[np.int64] | None) -> list[Fold]:
    """Folds in which every label has its share, see `assay.data.corpus.stratified_sets`.

    None is empty where there are as many units as folds: a fold without documents wants every label most.
    """
    folds = []
    for repeat in range(plan.repeats):
        fold_of = stratified_parts(sets, [1] * plan.folds, seed=_state(plan, repeat), unit=unit)
        folds += [
            Fold(repeat, k, np.flatnonzero(fold_of != k), np.flatnonzero(fold_of == k)) for k in range(plan.folds)
        ]
    return folds


def check_two_classes(classes: NDArray[np.int32] | LabelSets, labels: Sequence[Label]) -> None:
    """Complain about documents that are all of one class, or of the same set of labels."""
    if isinstance(classes, LabelSets):
        if len(classes) > 1 and ((counts := classes.class_counts) % len(classes) == 0).all():
            which = ", ".join(quote(labels[k]) for k in np.flatnonzero(counts)[:5])
            raise DataError(
                f"The corpus: {f'all documents have the labels {which}' if which else 'no document has any label'}. "
                "Cross-validation needs at least one label that some documents have and others have not. Add documents "
                "of another kind."
            )
        return
    if classes.size > 1 and (classes == classes[0]).all():
        raise one_class_only(
            "The corpus",
            classes.size,
            labels[classes[0]],
            unit=("document has", "documents have"),
            who="Cross-validation",
            way_out="Add documents of another class.",
        )


def group_numbers(groups: Any, corpus: Any, n: int) -> NDArray[np.int64] | None:
    """Group of each document from a column's name or from one value a document."""
    if groups is None:
        return None
    if isinstance(groups, str):
        if groups not in list(corpus.columns):
            known = choices(groups, corpus.columns)
            raise ParameterError(f"The corpus has no column {quote(groups)} to group by. Columns are {known}.")
        groups = corpus.column(groups)
    try:
        values = groups.to_pylist() if hasattr(groups, "to_pylist") else list(groups)
    except TypeError:
        raise ParameterError(
            f"groups must be the name of a column, or one value for each document. Got {shortened(groups)} instead."
        ) from None
    if len(values) != n:
        raise DataError(f"There are {len(values)} groups for {n} documents. Give one group for each document.")
    numbers: dict[Any, int] = {}
    return np.array([numbers.setdefault(value, len(numbers)) for value in values], dtype=np.int64)


def torn_copies(folds: Sequence[Fold], first: NDArray[np.int64]) -> int:
    """Documents of the first repeat that are tested although one of their group, named by its first, was trained on."""
    part = np.empty(first.size, np.int64)
    for fold in folds:
        if fold.repeat == 0:
            part[fold.test] = fold.number
    order = np.lexsort((part, first))
    text, where = first[order], part[order]
    starts = np.flatnonzero(np.r_[True, text[1:] != text[:-1]])
    sizes = np.diff(np.r_[starts, text.size])
    torn = np.maximum.reduceat(where, starts) != np.minimum.reduceat(where, starts)
    return int(sizes[torn].sum())


def stratified_order(classes: NDArray[np.int32] | LabelSets, rows: Rows, seed: int) -> Rows:
    """The rows shuffled so that every beginning of them holds the classes in about their proportions."""
    if isinstance(classes, LabelSets):
        return rows[stratified_set_order(classes.take(rows), seed=seed)]
    random = np.random.Generator(np.random.Philox(seed))
    shuffled = rows[random.permutation(rows.size)]
    keys = np.empty(rows.size)
    for k in np.unique(classes[rows]):
        members = np.flatnonzero(classes[shuffled] == k)
        keys[members] = (np.arange(members.size) + random.random()) / members.size
    return shuffled[np.argsort(keys, kind="stable")]


def _splitter(plan: FoldPlan, repeat: int, grouped: bool) -> Any:
    from sklearn import model_selection

    if plan.leave_one_out:
        return model_selection.LeaveOneGroupOut() if grouped else model_selection.LeaveOneOut()
    name = ("Stratified" if plan.stratified else "") + ("Group" if grouped else "") + "KFold"
    return getattr(model_selection, name)(plan.folds, shuffle=True, random_state=_state(plan, repeat))


def _state(plan: FoldPlan, repeat: int) -> int:
    """Where the randomness of a repeat comes from."""
    return int(np.random.SeedSequence([plan.seed, repeat]).generate_state(1)[0])


def _followed(rows: NDArray[Any], together: NDArray[np.int64] | None) -> Rows:
    """Rows, and those that belong together with them."""
    if together is None:
        return rows.astype(np.int64)
    chosen = np.zeros(together.size, bool)
    chosen[rows] = True
    return np.flatnonzero(chosen[together])


def _check_sizes(
    classes: NDArray[np.int32],
    labels: Sequence[Label],
    plan: FoldPlan,
    groups: NDArray[np.int64] | None,
    *,
    copies: bool,
) -> None:
    n = classes.size
    units = n if groups is None else np.unique(groups).size
    what = (
        "groups" if groups is not None else "documents, copies and near-copies counted once" if copies else "documents"
    )
    if plan.leave_one_out:
        if units < 2:
            raise DataError(f"Cross-validation needs at least 2 {what}. Got {units}.")
        return
    if units < plan.folds:
        raise DataError(
            f"There are {units} {what}, fewer than the {plan.folds} folds. Use folds={max(units, 2)} or fewer, or "
            "more documents."
        )
    if not plan.stratified or plan.small_classes == "allow":
        return
    for k, count in _smallest_first(classes):
        if count < plan.folds:
            way_out = f"Use folds={count} or fewer, " if count >= 2 else "Add documents of it, leave it out, "
            once = ", copies and near-copies counted once" if copies else ""
            raise DataError(
                f"The class {quote(labels[k])} has {counted(count, 'document', 'documents')}{once}, fewer than the "
                f"{plan.folds} folds, so not every fold can hold one. {way_out}or pass small_classes='allow'."
            )


def small_class_notes(classes: NDArray[np.int32] | LabelSets, labels: Sequence[Label], plan: FoldPlan) -> list[str]:
    """What to say about classes with fewer documents than folds."""
    if plan.leave_one_out:
        return []
    kind = "label" if isinstance(classes, LabelSets) else "class"
    return [
        f"The {kind} {quote(labels[k])} has {counted(count, 'document', 'documents')} for {plan.folds} folds: some "
        "folds test none of it."
        for k, count in _smallest_first(classes.members if isinstance(classes, LabelSets) else classes)
        if count < plan.folds
    ]


def _smallest_first(classes: NDArray[np.int32]) -> Iterator[tuple[int, int]]:
    values, counts = np.unique(classes, return_counts=True)
    for i in np.argsort(counts, kind="stable"):
        yield int(values[i]), int(counts[i])


def _joined(a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.int64]:
    """The finest grouping that tears apart neither a's groups nor b's."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n_a = int(a.max()) + 1
    size = n_a + int(b.max()) + 1
    links = coo_array((np.ones(a.size), (a, n_a + b)), shape=(size, size))
    component = connected_components(links, directed=False)[1]
    return np.asarray(component[a], dtype=np.int64)
