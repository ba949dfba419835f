"""Parameters that several commands share, so that each is spelt and explained in one way."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

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
]

OUTPUT = "Output"

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
    list[str],
    typer.Argument(metavar="DATA...", help="Labelled texts, in any form that 'assay inspect' takes."),
]
Output = Annotated[
    str | None,  # a Path would lose the slash at the end of a folder's name
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Where to write: a file, for several inputs a folder; standard output unless given.",
        show_default=False,
        rich_help_panel=OUTPUT,
    ),
]
To = Annotated[
    str | None,
    typer.Option(
        "--to",
        metavar="NAME",
        help="csv, tsv, jsonl, parquet, arrow, xlsx, fasttext or lines; as the output is named, else as the input is.",
        show_default=False,
        rich_help_panel=OUTPUT,
    ),
]
SafeCells = Annotated[
    bool,
    typer.Option(
        "--safe-cells",
        help="For spreadsheets: put an apostrophe before texts that would be taken for a formula (=, +, -, @).",
        rich_help_panel=OUTPUT,
    ),
]
Html = Annotated[
    Path | None,
    typer.Option(
        "--html",
        metavar="FILE",
        readable=False,
        help="Write a page to read.",
        show_default=False,
        rich_help_panel=OUTPUT,
    ),
]
Force = Annotated[bool, typer.Option("--force", "-f", help="Replace files that exist.", rich_help_panel=OUTPUT)]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        metavar="N",
        help="Same seed, same result; 0 if not given.",
        show_default=False,
        rich_help_panel=OUTPUT,
    ),
]
Threads = Annotated[
    int | None,
    typer.Option(
        "--threads",
        metavar="N",
        help="Processor cores to use; all if not given. The result does not depend on it, unless a network is trained.",
        show_default=False,
        rich_help_panel=OUTPUT,
    ),
]
Level = Annotated[float, typer.Option("--level", metavar="P", help="Coverage of the intervals.")]
Resamples = Annotated[int, typer.Option("--resamples", metavar="N", help="Bootstrap resamples.")]
Unseen = Annotated[
    str,
    typer.Option(
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
TopWords = Annotated[int, typer.Option("--top", "-n", metavar="N", help="How many words.")]
