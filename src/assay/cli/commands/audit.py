"""``assay audit``: who is treated worse, what a name changes, how robust the answers are, what ails the data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from assay.cli.options.shared import (
    Delimiter,
    Encoding,
    Errors,
    Force,
    Format,
    Html,
    Json,
    LabelColumn,
    Level,
    MergeLabels,
    Model,
    Names,
    NoQuotes,
    Quiet,
    SafeCells,
    Seed,
    Sheet,
    SkipEmpty,
    SkipUnlabelled,
    TextColumn,
    Threads,
    Unseen,
)

__all__ = ["audit_cli"]

PROBES = "Probes"

Data = Annotated[
    list[str] | None,
    typer.Argument(metavar="DATA...", help="Labelled texts that the model was not trained on.", show_default=False),
]
Groups = Annotated[
    list[str] | None,
    typer.Option("--group", metavar="COLUMN", help="Compare the texts by the values of a column. Repeat it for more."),
]
Target = Annotated[
    list[str] | None,
    typer.Option(
        "--target",
        metavar="LABEL",
        help="The label that matters, such as what gets a text removed; several are taken together. Every label on its "
        "own if not given.",
    ),
]
Train = Annotated[
    str | None,
    typer.Option(
        "--train", metavar="FILE", help="What the model was trained on: to look for copies and for label errors."
    ),
]
Swaps = Annotated[
    list[str] | None,
    typer.Option(
        "--swaps",
        metavar="LIST",
        help="Lists of names and terms to swap: age, disability, ethnicity, gender, gender-names, name-origin, "
        "nationality, orientation, religion, or a file of TOML; all that are built in if not given, 'none' for none.",
        rich_help_panel=PROBES,
    ),
]
ProbeFile = Annotated[
    str | None,
    typer.Option("--probe", metavar="FILE", help="Sentences from elsewhere.", rich_help_panel=PROBES),
]
ProbeGroup = Annotated[
    str | None,
    typer.Option(
        "--probe-group",
        metavar="COLUMN",
        help="Column with their group; without it, terms of the lists are looked for in the sentences.",
        rich_help_panel=PROBES,
    ),
]
ProbeUnit = Annotated[
    list[str] | None,
    typer.Option(
        "--probe-unit",
        metavar="COLUMN",
        help="Column that is the same in sentences that differ in the group only, such as the template.",
        rich_help_panel=PROBES,
    ),
]
ProbeTerm = Annotated[
    str | None,
    typer.Option("--probe-term", metavar="COLUMN", help="Column with the name or term itself.", rich_help_panel=PROBES),
]
ProbeText = Annotated[
    str | None,
    typer.Option("--probe-text", metavar="COLUMN", help="Column with the sentences.", rich_help_panel=PROBES),
]
ProbePositive = Annotated[
    list[str] | None,
    typer.Option(
        "--probe-positive",
        metavar="LABEL",
        help="Label of the sentences that truly are the target: measures false-positive rates.",
        rich_help_panel=PROBES,
    ),
]
NoRobustness = Annotated[bool, typer.Option("--no-robustness", help="Leave out typing errors, case and the like.")]
LabelErrorList = Annotated[
    Path | None,
    typer.Option(
        "--label-errors",
        metavar="FILE",
        help="Write all likely label errors to a list to correct (.csv, .xlsx …), for 'assay train --corrections'.",
        show_default=False,
        rich_help_panel="Output",
    ),
]
NoLabelErrors = Annotated[bool, typer.Option("--no-label-errors", help="Do not look for likely label errors.")]
Strict = Annotated[bool, typer.Option("--strict", help="End with exit code 4 where there is a concern.")]


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
    probe: ProbeFile = None,
    probe_group: ProbeGroup = None,
    probe_unit: ProbeUnit = None,
    probe_term: ProbeTerm = None,
    probe_text: ProbeText = None,
    probe_positive: ProbePositive = None,
    level: Level = 0.95,
    seed: Seed = None,
    threads: Threads = None,
    text: TextColumn = None,
    label: LabelColumn = None,
    format: Format = None,
    encoding: Encoding = None,
    errors: Errors = "strict",
    delimiter: Delimiter = None,
    no_quotes: NoQuotes = False,
    names: Names = None,
    sheet: Sheet = None,
    merge_labels: MergeLabels = False,
    skip_unlabelled: SkipUnlabelled = False,
    skip_empty: SkipEmpty = False,
    label_errors: LabelErrorList = None,
    safe_cells: SafeCells = False,
    html: Html = None,
    force: Force = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Look for harm and weak spots in a model and its data.

    Groups of texts are compared on every metric; names and terms for people are swapped in sentences that should be
    treated alike; typing errors, case, punctuation, emoji and length are tried; labels are checked. Each finding says
    what was seen, how sure that is, what it could mean, and what it cannot show. Without DATA, only names and terms
    are swapped.
    """
    from assay.audit import audit
    from assay.cli.options.gates import MISSED
    from assay.cli.reading.data import read_data, read_labelled, say_notes
    from assay.cli.reading.models import load_model
    from assay.cli.reading.probes import read_probes
    from assay.cli.reading.unseen_labels import settle_unseen
    from assay.cli.screens.audit import show_audit
    from assay.cli.screens.console import notes, print_json
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
    check_outputs([html, label_errors], [model, *(data or ()), train, probe, *(swaps or ())], force=force)
    silent = quiet or as_json
    classifier = load_model(model, threads=threads)
    reading: dict[str, Any] = {
        "format": format,
        "encoding": encoding,
        "errors": errors,
        "delimiter": delimiter,
        "quotes": not no_quotes,
        "names": names.split(",") if names else None,
        "sheet": sheet,
        "merge_labels": merge_labels,
        "skip_unlabelled": skip_unlabelled,
        "skip_empty": skip_empty,
        "quiet": silent,
    }
    test = read_labelled(data, classifier, text=text, label=label, keep=True, **reading) if data else None
    if test is not None and classifier.provenance.get("data", {}).get("sha256") == test.fingerprint:
        notes(quiet=silent).print(
            "Note: these are the very texts that the model was trained on (the same SHA-256): it knows them, so what "
            "is measured on them looks better than it is. Audit it on texts that it has not seen.",
            soft_wrap=True,
        )
    if test is not None:
        test, remarks = settle_unseen(test, classifier.labels, unseen)
        say_notes(remarks, quiet=silent)
    learnt = read_data([train], text=text, label=label, known_labels=classifier.labels, **reading) if train else None
    chosen = None if not swaps else [name for name in swaps if name != "none"]
    probes = read_probes(
        probe,
        probe_group,
        probe_unit or [],
        probe_term,
        probe_text,
        chosen,
        labelled=bool(probe_positive),
        quiet=silent,
    )
    with notes(quiet=silent).status("auditing"):
        result = audit(
            classifier,
            test,
            groups=group or (),
            swaps=chosen,
            probes=probes,
            probe_positive=probe_positive or None,
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
        again = reading | {"text": text, "label": label, "names": names, "no_quotes": no_quotes}
        again |= {"errors": None if errors == "strict" else errors}
        listed = test if learnt is None else learnt
        if listed is not None and "merged_labels" in listed.changes:
            again["merge_labels"] = True  # also where a person has just said so
        said = list_label_errors(
            result, label_errors, [train] if train else data or [], again, Path(model), safe_cells=safe_cells
        )
        notes(quiet=silent).print(said, soft_wrap=True)
    if as_json:
        print_json(result.to_dict() | {"model": model_reference(model)})
    else:
        show_audit(result)
    if html is not None:
        notes(quiet=silent).print(f"→ {html}", soft_wrap=True)
    if strict and result.concerns:
        raise typer.Exit(MISSED)
