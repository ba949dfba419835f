"""How long it takes to audit a model with the 76,564 sentences of unintended_bias; the target is 20 seconds.

    python benchmarks/audit.py

The installed command is run, from its start to its end: Python starts, the model and the sentences are read, terms are
found in the sentences, every sentence is scored, groups are compared and findings are written. The model is a logistic
regression trained on davidson_hate before.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import assay
from _datasets import data_folder, read_all
from _measuring import report

TARGET = 20.0
OUTCOME = ("--target", "hate speech", "--target", "offensive language")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3)
    settings = parser.parse_args()
    folder = data_folder()
    if folder is None:
        sys.exit("No data: set ASSAY_DATA to the folder that holds unintended_bias/all.csv.gz.")
    probe = folder / "unintended_bias" / "all.csv.gz"
    questions: dict[str, tuple[str, ...]] = {
        "unintended_bias": ("--swaps", "none", "--probe", str(probe), "--probe-positive", "toxic"),
        "built-in lists": (),
    }
    with tempfile.TemporaryDirectory() as place:
        model = Path(place) / "hate.assay"
        assay.TextClassifier(learner="logistic").fit(*read_all("davidson_hate")).save(model)
        rows = [audited(name, model, asked, settings.repeats) for name, asked in questions.items()]
    report("Auditing a model of toxicity through the installed command: best of the repeats", rows)


def audited(name: str, model: Path, asked: tuple[str, ...], repeats: int) -> dict[str, Any]:
    command = [str(Path(sys.executable).parent / "assay"), "audit", str(model), *OUTCOME, *asked, "--json"]
    seconds, processor_seconds, found = [], [], {}
    for _ in range(repeats):
        before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        done = subprocess.run(command, capture_output=True, check=True)
        seconds.append(time.perf_counter() - started)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        processor_seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        found = json.loads(done.stdout)
    return {
        "probe": name,
        "seconds": min(seconds),
        "processor seconds": min(processor_seconds),
        f"within {TARGET:g} s": min(seconds) < TARGET,
        "findings": len(found["findings"]),
        "concerns": sum(finding["severity"] == "concern" for finding in found["findings"]),
    }


if __name__ == "__main__":
    main()
