"""Where the exact solvers are quicker than their peers, and where they are not: a grid of kinds, shapes and C.

    python benchmarks/solver_grid.py                       all cells: about an hour
    python benchmarks/solver_grid.py --quick               a dozen small ones: a few minutes
    python benchmarks/solver_grid.py --cells 'svm/r52'     those whose name holds a regular expression
    python benchmarks/solver_grid.py --list                their names, and nothing else

A cell is a kind of model, a matrix and C, like ``svm/banking77/C=10``. The cells cover LinearSVC with both hinges,
softmax and one-against-the-rest logistic regression and the L1 penalty; 500 to 100,000 rows; a twentieth to more than
twenty times as many features; 2 to 500 classes; C from 0.01 to 1,000; sparse and dense rows, and both side by side.

Time is that to a relative gap of 1e-3, and of 1e-4, our default `tol`, to the lowest objective known: measured here in
double precision on everybody's weights, because a peer's `tol` is no gap. Each goes down a ladder of tolerances; see
`_solver_grid_race.py`. Nobody has more than `--seconds` for a fit, by the clock and of processors both, as the machine
may be busy. Everybody runs with the threads it takes by itself. The ratio is the time of the best peer divided by ours:
above 1 we are quicker. Where one of them was not in time, a dash, the ratio is a bound. Cells whose optimum nobody has
proven or reached twice in time are named, and do not count. On a busy machine `--processor`
compares processor seconds instead, which gives nobody anything for its threads. What our fits have read, in stored
values and rows, is in the file of `--json`, too: `work`.
"""

from __future__ import annotations

import argparse
import json
import re
from dataclasses import asdict
from pathlib import Path
from statistics import median
from typing import Any

from _measuring import describe_machine, print_table, say, write_results
from _solver_grid_matrices import make_matrix
from _solver_grid_objectives import relative_gap
from _solver_grid_race import TARGETS, Cell, CellRace, Fit
from assay.atomic_file import write_atomically

Row = dict[str, Any]
Result = dict[str, Any]
SLOWER = 1.25  # times the best peer is a loss
TOO_SHORT = 0.02  # seconds; losses in less do not count
WORST = 15

