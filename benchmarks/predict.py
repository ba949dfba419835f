"""How many documents a second a loaded model labels from raw text, beside fastText on one core.

    python benchmarks/predict.py [data set …] [--repeats N] [--scikit-learn]      FASTTEXT=/path/to/fasttext

fastText is its own program, which is quicker than its Python module: ten hidden units, words and bigrams or words
alone, trained as in the race from raw text (learners.py). What it takes for a single line, nearly all of it to load
the model, is taken off. Its lines are in small letters and free of punctuation beforehand, which is not timed; ours are
the texts as they are. The ratio is to the quickest fastText whose accuracy is within a point of the best of them.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import assay
from _datasets import read_labelled
from _measuring import race, report, say
from _peers import plain_words, train_fasttext, write_fasttext_lines

LOADING = ", loading alone"
COLD = """
import sys, time
begun = time.perf_counter()
import assay
assay.load(sys.argv[1]).predict(["a film that I would see again"])
print(time.perf_counter() - begun)
"""


def train_scikit_learn(texts: list[str], labels: Any) -> Any:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import LinearSVC

    return make_pipeline(TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True), LinearSVC()).fit(texts, labels)


def ask_fasttext(program: str, model: Path, lines: Path) -> list[str]:
    """Names of the classes that fastText's program gives to the lines of a file."""
    answers = subprocess.run([program, "predict", str(model), str(lines)], check=True, capture_output=True, text=True)
    return answers.stdout.split()


def compare(data: str, settings: argparse.Namespace) -> list[dict[str, Any]]:
    (texts, labels), (test, truth) = read_labelled(data, "train"), read_labelled(data, "test")
    names, classes = np.unique(labels, return_inverse=True)
    program = os.environ.get("FASTTEXT") or shutil.which("fasttext")
    if program is None:
        say("fasttext was not found (set FASTTEXT): its figures are left out")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "model.assay"
        assay.TextClassifier().fit(texts, labels).save(path)
        model = assay.load(path)
        contestants: dict[str, Callable[[], Any]] = {
            "assay, 1 thread": lambda: model.model.predict(test, threads=1),
            "assay, 2 threads": lambda: model.model.predict(test, threads=2),
        }
        if program is not None:
            contestants |= fasttext_contestants(program, folder, (texts, classes), test)
        if settings.scikit_learn:
            scikit_learn = train_scikit_learn(texts, labels)
            contestants["scikit-learn"] = lambda: scikit_learn.predict(test)
        cold = [float(subprocess.check_output([sys.executable, "-c", COLD, str(path)])) for _ in range(5)]
        repeats = {**dict.fromkeys(contestants, settings.repeats), "scikit-learn": 1}
        timings = race(contestants, repeats, lambda found: found)

    def accuracy_of(name: str) -> float:
        found = timings[name].outcome
        answers = [names[int(line.removeprefix("__label__"))] for line in found] if "fast" in name else found
        return float(np.mean(np.asarray(answers) == np.asarray(truth)))

    shown = [name for name in timings if LOADING not in name]
    seconds = {name: timings[name].best for name in shown}
    for name in shown:
        if name + LOADING in timings:
            seconds[name] -= timings[name + LOADING].best
    accuracies = {name: accuracy_of(name) for name in shown}
    peers = [name for name in shown if "fast" in name]
    good = [name for name in peers if accuracies[name] >= max(map(accuracies.get, peers)) - 0.01]
    peer = min(good, key=seconds.get) if good else None
    return [
        {
            "data": data,
            "by": name,
            "documents/s": round(len(test) / seconds[name]),
            "ratio to fastText": seconds[peer] / seconds[name] if peer else None,
            "accuracy": accuracies[name],
            "import, load, first answer s": min(cold) if name.startswith("assay") else None,
        }
        for name in shown
    ]


def fasttext_contestants(
    program: str, folder: Path, train: tuple[list[str], Any], test: list[str]
) -> dict[str, Callable[[], Any]]:
    """Labelling all lines, and labelling one, by models of pairs and of words alone."""
    shuffled = np.random.default_rng(0).permutation(len(train[0]))
    write_fasttext_lines(folder / "train.txt", [train[0][i] for i in shuffled], train[1][shuffled])
    (folder / "lines.txt").write_text("".join(f"{plain_words(text) or '-'}\n" for text in test), encoding="utf-8")
    (folder / "line.txt").write_text("one\n", encoding="utf-8")
    epochs = 5 if train[1].max() == 1 else 25
    found: dict[str, Callable[[], Any]] = {}
    for name, longest in (("pairs", 2), ("words", 1)):
        path = folder / f"{name}.bin"
        train_fasttext(folder / "train.txt", epochs, longest).save_model(str(path))
        for title, lines in ((f"fastText, {name}", "lines.txt"), (f"fastText, {name}{LOADING}", "line.txt")):
            found[title] = lambda path=path, lines=lines: ask_fasttext(program, path, folder / lines)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="*", default=["imdb", "20ng"])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--scikit-learn", action="store_true", help="train and ask scikit-learn's pipeline, too")
    settings = parser.parse_args()
    rows = [row for data in settings.data for row in compare(data, settings)]
    report("Labels from raw text: best of the repeats, all in one run", rows)


if __name__ == "__main__":
    main()
