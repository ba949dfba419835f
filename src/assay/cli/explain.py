"""``assay explain``: why a model gives a text its label."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.options import OUTPUT, Json

if TYPE_CHECKING:
    from assay.classifier.text_classifier import TextClassifier

__all__ = ["explain_cli"]

QUESTION = "Question"


def explain_cli(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A model file, as assay train writes it.")],
    text: Annotated[
        str | None,
        typer.Argument(
            metavar="TEXT",
            help="The text, or - to read it from standard input. Without it, what speaks for each class.",
        ),
    ] = None,
    label: Annotated[
        str | None,
        typer.Option(
            "--class",
            metavar="LABEL",
            help="Explain the score of this class; of the decision if not given.",
            show_default=False,
            rich_help_panel=QUESTION,
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="LABEL",
            help="Explain why the one class and not this one.",
            show_default=False,
            rich_help_panel=QUESTION,
        ),
    ] = None,
    top: Annotated[
        int, typer.Option("--top", metavar="N", min=1, help="How many features to show.", rich_help_panel=OUTPUT)
    ] = 10,
    html: Annotated[
        str | None,
        typer.Option(
            "--html",
            metavar="FILE",
            help="Write the explanation as a page, too.",
            show_default=False,
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show why a model gives a text its label.

    Without a text, what speaks for each class.

    Every feature's contribution to the score is exact, and so are the colours of the words, into which the
    contributions are shared out: blue speaks for the class, orange against it.
    """
    from assay.classifier.load import load

    classifier = load(model)
    if text is None:
        show_features(classifier, label, top, as_json)
        return
    explanation = classifier.explain(sys.stdin.read().rstrip("\n") if text == "-" else text)
    if as_json:
        from assay.cli.console import print_json

        print_json(explanation.to_dict(label, against))
    else:
        from assay.cli.console import results
        from assay.cli.explanation_view import show_explanation

        show_explanation(explanation, results(), label=label, against=against, top=top)
    if html is not None:
        from assay.atomic_file import write_atomically
        from assay.explanation.presentation import explanation_page

        write_atomically(html, explanation_page(explanation, label, against, top).encode("utf-8", "replace"))


def show_features(classifier: TextClassifier, label: str | None, top: int, as_json: bool) -> None:
    """What speaks for each class, or for one."""
    from dataclasses import asdict

    from assay.cli.console import print_json, results
    from assay.cli.explanation_view import show_top_features
    from assay.explanation.decision import class_index
    from assay.explanation.weights import top_features

    model = classifier.model
    found = top_features(model, top=top)
    if label is not None:
        found = {label: found[model.labels[class_index(model.labels, label)]]}
    if as_json:
        print_json({"features": {name: [asdict(item) for item in items] for name, items in found.items()}})
    else:
        show_top_features(found, results())
