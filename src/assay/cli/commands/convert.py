"""``assay convert``: data in another format, and texts as vectors."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from assay.cli.options.option import option
from assay.cli.options.reading import READING, ReadingOptions
from assay.cli.options.screen import SCREEN, Screen
from assay.cli.options.shared import Data, Force, Output, SafeCells, To

if TYPE_CHECKING:
    from assay.data.options import ReadOptions

__all__ = ["convert_cli"]

LIBSVM_SUFFIXES = (".svm", ".libsvm", ".svmlight")


def convert_cli(
    data: Data,
    model: Annotated[
        str | None, option("--model", metavar="MODEL", help="For libsvm: write the vectors that this model sees.")
    ] = None,
    reading: ReadingOptions = READING,
    output: Output = None,
    to: To = None,
    safe_cells: SafeCells = False,
    force: Force = False,
    screen: Screen = SCREEN,
) -> None:
    """Write data in another format.

    Any format that assay reads into CSV, TSV, JSON Lines, Parquet, Arrow, fastText's lines or plain lines, as the
    output is named or --to says. All columns are kept, as far as the format has columns. Several files become one.

    Into libsvm (.svm, or --to libsvm) go vectors instead of texts: those of --model, or tf-idf of words and pairs of
    words. From libsvm, the matrix and its labels go into an .npz file.
    """
    from assay.errors import ParameterError
    from assay.output_files import file_path

    target = None if output is None else file_path(output)
    beside = screen.beside(output)
    from_libsvm = reading.format == "libsvm" or Path(data[0]).suffix.lower() in LIBSVM_SUFFIXES
    to_libsvm = to == "libsvm" or (to is None and target is not None and target.suffix.lower() in LIBSVM_SUFFIXES)
    if model is not None and (from_libsvm or not to_libsvm):
        raise ParameterError(
            f"--model {model}: a model is for vectors, which go into libsvm. Name the output .svm or add --to libsvm, "
            "or leave --model out."
        )
    if from_libsvm:
        done = vectors_to_matrix(data, target, force=force)
    elif to_libsvm:
        done = texts_to_vectors(data, target, model, reading, beside, force=force)
    else:
        how = {"to": to, "safe_cells": safe_cells, "force": force}
        done = texts_to_texts(data, target, reading, how, beside)
    if output is None:
        return
    if screen.as_json:
        from assay.cli.screens.console import print_json

        print_json({"kind": "conversion", "version": 1, **done})
    else:
        from assay.suggest import counted

        screen.say(f"{counted(done['rows'], 'row', 'rows')} → {output}")


def texts_to_texts(
    data: list[str], output: Path | None, reading: ReadingOptions, how: dict[str, Any], screen: Screen
) -> dict[str, Any]:
    """Any format that is read, by `reading`, into any format that is written, as `how` says."""
    from dataclasses import asdict

    from assay.cli.reading.data import asking_for_columns
    from assay.cli.screens.progress import byte_progress
    from assay.data.reading.locate import expand_path
    from assay.streaming.convert import Conversion, convert_files
    from assay.streaming.outputs import choose_format

    fasttext = choose_format(output, how["to"], "") == "fasttext"  # the one format that names no columns but has labels
    sources = [path for item in data for path in expand_path(item)]

    def write(options: ReadOptions) -> Conversion:
        with byte_progress(screen) as progress:
            return convert_files(sources, output, **how, options=options, progress=progress)

    done = asking_for_columns(write, reading.checked(labels_optional=not fasttext), screen)
    screen.note(done.notes)
    return asdict(done)


def texts_to_vectors(
    data: list[str], output: Path | None, model: str | None, reading: ReadingOptions, screen: Screen, *, force: bool
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
    corpus = read_data(data, reading, screen)
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
    from assay.streaming.written_sets import separator_for

    if len(data) != 1 or output is None or output.suffix.lower() != ".npz":
        raise ParameterError(
            "One libsvm file is converted into one .npz file: name it with -o, such as -o vectors.npz."
        )
    check_outputs([output], [data[0], names_file(data[0])], force=force)
    X, labels = import_libsvm(data[0])
    if labels and isinstance(labels[0], tuple):
        sign = separator_for(sorted({name for names in labels for name in names}))
        labels = [sign.join(names) for names in labels]
    buffer = io.BytesIO()
    np.savez(buffer, format=np.array("csr"), shape=X.shape, indptr=X.indptr, indices=X.indices, data=X.data, y=labels)
    write_atomically(output, buffer.getvalue())
    return {"inputs": data, "output": str(output), "format": "npz", "rows": X.shape[0], "columns": X.shape[1]}
