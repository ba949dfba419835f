"""How quickly texts with several labels are dealt out to folds, and how evenly.

    python benchmarks/stratification.py                  # 100,000 texts, 100 labels, 10 folds
    python benchmarks/stratification.py --quick          # 5,000 texts

Beside the native kernel: the same algorithm (Sechidis, Tsoumakas & Vlahavas 2011) in plain Python with NumPy, as it is
usually written; scikit-multilearn's, where it is installed; folds without regard to labels. The deviation is the mean
over labels and folds of |texts of the label in the fold / texts of the label - 1 / folds|, in points of a hundred.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from _measuring import describe_machine, print_table, say, write_results
from assay.data.corpus.stratified_sets import stratified_parts
from assay.label_sets import LabelSets

FOLDS = 10
Parts = NDArray[np.int64]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="5,000 texts")
    parser.add_argument("--labels", type=int, default=100)
    parser.add_argument("--without-peers", action="store_true", help="only the native kernel and chance")
    chosen = parser.parse_args()
    n = 5_000 if chosen.quick else 100_000
    sets = made_sets(n, chosen.labels)
    contestants: dict[str, Callable[[LabelSets], Parts]] = {"native": native, "by chance": by_chance}
    if not chosen.without_peers:
        contestants["plain Python"] = plain
        if has_scikit_multilearn():
            contestants["scikit-multilearn"] = scikit_multilearn
    rows = []
    for name, deal in contestants.items():
        say(f"{name}: {n:,} texts, {chosen.labels} labels, {len(sets.members):,} labels of texts")
        repeats = 5 if name in ("native", "by chance") else 1
        rows.append({"who": name, **measured(deal, sets, repeats)})
    print_table(f"{FOLDS} folds of {n:,} texts with {chosen.labels} labels", rows)
    write_results("stratification", {"rows": rows, "texts": n, "labels": chosen.labels, "machine": describe_machine()})


def made_sets(n: int, n_labels: int) -> LabelSets:
    """From a label that every fifth text has down to one that every thousandth has, in twenty topics."""
    random = np.random.Generator(np.random.PCG64(2011))
    shares = np.geomspace(0.2, 0.001, n_labels)
    topic = random.integers(20, size=n)
    of_topic = np.arange(n_labels) % 20
    likely = np.where(of_topic == topic[:, None], 4.0, 0.85) * shares
    return LabelSets.of_table(random.random((n, n_labels)) < likely)


def measured(deal: Callable[[LabelSets], Parts], sets: LabelSets, repeats: int) -> dict[str, float]:
    seconds = []
    for _ in range(repeats):
        begin = time.process_time()
        parts = deal(sets)
        seconds.append(time.process_time() - begin)
    counts = np.array([sets.take(parts == fold).class_counts for fold in range(FOLDS)])
    sizes = np.bincount(parts, minlength=FOLDS)
    shares = counts / np.maximum(sets.class_counts, 1)
    return {
        "processor seconds": round(min(seconds), 3),
        "deviation": round(float(100 * np.abs(shares - 1 / FOLDS).mean()), 3),
        "largest deviation": round(float(100 * np.abs(shares - 1 / FOLDS).max()), 3),
        "texts of a fold": f"{sizes.min():,} to {sizes.max():,}",
    }


def native(sets: LabelSets) -> Parts:
    return stratified_parts(sets, [1] * FOLDS, seed=1)


def by_chance(sets: LabelSets) -> Parts:
    return np.random.Generator(np.random.PCG64(1)).permutation(len(sets)) % FOLDS


def plain(sets: LabelSets) -> Parts:
    """The algorithm as most people write it: a table of what is left, looked through once a label."""
    random = np.random.Generator(np.random.PCG64(1))
    table = sets.table()
    wanted = np.full(FOLDS, len(sets) / FOLDS)
    wanted_of = np.repeat(table.sum(axis=0)[:, None] / FOLDS, FOLDS, axis=1)  # (label, fold)
    parts = np.full(len(sets), -1)
    waiting = np.ones(len(sets), bool)
    while (left := table[waiting].sum(axis=0)).any():
        label = int(np.where(left > 0, left, len(sets) + 1).argmin())
        for text in np.flatnonzero(waiting & table[:, label]):
            most = np.flatnonzero(wanted_of[label] == wanted_of[label].max())
            most = most[wanted[most] == wanted[most].max()]
            fold = int(random.choice(most))
            parts[text] = fold
            wanted_of[table[text], fold] -= 1
            wanted[fold] -= 1
            waiting[text] = False
    for text in np.flatnonzero(waiting):
        fold = int(wanted.argmax())
        parts[text] = fold
        wanted[fold] -= 1
    return parts


def has_scikit_multilearn() -> bool:
    from importlib.util import find_spec

    return find_spec("skmultilearn") is not None


def scikit_multilearn(sets: LabelSets) -> Parts:
    from skmultilearn.model_selection import IterativeStratification

    parts = np.empty(len(sets), np.int64)
    table = sets.table().astype(int)
    splitter = IterativeStratification(n_splits=FOLDS, order=1)
    for fold, (_, test) in enumerate(splitter.split(np.zeros((len(sets), 1)), table)):
        parts[test] = fold
    return parts


if __name__ == "__main__":
    main()
