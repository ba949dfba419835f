"""``assay drift``: whether new texts are still like those that a model was trained on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.options.option import option
from assay.cli.options.reading import READING, ReadingOptions
from assay.cli.options.screen import SCREEN, Screen
from assay.cli.options.shared import Force, Html, Level, Model, Seed, Threads

__all__ = ["drift_cli"]

New = Annotated[
    list[str],
    typer.Argument(metavar="NEW...", help="New texts, in any form that 'assay inspect' takes; labels are not needed."),
]
Reference = Annotated[
    list[str] | None,
    option(
        "--reference",
        metavar="OLD",
        help="Texts of before: what the model was trained on or, better, others of that time; may be repeated.",
    ),
]
Minimum = Annotated[
    list[str] | None,
    option(
        "--min",
        metavar="FIGURE=VALUE",
        help="End with exit code 4 where a figure is below this: expected_accuracy or sureness.",
    ),
]
Maximum = Annotated[
    list[str] | None,
    option("--max", metavar="FIGURE=VALUE", help="The same above: domain_area, novel_texts or label_distance."),
]
Strict = Annotated[bool, option("--strict", help="End with exit code 4 where the texts have drifted.")]


def drift_cli(
    model: Model,
    new: New,
    reference: Reference = None,
    strict: Strict = False,
    minimum: Minimum = None,
    maximum: Maximum = None,
    level: Level = 0.95,
    seed: Seed = None,
    threads: Threads = None,
    reading: ReadingOptions = READING,
    html: Html = None,
    force: Force = False,
    screen: Screen = SCREEN,
) -> None:
    """Show whether new texts are still like those that a model was trained on.

    Their words are held against those of texts of before (--reference), how much of them is unknown and how the model
    answers them against what the model's file remembers of its training. Says which words are new, which shares the
    labels probably have, and how many answers are probably right; and what size of change could have been seen.
    """
    from assay.cli.options.drift_limits import check_limits, parse_limits
    from assay.cli.options.gates import MISSED
    from assay.cli.reading.data import read_data
    from assay.cli.reading.models import load_model
    from assay.cli.screens.console import print_json
    from assay.cli.screens.findings import show_findings
    from assay.cli.screens.progress import status
    from assay.drift import measure_drift
    from assay.findings import summary_of
    from assay.modelfile.provenance import model_reference
    from assay.output_files import check_outputs
    from assay.streaming.predict import text_column_of
    from assay.terminal import visible

    check_outputs([html], [model, *new, *(reference or ())], force=force)
    gates = parse_limits(minimum or [], maximum or [])
    classifier = load_model(model, threads=threads)
    how = {"expected_text": text_column_of(classifier), "labels_optional": True}
    fresh = read_data(new, reading, screen, ask=False, **how)
    old = None if not reference else read_data(reference, reading, screen, ask=False, **how)
    with status(screen, "comparing"):
        found = measure_drift(classifier, fresh, reference=old, level=level, seed=seed or 0, threads=threads)
    screen.note(found.notes)
    outcomes, missed = check_limits(gates, found)
    if html is not None:
        from assay.report.drift import write_drift

        write_drift(found, html, model=Path(model).name)
    if screen.as_json:
        print_json(found.to_dict() | {"model": model_reference(model), "limits": outcomes})
    else:
        heading = f"{found.verdict} ({found.n_new:,} new texts; {summary_of(found.findings)})"
        show_findings(heading, found.findings, found.tables())
    if html is not None:
        screen.say(f"→ {html}")
    for sentence in missed:
        typer.echo(f"Missed: {visible(sentence)}", err=True)
    if missed or (strict and found.drifted):
        raise typer.Exit(MISSED)
