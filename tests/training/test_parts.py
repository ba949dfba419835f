from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.training.parts import fold_numbers, make_parts, order_with_copies


@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 20)), min_size=4, max_size=80), st.integers(2, 5))
def test_copies_of_a_text_share_a_fold_and_folds_cover_all_rows_once(rows: list[tuple[int, int]], folds: int) -> None:
    classes = np.array([c for c, _ in rows], dtype=np.int32)
    first = {text: i for i, (_, text) in reversed(list(enumerate(rows)))}
    same_text = np.array([first[text] for _, text in rows])
    order = order_with_copies(classes, same_text, seed=1)
    numbers = fold_numbers(classes, same_text, order, folds)
    assert sorted(order) == list(range(len(rows)))
    assert (numbers == numbers[same_text]).all()
    parts = make_parts(order, numbers, len(rows), folds)
    assert sorted(np.concatenate([part.test for part in parts])) == list(range(len(rows)))
    for part in parts:
        assert not set(same_text[part.train]) & set(same_text[part.test])


def test_every_beginning_of_the_order_has_the_classes_in_their_shares() -> None:
    classes = np.repeat(np.array([0, 1], dtype=np.int32), [900, 100])
    order = order_with_copies(classes, np.arange(1000), seed=0)
    for n in (50, 100, 500):
        assert abs((classes[order[:n]] == 1).mean() - 0.1) <= 0.03


def test_a_small_sample_is_part_of_a_larger_one_and_is_tested_alike() -> None:
    classes = np.tile(np.array([0, 1], dtype=np.int32), 50)
    order = order_with_copies(classes, np.arange(100), seed=0)
    numbers = fold_numbers(classes, np.arange(100), order, 5)
    (small,), (large,) = make_parts(order, numbers, 20, 1), make_parts(order, numbers, 80, 1)
    assert set(small.train) < set(large.train)
    assert (small.test == large.test).all()
