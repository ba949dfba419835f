"""Texts through a model, from file to file, whole processes: a million short ones, and a few thousand long ones.

A million texts of twelve words, `assay predict` beside `fasttext predict`; a few thousand reviews of imdb, where the
start of the process counts, beside Vowpal Wabbit and fastText. These get their own formats for free (one text a line,
no other column, the answer alone written); assay reads CSV with another column and writes CSV with all of them.

python benchmarks/predict_file.py [--rows N] [--few N] [--repeats N]

FASTTEXT=/path/to/fasttext if it is not in PATH. Zero rows leave that part out.
"""

from __future__ import annotations

import argparse
import csv
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

import assay
from _datasets import read_labelled
from _measuring import describe_machine, print_table, say, write_results
from _peers import fasttext_race, plain_words, vowpal_wabbit_race
from _processes import ASSAY, Command, Run, best_runs, run

WORDS = 12  # of a text
FASTTEXT = """
import fasttext
model = fasttext.load_model("fasttext.bin")
with open("few.fasttext", encoding="utf-8") as lines, open("fasttext.out", "w", encoding="utf-8") as out:
    out.writelines(f"{labels[0]}\\n" for labels in model.predict([line[:-1] for line in lines])[0])
"""
VOWPAL_WABBIT = """
import vowpalwabbit
vowpalwabbit.Workspace("-t -i vw.model -d few.vw -p vw.out --quiet").finish()
"""


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
    run(Command([program, "supervised", *files, "-wordNgrams", "2", "-thread", "2"]))
    return folder / "fasttext.bin"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--few", type=int, default=3_000)
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    results: dict[str, Any] = {"machine": describe_machine()}
    if arguments.few:
        results["few"] = predict_few(arguments.few, arguments.repeats)
    if arguments.rows:
        results["rows"] = predict_many(arguments.rows, arguments.repeats)
    write_results("predict_file", results)


def table_of(found: Mapping[str, Run]) -> list[dict[str, Any]]:
    return [
        {"process": what, "seconds": one.seconds, "cpu seconds": one.cpu, "peak MB": one.megabytes}
        for what, one in found.items()
    ]


def predict_few(rows: int, repeats: int) -> list[dict[str, Any]]:
    """Long texts, so few that loading counts as much as labelling; all models are of words and pairs."""
    train, test = read_labelled("imdb", "train"), read_labelled("imdb", "test")
    texts, labels = test[0][:rows], test[1][:rows]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        say("training")
        assay.train(*train, learner="svm", ngrams="1-2").save(folder / "imdb.assay")
        with (folder / "few.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([("text", "label"), *zip(texts, labels, strict=True)])
        words = [ASSAY, "predict", "imdb.assay", "few.csv", "-o", "out.csv", "-f"]
        commands = {"assay predict, CSV to CSV": Command(words, folder)}
        indexed = [(part[0], np.unique(part[1], return_inverse=True)[1]) for part in (train, (texts, labels))]
        if find_spec("vowpalwabbit"):
            vowpal_wabbit_race(folder, *indexed).train()
            (folder / "vw-test.txt").rename(folder / "few.vw")
            commands["Vowpal Wabbit, its lines"] = Command([sys.executable, "-c", VOWPAL_WABBIT], folder)
        if find_spec("fasttext"):
            fasttext_race(folder, *indexed, epochs=5).train().save_model(str(folder / "fasttext.bin"))
            plain = [f"{plain_words(text)}\n" for text in texts]
            (folder / "few.fasttext").write_text("".join(plain), encoding="utf-8")
            commands["fastText, its lines"] = Command([sys.executable, "-c", FASTTEXT], folder)
        found = best_runs(commands, repeats)
    ours, *others = found.items()
    table = table_of(found)
    print_table(f"{rows:,} reviews of imdb, best of {repeats}", table)
    for what, theirs in others:
        print(
            f"assay takes {ours[1].seconds / theirs.seconds:.2f} times as long as {what}, and "
            f"{ours[1].cpu / theirs.cpu:.2f} times its processor seconds"
        )
    return table


def predict_many(rows: int, repeats: int) -> list[dict[str, Any]]:
    """Short texts, so many that the start does not count."""
    program = os.environ.get("FASTTEXT") or shutil.which("fasttext")
    texts, labels = read_labelled("ag_news_sub", "train")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        model = folder / "news.assay"
        say("training")
        assay.TextClassifier(learner="logistic").fit(texts, labels).save(model)
        say(f"writing {rows:,} short texts")
        table, lines = write_inputs(folder, texts, rows)
        quarter, _ = write_inputs(folder, texts, rows // 4)
        predict = [ASSAY, "predict", str(model)]
        to = ["-o", str(folder / "out.csv"), "-f"]
        through_a_pipe = ["/bin/sh", "-c", 'cat "$0" | "$@"', str(table)]
        commands = {
            "assay predict, CSV to CSV": Command([*predict, str(table), *to]),
            "cat | assay predict -, CSV to CSV": Command([*through_a_pipe, *predict, "-", *to]),
            "assay predict, a quarter of the rows": Command([*predict, str(quarter), *to]),
            "assay predict MODEL 'one text'": Command([*predict, "oil prices eased"]),
            "assay --help": Command([ASSAY, "--help"]),
        }
        if program is None:
            say("fasttext was not found (set FASTTEXT): its figures are left out")
        else:
            binary = train_fasttext(program, folder, texts, labels)
            commands["fasttext predict, lines to lines"] = Command(
                [program, "predict", str(binary), str(lines)], output=folder / "fasttext.out"
            )
        found = best_runs(commands, repeats)
    mine, other = found["assay predict, CSV to CSV"], found.get("fasttext predict, lines to lines")
    measured = table_of(found)
    print_table(f"{rows:,} texts of {WORDS} words, best of {repeats}", measured)
    if other is not None:
        print(f"assay is {other.seconds / mine.seconds:.1f} times as fast as fastText")
    piped = found["cat | assay predict -, CSV to CSV"]
    print(f"through a pipe it takes {piped.seconds / mine.seconds:.2f} times as long as from the file")
    return measured


if __name__ == "__main__":
    main()
