"""A million short texts through a model, from file to file: `assay predict` beside `fasttext predict`.

Whole processes, from the start to the last byte. fastText gets its own format for free (one text a line, no other
column, the label alone written); assay reads CSV with another column and writes CSV with all of them.

python benchmarks/predict_file.py [--rows N] [--repeats N]        FASTTEXT=/path/to/fasttext if it is not in PATH
"""

from __future__ import annotations

import argparse
import csv
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import assay
from _datasets import read_labelled
from _measuring import describe_machine, print_table, say, write_results

ASSAY = str(Path(sys.executable).with_name("assay"))
WORDS = 12  # of a text


@dataclass(frozen=True)
class Run:
    """One process: wall seconds, processor seconds of all threads, most memory in megabytes."""

    seconds: float
    cpu: float
    megabytes: float


# In a small process of its own: a process that is started inherits the peak memory of the one that starts it.
LAUNCHER = """
import os, sys, time
output, *command = sys.argv[1:]
started = time.perf_counter()
child = os.fork()
if child == 0:
    os.dup2(os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    os.execv(command[0], command)
_, status, usage = os.wait4(child, 0)
print(time.perf_counter() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def run(command: Sequence[str], output: Path | None = None) -> Run:
    """Run a process to its end; it must succeed."""
    launched = [sys.executable, "-S", "-c", LAUNCHER, str(output or os.devnull), *command]
    done = subprocess.run(launched, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} ended with code {done.returncode}")
    return Run(*map(float, done.stdout.split()))


def best(runs: Sequence[Run]) -> Run:
    """The quickest, which other work on the machine disturbed least."""
    return min(runs, key=lambda one: one.seconds)


def write_inputs(folder: Path, texts: list[str], rows: int) -> tuple[Path, Path]:
    """The same short texts as CSV with a number beside each, and as plain lines."""
    short = [" ".join(text.split()[:WORDS]) for text in texts]
    table, lines = folder / f"{rows}.csv", folder / f"{rows}.txt"
    with table.open("w", newline="", encoding="utf-8") as one, lines.open("w", encoding="utf-8") as other:
        writer = csv.writer(one)
        writer.writerow(["id", "text"])
        for i in range(rows):
            text = short[i * 7919 % len(short)]
            writer.writerow([i, text])
            other.write(text + "\n")
    return table, lines


def train_fasttext(program: str, folder: Path, texts: list[str], labels: Any) -> Path:
    """FastText's own defaults with word bigrams."""
    lines = [f"__label__{label} {' '.join(text.split())}\n" for text, label in zip(texts, labels, strict=True)]
    (folder / "train.ft").write_text("".join(lines), encoding="utf-8")
    files = ["-input", str(folder / "train.ft"), "-output", str(folder / "fasttext")]
    run([program, "supervised", *files, "-wordNgrams", "2", "-thread", "2"])
    return folder / "fasttext.bin"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    program = os.environ.get("FASTTEXT") or shutil.which("fasttext")
    texts, labels = read_labelled("ag_news_sub", "train")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        model = folder / "news.assay"
        say("training")
        assay.TextClassifier(learner="logistic").fit(texts, labels).save(model)
        say(f"writing {arguments.rows:,} short texts")
        table, lines = write_inputs(folder, texts, arguments.rows)
        quarter, _ = write_inputs(folder, texts, arguments.rows // 4)
        out = folder / "out.csv"
        through_a_pipe = ["/bin/sh", "-c", 'cat "$0" | "$@"', str(table)]
        commands = {
            "assay predict, CSV to CSV": ([ASSAY, "predict", str(model), str(table), "-o", str(out), "-f"], None),
            "cat | assay predict -, CSV to CSV": (
                [*through_a_pipe, ASSAY, "predict", str(model), "-", "-o", str(out), "-f"],
                None,
            ),
            "assay predict, a quarter of the rows": (
                [ASSAY, "predict", str(model), str(quarter), "-o", str(out), "-f"],
                None,
            ),
            "assay predict MODEL 'one text'": ([ASSAY, "predict", str(model), "oil prices eased"], None),
            "assay --help": ([ASSAY, "--help"], None),
        }
        if program is None:
            say("fasttext was not found (set FASTTEXT): its figures are left out")
        else:
            binary = train_fasttext(program, folder, texts, labels)
            commands["fasttext predict, lines to lines"] = (
                [program, "predict", str(binary), str(lines)],
                folder / "fasttext.out",
            )
        runs: dict[str, list[Run]] = {what: [] for what in commands}
        for _ in range(arguments.repeats):
            for what, (command, output) in commands.items():
                runs[what].append(run(command, output))
    found = {what: best(several) for what, several in runs.items()}
    mine, other = found["assay predict, CSV to CSV"], found.get("fasttext predict, lines to lines")
    rows = [
        {"process": what, "seconds": one.seconds, "cpu seconds": one.cpu, "peak MB": one.megabytes}
        for what, one in found.items()
    ]
    print_table(f"{arguments.rows:,} texts of {WORDS} words, best of {arguments.repeats}", rows)
    if other is not None:
        print(f"assay is {other.seconds / mine.seconds:.1f} times as fast as fastText")
    piped = found["cat | assay predict -, CSV to CSV"]
    print(f"through a pipe it takes {piped.seconds / mine.seconds:.2f} times as long as from the file")
    write_results("predict_file", {"machine": describe_machine(), "rows": rows})


if __name__ == "__main__":
    main()
