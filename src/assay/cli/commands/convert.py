"""``assay convert``: data in another format, and texts as vectors."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from assay.cli.options.shared import (
    Data,
    Delimiter,
    Encoding,
    Errors,
    Force,
    Format,
    Json,
    LabelColumn,
    MergeLabels,
    Names,
    NoQuotes,
    Output,
    Quiet,
    SafeCells,
    Sheet,
    SkipEmpty,
    SkipUnlabelled,
    TextColumn,
    To,
    Unlabelled,
)

__all__ = ["convert_cli"]

LIBSVM_SUFFIXES = (".svm", ".libsvm", ".svmlight")


def convert_cli(
    data: Data,
    model: Annotated[
        str | None,
        typer.Option(
            "--model", metavar="MODEL", help="For libsvm: write the vectors that this model sees.", show_default=False
        ),
    ] = None,
    text: TextColumn = None,
    label: LabelColumn = None,
    unlabelled: Unlabelled = False,
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
    output: Output = None,
    to: To = None,
    safe_cells: SafeCells = False,
    force: Force = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write data in another format.

    Any format that assay reads into CSV, TSV, JSON Lines, Parquet, Arrow, fastText's lines or plain lines, as the
    output is named or --to says. All columns are kept, as far as the format has columns. Several files become one.

    Into libsvm (.svm, or --to libsvm) go vectors instead of texts: those of --model, or tf-idf of words and pairs of
    words. From libsvm, the matrix and its labels go into an .npz file.
    """
    from assay.errors import ParameterError
    from assay.output_files import file_path

    settings: dict[str, Any] = {
        "text": text,
        "label": False if unlabelled else label,
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
    }
    target = None if output is None else file_path(output)
    silent = quiet or (as_json and output is not None)
    from_libsvm = format == "libsvm" or Path(data[0]).suffix.lower() in LIBSVM_SUFFIXES
    to_libsvm = to == "libsvm" or (to is None and target is not None and target.suffix.lower() in LIBSVM_SUFFIXES)
    if model is not None and (from_libsvm or not to_libsvm):
        raise ParameterError(
            f"--model {model}: a model is for vectors, which go into libsvm. Name the output .svm or add --to libsvm, "
            "or leave --model out."
        )
    if from_libsvm:
        done = vectors_to_matrix(data, target, force=force)
    elif to_libsvm:
        done = texts_to_vectors(data, target, model, settings, force=force, quiet=silent)
    else:
        how = {"to": to, "safe_cells": safe_cells, "force": force}
        done = texts_to_texts(data, target, settings, how, quiet=silent)
    if as_json and output is not None:
        from assay.cli.screens.console import print_json

        print_json({"kind": "conversion", "version": 1, **done})
    elif output is not None:
        from assay.cli.screens.console import notes
        from assay.suggest import counted
        from assay.terminal import visible

        notes(quiet=quiet).print(f"{counted(done['rows'], 'row', 'rows')} → {visible(str(output))}", soft_wrap=True)


def texts_to_texts(
    data: list[str], output: Path | None, settings: dict[str, Any], how: dict[str, Any], *, quiet: bool
) -> dict[str, Any]:
    """Any format that is read, by `settings`, into any format that is written, as `how` says."""
    from dataclasses import asdict

    from assay.cli.reading.data import asking_for_columns, progress_bar, say_notes, separator
    from assay.data.options import ReadOptions
    from assay.data.reading.locate import expand_path
    from assay.streaming.convert import Conversion, convert_files
    from assay.streaming.outputs import choose_format

    fasttext = choose_format(output, how["to"], "") == "fasttext"  # the one format that names no columns but has labels
    options = ReadOptions.checked(
        **settings | {"delimiter": separator(settings["delimiter"])}, keep=True, labels_optional=not fasttext
    )
    sources = [path for item in data for path in expand_path(item)]

    def write(options: ReadOptions) -> Conversion:
        with progress_bar(quiet=quiet or output is None) as progress:
            return convert_files(sources, output, **how, options=options, progress=progress)

    done = asking_for_columns(write, options, quiet=quiet)
    say_notes(done.notes, quiet=quiet)
    return asdict(done)


def texts_to_vectors(
    data: list[str], output: Path | None, model: str | None, settings: dict[str, Any], *, force: bool, quiet: bool
) -> dict[str, Any]:
    """Labelled texts into LIBSVM's format."""
    from dataclasses import asdict

    from assay.cli.reading.data import read_data
    from assay.cli.reading.models import load_model
    from assay.errors import ParameterError
    from assay.output_files import check_outputs
    from assay.streaming.libsvm import export_libsvm, names_file

    if output is None:
        raise ParameterError("Vectors are written to a file, and what their columns mean beside it. Give one with -o.")
    check_outputs([output, names_file(output)], [*data, model], force=force)
    classifier = None if model is None else load_model(model)
    corpus = read_data(data, quiet=quiet, **settings)
    done = export_libsvm(corpus, output, model=classifier, force=force)
    return {"inputs": data, "format": "libsvm", **asdict(done)}


def vectors_to_matrix(data: list[str], output: Path | None, *, force: bool) -> dict[str, Any]:
    """LIBSVM's format into a matrix that scipy.sparse.load_npz reads, with the labels beside it."""
    import io

    import numpy as np

    from assay.atomic_file import write_atomically
    from assay.errors import ParameterError
    from assay.output_files import check_outputs
    from assay.streaming.libsvm import import_libsvm, names_file

    if len(data) != 1 or output is None or output.suffix.lower() != ".npz":
        raise ParameterError(
            "One libsvm file is converted into one .npz file: name it with -o, such as -o vectors.npz."
        )
    check_outputs([output], [data[0], names_file(data[0])], force=force)
    X, labels = import_libsvm(data[0])
    buffer = io.BytesIO()
    np.savez(buffer, format=np.array("csr"), shape=X.shape, indptr=X.indptr, indices=X.indices, data=X.data, y=labels)
    write_atomically(output, buffer.getvalue())
    return {"inputs": data, "output": str(output), "format": "npz", "rows": X.shape[0], "columns": X.shape[1]}
