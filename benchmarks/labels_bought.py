"""Whether the accuracy that is forecast for more labels is what more labels bring.

    python benchmarks/labels_bought.py                     seven data sets, eight draws, two orders
    python benchmarks/labels_bought.py --quick sms_spam

From 200 labels, measured on 50 texts, and from 500, measured on 150, it is forecast what a model will get right with
100 and with 1,000 labels more (`assay.evaluation.uncertainty.score_forecast`). What it truly gets right then: of up to
3,000 other texts. Labels come by chance, and as `assay.labeling` picks them. A range of 90 % should hold in 90 % of the
cases.

No constant was chosen on these sets: those of the forecast come from mr, sst2 and r8.
"""

from __future__ import annotations

import argparse

import numpy as np

from _labelling import CHECKED, Desk, asked_by_assay, asked_by_chance
from _measuring import report
from assay.evaluation.uncertainty.score_forecast import forecast_score
from assay.labeling.curve import curve_sizes

FROM = {200: 50, 500: 150}  # labels, and texts that are measured on
MORE = (100, 1000)
ORDERS = {"by chance": asked_by_chance, "picked": asked_by_assay}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="*", default=CHECKED)
    parser.add_argument("--draws", type=int, default=8)
    parser.add_argument("--quick", action="store_true", help="2 draws")
    settings = parser.parse_args()
    found: dict[tuple[str, str, int, int], list[tuple[float, float, float]]] = {}
    for data in settings.data:
        for draw in range(2 if settings.quick else settings.draws):
            desk = Desk(data, draw)
            for order in ORDERS:
                for n, forecasts in forecasts_of(desk, order).items():
                    for more, case in zip(MORE, forecasts, strict=True):
                        found.setdefault((data, order, n, more), []).append(case)
        print(data, summary("all", [case for key in found if key[0] == data for case in found[key]]), flush=True)
    rows = [summary("all", [case for cases in found.values() for case in cases])]
    for name, at in (("data", 0), ("labels", 1), ("from", 2), ("more", 3)):
        for value in dict.fromkeys(key[at] for key in found):
            cases = [case for key in found if key[at] == value for case in found[key]]
            rows.append(summary(f"{name} {value}", cases))
    report("What is forecast for more labels, and what they bring", rows)


def forecasts_of(desk: Desk, order: str) -> dict[int, list[tuple[float, float, float]]]:
    """Low, high and truth of each horizon, from each number of labels."""
    aside = np.random.default_rng([desk.draw, 22]).choice(len(desk), max(FROM.values()), replace=False)
    sizes = sorted({n + more for n in FROM for more in MORE} | set(FROM))
    asked = dict(zip(sizes, ORDERS[order](desk, sizes, aside.tolist()), strict=True))
    told = {}
    for n, n_texts in FROM.items():
        rows, y = desk.rows[aside[:n_texts]], desk.y[aside[:n_texts]]
        points = curve_sizes(len(asked[n]))
        right = np.array([desk.right(asked[n][:size], rows, y) for size in points])
        told[n] = [
            (item.low, item.high, desk.accuracy(asked[n + item.more])) for item in forecast_score(points, right, MORE)
        ]
    return told


def summary(name: str, cases: list[tuple[float, float, float]]) -> dict[str, object]:
    low, high, truth = np.array(cases).T
    return {
        "cases": name,
        "n": len(cases),
        "truth inside": float(np.mean((low <= truth) & (truth <= high))),
        "below": float(np.mean(truth < low)),
        "above": float(np.mean(truth > high)),
        "mean width": float(np.mean(high - low)),
    }


if __name__ == "__main__":
    main()
