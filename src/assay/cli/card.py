"""``assay card``: the document that goes with a model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from assay.cli.options import LabelColumn, MergeLabels, Model, Quiet, TextColumn

__all__ = ["card_cli"]

Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        readable=False,
        help="Where to write: .md or .html; the model's name with .card.md if not given.",
        show_default=False,
    ),
]
EvaluationFile = Annotated[
    Path | None,
    typer.Option(
        "--evaluation", metavar="FILE", readable=False, help="What 'assay evaluate --json' printed.", show_default=False
    ),
]
AuditFile = Annotated[
    Path | None,
    typer.Option(
        "--audit", metavar="FILE", readable=False, help="What 'assay audit --json' printed.", show_default=False
    ),
]
Test = Annotated[
    str | None,
    typer.Option(
        "--test", metavar="DATA", help="Labelled texts to evaluate the model on for the card.", show_default=False
    ),
]
Name = Annotated[
    str | None, typer.Option("--name", metavar="NAME", help="What the card calls the model.", show_default=False)
]


def card_cli(
    model: Model,
    output: Output = None,
    evaluation: EvaluationFile = None,
    audit: AuditFile = None,
    test: Test = None,
    name: Name = None,
    text: TextColumn = None,
    label: LabelColumn = None,
    merge_labels: MergeLabels = False,
    quiet: Quiet = False,
) -> None:
    """Write a model card, in Markdown or HTML.

    What the model file, an evaluation and an audit know is filled in. What only a person can say is marked in the card;
    once written there, it is kept whenever the card is made again.
    """
    from assay.card import write_card
    from assay.cli.card_files import read_result
    from assay.cli.loading import load_model
    from assay.cli.reading import read_labelled, say_notes
    from assay.errors import ParameterError
    from assay.evaluation.evaluation import evaluate

    if evaluation is not None and test is not None:
        raise ParameterError("Give --evaluation FILE or --test DATA, not both: the card has one evaluation.")
    classifier = load_model(model)
    measured: Any = None
    if evaluation is not None:
        measured = read_result(evaluation, "evaluation")
    elif test is not None:
        corpus = read_labelled(
            [test],
            classifier,
            text=text,
            label=label,
            format=None,
            encoding=None,
            errors="strict",
            delimiter=None,
            names=None,
            keep=False,
            merge_labels=merge_labels,
            quiet=quiet,
        )
        measured = evaluate(classifier, corpus)
    found = None if audit is None else read_result(audit, "audit")
    target = output or Path(model).with_suffix(".card.md")
    say_notes(write_card(classifier, target, measured, found, name=name), quiet=quiet)
    typer.echo(target)
