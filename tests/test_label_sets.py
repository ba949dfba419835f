import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from assay.errors import DataError
from assay.label_sets import LabelSets

tables = st.integers(1, 6).flatmap(
    lambda k: st.lists(st.lists(st.booleans(), min_size=k, max_size=k), min_size=1, max_size=12)
)


@given(tables)
def test_sets_of_a_table_and_back(table):
    marked = np.array(table)
    sets = LabelSets.of_table(marked)
    assert np.array_equal(sets.table(), marked)
    assert np.array_equal(sets.sparse().toarray(), marked)
    assert LabelSets.of_table(sparse.csc_matrix(marked.astype(float))) == sets
    assert LabelSets.of_rows([np.flatnonzero(row)[::-1] for row in marked], marked.shape[1]) == sets
    assert sets.require_sound("sets") is sets
    assert [sets.having(k).tolist() for k in range(sets.n_classes)] == marked.T.tolist()


@given(tables, st.data())
def test_parts_are_those_of_the_table(table, data):
    marked = np.array(table)
    sets = LabelSets.of_table(marked)
    rows = np.array(data.draw(st.lists(st.integers(0, len(marked) - 1), max_size=8)), np.int64)
    assert np.array_equal(sets.take(rows).table(), marked[rows])
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=len(marked), max_size=len(marked))))
    assert np.array_equal(sets.take(mask).table(), marked[mask])
    numbers = np.array(data.draw(st.permutations(range(marked.shape[1]))))
    assert np.array_equal(sets.renumbered(numbers, len(numbers)).table()[:, numbers], marked)


def test_classes_that_become_one_are_said_once():
    sets = LabelSets.of_rows([[0, 1, 2], [2]], 3).renumbered(np.array([0, 0, -1]), 1)
    assert [row.tolist() for row in sets] == [[0], []]


def test_names_and_single_classes():
    sets = LabelSets.of_classes(np.array([1, 0], np.int32), 2)
    assert sets.names(("a", "b")) == [("b",), ("a",)]
    assert LabelSets.of_rows([[], [1, 0]], 2).names(("a", "b")) == [(), ("a", "b")]
    assert sets != LabelSets.of_classes(np.array([1, 0], np.int32), 3)


@pytest.mark.parametrize(
    ("offsets", "members", "message"),
    [
        ([1, 2], [0, 1], "f: the ends of the label sets do not rise from 0 to 2."),
        ([0, 2, 1, 2], [0, 1], "f: the ends of the label sets do not rise from 0 to 2."),
        ([0, 1], [0, 1], "f: the ends of the label sets do not rise from 0 to 2."),
        ([0, 1], [3], "f: a label set names a class that is not one of the 3."),
        ([0, 1], [-1], "f: a label set names a class that is not one of the 3."),
        ([0, 2], [1, 1], "f: a label set does not name its classes once each, in rising order."),
        ([0, 2], [1, 0], "f: a label set does not name its classes once each, in rising order."),
    ],
)
def test_unsound_arrays_are_refused(offsets, members, message):
    sets = LabelSets(np.array(offsets, np.int64), np.array(members, np.int32), 3)
    with pytest.raises(DataError, match=f"^{re.escape(message)}$"):
        sets.require_sound("f")
