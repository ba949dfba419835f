"""Label sets: every label against the rest, beside scikit-learn's OneVsRestClassifier(LinearSVC) on the same matrix.

    python benchmarks/label_sets.py long            8,000 made-up long texts, 100 labels
    python benchmarks/label_sets.py goemotions      43,410 Reddit comments, 28 labels (where the data is)
    python benchmarks/label_sets.py many            100,000 made-up short texts, 10,000 labels: time and peak memory

Both minimise ½‖w‖² + ½b² + C Σ squared hinge for each label. What both reach is measured here, in double precision and
summed over the labels; a ratio counts where ours is not more than 1e-3 above theirs. Seconds are of the processor, all
threads together, and of the clock: on a machine with other work only the first can be compared.

Texts are made up as counts: words follow the law of `_zipfian.py`; a text has labels, each with a share of its words
from a list of the label's own.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from _datasets import data_folder
from _measuring import print_table, say
from _solver_grid_objectives import FAMILIES, objective
from assay.features import TfidfVectorizer
from assay.label_sets import LabelSets
from assay.learners import LinearSVC

COSTS = (0.1, 1.0, 10.0, 100.0)


def make_texts(n_texts: int, n_labels: int, mean_words: float, seed: int = 0) -> tuple[Any, LabelSets]:
    """Rows of tf-idf weights, and the label set of each."""
    random = np.random.default_rng(seed)
    ranks = np.arange(1 << 20)
    share = np.cumsum(1 / (ranks + 1.2) / (1 + ranks / 8000) ** 1.1)
    words_of_label = random.integers(50, 30_000, (n_labels, 64))
    popularity = 1 / (np.arange(n_labels) + 10.0)
    n_own = random.poisson(2.0, n_texts)
    owner = np.repeat(np.arange(n_texts), n_own)
    drawn = random.choice(n_labels, len(owner), p=popularity / popularity.sum())
    sets = LabelSets.of_table(sparse.csr_array((np.ones(len(owner)), (owner, drawn)), shape=(n_texts, n_labels)))
    lengths = np.maximum(3, random.lognormal(np.log(mean_words) - 0.18, 0.6, n_texts)).astype(np.int64)
    texts = np.repeat(np.arange(n_texts), lengths)
    words = np.searchsorted(share, random.random(len(texts)) * share[-1])
    labels_of = sets.sizes[texts]
    topical = (random.random(len(texts)) < 0.25) & (labels_of > 0)
    member = sets.offsets[texts[topical]] + random.integers(0, labels_of[topical])
    words[topical] = words_of_label[sets.members[member], random.integers(0, 64, len(member))]
    used, columns = np.unique(words, return_inverse=True)
    entries = (texts.astype(np.int32), columns.astype(np.int32))
    X = sparse.csr_array((np.ones(len(texts), np.float32), entries), shape=(n_texts, len(used)))
    X.sum_duplicates()
    idf = np.log((1 + n_texts) / (1 + np.bincount(X.indices, minlength=len(used)))) + 1
    X.data = ((1 + np.log(X.data)) * idf[X.indices]).astype(np.float32)
    norms = np.sqrt(np.asarray(X.power(2).sum(axis=1))).ravel()
    X.data /= np.repeat(norms, np.diff(X.indptr)).astype(np.float32)
    return X, sets


def read_goemotions(min_df: int) -> tuple[Any, LabelSets]:
    """Words and pairs of words of the training texts."""
    import pyarrow.csv

    folder = data_folder()
    if folder is None:
        raise SystemExit("The data is not here: set the folder that _datasets.py asks for.")
    table = pyarrow.csv.read_csv(
        folder / "goemotions_multilabel" / "train.csv.gz",
        parse_options=pyarrow.csv.ParseOptions(newlines_in_values=True),
    )
    texts, named = table["text"].to_pylist(), [row.split("|") for row in table["label"].to_pylist()]
    names = sorted({name for row in named for name in row})
    X = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, min_df=min_df).fit_transform(texts)
    return X, LabelSets.of_rows([[names.index(name) for name in row] for row in named], len(names))


def timed(work: Callable[[], Any]) -> tuple[Any, float, float]:
    """What came back, and seconds of the processor and of the clock."""
    clock, processor = time.perf_counter(), time.process_time()
    found = work()
    return found, time.process_time() - processor, time.perf_counter() - clock


def race(name: str, X: Any, sets: LabelSets, costs: tuple[float, ...], repeats: int) -> None:
    """Both on the same matrix, in turns; the best of each."""
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.svm import LinearSVC as TheirSVC

    Y = sets.table()
    indicator = Y.astype(np.int64)
    shape = f"{X.shape[0]:,} x {X.shape[1]:,}, {X.nnz:,} values"
    say(f"{name}: {shape}, {sets.n_classes} labels, {sets.sizes.mean():.1f} a text")
    rows = []
    as_double = X.astype(np.float64)
    for C in costs:
        ours, theirs = [], []
        for _ in range(repeats):
            mine, *seconds = timed(lambda C=C: LinearSVC(C=C).fit(X, indicator))
            ours.append(seconds)
            peer, *seconds = timed(lambda C=C: OneVsRestClassifier(TheirSVC(C=C)).fit(as_double, indicator))
            theirs.append(seconds)
        reached = objective(FAMILIES["svm"], C, X, Y, mine.coef_, mine.intercept_)
        coef = np.vstack([e.coef_ for e in peer.estimators_])
        intercept = np.concatenate([e.intercept_ for e in peer.estimators_])
        (cpu, clock), (their_cpu, their_clock) = np.min(ours, axis=0), np.min(theirs, axis=0)
        above = reached / objective(FAMILIES["svm"], C, X, Y, coef, intercept) - 1
        rows.append(
            {
                "C": C,
                "ours, processor s": cpu,
                "theirs": their_cpu,
                "ratio": their_cpu / cpu,
                "ours, clock s": clock,
                "theirs, clock s": their_clock,
                "clock ratio": their_clock / clock,
                "objective above theirs": f"{above:.1e}",
            }
        )
    print_table(name, rows)


def many(n_texts: int, n_labels: int, prune: float) -> None:
    """Training and prediction of very many labels, with the peak memory of this process."""
    X, sets = make_texts(n_texts, n_labels, 12)
    say(f"many: {X.shape[0]:,} x {X.shape[1]:,}, {X.nnz:,} values, {n_labels:,} labels; {peak():.2f} GB before")
    model, cpu, clock = timed(lambda: LinearSVC(prune=prune).fit(X, sets.sparse()))
    say(
        f"trained in {cpu:.0f} s of the processor, {clock:.0f} s of the clock, peak {peak():.2f} GB; "
        f"{model.coef_.nnz:,} of {X.shape[1] * n_labels:,} weights kept"
    )
    some = X[:10_000]
    scores, cpu, clock = timed(
        lambda: [model.decision_function(some[at : at + 500]).argmax(axis=1) for at in range(0, 10_000, 500)]
    )
    best = np.concatenate(scores)
    hits = np.mean([k in row for k, row in zip(best.tolist(), list(sets.take(np.arange(10_000))), strict=True)])
    say(
        f"scored {len(best) / cpu:,.0f} texts a second of the processor; P@1 on training texts {hits:.3f}; "
        f"peak {peak():.2f} GB"
    )


def peak() -> float:
    """GB that this process has had at once."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["long", "goemotions", "many"])
    parser.add_argument("--costs", type=float, nargs="*", default=COSTS)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--min-df", type=int, default=1)
    parser.add_argument("--texts", type=int, default=100_000)
    parser.add_argument("--labels", type=int, default=10_000)
    parser.add_argument("--prune", type=float, default=0.01)
    asked = parser.parse_args()
    if asked.what == "long":
        race("long texts", *make_texts(8_000, 100, 400), tuple(asked.costs), asked.repeats)
    elif asked.what == "goemotions":
        race(f"goemotions, min_df={asked.min_df}", *read_goemotions(asked.min_df), tuple(asked.costs), asked.repeats)
    else:
        many(asked.texts, asked.labels, asked.prune)


if __name__ == "__main__":
    main()
