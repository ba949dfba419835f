"""How data is read: one value that holds the options of every command that reads texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from assay.cli.options.groups import Only
from assay.cli.options.option import option

if TYPE_CHECKING:
    from assay.data.options import ReadOptions

__all__ = ["READING", "LabelledReading", "ReadingOptions", "no_option", "option_words"]

PANEL = "Reading"
about_reading = partial(option, panel=PANEL)


@dataclass(frozen=True)
class ReadingOptions:
    """What was asked for on the command line; `assay.data.options.ReadOptions` is what a reader makes of it."""

    text: Annotated[
        str | None, about_reading("--text", metavar="COLUMN", help="Column with the texts; guessed if not given.")
    ] = None
    label: Annotated[
        str | None, about_reading("--label", metavar="COLUMN", help="Column with the labels; guessed if not given.")
    ] = None
    labels_separator: Annotated[
        str | None,
        about_reading(
            "--labels-separator",
            metavar="TEXT",
            help="What stands between the labels of a cell, as '|', where a text may have several.",
        ),
    ] = None
    one_label: Annotated[
        bool, about_reading("--one-label", help="Take a cell for one label, whatever stands in it: no separator.")
    ] = False
    label_columns: Annotated[
        str | None,
        about_reading(
            "--label-columns",
            metavar="A,B,...",
            help="Columns of 0 and 1, one for each label; also patterns, as 'topic_*'.",
        ),
    ] = None
    unlabelled: Annotated[bool, about_reading("--unlabelled", help="The data has no labels.")] = False
    format: Annotated[
        str | None,
        about_reading(
            "--format",
            metavar="NAME",
            help="csv, tsv, jsonl, parquet, arrow, fasttext, lines, xlsx or folder; found out if not given.",
        ),
    ] = None
    encoding: Annotated[
        str | None,
        about_reading(
            "--encoding",
            metavar="NAME",
            help="What text files are written in; UTF-8 if not given, or what a file shows that is not UTF-8.",
        ),
    ] = None
    errors: Annotated[
        str,
        about_reading(
            "--errors",
            metavar="strict|replace",
            help="Refuse bytes that are not valid in the encoding, or put U+FFFD in their place.",
        ),
    ] = "strict"
    delimiter: Annotated[
        str | None,
        about_reading(
            "--delimiter",
            metavar="CHARACTER",
            help="What separates the values of a CSV file, 'tab' for a tab; found out if not given.",
        ),
    ] = None
    no_quotes: Annotated[bool, about_reading("--no-quotes", help="Take quotes in a CSV file as part of the text.")] = (
        False
    )
    names: Annotated[
        str | None,
        about_reading("--names", metavar="A,B,...", help="Names of the columns of a table without a header row."),
    ] = None
    sheet: Annotated[
        str | None,
        about_reading(
            "--sheet",
            metavar="NAME",
            help="Sheet of a spreadsheet, by its name or number; the first that is not empty if not given.",
        ),
    ] = None
    merge_labels: Annotated[
        bool,
        about_reading(
            "--merge-labels", help="Take labels that differ only in case or blanks, as Spam and spam, for one."
        ),
    ] = False
    dedupe: Annotated[
        bool, about_reading("--dedupe", help="Keep one of texts that are the same, or nearly the same: the first.")
    ] = False
    skip_unlabelled: Annotated[bool, about_reading("--skip-unlabelled", help="Leave out rows without a label.")] = False
    skip_empty: Annotated[bool, about_reading("--skip-empty", help="Leave out rows without a text.")] = False

    def checked(self, **others: Any) -> ReadOptions:
        """The options of a reader, with `others` that no command asks for; refuses values that there are not."""
        from assay.data.options import ReadOptions

        return ReadOptions.checked(**(self.settings() | {"keep": True} | others))

    def settings(self) -> dict[str, Any]:
        """The settings of `assay.read`, by their names there."""
        from assay.data.reading.told_options import read_settings_of

        return read_settings_of({field.name: getattr(self, field.name) for field in fields(self)})

    def __post_init__(self) -> None:
        if self.labels_separator == "":
            from assay.errors import ParameterError

            raise ParameterError(
                "--labels-separator must be what stands between labels, such as '|'. Got an empty text instead; "
                "--one-label takes a cell for one label."
            )

    def given(self) -> dict[str, Any]:
        """What is not as it would be without any option, by the names of the options.

        Examples
        --------
        >>> ReadingOptions(sheet="May 2024", skip_unlabelled=True).given()
        {'sheet': 'May 2024', 'skip_unlabelled': True}
        """
        values = {field.name: (getattr(self, field.name), field.default) for field in fields(self)}
        return {name: value for name, (value, default) in values.items() if value and value != default}

    @classmethod
    def of(cls, given: dict[str, Any]) -> ReadingOptions:
        """The options among what was given, by name."""
        return cls(**{field.name: given[field.name] for field in fields(cls) if field.name in given})

    def words(self, *, without: tuple[str, ...] = ()) -> list[str]:
        """What to write in a shell to read the same data again with a command that takes no option `without`.

        Examples
        --------
        >>> ReadingOptions(sheet="May 2024", skip_unlabelled=True).words()
        ['--sheet', 'May 2024', '--skip-unlabelled']
        """
        return option_words({name: value for name, value in self.given().items() if name not in without})


READING = ReadingOptions()
LabelledReading = Annotated[ReadingOptions, Only(field.name for field in fields(READING) if field.name != "unlabelled")]


def option_words(given: Mapping[str, Any]) -> list[str]:
    """Options as they are written in a shell, of those that were given.

    Examples
    --------
    >>> option_words({"proba": True, "safe_cells": False, "top": 2, "threshold": None})
    ['--proba', '--top', '2']
    """
    words: list[str] = []
    for name, value in given.items():
        if value is not None and value is not False:
            words += [f"--{name.replace('_', '-')}", *([] if value is True else [str(value)])]
    return words


def no_option(path: str) -> str:
    """A path that the command does not take for an option."""
    return f"./{path}" if path.startswith("-") else path
