"""``assay next``: which texts to label next."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from assay.cli.options.option import OUTPUT, option
from assay.cli.options.reading import READING, ReadingOptions
from assay.cli.options.screen import SCREEN, Screen
from assay.cli.options.shared import Force, SafeCells, Seed, Threads, Who

__all__ = ["next_cli"]

DataAndModel = Annotated[
    list[str],
    typer.Argument(
        metavar="WORKSPACE|DATA... [MODEL]",
        help="A workspace, or files of texts of which some, or none, have a label; then, if there is one, the model "
        "that is to say what it is unsure of. Without it, one is learned from the labels.",
    ),
]
HowMany = Annotated[int, option("-n", "--number", metavar="N", help="How many texts to pick.")]
Aside = Annotated[
    float | None,
    option(
        "--aside",
        metavar="SHARE",
        help="The share of the texts that is kept aside to measure with: picked by chance, never to be trained on; 0.1 "
        "if not given. A workspace has its own.",
    ),
]
Bought = Annotated[
    bool,
    option(
        "--bought",
        help="Say what the labels so far have bought: accuracy as they came, in a file by their rows, and what "
        "more would bring.",
    ),
]
Worth = Annotated[
    float | None,
    option(
        "--worth",
        metavar="SHARE",
        help="How much accuracy 1,000 labels more have to bring to be worth it, for --bought; 0.01 if not given.",
    ),
]
ToFill = Annotated[
    Path | None,
    option(
        "--output",
        "-o",
        metavar="FILE",
        readable=False,
        help="Write the texts with an empty column 'label' to fill: .csv, .tsv, .jsonl, .parquet, .arrow or .xlsx.",
        panel=OUTPUT,
    ),
]


def next_cli(
    data: DataAndModel,
    n: HowMany = 20,
    aside: Aside = None,
    who: Who = None,
    bought: Bought = False,
    worth: Worth = None,
    reading: ReadingOptions = READING,
    output: ToFill = None,
    safe_cells: SafeCells = False,
    force: Force = False,
    seed: Seed = None,
    threads: Threads = None,
    screen: Screen = SCREEN,
) -> None:
    """Pick the texts to label next.

    Texts that a model cannot decide about, as unlike each other as can be; some that measure it, drawn by chance; some
    that are likely of a label with few examples; and labels that are likely wrong. Without any label: texts that are
    typical of clusters.
    """
    from assay.cli.reading.models import load_model
    from assay.cli.reading.partly_labelled import read_partly_labelled, with_model
    from assay.cli.screens.console import print_json, results
    from assay.cli.screens.picks import picks_with_places, show_picks
    from assay.cli.screens.progress import status
    from assay.cli.screens.tables import show_page
    from assay.cli.writing.picks import write_picks
    from assay.cli.writing.safe_cells import check_safe_cells
    from assay.labeling import TextPool, labels_bought
    from assay.output_files import check_outputs
    from assay.workspace import Workspace
    from assay.workspace.settings import is_workspace

    files, model_file = with_model(data)
    check_safe_cells(safe_cells, output, "--output")
    check_outputs([output], data, force=force)
    model = None if model_file is None else load_model(model_file, threads=threads)
    curve, enough = None, 0.01 if worth is None else worth
    bought = bought or worth is not None
    if len(files) == 1 and is_workspace(files[0]):
        space = Workspace(files[0])
        _refuse_settings(files[0], {"aside": aside, "seed": seed} | reading.given())
        screen.note(space.notes)
        corpus = space.texts
        with status(screen, f"looking at {len(corpus):,} texts"):
            picks = space.next(n, who=who, model=model)
            curve = space.bought(worth=enough) if bought else None
    else:
        corpus, labels = read_partly_labelled(files, reading, screen, model)
        with status(screen, f"looking at {len(corpus):,} texts"):
            pool = TextPool(corpus, share=0.1 if aside is None else aside, seed=seed or 0, threads=threads)
            picks = pool.pick(n, labels=labels, model=model)
            curve = labels_bought(pool, labels, worth=enough) if bought else None
    if output is not None:
        write_picks(picks, corpus, output, safe_cells=safe_cells)
    screen.note(picks.notes)
    if screen.as_json:
        print_json(picks_with_places(picks, corpus) | ({} if curve is None else {"bought": curve.to_dict()}))
    else:
        show_picks(picks, corpus, written=output is not None)
        if curve is not None:
            show_page(f"\n{curve.text()}", results())
    if output is not None:
        screen.say(f"→ {output}: write the labels into its column 'label'")


def _refuse_settings(folder: str, given: Mapping[str, object]) -> None:
    """Refuse what a workspace knows itself."""
    from assay.errors import ParameterError

    for name, value in given.items():
        if value is not None:
            raise ParameterError(
                f"{folder}: a workspace knows itself how its data is read and what is kept aside. Leave "
                f"--{name.replace('_', '-')} out."
            )
