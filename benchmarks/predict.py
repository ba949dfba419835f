"""How many documents a second a loaded model labels from raw text, beside fastText on one core.

python benchmarks/predict.py [data set …] [--repeats N] [--scikit-learn]
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

COLD = """
import sys, time
begun = time.perf_counter()
import assay
assay.load(sys.argv[1]).predict(["a film that I would see again"])
print(time.perf_counter() - begun)
"""


def train_fasttext(texts: list[str], labels: Any, folder: str) -> Any:
    """FastText with word bigrams and its other settings as they are, on shuffled lines."""
    import fasttext

    lines = [f"__label__{label.replace(' ', '_')} {one_line(text)}" for text, label in zip(texts, labels, strict=True)]
    np.random.default_rng(0).shuffle(lines)
    path = Path(folder, "train.txt")
    path.write_text("\n".join(lines), encoding="utf-8")
    return fasttext.train_supervised(input=str(path), wordNgrams=2, epoch=5, thread=2, verbose=0)


def one_line(text: str) -> str:
    return " ".join(text.split())


def train_scikit_learn(texts: list[str], labels: Any) -> Any:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import LinearSVC

    return make_pipeline(TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True), LinearSVC()).fit(texts, labels)


def compare(data: str, repeats: int, with_scikit_learn: bool) -> list[dict[str, Any]]:
    (texts, labels), (test, truth) = read_labelled(data, "train"), read_labelled(data, "test")
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "model.assay"))
        assay.TextClassifier().fit(texts, labels).save(path)
        model = assay.load(path)
        fast = train_fasttext(texts, labels, folder)
        lines = [one_line(text) for text in test]
        cold = [float(subprocess.check_output([sys.executable, "-c", COLD, path])) for _ in range(repeats)]
    names = {f"__label__{label.replace(' ', '_')}": label for label in model.labels}
    contestants = {
        "fastText": lambda: fast.predict(lines)[0],
        "assay, 1 thread": lambda: model.model.predict(test, threads=1),
        "assay, 2 threads": lambda: model.model.predict(test, threads=2),
    }
    if with_scikit_learn:
        scikit_learn = train_scikit_learn(texts, labels)
        contestants["scikit-learn"] = lambda: scikit_learn.predict(test)
    timings = race(contestants, {**dict.fromkeys(contestants, repeats), "scikit-learn": 1}, lambda found: found)
    rows = []
    for name, timing in timings.items():
        found = timing.outcome
        answers = [names[line[0]] for line in found] if name == "fastText" else found
        rows.append(
            {
                "data": data,
                "by": name,
                "documents/s": round(len(test) / timing.best),
                "ratio to fastText": timings["fastText"].best / timing.best,
                "accuracy": float(np.mean(np.asarray(answers) == np.asarray(truth))),
                "import, load, first answer s": min(cold) if name.startswith("assay") else None,
            }
        )
    return rows


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
