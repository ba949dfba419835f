"""How long a large CSV file takes to read, and how much memory.

A file of 1 GB is written to a temporary folder: a third column, quoted newlines, commas and quotes in the texts.  Each
contestant reads it in a process of its own, so that its peak memory can be told; they take turns.

    python benchmarks/reading.py [--megabytes 1000] [--repeats 3]
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from _measuring import report

CONTESTANTS = {
    "assay.read": "import assay; assay.read",
    "pandas.read_csv": "import pandas",
    "pyarrow.csv.read_csv": "import pyarrow.csv",
}
WORK = {
    "assay.read": "data = assay.read(path); n = len(data)",
    "pandas.read_csv": "data = pandas.read_csv(path, dtype=str, keep_default_na=False); n = len(data)",
    "pyarrow.csv.read_csv": (
        "options = pyarrow.csv.ParseOptions(newlines_in_values=True); "
        "data = pyarrow.csv.read_csv(path, parse_options=options); n = len(data)"
    ),
}
PROCESS = """
import json, resource, sys, time
path = sys.argv[1]
{imports}
started = time.perf_counter()
{work}
seconds = time.perf_counter() - started
used = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps([seconds, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, n]))
"""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--megabytes", type=int, default=1000)
    arguments.add_argument("--repeats", type=int, default=3)
    chosen = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "reviews.csv"
        write_reviews(path, chosen.megabytes * 1_000_000)
        size = path.stat().st_size
        measured: dict[str, list[list[float]]] = {name: [] for name in CONTESTANTS}
        for _ in range(chosen.repeats):
            for name in CONTESTANTS:
                measured[name].append(read_in_a_process(name, path))
    rows = []
    for name, runs in measured.items():
        seconds, processor = min(run[0] for run in runs), min(run[1] for run in runs)
        peak = max(run[2] for run in runs)
        rows.append(
            {
                "reader": name,
                "rows": int(runs[0][3]),
                "seconds": seconds,
                "MB/s": size / seconds / 1e6,
                "processor seconds": processor,
                "peak memory / file": peak / size,
            }
        )
    report(f"Reading a CSV file of {size / 1e6:.0f} MB (target: peak memory below 2.5 times the file)", rows)


def write_reviews(path: Path, size: int) -> None:
    """Write about `size` bytes: reviews of 10 to 300 words, some with line breaks, commas and quotes."""
    random.seed(0)
    words = [f"w{number}" for number in range(20_000)]
    endings = ["", "", ', "so to speak"', "\n\nA second paragraph."]
    texts = [" ".join(random.choices(words, k=random.randint(10, 300))) + random.choice(endings) for _ in range(5000)]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "text", "label"])
        row = 0
        while file.tell() < size:
            for text in texts:
                writer.writerow([row, f"{text} {row}", random.choice(["pos", "neg"])])
                row += 1


def read_in_a_process(name: str, path: Path) -> list[float]:
    code = PROCESS.format(imports=CONTESTANTS[name], work=WORK[name])
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True)
    measured: list[float] = json.loads(done.stdout)
    return measured


if __name__ == "__main__":
    main()
