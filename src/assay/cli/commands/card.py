"""``assay card``: the document that goes with a model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from assay.cli.options.groups import Only
from assay.cli.options.option import option
from assay.cli.options.reading import READING, LabelledReading
from assay.cli.options.screen import SCREEN, Screen
from assay.cli.options.shared import Force, Model

__all__ = ["card_cli"]

Output = Annotated[
    Path | None,
    option(
        "--output",
        "-o",
        metavar="FILE",
        readable=False,
        help="Where to write: .md or .html; the model's name with .card.md if not given.",
    ),
]
EvaluationFile = Annotated[
    Path | None,
    option(
        "--evaluation",
        metavar="FILE",
        readable=False,
        help="What 'assay evaluate --json' printed, or the metrics.json of a run; if not given, that of the run folder "
        "beside MODEL.",
    ),
]
AuditFile = Annotated[
    Path | None, option("--audit", metavar="FILE", readable=False, help="What 'assay audit --json' printed.")
]
Test = Annotated[
    str | None, option("--test", metavar="DATA", help="Labelled texts to evaluate the model on for the card.")
]
Name = Annotated[str | None, option("--name", metavar="NAME", help="What the card calls the model.")]


Quiet = Annotated[Screen, Only(("quiet", "progress"))]

OF_RUN = {"evaluation": "metrics.json", "audit": "audit.json"}


def card_cli(
    model: Model,
    output: Output = None,
    evaluation: EvaluationFile = None,
    audit: AuditFile = None,
    test: Test = None,
    name: Name = None,
    reading: LabelledReading = READING,
    force: Force = False,
    screen: Quiet = SCREEN,
) -> None:
    """Write a model card, in Markdown or HTML.

    What the model file, an evaluation and an audit know is filled in. What only a person can say is marked in the card;
    once written there, it is kept whenever the card is made again.
    """
    from assay.card import write_card
    from assay.card.kept import read_kept
    from assay.card.read_results import made_of
    from assay.cli.reading.models import load_model
    from assay.data.bytes.suffixes import KNOWN_SUFFIXES
    from assay.errors import ParameterError
    from assay.output_files import FOREIGN_ENDINGS, check_outputs, refuse_endings

    if evaluation is not None and test is not None:
        raise ParameterError("Give --evaluation FILE or --test DATA, not both: the card has one evaluation.")
    target = output or Path(model).with_suffix(".card.md")
    merged = target.suffix.lower() not in (".html", ".htm")  # a card in Markdown is made again around a person's words
    check_outputs([target], [model, evaluation, audit, test], force=force or merged)
    if merged:
        refuse_endings(target, FOREIGN_ENDINGS | KNOWN_SUFFIXES, "a card is written as .md or .html")
    if merged:
        read_kept(target)  # complains about a file that is no card
    classifier = load_model(model)
    if test is not None:
        from assay.cli.reading.data import read_labelled
        from assay.evaluation.protocols.evaluation import evaluate

        measured: Any = evaluate(classifier, read_labelled([test], classifier, reading, screen, keep=False))
    else:
        measured = result_for_card(evaluation, "evaluation", Path(model), screen)
    found = result_for_card(audit, "audit", Path(model), screen)
    with made_of([path for path in (evaluation, audit) if path is not None]):
        remarks = write_card(classifier, target, measured, found, name=name)
    screen.note(remarks)
    typer.echo(target)


def result_for_card(given: Path | None, kind: str, model: Path, screen: Screen) -> Any:
    """The result that was named, if it is of the model; else that of the run folder beside the model, if there is one.

    One that was named and is of another model is refused; one that lies there is left, and said to be.
    """
    from assay.card.read_results import read_result, require_model
    from assay.errors import DataError
    from assay.modelfile.provenance import model_reference

    path = given or model.with_suffix(".run") / OF_RUN[kind]
    if given is None and not path.is_file():
        return None
    try:
        found = read_result(path, kind)
        require_model(found, path, model_reference(model))
    except DataError as error:
        if given is not None:
            raise
        screen.note([f"the {kind} beside the model was not used. {str(error).rstrip('.')}"])
        return None
    if given is None:
        screen.note([f"the {kind} is that of {path}"])
    elif "model" not in found:
        screen.note([f"{path} does not say which model it is of; see to it that it is {model}"])
    return found
