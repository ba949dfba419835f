"""``assay evaluate``: how good a model is on labelled texts, and whether that is good enough."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

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
    LabelledData,
    Level,
    MergeLabels,
    Model,
    Names,
    NoQuotes,
    Quiet,
    Resamples,
    Seed,
    Sheet,
    SkipEmpty,
    SkipUnlabelled,
    TextColumn,
    Threads,
    Unseen,
)

__all__ = ["evaluate_cli"]


def evaluate_cli(
    model: Model,
    data: LabelledData,
    minimum: Annotated[
        list[str] | None,
        typer.Option(
            "--min",
            metavar="METRIC=VALUE",
            help="End with exit code 4 where a metric is below this, such as macro_f1=0.8 or recall:spam=0.9; may be "
            "given several times.",
            show_default=False,
        ),
    ] = None,
    maximum: Annotated[
        list[str] | None,
        typer.Option(
            "--max",
            metavar="METRIC=VALUE",
            help="The same for metrics of which less is better: log_loss, brier, calibration_error.",
            show_default=False,
        ),
    ] = None,
    unseen: Unseen = "refuse",
    allow_one_class: Annotated[
        bool, typer.Option("--allow-one-class", help="Measure what can be measured on texts of one class only.")
    ] = False,
    level: Level = 0.95,
    resamples: Resamples = 2000,
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
    html: Html = None,
    force: Force = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Measure a model on labelled texts, with error bars.

    Every metric comes with an interval in which its true value probably lies. --min and --max take any metric of the
    table, and those of one class after a colon: accuracy, macro_f1, weighted_f1, recall:spam, roc_auc …
    """
    from assay.cli.options.gates import MISSED, check_gates, parse_gates
    from assay.cli.reading.data import read_labelled, say_notes
    from assay.cli.reading.models import load_model
    from assay.cli.reading.unseen_labels import settle_unseen
    from assay.cli.screens.console import print_json, results
    from assay.cli.screens.tables import show_page
    from assay.evaluation.protocols.evaluation import evaluate
    from assay.modelfile.provenance import data_provenance, model_reference
    from assay.output_files import check_outputs
    from assay.terminal import visible

    check_outputs([html], [model, *data], force=force)
    classifier = load_model(model, threads=threads)
    gates = parse_gates(minimum or [], maximum or [], classifier.labels)
    corpus = read_labelled(
        data,
        classifier,
        text=text,
        label=label,
        format=format,
        encoding=encoding,
        errors=errors,
        delimiter=delimiter,
        quotes=not no_quotes,
        names=names.split(",") if names else None,
        sheet=sheet,
        keep=True,
        merge_labels=merge_labels,
        skip_unlabelled=skip_unlabelled,
        skip_empty=skip_empty,
        quiet=quiet or as_json,
    )
    corpus, remarks = settle_unseen(corpus, classifier.labels, unseen)
    say_notes(remarks, quiet=quiet or as_json)
    evaluation = evaluate(
        classifier,
        corpus,
        level=level,
        n_resamples=resamples,
        allow_one_class=allow_one_class,
        seed=seed or 0,
        threads=threads,
    )
    outcomes, missed = check_gates(gates, evaluation)
    if as_json:
        of = {"model": model_reference(model), "data": data_provenance(corpus)}
        print_json(evaluation.to_dict() | of | {"gates": outcomes})
    else:
        console = results()
        show_page(evaluation.text(console.width), console)
    if html is not None:
        from assay.cli.screens.console import notes
        from assay.report.evaluation import write_evaluation

        write_evaluation(evaluation, html, model=classifier, corpus=corpus, name=Path(model).name)
        notes(quiet=quiet or as_json).print(f"→ {html}", soft_wrap=True)
    for sentence in missed:
        typer.echo(f"Missed: {visible(sentence)}", err=True)
    if missed:
        raise typer.Exit(MISSED)
