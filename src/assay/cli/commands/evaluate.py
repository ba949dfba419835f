"""``assay evaluate``: how good a model is on labelled texts, and whether that is good enough."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from assay.cli.options.option import option
from assay.cli.options.reading import READING, LabelledReading
from assay.cli.options.screen import SCREEN, Screen
from assay.cli.options.shared import Force, Html, LabelledData, Level, Model, Resamples, Seed, Threads, Unseen

__all__ = ["evaluate_cli"]


def evaluate_cli(
    model: Model,
    data: LabelledData,
    minimum: Annotated[
        list[str] | None,
        option(
            "--min",
            metavar="METRIC=VALUE",
            help="End with exit code 4 where a metric is below this, such as macro_f1=0.8 or recall:spam=0.9; may be "
            "given several times.",
        ),
    ] = None,
    maximum: Annotated[
        list[str] | None,
        option(
            "--max",
            metavar="METRIC=VALUE",
            help="The same for metrics of which less is better: log_loss, brier, calibration_error, hamming_loss.",
        ),
    ] = None,
    unseen: Unseen = "refuse",
    allow_one_class: Annotated[
        bool, option("--allow-one-class", help="Measure what can be measured on texts of one class only.")
    ] = False,
    level: Level = 0.95,
    resamples: Resamples = 2000,
    seed: Seed = None,
    threads: Threads = None,
    reading: LabelledReading = READING,
    html: Html = None,
    force: Force = False,
    screen: Screen = SCREEN,
) -> None:
    """Measure a model on labelled texts, with error bars.

    Every metric comes with an interval in which its true value probably lies. --min and --max take any metric of the
    table, and those of one class after a colon: accuracy, macro_f1, weighted_f1, recall:spam, roc_auc …
    """
    from assay.cli.options.gates import MISSED, check_gates, parse_gates
    from assay.cli.reading.data import read_labelled
    from assay.cli.reading.models import load_model
    from assay.cli.screens.console import print_json, results
    from assay.cli.screens.tables import show_page
    from assay.evaluation.protocols.evaluation import evaluate
    from assay.modelfile.provenance import data_provenance, model_reference
    from assay.output_files import check_outputs
    from assay.terminal import visible

    check_outputs([html], [model, *data], force=force)
    classifier = load_model(model, threads=threads)
    gates = parse_gates(minimum or [], maximum or [], classifier.labels, classifier.decision.task)
    corpus = read_labelled(data, classifier, reading, screen, unseen=unseen)
    evaluation: Any = evaluate(
        classifier,
        corpus,
        level=level,
        n_resamples=resamples,
        allow_one_class=allow_one_class,
        seed=seed or 0,
        threads=threads,
    )
    if evaluation.seen is not None:
        screen.note([evaluation.seen.sentence.removesuffix(".")])
    outcomes, missed = check_gates(gates, evaluation)
    if screen.as_json:
        of = {"model": model_reference(model), "data": data_provenance(corpus)}
        print_json(evaluation.to_dict() | of | {"gates": outcomes})
    else:
        console = results()
        show_page(evaluation.text(console.width), console)
    if html is not None:
        from assay.report.evaluation import write_evaluation

        write_evaluation(evaluation, html, model=classifier, corpus=corpus, name=Path(model).name)
        screen.say(f"→ {html}")
    for sentence in missed:
        typer.echo(f"Missed: {visible(sentence)}", err=True)
    if missed:
        raise typer.Exit(MISSED)
