"""How often tests of features call an association that is not there, at the level of 5 %.

python benchmarks/false_alarms.py [--sets N] [--quick] [--seed N]

Labels are tossed; a word stands in a fixed number of texts. "asked" is the likelihood-ratio test whatever the number of
texts, "auto" what `assay.inference.regress` takes by itself, "Yes" the share of sentences that say so.
"""

from __future__ import annotations

import argparse

import numpy as np

from assay.inference import regress


def rates(n: int, with_word: int, share: float, controls: int, n_sets: int, first: int) -> tuple[float, float, float]:
    """Share of p-values of at most .05: asked, auto; and of sentences that say yes."""
    asked = auto = yes = 0
    for seed in range(first, first + n_sets):
        random = np.random.default_rng([n, with_word, controls, seed])
        labels = np.where(random.random(n) < share, "pos", "neg")
        labels[:2] = "neg", "pos"
        word = np.zeros(n)
        word[random.choice(n, with_word, replace=False)] = 1.0
        features = {"word": word} | {f"other{c}": random.normal(size=n) for c in range(controls)}
        data = (["text"] * n, labels.tolist())
        asked += regress(data, features, method="likelihood")["word"].p_value <= 0.05
        found = regress(data, features, seed=seed)
        auto += found["word"].p_value <= 0.05
        yes += found.conclusions[0].startswith("Yes") if not controls else 0
    return asked / n_sets, auto / n_sets, yes / n_sets


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=2000)
    parser.add_argument("--quick", action="store_true", help="200 sets")
    parser.add_argument("--seed", type=int, default=0, help="of the first set")
    parser.add_argument("--others", type=int, nargs="+", default=[0, 2], help="further features beside the word")
    settings = parser.parse_args()
    n_sets = 200 if settings.quick else settings.sets
    print(f"{'texts':>6}{'with it':>8}{'pos':>6}{'others':>7}{'asked':>8}{'auto':>8}{'Yes':>8}")
    for controls in settings.others:
        for n, with_word, share in (
            (50, 10, 0.5),
            (50, 25, 0.5),
            (50, 15, 0.2),
            (200, 3, 0.5),
            (200, 4, 0.5),
            (200, 5, 0.5),
            (200, 10, 0.5),
            (200, 31, 0.5),
            (200, 60, 0.5),
        ):
            asked, auto, yes = rates(n, with_word, share, controls, n_sets, settings.seed)
            shown = f"{yes:8.3f}" if not controls else f"{'':8}"
            print(f"{n:6}{with_word:8}{share:6.1f}{controls:7}{asked:8.3f}{auto:8.3f}{shown}", flush=True)


if __name__ == "__main__":
    main()
