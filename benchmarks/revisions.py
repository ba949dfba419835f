"""Another revision beside the one at hand: the main jobs as whole processes of both, in turn, in one run.

    git worktree add ../before REVISION && make -C ../before .venv/done/package
    python benchmarks/revisions.py ../before/.venv/bin/python           jobs of some seconds each
    python benchmarks/revisions.py ../before/.venv/bin/python --whole   also whole searches of imdb and 20ng

Beside the ratio of the seconds stands that of the processor seconds, which other work on the machine disturbs less;
the best of all rounds counts. Above 1, the one at hand is quicker.
"""

from __future__ import annotations

import argparse
import csv
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

from _datasets import data_folder, read_texts
from _measuring import report, say

_VECTORIZER = """
import sys
import assay
from assay.features import {name}
texts = assay.read(sys.argv[1]).texts
for _ in range(3):
    {name}({settings}).fit_transform(texts)
"""
_LEARNER = """
import sys
import assay
from assay.features import TfidfVectorizer
from assay.learners import {name}
corpus = assay.read(sys.argv[1])
X = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True).fit_transform(corpus.texts)
y = corpus.labels.to_pylist()
for _ in range(5):
    {name}({settings}).fit(X, y)
"""
COMMAND = "import sys; from assay.cli.main import main; sys.argv[0] = 'assay'; sys.exit(main())"


def jobs(other: Path, folder: Path, *, whole: bool) -> Iterator[tuple[str, list[str]]]:
    """Title and arguments of the interpreter for each job; files are made in the folder."""
    data = data_folder()
    if data is None:
        sys.exit("There is no real data here. Set ASSAY_DATA to its folder.")
    imdb, news = (data / name / "train.csv.gz" for name in ("imdb", "20ng"))
    command = ["-c", COMMAND]
    model, many = folder / "model.assay", folder / "many.csv"
    by_hand = ["--learner", "svm", "--ngrams", "1-2"]
    output = ["-f", "-q", "-o"]
    timed([other, *command, "train", imdb, *by_hand, "--holdout", "0", *output, model])  # a file that both can read
    with many.open("w", newline="", encoding="utf-8") as out:
        rows = csv.writer(out)
        rows.writerow(["id", "text"])
        short = [text[:80] for text in read_texts("imdb", "test")]
        rows.writerows((i, short[i % len(short)]) for i in range(500_000))
    yield (
        "train imdb, svm",
        [*command, "train", imdb, *by_hand, *output, folder / "a.assay"],
    )
    yield "predict 500,000 texts", [*command, "predict", model, many, *output, folder / "answers.csv"]
    yield "evaluate imdb", [*command, "evaluate", model, data / "imdb" / "test.csv.gz", "-q"]
    for name, settings in (
        ("CountVectorizer", ""),
        ("TfidfVectorizer", "ngram_range=(1, 2), sublinear_tf=True"),
        ("TfidfVectorizer", "analyzer='char_wb', ngram_range=(2, 4)"),
        ("HashingVectorizer", "ngram_range=(1, 2)"),
    ):
        yield f"{name}({settings})", ["-c", _VECTORIZER.format(name=name, settings=settings), imdb]
    for name, settings in (
        ("LinearSVC", ""),
        ("LogisticRegression", "C=10"),
        ("NBSVM", ""),
        ("MultinomialNB", ""),
        ("AveragedPerceptron", ""),
    ):
        for title, source in (("imdb", imdb), ("20ng", news)):
            yield f"{name}({settings}), {title}", ["-c", _LEARNER.format(name=name, settings=settings), source]
    if whole:
        yield "train imdb, search", [*command, "train", imdb, *output, folder / "b.assay"]
        yield "train 20ng, search", [*command, "train", news, *output, folder / "c.assay"]


def timed(command: list[object]) -> tuple[float, float]:
    """Seconds, and processor seconds, of a process."""
    before, began = getrusage(RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL)
    seconds, after = time.perf_counter() - began, getrusage(RUSAGE_CHILDREN)
    return seconds, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main() -> None:
    """Have both revisions take turns at each job."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("python", type=Path, help="the interpreter of the other revision's environment")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--whole", action="store_true", help="also whole searches, of a minute each")
    parser.add_argument("--only", default="", help="jobs whose title has this in it")
    given = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for title, job in jobs(given.python, Path(folder), whole=given.whole):
            if given.only not in title:
                continue
            say(title)
            taken = [[timed([python, *job]) for python in (given.python, sys.executable)] for _ in range(given.rounds)]
            (before, cpu_before), (now, cpu_now) = (
                [min(round_[side][measure] for round_ in taken) for measure in (0, 1)] for side in (0, 1)
            )
            ratios = {"ratio": before / now, "of processor seconds": cpu_before / cpu_now}
            rows.append({"job": title, "other s": before, "s": now, **ratios})
    report("How much quicker is it than the other revision?", rows)


if __name__ == "__main__":
    main()
