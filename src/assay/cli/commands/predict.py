"""``assay predict``: a model's answers for one text, or for files of any size."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, fields
from typing import Annotated

import typer

from assay.cli.options.groups import Only
from assay.cli.options.option import OUTPUT, option
from assay.cli.options.reading import READING, ReadingOptions, option_words
from assay.cli.options.screen import SCREEN, Screen
from assay.cli.options.shared import Force, Model, Output, SafeCells, Threads, To

__all__ = ["predict_cli"]

NOT_OF_ROWS = ("unlabelled", "merge_labels", "dedupe", "skip_unlabelled")
RowReading = Annotated[ReadingOptions, Only(field.name for field in fields(READING) if field.name not in NOT_OF_ROWS)]


def predict_cli(
    model: Model,
    data: Annotated[
        list[str],
        typer.Argument(
            metavar="DATA...",
            help="One text in quotes; or files, a quoted pattern such as 'part-*.csv', or - for standard input.",
        ),
    ],
    proba: Annotated[bool, option("--proba", help="Give the probability of every label.")] = False,
    top: Annotated[
        int | None, option("--top", metavar="K", help="Give the K best labels with their probabilities.")
    ] = None,
    threshold: Annotated[
        float | None, option("--threshold", metavar="P", help="Give no label where its probability is below P.")
    ] = None,
    novelty: Annotated[
        bool, option("--novelty", help="Say from 0 to 1 how unlike the training texts each text is.")
    ] = False,
    reject: Annotated[
        float | None,
        option(
            "--reject", metavar="T", help="Give no label where the novelty is T or more; 'assay inspect MODEL' has T."
        ),
    ] = None,
    shard: Annotated[
        str | None,
        option(
            "--shard",
            metavar="I/N",
            help="Do the I-th of N parts: of several files every N-th file, of one file every N-th row.",
        ),
    ] = None,
    only_unlabelled: Annotated[
        bool,
        option(
            "--only-unlabelled",
            help="Label, and write, only the rows whose label is empty: the other part of a file that was labelled in "
            "part.",
        ),
    ] = False,
    literal: Annotated[
        bool, option("--literal", help="Take what is given for texts, also where it looks like the name of a file.")
    ] = False,
    threads: Threads = None,
    reading: RowReading = READING,
    output: Output = None,
    to: To = None,
    safe_cells: SafeCells = False,
    model_column: Annotated[
        str | None,
        option(
            "--model-column",
            metavar="NAME",
            help="Add a column of this name that says which model answered: its file, and how its SHA-256 begins.",
            panel=OUTPUT,
        ),
    ] = None,
    review: Annotated[
        str | None,
        option(
            "--review",
            metavar="FILE",
            help="Write the rows that a person should look at: unlike the training texts, without a label, unsure, "
            "near a threshold, and some sure ones to check; 'assay label WORKSPACE FILE' takes them back.",
            panel=OUTPUT,
        ),
    ] = None,
    force: Force = False,
    screen: Screen = SCREEN,
) -> None:
    """Label new texts with a model, one or a billion.

    Every row of a file is written again with the answer beside it, in the same order; memory does not grow with the
    file. Several files are written to a folder one by one: a run that broke off goes on where it stopped.
    """
    from assay.cli.reading.models import load_model, refuse_models
    from assay.cli.reading.typed_texts import are_files, empty_notes
    from assay.cli.screens.answers import answers_to, show_answers, unlike_notes
    from assay.cli.screens.console import print_json
    from assay.errors import ParameterError
    from assay.modelfile.provenance import model_reference
    from assay.streaming.question import Question

    if reading.label is not None and not only_unlabelled:
        raise ParameterError("--label says where the labels are for --only-unlabelled. Add that, or leave --label out.")
    question = Question(proba, top, threshold, novelty, reject)
    if literal or not are_files(data):
        if output is not None or review is not None:
            name = "-o" if output is not None else "--review"
            raise ParameterError(
                f"{output or review}: one text is answered on standard output. Leave {name} out, or give a file of "
                "texts."
            )
        loaded = load_model(model, threads=threads)
        answers = answers_to(data, loaded, question)
        if screen.as_json:
            print_json({"kind": "answers", "version": 1, "model": model_reference(model), "answers": answers})
        else:
            show_answers(answers, question)
        labelled = [answer["text"] for answer in answers if answer["prediction"] is not None]
        screen.note([*empty_notes(labelled), *unlike_notes(answers, loaded)])
        return
    from assay.cli.writing.labelled import check_places, label_files
    from assay.streaming.folder_record import Maker
    from assay.streaming.predict import Shard

    takes = "'assay predict' takes one model, then files or texts; 'assay compare' takes several models."
    refuse_models(data, f" to label. {takes}")
    with with_way_out(data):
        into_folder = check_places(model, data, output, review, to, force=force)
    if review is not None and into_folder:
        raise ParameterError(f"{review}: a review is of one file. Label the files one by one, or leave --review out.")
    chosen = {"only_unlabelled": only_unlabelled, "to": to, "safe_cells": safe_cells, "model_column": model_column}
    words = [*option_words(asdict(question) | chosen), *reading.words()]
    signed = into_folder or screen.as_json or model_column is not None
    maker = Maker(model_reference(model), tuple(words)) if signed else None
    label_files(
        load_model(model, threads=threads),
        data,
        output,
        screen,
        options=reading.checked(label=reading.label if only_unlabelled else False, only_unlabelled=only_unlabelled),
        maker=maker,
        question=question,
        to=to or ("jsonl" if screen.as_json and output is None else None),
        shard=Shard.parse(shard) if shard is not None else None,
        force=force,
        safe_cells=safe_cells,
        constants={model_column: maker.name} if maker is not None and model_column else None,
        **({} if review is None else {"review": review}),
    )


@contextmanager
def with_way_out(data: list[str]) -> Iterator[None]:
    """Say, where nothing of that name is there, what to do with a text that only looks like a name."""
    import os

    from assay.errors import DataError

    try:
        yield
    except DataError as error:
        if any(os.path.lexists(name) for name in data):
            raise
        raise DataError(f"{error} If it is a text to label, add --literal.") from None
