"""Real texts for benchmarks: where they are and how they are read."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from pyarrow import csv

__all__ = ["data_folder", "read_all", "read_labelled", "read_texts", "tfidf_matrices"]

ROOT = Path(__file__).resolve().parent.parent


def data_folder() -> Path | None:
    """Return the folder with real data, if there is one: `ASSAY_DATA`, or ``../shared/data`` beside the repository."""
    folder = Path(os.environ.get("ASSAY_DATA", ROOT.parent / "shared" / "data"))
    return folder if folder.is_dir() else None


def read_texts(name: str, part: str) -> list[str]:
    """Return the texts of one part of a data set, in the order of the file."""
    return _read_columns(name, part, ["text"])[0]


def read_labelled(name: str, part: str) -> tuple[list[str], npt.NDArray[Any]]:
    """Return texts and labels of one part of a data set, with its rows shuffled: they are often sorted by label."""
    texts, labels = _read_columns(name, part, ["text", "label"])
    order = np.random.default_rng(0).permutation(len(texts))
    return [texts[i] for i in order], np.array(labels)[order]


def read_all(name: str) -> tuple[list[str], npt.NDArray[Any]]:
    """Return texts and labels of a data set, shuffled: its part to train on, or all of it where it has no parts."""
    folder = data_folder()
    whole = folder is not None and (folder / name / "all.csv.gz").exists()
    return read_labelled(name, "all" if whole else "train")


def tfidf_matrices(name: str) -> tuple[Any, npt.NDArray[Any], Any, npt.NDArray[Any]]:
    """Return scikit-learn's sublinear tf-idf of words and bigrams: X, y to train on, X, y to test on."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    texts, y = read_labelled(name, "train")
    test_texts, y_test = read_labelled(name, "test")
    vectorizer = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True)
    return vectorizer.fit_transform(texts), y, vectorizer.transform(test_texts), y_test


def _read_columns(name: str, part: str, columns: list[str]) -> list[list[str]]:
    folder = data_folder()
    path = None if folder is None else folder / name / f"{part}.csv.gz"
    if path is None or not path.exists():
        sys.exit(f"No data: set ASSAY_DATA to the folder that holds {name}/{part}.csv.gz.")
    table = csv.read_csv(
        path,
        read_options=csv.ReadOptions(block_size=1 << 26),
        parse_options=csv.ParseOptions(newlines_in_values=True),
        convert_options=csv.ConvertOptions(include_columns=columns, column_types=dict.fromkeys(columns, "string")),
    )
    return [table[column].to_pylist() for column in columns]
