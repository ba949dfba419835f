"""The default search beside another revision's: whole ``assay train FILE`` of both, in turn, in one run.

    git worktree add ../before REVISION && make -C ../before .venv/done/package
    python benchmarks/search.py ../before/.venv/bin/python                  the five data sets of the docs
    python benchmarks/search.py ../before/.venv/bin/python --sets mr subj --seeds 0 1 2

A data set with a test file is tested on that, another on a fifth that both revisions hold out by the same seed. Beside
the ratio of the seconds stands that of the processor seconds, which other work on the machine disturbs less; above 1,
the one at hand is quicker. Scores are of what each has chosen, by its own metric: cross-validated, and on the test
part.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from _datasets import data_folder
from _measuring import report, say
from revisions import COMMAND, timed

SETS = ("20ng", "imdb", "banking77", "r8", "davidson_hate")


def trained(python: Path | str, data: Path, seed: int, folder: Path) -> dict[str, Any]:
    """What a default training took, and what its metrics file says."""
    model = folder / "model.assay"
    source = data / "train.csv.gz" if (data / "train.csv.gz").exists() else data / "all.csv.gz"
    tested = ["--test", data / "test.csv.gz"] if (data / "test.csv.gz").exists() else []
    how = ["--seed", seed, "-f", "-q", "-o", model]
    seconds, processor = timed([python, "-c", COMMAND, "train", source, *tested, *how])
    metrics = json.loads((folder / "model.run" / "metrics.json").read_text(encoding="utf-8"))
    metric = metrics["metric"]
    return {
        "seconds": seconds,
        "processor": processor,
        "metric": metric,
        "crossed": metrics["cross_validation"]["metrics"][metric]["value"],
        "tested": metrics["evaluation"]["metrics"][metric]["value"],
    }


def main() -> None:
    """Have both revisions take turns at each data set and seed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("python", type=Path, help="the interpreter of the other revision's environment")
    parser.add_argument("--sets", nargs="+", default=SETS)
    parser.add_argument("--seeds", nargs="+", type=int, default=[0])
    given = parser.parse_args()
    data = data_folder()
    if data is None:
        sys.exit("There is no real data here. Set ASSAY_DATA to its folder.")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name in given.sets:
            for seed in given.seeds:
                say(f"{name}, seed {seed}")
                before, now = (
                    trained(python, data / name, seed, Path(folder)) for python in (given.python, sys.executable)
                )
                row = {"data": name, "seed": seed, "metric": now["metric"]}
                row |= {"other s": before["seconds"], "s": now["seconds"], "ratio": before["seconds"] / now["seconds"]}
                row |= {"of processor seconds": before["processor"] / now["processor"]}
                row |= {"other cv": before["crossed"], "cv": now["crossed"]}
                row |= {"other test": before["tested"], "test": now["tested"]}
                rows.append(row)
    report("How much quicker is the default search, and is what it finds as good?", rows)


if __name__ == "__main__":
    main()
