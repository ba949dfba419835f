"""Real texts for benchmarks: where they are and how they are read."""

from __future__ import annotations

import os
from pathlib import Path

from pyarrow import csv

__all__ = ["data_folder", "read_texts"]

ROOT = Path(__file__).resolve().parent.parent


def data_folder() -> Path | None:
    """Return the folder with real data, if there is one: `ASSAY_DATA`, or ``../shared/data`` beside the repository."""
    folder = Path(os.environ.get("ASSAY_DATA", ROOT.parent / "shared" / "data"))
    return folder if folder.is_dir() else None


def read_texts(name: str, part: str) -> list[str]:
    """Return the texts of one part of a data set, in the order of the file."""
    folder = data_folder()
    if folder is None:
        raise FileNotFoundError(f"no data: set ASSAY_DATA to the folder that holds {name}/{part}.csv.gz.")
    table = csv.read_csv(
        folder / name / f"{part}.csv.gz",
        read_options=csv.ReadOptions(block_size=1 << 26),
        parse_options=csv.ParseOptions(newlines_in_values=True),
        convert_options=csv.ConvertOptions(include_columns=["text"], column_types={"text": "string"}),
    )
    texts: list[str] = table["text"].to_pylist()
    return texts
