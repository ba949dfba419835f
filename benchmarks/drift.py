"""Drift: false alarms on texts of one source, and how often a tenth of texts from elsewhere is found.

python benchmarks/drift.py [--splits 200] [--draws 100] [--new 2000] [--train 2000]

Every split deals a data set out anew: a model is trained on one part (linear SVM, words 1-2, three folds), the other is
new. "file": the model's file alone is asked; "old": the training texts are given, too. Of the new texts of a draw, a
tenth is of another set. Also: how often the intervals hold the true shares of labels (after a shift of labels alone)
and the true accuracy (without any shift).
"""

from __future__ import annotations

import argparse
import warnings
from collections import defaultdict
from typing import Any

import numpy as np

import assay
from _datasets import read_all
from assay.drift import measure_drift

SETS = ("banking77", "trec6", "subj", "sms_spam", "ag_news_sub")
PAIRS = (
    ("banking77", "trec6"),
    ("sms_spam", "subj"),
    ("ag_news_sub", "mr"),
    ("trec6", "banking77"),
    ("subj", "banking77"),
)


def trained(texts: list[str], labels: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return assay.train((texts, list(labels)), learner="svm", ngrams="1-2", folds=3, threads=1)


def dealt(name: str, seed: int, n_train: int, n_new: int) -> tuple[Any, list[str], np.ndarray, list[str], np.ndarray]:
    """A model, its training texts and labels, and others of the same source."""
    texts, labels = read_all(name)
    order = np.random.default_rng([seed, len(texts)]).permutation(len(texts))
    n_train = min(n_train, len(texts) // 2)
    one, other = order[:n_train], order[n_train : n_train + n_new]
    learned, own = [texts[i] for i in one], [texts[i] for i in other]
    return trained(learned, labels[one]), learned, labels[one], own, labels[other]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--splits", type=int, default=200)
    parser.add_argument("--draws", type=int, default=100)
    parser.add_argument("--new", type=int, default=2000)
    parser.add_argument("--train", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    alarms: dict[str, list[str]] = defaultdict(list)
    within: dict[str, list[bool]] = defaultdict(list)
    for k in range(asked.splits):
        name = SETS[k % len(SETS)]
        model, learned, _, own, truth = dealt(name, asked.seed + k, asked.train, asked.new)
        for way, old in (("file", None), ("old", learned)):
            found = measure_drift(model, assay.Corpus(own), reference=old and assay.Corpus(old), seed=k, threads=1)
            alarms[way] += [finding.kind for finding in found.findings if finding.severity == "concern"][:1] or [""]
        if found.expected.defined:
            accuracy = float(np.mean(model.predict(own) == truth))
            within["expected accuracy, no shift"].append(found.expected.low <= accuracy <= found.expected.high)
        shifted = _shifted(truth, k)
        found = measure_drift(model, assay.Corpus([own[i] for i in shifted]), seed=k, threads=1)
        if not isinstance(found.label_shares, str):
            shares = [float(np.mean(truth[shifted] == label)) for label in model.labels]
            within["label shares, labels shifted"] += [
                estimate.low <= share <= estimate.high
                for estimate, share in zip(found.label_shares, shares, strict=True)
            ]
    print(f"false alarms, {asked.splits} splits of one source")
    for way, kinds in alarms.items():
        of_kind = {kind: kinds.count(kind) for kind in sorted(set(kinds) - {""})}
        print(f"  {way:5}{sum(map(bool, kinds)) / len(kinds):7.3f}  {of_kind}", flush=True)
    print("intervals of 95 %: share that hold the truth")
    for what, held in within.items():
        print(f"  {what:32}{np.mean(held):7.3f}  of {len(held)}", flush=True)
    print(f"a tenth of {asked.new} texts from elsewhere, {asked.draws} draws: found")
    found_in: dict[tuple[str, str, str], list[bool]] = defaultdict(list)
    for k in range(asked.draws):
        name, foreign = PAIRS[k % len(PAIRS)]
        model, learned, _, own, _ = dealt(name, 10_000 + asked.seed + k, asked.train, asked.new)
        n = len(own) // 10
        others, _ = read_all(foreign)
        picked = np.random.default_rng([asked.seed, k]).permutation(len(others))[:n]
        new = assay.Corpus(own[n:] + [others[i] for i in picked])
        for way, old in (("file", None), ("old", learned)):
            found = measure_drift(model, new, reference=old and assay.Corpus(old), seed=k, threads=1)
            found_in[name, foreign, way].append(found.drifted)
    for way in ("file", "old"):
        every = [hit for (_, _, how), hits in found_in.items() if how == way for hit in hits]
        parts = {f"{a}+{b}": f"{sum(h)}/{len(h)}" for (a, b, how), h in found_in.items() if how == way}
        print(f"  {way:5}{sum(every)} of {len(every)}  {parts}", flush=True)


def _shifted(truth: np.ndarray, seed: int) -> np.ndarray:
    """Rows of texts of which some labels are left out in part: each label keeps a share of its texts."""
    random = np.random.default_rng([7, seed])
    keep = {label: random.uniform(0.3, 1.0) for label in sorted(set(truth.tolist()))}
    return np.flatnonzero(random.random(truth.size) < np.array([keep[label] for label in truth.tolist()]))


if __name__ == "__main__":
    main()