#: What is raced: kind, matrix, values of C.
CELLS = [
    Cell(family, matrix, C)
    for family, matrix, values in [
        ("svm", "banking150", (1, 3)),
        ("svm", "banking150-wide", (1,)),
        ("svm", "langid17", (1, 10)),
        ("svm", "trec50", (1, 10)),
        ("svm", "r52", (5, 10, 100)),
        ("svm", "mr-500", (1, 1000)),
        ("svm", "names", (10,)),
        ("svm", "imdb", (1,)),
        ("svm", "imdb-narrow", (10,)),
        ("svm", "ag", (0.01, 1)),
        ("svm", "ag-narrow", (100,)),
        ("svm", "20ng", (1, 1000)),
        ("svm", "goemotions", (10,)),
        ("svm", "langid75", (1,)),
        ("svm", "banking500", (1,)),
        ("svm", "zipf-2", (1,)),
        ("svm", "zipf-500", (0.1,)),
        ("svm", "svd-20ng", (1,)),
        ("svm", "vectors-2-scaled", (0.01,)),
        ("svm", "vectors-100", (1,)),
        ("svm", "both-mr", (100,)),
        ("hinge", "banking77", (1, 100)),
        ("hinge", "sms", (1000,)),
        ("hinge", "imdb-5000", (1,)),
        ("hinge", "davidson", (10,)),
        ("hinge", "vectors-2", (1,)),
        ("hinge", "both-banking77", (1,)),
        ("softmax", "banking150", (1, 100)),
        ("softmax", "trec50", (10,)),
        ("softmax", "names-wide", (1,)),
        ("softmax", "imdb-narrow", (1,)),
        ("softmax", "davidson", (100,)),
        ("softmax", "r8", (1000,)),
        ("softmax", "20ng-narrow", (10,)),
        ("softmax", "banking500", (10,)),
        ("softmax", "langid75-20000", (1,)),
        ("softmax", "zipf-20", (0.01,)),
        ("softmax", "svd-imdb", (1000,)),
        ("softmax", "vectors-40", (10,)),
        ("softmax", "vectors-2-wide", (1,)),
        ("softmax", "both-banking77", (10,)),
        ("ovr", "banking77-characters", (1,)),
        ("ovr", "langid150", (10,)),
        ("ovr", "r52", (1000,)),
        ("ovr", "subj", (1,)),
        ("ovr", "zipf-2", (100,)),
        ("ovr", "zipf-2-wide", (0.01,)),
        ("ovr", "20ng-words", (10,)),
        ("ovr", "svd-20ng", (0.1,)),
        ("ovr", "both-20ng", (1,)),
        ("l1-logistic", "sms", (10,)),
        ("l1-logistic", "imdb-5000", (1,)),
        ("l1-logistic", "20ng-narrow", (1,)),
        ("l1-logistic", "banking77", (10,)),
        ("l1-logistic", "svd-imdb", (0.1,)),
        ("l1-svm", "names-wide", (1,)),
        ("l1-svm", "r8-characters", (1,)),
        ("l1-svm", "ag-narrow", (0.1,)),
        ("l1-svm", "trec50", (100,)),
        ("l1-svm", "both-mr", (1,)),
        ("l1-softmax", "trec6-1000", (10,)),
    ]
    for C in values
]
QUICK = {"mr-500", "names", "names-wide", "trec50", "sms", "trec6-1000", "vectors-2", "vectors-2-wide", "both-mr"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", metavar="PATTERN", default="", help="regular expression to be found in the name")
    parser.add_argument("--quick", action="store_true", help="small matrices only, and at most C = 10")
    parser.add_argument("--seconds", type=float, default=60.0, help="for one fit at most")
    parser.add_argument("--processor", action="store_true", help="compare processor seconds, on a busy machine")
    parser.add_argument(
        "--slowest", type=float, default=float("inf"), metavar="TIMES", help="stop a peer at so many times our own time"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="where every fit is written")
    parser.add_argument("--list", action="store_true", help="print the names of the cells")
    settings = parser.parse_args()
    cells = [cell for cell in CELLS if re.search(settings.cells, str(cell))]
    if settings.quick:
        cells = [cell for cell in cells if cell.matrix in QUICK and cell.C <= 10]
    if settings.list:
        print("\n".join(str(cell) for cell in cells))
        return
    if not cells:
        parser.error(f"No cell's name holds {settings.cells!r}. See --list.")
    results: list[Result] = []
    for number, cell in enumerate(cells, 1):
        say(f"{number} of {len(cells)}: {cell}")
        race = CellRace(
            cell, make_matrix(cell.matrix), settings.seconds, of_processors=settings.processor, slowest=settings.slowest
        )
        race.run()
        results.append(_result(race))
        for gap in TARGETS:
            say(f"    to {gap:g}: " + _in_words(results[-1]["at"][str(gap)]))
        _write(settings.json, {"machine": describe_machine(), "seconds": settings.seconds, "cells": results})
    for gap in TARGETS:
        print_table(f"To a relative gap of {gap:g}", [_row(result, gap) for result in results])
    print_table("Ours with the default tol=1e-4", [_row_as_it_comes(result) for result in results])
    for gap in TARGETS:
        _summarise([_row(result, gap) for result in results], gap)


def _result(race: CellRace) -> Result:
    """Everything about a cell, as JSON has it."""
    ladders = [race.ours, *race.peers]
    return {
        "cell": str(race.cell),
        "shape": race.shape,
        "best": race.best,
        "confirmed": race.confirmed,
        "reference": [asdict(fit) for fit in race.reference],
        "as it comes": _measured(race.as_it_comes, race.best),
        "at": {str(gap): _comparison(race, gap) for gap in TARGETS},
        "ladders": {x.name: {"ended": x.ended, "fits": [_measured(fit, race.best) for fit in x.fits]} for x in ladders},
    }


def _measured(fit: Fit | None, best: float) -> dict[str, Any] | None:
    return fit and asdict(fit) | {"gap": relative_gap(fit.objective, best)}


def _comparison(race: CellRace, gap: float) -> dict[str, Any]:
    """Ours and the best peer's; who is not there in time is counted with all of it, so that the ratio is a bound."""
    ours, (name, theirs) = race.ours.within(gap, race.best), race.best_peer(gap)
    our_seconds, their_seconds = (
        fit.spent(of_processors=race.of_processors) if fit else all_of_it
        for fit, all_of_it in ((ours, race.seconds), (theirs, race.peers_seconds))
    )
    return {
        "ours": ours and ours.seconds,
        "ours cpu": ours and ours.cpu_seconds,
        "peer": theirs and theirs.seconds,
        "peer cpu": theirs and theirs.cpu_seconds,
        "seconds": our_seconds,
        "ratio": their_seconds / our_seconds if ours or theirs else None,
        "ratio of cpu": theirs.cpu_seconds / ours.cpu_seconds if ours and theirs else None,
        "best peer": name,
    }


def _in_words(at: dict[str, Any]) -> str:
    def time(who: str) -> str:
        return "not in time" if at[who] is None else f"{at[who]:.3g} s ({at[f'{who} cpu']:.3g} of processors)"

    return f"ours {time('ours')}, {at['best peer']} {time('peer')}, ratio {at['ratio'] or 0:.2g}"


def _row(result: Result, gap: float) -> Row:
    n_rows, n_features, n_classes = result["shape"]
    shape = {"rows": n_rows, "features": n_features, "classes": n_classes}
    return {"cell": result["cell"], **shape, **result["at"][str(gap)], "confirmed": result["confirmed"]}


def _row_as_it_comes(result: Result) -> Row:
    fit = result["as it comes"] or {}
    return {
        "cell": result["cell"],
        "seconds": fit.get("seconds"),
        "processor s": fit.get("cpu_seconds"),
        "measured gap": fit.get("gap"),
        "claimed gap": fit.get("claimed_gap"),
        "best objective": f"{result['best']:.7g}{'' if result['confirmed'] else ' at most'}",
    }


def _summarise(rows: list[Row], gap: float) -> None:
    compared = [row for row in rows if row["ratio"] is not None and row["confirmed"]]
    if unknown := [row["cell"] for row in rows if not row["confirmed"]]:
        print(f"Nobody has proven an optimum in time, or reached it twice, of: {', '.join(unknown)}.")
    if not compared:
        return
    worst = sorted(compared, key=lambda row: (row["ours"] is not None, row["ratio"]))
    losses = [row for row in worst if row["ours"] is None or (row["seconds"] > TOO_SHORT and row["ratio"] < 1 / SLOWER)]
    processor = [row["ratio of cpu"] for row in compared if row["ratio of cpu"] is not None]
    print(
        f"Gap {gap:g}: median ratio {median(row['ratio'] for row in compared):.2g} "
        f"({median(processor) if processor else 0:.2g} of processor seconds) in {len(compared)} cells; "
        f"slower than {SLOWER} x the best peer in {len(losses)} of those above {1000 * TOO_SHORT:.0f} ms."
    )
    print_table(f"The worst to a gap of {gap:g}", worst[:WORST])


def _write(path: Path | None, results: dict[str, Any]) -> None:
    if path is None:
        write_results("solver_grid", results)
    else:
        write_atomically(path, json.dumps(results, indent=1, ensure_ascii=False).encode() + b"\n")


if __name__ == "__main__":
    main()
