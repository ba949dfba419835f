"""Thresholds of labels on new texts: each label's own cut, one for all, and cuts drawn to a shared one by support.

    python benchmarks/set_thresholds.py

Texts follow the laws of `_set_worlds.py`; the model's log odds are off by a shift of each label's own. Thresholds are
chosen on n texts and measured on 4,000 others, 30 times.
"""

from __future__ import annotations

import argparse
from collections import defaultdict

import numpy as np
from scipy.special import expit, logit

from _set_worlds import SetWorld
from assay.evaluation.decisions.set_thresholds import choose_set_thresholds
from assay.evaluation.metrics.set_outcomes import SetOutcomes
from assay.evaluation.uncertainty.metric_value import measure

SETTINGS = (
    (300, SetWorld(20, 2.0, lift=1.5)),
    (1000, SetWorld(28, 1.2, lift=1.5)),
    (1000, SetWorld(50, 3.0, lift=2.0)),
    (3000, SetWorld(50, 3.0, lift=1.5)),
)
WAYS = {"own": {"drawn": 0.0}, "shared": {"kind": "shared"}, "drawn": {}}
SHOWN = ("micro_f1", "macro_f1")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=30)
    settings = parser.parse_args()
    for n, world in SETTINGS:
        found = defaultdict(list)
        for number in range(settings.sets):
            random = np.random.default_rng([number, n])
            chosen_on, new = world.draw(n, random), world.draw(4000, random)
            off = random.normal(0, 0.7, world.n_labels)
            tables = [expit(logit(outcomes.probabilities) + off) for outcomes in (chosen_on, new)]
            for metric in SHOWN:
                for way, how in WAYS.items():
                    rule = choose_set_thresholds(tables[0], chosen_on.truth, chosen_on.labels, metric=metric, **how)
                    answers = SetOutcomes(new.labels, new.truth, rule.apply(tables[1]))
                    found[metric, way].append([measure(name, answers) for name in SHOWN])
        print(f"\nn={n}, {world}: micro-F1 and macro-F1 on new texts")
        for (metric, way), values in found.items():
            print(f"  chosen by {metric}, {way:8}{np.mean(values, axis=0).round(4)}", flush=True)


if __name__ == "__main__":
    main()
