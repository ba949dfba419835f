"""How often an audit calls a bias that was planted, and how often one that is not there.

    python benchmarks/audit_power.py [--models N] [--quick]

Tweets of davidson_hate in two classes, without the words of the built-in lists; then each term that stands for a group
alone is put into so many tweets at random, whatever their label: no term is a sign of anything. Of the tweets with one
term a share of the labels is flipped. "found": the list of that term is called a concern; "false": another list is.
Both with the training texts at hand (`train=`) and without.
"""

from __future__ import annotations

import argparse
import re
import sys
import time

import numpy as np

import assay
from _datasets import data_folder, read_all
from assay.audit import audit, built_in_lists, load_list

TERM = ("religion", "Muslim")


def clean_tweets() -> tuple[list[str], np.ndarray]:
    """Tweets without a term of a list, and whether they are hateful or offensive."""
    every = {term.lower() for name in built_in_lists() for terms in load_list(name).groups.values() for term in terms}
    words = "|".join(map(re.escape, sorted(every, key=len, reverse=True)))
    find = re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE).search
    texts, labels = read_all("davidson_hate")
    kept = [
        (str(text), str(label) != "neither") for text, label in zip(texts, labels, strict=True) if not find(str(text))
    ]
    return [text for text, _ in kept], np.array([bad for _, bad in kept])


def planted(
    texts: list[str], bad: np.ndarray, n_with: int, flipped: float, random: np.random.Generator
) -> assay.Corpus:
    """4,000 tweets, each single term in `n_with` of them, and a share of the labels of one term's turned round."""
    rows = random.choice(len(texts), 4000, replace=False)
    chosen, labels = [texts[row] for row in rows], bad[rows].copy()
    for name in built_in_lists():
        for terms in load_list(name).groups.values():
            if len(terms) > 1:
                continue
            with_term = random.choice(len(chosen), n_with, replace=False)
            for row in with_term:
                words = chosen[row].split()
                words.insert(int(random.integers(len(words) + 1)), terms[0])
                chosen[row] = " ".join(words)
            if (name, terms[0]) == TERM:
                turned = with_term[random.random(n_with) < flipped]
                labels[turned] = ~labels[turned]
    return assay.Corpus(chosen, np.where(labels, "bad", "fine").tolist())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=int, default=100)
    parser.add_argument("--quick", action="store_true", help="20 models")
    settings = parser.parse_args()
    if data_folder() is None:
        sys.exit("No data: set ASSAY_DATA to the folder that holds davidson_hate.")
    n_models = 20 if settings.quick else settings.models
    texts, bad = clean_tweets()
    print(f"{len(texts):,} tweets, {bad.mean():.0%} bad; {n_models} models each\n")
    heads = f"{'found':>8}{'false':>8}{'found, train':>14}{'false, train':>14}{'mean gap':>10}"
    print(f"{'with term':>10}{'flipped':>9}{heads}")
    started = time.perf_counter()
    for n_with in (30, 100):
        for flipped in (0.0, 0.3, 0.6):
            counts, gaps = np.zeros(4, int), []
            for seed in range(n_models):
                train = planted(texts, bad, n_with, flipped, np.random.default_rng([n_with, int(10 * flipped), seed]))
                model = assay.TextClassifier(learner="logistic").fit(train)
                for k, given in enumerate((None, train)):
                    result = audit(model, target=["bad"], train=given, label_errors=False)
                    lists = {f.title.split(": ")[1].split(",")[0] for f in result.concerns if f.part == "swaps"}
                    counts[2 * k : 2 * k + 2] += TERM[0] in lists, bool(lists - {TERM[0]})
                [swap] = [swap for swap in result.swaps if swap.name == TERM[0]]
                gaps.append(next(gap.difference.value for gap in swap.gaps["score"] if gap.group == TERM[1]))
            shares = "".join(
                f"{count / n_models:{width}.2f}" for count, width in zip(counts, (8, 8, 14, 14), strict=True)
            )
            seconds = time.perf_counter() - started
            print(f"{n_with:10}{flipped:9.1f}{shares}{np.mean(gaps):10.3f}   [{seconds:.0f} s]", flush=True)


if __name__ == "__main__":
    main()
