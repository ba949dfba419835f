"""Iterative stratification: the native kernel against the algorithm of the paper in plain Python."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay import _native
from assay.data.corpus.stratified_sets import stratified_parts, stratified_set_order
from assay.label_sets import LabelSets


class SplitMix64:
    """The generator of the kernels (Steele, Lea & Flood 2014)."""

    def __init__(self, seed):
        self.position = seed

    def next(self):
        self.position = (self.position + 0x9E3779B97F4A7C15) % 2**64
        bits = self.position
        bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) % 2**64
        bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) % 2**64
        return bits ^ (bits >> 31)


def stratify_plainly(units, sizes, weights, seed):
    """Algorithm 1 of Sechidis, Tsoumakas & Vlahavas (2011); a unit is a dict from label to its number of texts."""
    random = SplitMix64(seed)
    lots = [random.next() for _ in units]
    waiting = sorted(range(len(units)), key=lambda u: (-sizes[u], lots[u], u))
    parts, total = range(len(weights)), sum(weights)
    labels = sorted({label for unit in units for label in unit})
    wanted = [sum(sizes) * weight for weight in weights]
    wanted_of = {k: [sum(unit.get(k, 0) for unit in units) * weight for weight in weights] for k in labels}
    part_of = [-1] * len(units)

    def give(unit, first):
        most = max((first[p], wanted[p]) for p in parts)
        equals = [p for p in parts if (first[p], wanted[p]) == most]
        part = equals[0] if len(equals) == 1 else equals[random.next() % len(equals)]
        part_of[unit] = part
        wanted[part] -= sizes[unit] * total
        for k, count in units[unit].items():
            wanted_of[k][part] -= count * total

    while any(units[u] for u in waiting):
        left = {k: sum(units[u].get(k, 0) for u in waiting) for k in labels}
        rarest = min((k for k in labels if left[k]), key=lambda k: (left[k], k))
        for u in [u for u in waiting if rarest in units[u]]:
            give(u, wanted_of[rarest])
            waiting.remove(u)
    for u in waiting:
        give(u, wanted)
    return part_of


SETS = st.lists(st.sets(st.integers(0, 5)), max_size=40)


@given(
    st.lists(st.tuples(st.sets(st.integers(0, 5)), st.integers(0, 8)), max_size=40),
    st.lists(st.integers(1, 9), min_size=1, max_size=5),
    st.integers(0, 2**64 - 1),
)
def test_the_kernel_deals_as_the_paper_says(rows_and_units, weights, seed):
    rows, number = [row for row, _ in rows_and_units], [unit for _, unit in rows_and_units]
    together = sorted(set(number))
    units = [{} for _ in together]
    for row, u in zip(rows, number, strict=True):
        for k in row:
            units[together.index(u)][k] = units[together.index(u)].get(k, 0) + 1
    sizes = [number.count(u) for u in together]
    expected = stratify_plainly(units, sizes, weights, seed)
    found = stratified_parts(LabelSets.of_rows(rows, 6), weights, seed=seed, unit=np.array(number, np.int64))
    assert found.tolist() == [expected[together.index(u)] for u in number]


@given(SETS, st.lists(st.integers(1, 9), min_size=1, max_size=5), st.integers(0, 2**64 - 1))
def test_texts_that_stand_alone_need_no_units(rows, weights, seed):
    sets = LabelSets.of_rows(rows, 6)
    expected = stratify_plainly([dict.fromkeys(row, 1) for row in rows], [1] * len(rows), weights, seed)
    assert stratified_parts(sets, weights, seed=seed).tolist() == expected
    assert stratified_parts(sets, weights, seed=seed, unit=np.arange(len(rows))).tolist() == expected


def skewed_sets(n=5000, n_labels=20):
    """Labels from one that every second text has to some that one in five hundred has, not independent."""
    random = np.random.Generator(np.random.PCG64(7))
    shares = np.geomspace(0.5, 0.002, n_labels)
    table = random.random((n, n_labels)) < shares
    table[:, 1] |= table[:, 0] & (random.random(n) < 0.5)
    return LabelSets.of_table(table)


def test_every_fold_has_its_share_of_every_label():
    sets = skewed_sets()
    part = stratified_parts(sets, [1] * 10, seed=3)
    counts = np.array([sets.take(part == p).class_counts for p in range(10)])
    assert np.abs(counts - sets.class_counts / 10).max() <= 1.0
    assert np.abs(np.bincount(part) - 500).max() <= 5


def test_parts_have_the_shares_that_were_asked_for():
    sets = skewed_sets()
    part = stratified_parts(sets, [4000, 250, 750], seed=3)
    counts = np.array([sets.take(part == p).class_counts for p in range(3)])
    shares = np.array([[0.8], [0.05], [0.15]])
    assert np.abs(counts - shares * sets.class_counts).max() <= 1.0
    assert np.abs(np.bincount(part) - [4000, 250, 750]).max() <= 5


def test_another_seed_gives_other_parts_and_the_same_seed_the_same():
    sets = skewed_sets(500)
    one = stratified_parts(sets, [1, 1], seed=1)
    assert (one == stratified_parts(sets, [1, 1], seed=1)).all()
    assert (one != stratified_parts(sets, [1, 1], seed=2)).any()


def test_parts_stay_as_they_are():
    """The same bits in every version: a model's held-out texts are found again."""
    part = stratified_parts(skewed_sets(60, 5), [3, 1, 1], seed=2011)
    assert "".join(map(str, part)) == "021000022220122010000001001201200020000020001010110010020100"


def test_every_beginning_of_an_order_has_the_shares():
    sets = skewed_sets()
    order = stratified_set_order(sets, seed=1)
    assert sorted(order.tolist()) == list(range(5000))
    for n in (500, 1000, 2500):
        begun = sets.take(order[:n]).class_counts
        assert np.abs(begun - sets.class_counts * n / 5000).max() <= 13  # one for each step of 39 texts
    assert stratified_set_order(LabelSets.of_rows([[0]], 1), seed=1).tolist() == [0]


def ints(*values, kind=np.int64):
    return np.array(values, kind)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"offsets": ints(0, 1)}, "offsets has 2 values where 3 are needed"),
        ({"offsets": ints(0, 2, 1)}, "offsets of lists must rise from 0 to 2"),
        ({"labels": ints(0, 3, kind=np.int32)}, r"index of lists holds 3, outside \[0, 3\)"),
        ({"counts": ints(1, 0)}, "counts holds 0, which is not above 0"),
        ({"sizes": ints(1, -1)}, "sizes holds -1, which is not above 0"),
        ({"weights": ints(1, 0)}, "weights holds 0, which is not above 0"),
        ({"weights": ints()}, "there are no weights"),
        ({"weights": ints(2**62)}, r"sizes times weights must stay below 2\^62"),
        ({"n_labels": -1}, "n_labels must not be negative"),
        ({"part_of_unit": np.empty(1, np.int32)}, "part_of_unit has 1 values where 2 are needed"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(changed, said):
    fitting = {
        "offsets": ints(0, 1, 2),
        "labels": ints(0, 2, kind=np.int32),
        "counts": ints(1, 1),
        "sizes": ints(1, 1),
        "n_labels": 3,
        "weights": ints(1, 1),
        "seed": 0,
        "part_of_unit": np.empty(2, np.int32),
    }
    with pytest.raises(ValueError, match=said):
        _native.stratify_units(**(fitting | changed))
