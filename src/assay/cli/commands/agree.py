"""``assay agree``: how far people who label the same texts agree."""

from __future__ import annotations

from typing import Annotated

import typer

from assay.cli.options.option import OUTPUT, option
from assay.cli.options.reading import READING, ReadingOptions
from assay.cli.options.screen import SCREEN, Screen
from assay.cli.options.shared import Force

__all__ = ["agree_cli"]


def agree_cli(
    data: Annotated[
        list[str],
        typer.Argument(
            metavar="DATA...", help="A table with a column for each coder; or, with --coder, a row for each label."
        ),
    ],
    coders: Annotated[
        str | None, option("--coders", metavar="A,B,...", help="The columns of the coders; with --coder, their names.")
    ] = None,
    coder: Annotated[
        str | None,
        option("--coder", metavar="COLUMN", help="Who gave the label, where every row is one label of one coder."),
    ] = None,
    scale: Annotated[
        str,
        option("--scale", metavar="NAME", help="nominal; ordinal, for steps of a scale; interval, for numbers."),
    ] = "nominal",
    order: Annotated[
        str | None, option("--order", metavar="A,B,...", help="The steps of an ordinal scale, the lowest first.")
    ] = None,
    output: Annotated[
        str | None,
        option("--output", "-o", metavar="FILE", help="Write the texts to settle, as CSV.", panel=OUTPUT),
    ] = None,
    settled: Annotated[
        str | None,
        option(
            "--settled",
            metavar="FILE",
            help="Write all texts with the majority's label and that of Dawid and Skene's model, as CSV.",
            panel=OUTPUT,
        ),
    ] = None,
    force: Force = False,
    reading: ReadingOptions = READING,
    screen: Screen = SCREEN,
) -> None:
    """Measure how far people who label the same texts agree.

    Percent agreement, Cohen's and Fleiss' kappa and Krippendorff's alpha with intervals, the labels that are mixed up,
    the texts to settle, and for each text the label that most coders gave or that is most probable.
    """
    from assay.agreement.measuring import agree
    from assay.agreement.ratings import Ratings
    from assay.cli.reading.data import read_data
    from assay.cli.screens.console import print_json, results
    from assay.cli.screens.tables import show_page
    from assay.cli.writing.rows import write_rows
    from assay.errors import ParameterError
    from assay.output_files import check_outputs

    check_outputs([output, settled], data, force=force)
    names = [name.strip() for name in coders.split(",")] if coders else []
    if coder is None and len(names) < 2:
        raise ParameterError(
            "Whose labels are to be compared? Name the columns of two coders or more with --coders ANN,BEN; or, where "
            "every row is one label of one coder, the column that says whose it is with --coder COLUMN."
        )
    separator = reading.settings()["labels_separator"] or None
    # All columns are kept as they are: which of them hold labels is said by the names of the coders.
    corpus = read_data(data, reading, screen, ask=False, label=False, labels_separator=False, keep_empty=True)
    if coder is None:
        ratings = Ratings.of_table(corpus, names, separator)
    else:
        ratings = Ratings.of_rows(corpus, coder, reading.label or "label", names, separator)
    found = agree(ratings, scale=scale, order=None if order is None else [one.strip() for one in order.split(",")])
    written = {"to settle": output, "all labels": settled}
    for what, path in written.items():
        if path is not None:
            write_rows(found.table(only_disagreed=what == "to settle"), path)
    if screen.as_json:
        print_json(found.to_dict())
    else:
        console = results()
        show_page(found.text(console.width), console)
    for what, path in written.items():
        if path is not None:
            screen.say(f"→ {path} ({what})")
