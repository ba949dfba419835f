"""How many documents a second a loaded model labels from raw text, beside fastText on one core.

    python benchmarks/predict.py [data set …] [--repeats N] [--scikit-learn]

fastText is trained as in the race from raw text (learners.py): ten hidden units, words and bigrams or words alone, the
lines shuffled. It is asked for all lines in one call and line by line, and its lines are in small letters and free of
punctuation beforehand, which is not timed; ours are the texts as they are. The ratio is to the quickest fastText
whose accuracy is within a point of the best of them.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import assay
from _datasets import read_labelled
from _measuring import race, report
from _peers import plain_words, train_fasttext, write_fasttext_lines

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


def ask_line_by_line(model: Any, lines: list[str]) -> list[list[str]]:
    """By the native module below fastText's own `predict`, which fails with NumPy 2 for a single line."""
    return [[model.f.predict(line + "\n", 1, 0.0, "strict")[0][1]] for line in lines]


def compare(data: str, repeats: int, with_scikit_learn: bool) -> list[dict[str, Any]]:
    (texts, labels), (test, truth) = read_labelled(data, "train"), read_labelled(data, "test")
    names, classes = np.unique(labels, return_inverse=True)
    with tempfile.TemporaryDirectory() as folder:
        path, lines_path = Path(folder, "model.assay"), Path(folder, "train.txt")
        assay.TextClassifier().fit(texts, labels).save(path)
        model = assay.load(path)
        write_fasttext_lines(lines_path, texts, classes)
        epochs = 5 if len(names) == 2 else 25
        pairs, words = (train_fasttext(lines_path, epochs, longest) for longest in (2, 1))
        cold = [float(subprocess.check_output([sys.executable, "-c", COLD, str(path)])) for _ in range(repeats)]
    lines = [plain_words(text) for text in test]
    contestants = {
        "fastText, pairs": lambda: pairs.predict(lines)[0],
        "fastText, pairs, line by line": lambda: ask_line_by_line(pairs, lines),
        "fastText, words": lambda: words.predict(lines)[0],
        "fastText, words, line by line": lambda: ask_line_by_line(words, lines),
        "assay, 1 thread": lambda: model.model.predict(test, threads=1),
        "assay, 2 threads": lambda: model.model.predict(test, threads=2),
    }
    if with_scikit_learn:
        scikit_learn = train_scikit_learn(texts, labels)
        contestants["scikit-learn"] = lambda: scikit_learn.predict(test)
    timings = race(contestants, {**dict.fromkeys(contestants, repeats), "scikit-learn": 1}, lambda found: found)

    def accuracy_of(name: str) -> float:
        found = timings[name].outcome
        answers = [names[int(line[0].removeprefix("__label__"))] for line in found] if "fast" in name else found
        return float(np.mean(np.asarray(answers) == np.asarray(truth)))

    accuracies = {name: accuracy_of(name) for name in timings}
    peers = [name for name in timings if "fast" in name]
    good = [name for name in peers if accuracies[name] >= max(map(accuracies.get, peers)) - 0.01]
    peer = min(good, key=lambda name: timings[name].best)
    return [
        {
            "data": data,
            "by": name,
            "documents/s": round(len(test) / timing.best),
            "a processor second": round(len(test) / timing.best_cpu),
            "ratio to fastText": timings[peer].best / timing.best,
            "ratio of processor s": timings[peer].best_cpu / timing.best_cpu,
            "accuracy": accuracies[name],
            "import, load, first answer s": min(cold) if name.startswith("assay") else None,
        }
        for name, timing in timings.items()
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="*", default=["imdb", "20ng"])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--scikit-learn", action="store_true", help="train and ask scikit-learn's pipeline, too")
    settings = parser.parse_args()
    rows = [row for data in settings.data for row in compare(data, settings.repeats, settings.scikit_learn)]
    report("Labels from raw text: best of the repeats, all in one run", rows)


if __name__ == "__main__":
    main()
