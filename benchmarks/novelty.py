"""How well texts from elsewhere are told: area under the ROC curve of novelty beside the largest probability.

Classes of banking77 are left out of the training, a quarter and a half of them, in ten draws each: texts of these are
to be told from test texts of the others. The difference is paired over the draws, with Student's interval. Then texts
of other sets are put to a model of all 77 classes, with intervals by the bootstrap over texts.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

import assay
from _datasets import read_all, read_labelled
from _measuring import describe_machine, print_table, say, write_results

SETS = ("trec6", "sms_spam", "subj")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--draws", type=int, default=10, help="Choices of the classes that are left out.")
    options.add_argument("--seed", type=int, default=0, help="Of the choices: others for another seed.")
    options.add_argument("--quick", action="store_true", help="Three draws.")
    options.add_argument("--search", action="store_true", help="Let assay.train choose the model, not an SVM.")
    asked = options.parse_args()
    draws = 3 if asked.quick else asked.draws
    texts, labels = read_labelled("banking77", "train")
    test, test_labels = read_labelled("banking77", "test")
    rows = []
    for share in (0.25, 0.5):
        found = []
        for draw in range(asked.seed * 1000, asked.seed * 1000 + draws):
            names = np.unique(labels)
            gone = np.random.default_rng([draw, round(100 * share)]).choice(names, round(share * 77), replace=False)
            kept = np.flatnonzero(~np.isin(labels, gone))
            model = fit([texts[i] for i in kept], labels[kept], search=asked.search)
            found.append(areas(model, test, np.isin(test_labels, gone)))
            say(f"{share:.0%} left out, draw {len(found)} of {draws}: {found[-1][0]:.4f} {found[-1][1]:.4f}")
        rows.append(left_out_row(share, np.array(found)))
    print_table("Classes of banking77 left out", rows)
    foreign = foreign_rows(fit(texts, labels, search=asked.search), test)
    print_table("Texts of other sets put to a model of banking77", foreign)
    write_results("novelty", {"machine": describe_machine(), "left_out": rows, "foreign": foreign})


def fit(texts: list[str], labels: NDArray[Any], *, search: bool) -> Any:
    """A model that knows novelty."""
    if search:
        return assay.train(texts, labels)
    return assay.TextClassifier(calibration="temperature", learn_novelty=True).fit(texts, labels)


def areas(model: Any, texts: list[str], new: NDArray[np.bool_]) -> tuple[float, float]:
    """The areas under the ROC curves of the largest probability, and of novelty."""
    return area(-model.predict_proba(texts).max(axis=1), new), area(model.novelty(texts), new)


def area(values: NDArray[np.float64], new: NDArray[np.bool_]) -> float:
    """Share of the pairs of a new text and another in which the new one has the greater value; ties count half."""
    ranks = stats.rankdata(values)
    n_new = int(new.sum())
    return float((ranks[new].sum() - n_new * (n_new + 1) / 2) / (n_new * (len(new) - n_new)))


def left_out_row(share: float, found: NDArray[np.float64]) -> dict[str, str]:
    """Means over the draws, and the interval of the paired difference."""
    difference = found[:, 1] - found[:, 0]
    test = stats.ttest_1samp(difference, 0.0)
    low, high = test.confidence_interval()
    return {
        "left out": f"{share:.0%}",
        "largest probability": f"{found[:, 0].mean():.4f}",
        "novelty": f"{found[:, 1].mean():.4f}",
        "difference [95 %]": f"{difference.mean():+.4f} [{low:+.4f}, {high:+.4f}]",
        "p": f"{test.pvalue:.1e}",
        "better in": f"{int((difference > 0).sum())} of {len(difference)}",
    }


def foreign_rows(model: Any, test: list[str]) -> list[dict[str, str]]:
    """Each set's areas; the interval is of 200 resamples of the texts of both sets."""
    own, limit = model.novelty(test), model.known_texts.limit()
    own_p = -model.predict_proba(test).max(axis=1)
    random = np.random.default_rng(0)
    rows = []
    for name in SETS:
        texts = read_all(name)[0]
        new, new_p = model.novelty(texts), -model.predict_proba(texts).max(axis=1)
        is_new = np.arange(len(own) + len(new)) >= len(own)
        drawn = []
        for _ in range(200):
            mine, theirs = random.choice(own, len(own)), random.choice(new, len(new))
            drawn.append(area(np.r_[mine, theirs], is_new))
        low, high = np.quantile(drawn, [0.025, 0.975])
        rows.append(
            {
                "texts of": name,
                "texts": f"{len(texts):,}",
                "largest probability": f"{area(np.r_[own_p, new_p], is_new):.4f}",
                "novelty [95 %]": f"{area(np.r_[own, new], is_new):.4f} [{low:.4f}, {high:.4f}]",
                "found at 1 %": f"{np.mean(new >= limit):.1%}",
            }
        )
    return rows


if __name__ == "__main__":
    main()
