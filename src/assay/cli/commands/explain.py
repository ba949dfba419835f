"""``assay explain``: why a model gives a text its label, and what it has learned."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.options.option import OUTPUT, option
from assay.cli.options.reading import READING, ReadingOptions
from assay.cli.options.screen import SCREEN, Screen
from assay.cli.options.shared import Force

if TYPE_CHECKING:
    from assay.classifier.text_classifier import TextClassifier
    from assay.data.corpus.corpus import Corpus

__all__ = ["explain_cli"]

question = partial(option, panel="Question", show_default=False)


def explain_cli(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A model file, as assay train writes it.")],
    typed: Annotated[
        str | None,
        typer.Argument(
            metavar="TEXT",
            help="The text, or - to read it from standard input. Without it, what speaks for each class.",
        ),
    ] = None,
    explained: Annotated[
        str | None,
        question("--class", metavar="LABEL", help="Explain the score of this class; of the decision if not given."),
    ] = None,
    against: Annotated[
        str | None, question("--against", metavar="LABEL", help="Explain why the one class and not this one.")
    ] = None,
    data: Annotated[
        list[str] | None,
        question(
            "--data",
            metavar="FILE",
            help="Documents: for --nearest and --prototypes those that the model was trained on, for --groups others. "
            "Features are counted in them, and hashed ones get their names from them.",
        ),
    ] = None,
    nearest: Annotated[
        int | None,
        question("--nearest", metavar="K", min=1, help="With a text: the K documents of --data most like it."),
    ] = None,
    nearest_by: Annotated[
        str,
        question(
            "--nearest-by",
            metavar="features|decision",
            help="Like it in all features, or in what weighs in the decision.",
        ),
    ] = "features",
    prototypes: Annotated[
        int | None,
        question(
            "--prototypes", metavar="K", min=1, help="Without a text: the K most typical documents of each class."
        ),
    ] = None,
    groups: Annotated[
        bool,
        question("--groups", help="Without a text: what the model loses on --data without each group of features."),
    ] = False,
    retrain: Annotated[
        str | None,
        question("--retrain", metavar="FILE", help="With --groups: train again on these documents without each group."),
    ] = None,
    metric: Annotated[
        str, question("--metric", metavar="NAME", help="With --groups: what is measured; macro_f1 if not given.")
    ] = "macro_f1",
    literal: Annotated[
        bool, question("--literal", help="Take TEXT for a text, also where it looks like the name of a file.")
    ] = False,
    top: Annotated[int, option("--top", metavar="N", min=1, help="How many features to show.", panel=OUTPUT)] = 10,
    html: Annotated[
        str | None, option("--html", metavar="FILE", help="Write the explanation as a page, too.", panel=OUTPUT)
    ] = None,
    force: Force = False,
    reading: ReadingOptions = READING,
    screen: Screen = SCREEN,
) -> None:
    """Show why a model gives a text its label.

    Without a text, what it has learned: what speaks for each class, with --prototypes what each class is like, with
    --groups how much each group of features matters.

    Every feature's contribution to the score is exact, and so are the colours of the words, into which the
    contributions are shared out: blue speaks for the class, orange against it. Networks are not linear, and sentence
    vectors are of no single word: of these, it shows what the probability loses with each word.
    """
    from assay.cli.reading.models import is_network, load_model, reads_whole_texts
    from assay.cli.reading.typed_texts import empty_notes
    from assay.cli.screens.console import print_json, results
    from assay.cli.screens.explanation import show_explanation
    from assay.cli.screens.occlusion import show_occlusion
    from assay.cli.writing.page import write_page
    from assay.explanation.occlusion import occlude
    from assay.explanation.presentation import explanation_page
    from assay.output_files import check_outputs

    check_text(typed, literal=literal)
    check_question(typed, data, {"--nearest": nearest}, {"--prototypes": prototypes, "--groups": groups or None})
    if retrain and not groups:
        raise typer.BadParameter(
            "goes with --groups, which asks what each group of features is worth.", param_hint="--retrain"
        )
    check_outputs([html], [model, *(data or ()), retrain, typed if typed == "-" else None], force=force)
    classifier, where = load_model(model), Path(model).name
    if is_network(classifier):
        refuse_for_networks(model, typed, data)
    documents = read_documents(data, classifier, reading, screen) if data else None
    if typed is None:
        from assay.cli.screens.explained_model import ModelQuestions, answer

        trained_on = read_documents([retrain], classifier, reading, screen) if retrain else None
        asked = ModelQuestions(explained, top, documents, prototypes, groups, trained_on, metric)
        answer(classifier, asked, screen, html=html, where=where)
        return
    text = sys.stdin.read().rstrip("\n") if typed == "-" else typed
    shown: dict[str, Any] = {"label": explained, "against": against}
    found: Any
    show: Callable[..., None]
    if is_network(classifier) or (not data and reads_whole_texts(classifier)):
        found, show = occlude(classifier, text), show_occlusion
    else:
        found, show = classifier.explain(text), show_explanation
        if documents is not None and nearest:
            shown["nearest"] = found.nearest(documents, nearest, by=nearest_by)
    screen.note(empty_notes([text]))
    if screen.as_json:
        print_json(found.to_dict(**shown))
    else:
        show(found, results(), **shown, top=top)
    if html is not None:
        heading = "Why these labels?" if found.of_sets and explained is None else "Why this label?"
        write_page(html, explanation_page(found.to_html(**shown, top=top), heading, where=where), screen)


def check_text(text: str | None, *, literal: bool) -> None:
    """Complain about the name of a file where a text is expected."""
    import os

    from assay.cli.reading.typed_texts import are_files
    from assay.errors import ParameterError

    if text is None or text == "-":
        return
    if not literal and are_files([text]):
        what = "is a file" if os.path.lexists(text) else "looks like the name of a file"
        raise ParameterError(
            f"{text}: this {what}, and 'assay explain' takes one text. Give a text in quotes, or - to read it from "
            "standard input; 'assay predict' labels files. If it is a text, add --literal."
        )


def check_question(
    text: str | None, data: list[str] | None, of_text: dict[str, object], of_model: dict[str, object]
) -> None:
    """Complain about options that do not go together."""
    for name, value in of_text.items():
        if value is not None and text is None:
            raise typer.BadParameter("asks about a text: give one after the model.", param_hint=name)
    for name, value in of_model.items():
        if value is not None and text is not None:
            raise typer.BadParameter("asks about the model: leave the text out.", param_hint=name)
    for name, value in {**of_text, **of_model}.items():
        if value is not None and not data:
            raise typer.BadParameter("needs documents: give them with --data FILE.", param_hint=name)


def refuse_for_networks(model: str, text: str | None, data: list[str] | None) -> None:
    """Complain about questions that only linear models can answer."""
    from assay.errors import ParameterError

    if text is None or data:
        raise ParameterError(
            f"{model}: a network has no weight for each feature, so nothing can be listed, counted or compared. Give "
            "a text without --data: its words are left out one by one."
        )


def read_documents(data: list[str], classifier: TextClassifier, reading: ReadingOptions, screen: Screen) -> Corpus:
    """The documents, with their labels unless they have none."""
    from assay.cli.reading.data import read_data, read_labelled

    if reading.unlabelled:
        return read_data(data, reading, screen, keep=False)
    return read_labelled(data, classifier, reading, screen, keep=False)
