"""Folds of texts with several labels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import DataError
from assay.evaluation.protocols.folds import (
    FoldPlan,
    check_two_classes,
    make_folds,
    small_class_notes,
    stratified_order,
    torn_copies,
)
from assay.label_sets import LabelSets

NAMES = ("a", "b", "rare")


def sets_of(n=200):
    return LabelSets.of_rows([[k for k, every in enumerate((2, 5, 40)) if i % every == 0] for i in range(n)], 3)


def test_every_fold_tests_its_share_of_every_label():
    sets = sets_of()
    folds = make_folds(sets, NAMES, FoldPlan(folds=5, repeats=2))
    assert [(fold.repeat, fold.number) for fold in folds] == [(r, k) for r in range(2) for k in range(5)]
    for fold in folds:
        assert sets.take(fold.test).class_counts.tolist() == [20, 8, 1]
        assert sorted([*fold.train, *fold.test]) == list(range(200))
    assert (folds[0].test != folds[5].test).any()


def test_copies_and_groups_are_not_torn_apart():
    sets, together, groups = sets_of(), np.arange(200) // 2 * 2, np.arange(200) // 3
    assert torn_copies(make_folds(sets, NAMES, FoldPlan(folds=4), together=together), together) == 0
    folds = make_folds(sets, NAMES, FoldPlan(folds=4), groups=groups, together=together)
    assert torn_copies(folds, together) == torn_copies(folds, groups) == 0
    assert np.abs([fold.test.size - 50 for fold in folds]).max() <= 6  # units of six texts


@pytest.mark.parametrize("plan", [FoldPlan(folds=4, stratified=False), FoldPlan(leave_one_out=True)])
def test_sets_need_not_be_stratified(plan):
    folds = make_folds(sets_of(20), NAMES, plan)
    assert len(folds) == (20 if plan.leave_one_out else 4)
    assert sorted(row for fold in folds for row in fold.test) == list(range(20))


def test_a_label_with_few_texts_is_said_and_no_error():
    sets = LabelSets.of_rows([[0]] * 10 + [[1]] * 2 + [[]] * 3, 3)
    assert len(make_folds(sets, NAMES, FoldPlan(folds=5))) == 5
    assert small_class_notes(sets, NAMES, FoldPlan(folds=5)) == [
        "The label 'b' has 2 documents for 5 folds: some folds test none of it."
    ]


def test_too_few_documents_for_the_folds_are_refused():
    with pytest.raises(DataError, match="There are 3 documents, fewer than the 5 folds"):
        make_folds(LabelSets.of_rows([[0], [1], []], 2), NAMES, FoldPlan(folds=5))


@given(st.lists(st.tuples(st.sets(st.integers(0, 2)), st.integers(0, 9)), min_size=4), st.integers(0, 99))
def test_no_fold_is_empty_where_there_are_enough_groups(rows, seed):
    groups = np.array([group for _, group in rows])
    n_groups = len(set(groups.tolist()))
    sets, plan = LabelSets.of_rows([labels for labels, _ in rows], 3), FoldPlan(folds=max(n_groups, 2), seed=seed)
    if n_groups < 2:
        with pytest.raises(DataError, match="There are 1 groups, fewer than the 2 folds"):
            make_folds(sets, NAMES, plan, groups)
        return
    assert sorted(len(set(groups[fold.test])) for fold in make_folds(sets, NAMES, plan, groups)) == [1] * n_groups


@pytest.mark.parametrize(
    ("rows", "what"),
    [([[0, 1], [0, 1]], "all documents have the labels 'a', 'b'"), ([[], []], "no document has any label")],
)
def test_sets_that_do_not_differ_cannot_be_validated(rows, what):
    with pytest.raises(DataError) as error:
        check_two_classes(LabelSets.of_rows(rows, 3), NAMES)
    assert str(error.value) == (
        f"The corpus: {what}. Cross-validation needs at least one label that some documents have and others have not. "
        "Add documents of another kind."
    )
    check_two_classes(LabelSets.of_rows([[0], [0, 1]], 3), NAMES)


def test_an_order_of_sets_begins_with_every_label():
    sets = sets_of()
    rows = np.arange(100, 200)
    order = stratified_order(sets, rows, 3)
    assert sorted(order) == rows.tolist()
    begun = sets.take(order[:50]).class_counts
    assert np.abs(begun - [25, 10, 1]).max() <= 2
