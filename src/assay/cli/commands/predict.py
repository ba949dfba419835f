"""``assay predict``: a model's answers for one text, or for files of any size."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from assay.cli.options.shared import (
    Delimiter,
    Encoding,
    Errors,
    Force,
    Format,
    Json,
    LabelColumn,
    Model,
    Names,
    NoQuotes,
    Output,
    Quiet,
    SafeCells,
    Sheet,
    SkipEmpty,
    TextColumn,
    Threads,
    To,
)

__all__ = ["predict_cli"]


def predict_cli(
    model: Model,
    data: Annotated[
        list[str],
        typer.Argument(
            metavar="DATA...",
            help="One text in quotes; or files, a quoted pattern such as 'part-*.csv', or - for standard input.",
        ),
    ],
    proba: Annotated[bool, typer.Option("--proba", help="Give the probability of every label.")] = False,
    top: Annotated[
        int | None,
        typer.Option("--top", metavar="K", help="Give the K best labels with their probabilities.", show_default=False),
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            "--threshold", metavar="P", help="Give no label where its probability is below P.", show_default=False
        ),
    ] = None,
    shard: Annotated[
        str | None,
        typer.Option(
            "--shard",
            metavar="I/N",
            help="Do the I-th of N parts: of several files every N-th file, of one file every N-th row.",
            show_default=False,
        ),
    ] = None,
    only_unlabelled: Annotated[
        bool,
        typer.Option(
            "--only-unlabelled",
            help="Label, and write, only the rows whose label is empty: the other part of a file that was labelled in "
            "part.",
        ),
    ] = False,
    literal: Annotated[
        bool,
        typer.Option("--literal", help="Take what is given for texts, also where it looks like the name of a file."),
    ] = False,
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
    skip_empty: SkipEmpty = False,
    output: Output = None,
    to: To = None,
    safe_cells: SafeCells = False,
    force: Force = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Label new texts with a model, one or a billion.

    Every row of a file is written again with the answer beside it, in the same order; memory does not grow with the
    file. Several files are written to a folder one by one: a run that broke off goes on where it stopped.
    """
    from assay.cli.reading.models import load_model, refuse_models
    from assay.cli.reading.typed_texts import are_files, require_words
    from assay.errors import ParameterError

    if label is not None and not only_unlabelled:
        raise ParameterError("--label says where the labels are for --only-unlabelled. Add that, or leave --label out.")
    from_files = not literal and are_files(data)
    if not from_files:
        require_words(data)
    if output is not None and not from_files:
        raise ParameterError(
            f"{output}: one text is answered on standard output. Leave -o out, or give a file of texts."
        )
    if from_files:
        takes = "'assay predict' takes one model, then files or texts; 'assay compare' takes several models."
        refuse_models(data, f" to label. {takes}")
    if from_files:
        from assay.cli.writing.labelled import check_places

        with with_way_out(data):
            check_places(model, data, output, to, force=force)
    classifier = load_model(model, threads=threads)
    if not from_files:
        from assay.cli.screens.answers import answer_texts

        answer_texts(classifier, data, proba=proba, top=top, threshold=threshold, as_json=as_json)
        return
    from assay.cli.reading.data import separator
    from assay.cli.writing.labelled import label_files
    from assay.data.options import ReadOptions
    from assay.streaming.predict import Shard
    from assay.streaming.question import Question

    options = ReadOptions.checked(
        text=text,
        label=label if only_unlabelled else False,
        only_unlabelled=only_unlabelled,
        format=format,
        encoding=encoding,
        errors=errors,
        delimiter=separator(delimiter),
        quotes=not no_quotes,
        names=names.split(",") if names else None,
        sheet=sheet,
        keep=True,
        skip_empty=skip_empty,
    )
    label_files(
        classifier,
        data,
        output,
        question=Question(proba, top, threshold),
        to=to or ("jsonl" if as_json and output is None else None),
        shard=Shard.parse(shard) if shard is not None else None,
        force=force,
        safe_cells=safe_cells,
        options=options,
        as_json=as_json,
        quiet=quiet,
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
