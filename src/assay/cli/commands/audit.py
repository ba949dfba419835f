"""``assay audit``: who is treated worse, what a name changes, how robust the answers are, what ails the data."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from assay.cli.options.option import option
from assay.cli.options.probes import PANEL, PROBES, ProbeOptions
from assay.cli.options.reading import READING, LabelledReading
from assay.cli.options.screen import SCREEN, Screen
from assay.cli.options.shared import Force, Html, Level, Model, SafeCells, Seed, Threads, Unseen

__all__ = ["audit_cli"]

Data = Annotated[
    list[str] | None,
    typer.Argument(metavar="DATA...", help="Labelled texts that the model was not trained on.", show_default=False),
]
Groups = Annotated[
    list[str] | None,
    option("--group", metavar="COLUMN", help="Compare the texts by the values of a column. Repeat it for more."),
]
Target = Annotated[
    list[str] | None,
    option(
        "--target",
        metavar="LABEL",
        help="The label that matters, such as what gets a text removed; several are taken together. Every label on its "
        "own if not given.",
    ),
]
Train = Annotated[
    str | None,
    option("--train", metavar="FILE", help="What the model was trained on: to look for copies and for label errors."),
]
Swaps = Annotated[
    list[str] | None,
    option(
        "--swaps",
        metavar="LIST",
        help="Lists of names and terms to swap: age, disability, ethnicity, gender, gender-names, name-origin, "
        "nationality, orientation, religion, or a file of TOML; all that are built in if not given, 'none' for none.",
        panel=PANEL,
    ),
]
NoRobustness = Annotated[bool, option("--no-robustness", help="Leave out typing errors, case and the like.")]
LabelErrorList = Annotated[
    Path | None,
    option(
        "--label-errors",
        metavar="FILE",
        help="Write all likely label errors to a list to correct (.csv, .xlsx …), for 'assay train --corrections'.",
        panel="Output",
    ),
]
NoLabelErrors = Annotated[bool, option("--no-label-errors", help="Do not look for likely label errors.")]
Strict = Annotated[bool, option("--strict", help="End with exit code 4 where there is a concern.")]


def audit_cli(
    model: Model,
    data: Data = None,
    group: Groups = None,
    target: Target = None,
    train: Train = None,
    no_robustness: NoRobustness = False,
    no_label_errors: NoLabelErrors = False,
    unseen: Unseen = "refuse",
    strict: Strict = False,
    swaps: Swaps = None,
    probes: ProbeOptions = PROBES,
    level: Level = 0.95,
    seed: Seed = None,
    threads: Threads = None,
    reading: LabelledReading = READING,
    label_errors: LabelErrorList = None,
    safe_cells: SafeCells = False,
    html: Html = None,
    force: Force = False,
    screen: Screen = SCREEN,
) -> None:
    """Look for harm and weak spots in a model and its data.

    Groups of texts are compared on every metric; names and terms for people are swapped in sentences that should be
    treated alike; typing errors, case, punctuation, emoji and length are tried; labels are checked. Each finding says
    what was seen, how sure that is, what it could mean, and what it cannot show. Without DATA, only names and terms
    are swapped.
    """
    from assay.audit import audit
    from assay.cli.options.gates import MISSED
    from assay.cli.reading.data import read_data, read_labelled
    from assay.cli.reading.models import load_model
    from assay.cli.reading.probes import read_probes
    from assay.cli.reading.unseen_labels import settle_unseen
    from assay.cli.screens.console import print_json
    from assay.cli.screens.findings import show_findings
    from assay.cli.screens.progress import status
    from assay.cli.writing.label_errors import list_label_errors
    from assay.cli.writing.safe_cells import check_safe_cells
    from assay.errors import ParameterError
    from assay.modelfile.provenance import model_reference
    from assay.output_files import check_outputs

    if label_errors is not None and (no_label_errors or not (data or train)):
        raise ParameterError(
            "--label-errors lists likely label errors of labelled texts: name the texts after the model, and leave "
            "--no-label-errors out."
        )
    check_safe_cells(safe_cells, label_errors, "--label-errors")
    check_outputs([html, label_errors], [model, *(data or ()), train, probes.probe, *(swaps or ())], force=force)
    classifier = load_model(model, threads=threads)
    test = read_labelled(data, classifier, reading, screen) if data else None
    if test is not None and classifier.provenance.get("data", {}).get("sha256") == test.fingerprint:
        screen.note(
            [
                "these are the very texts that the model was trained on (the same SHA-256): it knows them, so what is "
                "measured on them looks better than it is. Audit it on texts that it has not seen"
            ]
        )
    if test is not None:
        test, remarks = settle_unseen(test, classifier.labels, unseen)
        screen.note(remarks)
    learnt = read_data([train], reading, screen, known_labels=classifier.labels) if train else None
    chosen = None if not swaps else [name for name in swaps if name != "none"]
    sentences = read_probes(probes, chosen, screen)
    with status(screen, "auditing"):
        result = audit(
            classifier,
            test,
            groups=group or (),
            swaps=chosen,
            probes=sentences,
            probe_positive=probes.probe_positive or None,
            train=learnt,
            target=target or None,
            robustness=not no_robustness,
            label_errors=not no_label_errors,
            level=level,
            seed=seed or 0,
            threads=threads,
        )
    if html is not None:
        from assay.report.audit import write_audit

        write_audit(result, html, model=Path(model).name)
    if label_errors is not None:
        listed = test if learnt is None else learnt
        if listed is not None and "merged_labels" in listed.changes:
            reading = replace(reading, merge_labels=True)  # also where a person has just said so
        read = [train] if train else data or []
        screen.say(list_label_errors(result, label_errors, read, reading, Path(model), safe_cells=safe_cells))
    if screen.as_json:
        print_json(result.to_dict() | {"model": model_reference(model)})
    else:
        show_findings(f"Audit: {result.summary}", result.findings, result.tables())
    if html is not None:
        screen.say(f"→ {html}")
    if strict and result.concerns:
        raise typer.Exit(MISSED)
