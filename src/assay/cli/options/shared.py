"""Parameters that several commands share, so that each is spelt and explained in one way."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = [
    "Data",
    "Delimiter",
    "Encoding",
    "Errors",
    "Force",
    "Format",
    "Html",
    "Json",
    "LabelColumn",
    "LabelledData",
    "Level",
    "MergeLabels",
    "Model",
    "Names",
    "NoQuotes",
    "Output",
    "Quiet",
    "Resamples",
    "SafeCells",
    "Seed",
    "Sheet",
    "SkipEmpty",
    "SkipUnlabelled",
    "TextColumn",
    "Threads",
    "To",
    "Unlabelled",
    "Unseen",
]

READING = "Reading"
OUTPUT = "Output"

Data = Annotated[
    list[str],
    typer.Argument(
        metavar="DATA...",
        help="Files, a quoted pattern such as 'reviews-*.csv', a folder with a sub-folder for each class, or - for "
        "standard input. Compressed files (.gz, .zst, .bz2) are read as they are.",
    ),
]


def reading_option(*names: str, help: str, metavar: str | None = None) -> typer.models.OptionInfo:
    """An option that says how the data is read."""
    option: typer.models.OptionInfo = typer.Option(
        *names, help=help, metavar=metavar, show_default=False, rich_help_panel=READING
    )
    return option


TextColumn = Annotated[
    str | None, reading_option("--text", metavar="COLUMN", help="Column with the texts; guessed if not given.")
]
LabelColumn = Annotated[
    str | None, reading_option("--label", metavar="COLUMN", help="Column with the labels; guessed if not given.")
]
Unlabelled = Annotated[bool, reading_option("--unlabelled", help="The data has no labels.")]
Format = Annotated[
    str | None,
    reading_option(
        "--format",
        metavar="NAME",
        help="csv, tsv, jsonl, parquet, arrow, fasttext, lines, xlsx or folder; found out if not given.",
    ),
]
Encoding = Annotated[
    str | None,
    reading_option(
        "--encoding",
        metavar="NAME",
        help="What text files are written in; UTF-8 if not given, or what a file shows that is not UTF-8.",
    ),
]
Errors = Annotated[
    str,
    reading_option(
        "--errors",
        metavar="strict|replace",
        help="Refuse bytes that are not valid in the encoding, or put U+FFFD in their place.",
    ),
]
Delimiter = Annotated[
    str | None,
    reading_option(
        "--delimiter",
        metavar="CHARACTER",
        help="What separates the values of a CSV file, 'tab' for a tab; found out if not given.",
    ),
]
NoQuotes = Annotated[bool, reading_option("--no-quotes", help="Take quotes in a CSV file as part of the text.")]
Names = Annotated[
    str | None,
    reading_option("--names", metavar="A,B,...", help="Names of the columns of a table without a header row."),
]
Sheet = Annotated[
    str | None,
    reading_option(
        "--sheet",
        metavar="NAME",
        help="Sheet of a spreadsheet, by its name or number; the first that is not empty if not given.",
    ),
]
SkipUnlabelled = Annotated[bool, reading_option("--skip-unlabelled", help="Leave out rows without a label.")]
MergeLabels = Annotated[
    bool,
    reading_option("--merge-labels", help="Take labels that differ only in case or blanks, as Spam and spam, for one."),
]
SkipEmpty = Annotated[bool, reading_option("--skip-empty", help="Leave out rows without a text.")]

Json = Annotated[
    bool, typer.Option("--json", help="Print the result as JSON, for other programs.", rich_help_panel=OUTPUT)
]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Print the result only: no notes, no progress.", rich_help_panel=OUTPUT)
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
