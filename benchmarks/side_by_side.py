"""Contestants on the same data in the same run: texts, alternating timings, a table and a JSON file."""

from __future__ import annotations

import csv
import gzip
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent


def read_labelled(name: str, part: str) -> tuple[list[str], np.ndarray]:
    """Return texts and labels of a data set, with its rows shuffled: they are often sorted by label."""
    folder = Path(os.environ.get("ASSAY_DATA", ROOT.parent / "shared" / "data"))
    path = folder / name / f"{part}.csv.gz"
    if not path.exists():
        sys.exit(f"{path} is not there. Set ASSAY_DATA to the folder that holds {name}/{part}.csv.gz.")
    csv.field_size_limit(10**9)
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[1:]
    order = np.random.default_rng(0).permutation(len(rows))
    return [rows[i][0] for i in order], np.array([rows[i][1] for i in order])


def tfidf_matrices(name: str) -> tuple[Any, np.ndarray, Any, np.ndarray]:
    """Return scikit-learn's sublinear tf-idf of words and bigrams: X, y to train on, X, y to test on."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    texts, y = read_labelled(name, "train")
    test_texts, y_test = read_labelled(name, "test")
    vectorizer = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True)
    return vectorizer.fit_transform(texts), y, vectorizer.transform(test_texts), y_test


def race(contestants: dict[str, Callable[[], Any]], repeats: int) -> dict[str, tuple[float, Any]]:
    """Run all contestants in turn, `repeats` times over; return each one's best time and last result."""
    best: dict[str, tuple[float, Any]] = {}
    for _ in range(repeats):
        for name, run in contestants.items():
            started = time.perf_counter()
            result = run()
            seconds = time.perf_counter() - started
            best[name] = (min(seconds, best.get(name, (seconds, None))[0]), result)
    return best


def report(question: str, rows: list[dict[str, Any]]) -> None:
    """Print the rows as a table, and write them as JSON to benchmarks/results."""
    columns = list(rows[0])
    cells = [[f"{row[c]:.4g}" if isinstance(row[c], float) else str(row[c]) for c in columns] for row in rows]
    widths = [max(len(c), *(len(line[i]) for line in cells)) for i, c in enumerate(columns)]
    print(f"\n{question}")
    for line in [columns, *cells]:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
    folder = ROOT / "benchmarks" / "results"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{Path(sys.argv[0]).stem}.json").write_text(json.dumps({"question": question, "rows": rows}, indent=1))
