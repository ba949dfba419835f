"""Parameters that several commands share, so that each is spelt and explained in one way."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.options.option import OUTPUT, option

__all__ = [
    "AskedVectors",
    "Data",
    "Force",
    "Html",
    "LabelledData",
    "Level",
    "Model",
    "Output",
    "Resamples",
    "SafeCells",
    "Seed",
    "Threads",
    "To",
    "TopWords",
    "Unseen",
    "Who",
]

Data = Annotated[
    list[str],
    typer.Argument(
        metavar="DATA...",
        help="Files, a quoted pattern such as 'reviews-*.csv', a folder with a sub-folder for each class, or - for "
        "standard input. Compressed files (.gz, .zst, .bz2) are read as they are.",
    ),
]


Model = Annotated[str, typer.Argument(metavar="MODEL", help="A model that assay train wrote, by custom named .assay.")]
LabelledData = Annotated[
    list[str], typer.Argument(metavar="DATA...", help="Labelled texts, in any form that 'assay inspect' takes.")
]
Output = Annotated[
    str | None,  # a Path would lose the slash at the end of a folder's name
    option(
        "--output",
        "-o",
        metavar="FILE",
        help="Where to write: a file, for several inputs a folder; standard output unless given.",
        panel=OUTPUT,
    ),
]
To = Annotated[
    str | None,
    option(
        "--to",
        metavar="NAME",
        help="csv, tsv, jsonl, parquet, arrow, xlsx, fasttext or lines; as the output is named, else as the input is.",
        panel=OUTPUT,
    ),
]
SafeCells = Annotated[
    bool,
    option(
        "--safe-cells",
        help="For spreadsheets: put an apostrophe before texts that would be taken for a formula (=, +, -, @).",
        panel=OUTPUT,
    ),
]
Html = Annotated[
    Path | None, option("--html", metavar="FILE", readable=False, help="Write a page to read.", panel=OUTPUT)
]
Force = Annotated[bool, option("--force", "-f", help="Replace files that exist.", panel=OUTPUT)]
Seed = Annotated[
    int | None, option("--seed", metavar="N", help="Same seed, same result; 0 if not given.", panel=OUTPUT)
]
Threads = Annotated[
    int | None,
    option(
        "--threads",
        metavar="N",
        help="Processor cores to use; all if not given. The result does not depend on it, unless a network is trained.",
        panel=OUTPUT,
    ),
]
Level = Annotated[float, option("--level", metavar="P", help="Coverage of the intervals.")]
Resamples = Annotated[int, option("--resamples", metavar="N", help="Bootstrap resamples.")]
Unseen = Annotated[
    str,
    option(
        "--unseen",
        metavar="refuse|count|skip",
        help="Texts with a label that the model never saw: refuse them, count them as mistakes, or skip them.",
    ),
]
AskedVectors = Annotated[
    str,
    typer.Argument(
        metavar="VECTORS", help="Word vectors: of assay embed, or word2vec's text or binary format (.vec, .bin, .gz)."
    ),
]
TopWords = Annotated[int, option("--top", "-n", metavar="N", help="How many words.")]
Who = Annotated[
    str | None,
    option("--who", metavar="NAME", help="Who decides, as it is written down; the user of this machine if not given."),
]
