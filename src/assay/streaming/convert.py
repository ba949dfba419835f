"""Data from one format into another, a batch at a time."""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from assay.data.arrays import boolean_array
from assay.data.corpus.corpus import Corpus
from assay.data.corpus.spellings import merged_names, renamed_labels
from assay.data.options import Progress, ReadOptions
from assay.data.reading.batches import Batch, BatchStream
from assay.data.reading.label_cells import labels_of_cells
from assay.data.reading.locate import reader_of_path
from assay.errors import DataError, ParameterError
from assay.output_files import check_outputs
from assay.streaming.ahead import in_time, read_ahead
from assay.streaming.outputs import choose_format, is_watched, open_rows, output_encoding
from assay.suggest import counted, quote, quoted
from assay.wording import setting

__all__ = ["Conversion", "convert_files"]

_SEPARATOR = "|"  # of labels that were lines of fastText


@dataclass(frozen=True, slots=True)
class Conversion:
    """What came of it.

    Attributes
    ----------
    inputs, output
        Names of the files; output is None for standard output.
    format
        What was written.
    rows
        How many.
    notes
        What was guessed, left out or could not be kept, in sentences.
    """

    inputs: tuple[str, ...]
    output: str | None
    format: str
    rows: int
    notes: tuple[str, ...]


def convert_files(
    sources: Sequence[str],
    output: str | os.PathLike[str] | None = None,
    *,
    to: str | None = None,
    force: bool = False,
    safe_cells: bool = False,
    options: ReadOptions | None = None,
    progress: Progress | None = None,
) -> Conversion:
    """Write files again in another format, one after the other into one output; labels and texts stay as they are.

    Parameters
    ----------
    sources
        Files in any format that `assay.read` takes, with the same columns.
    output
        Where to write; None for standard output.
    to
        One of `assay.streaming.writers.WRITTEN_FORMATS`. None: what the name of the output says, else that of the
        first input.
    force
        Replace an output that exists.
    safe_cells
        Put an apostrophe before texts that a spreadsheet would take for a formula.
    options
        How to read. Rows without a text or a label are kept, unless `skip_empty` or `skip_unlabelled` leaves them out.
    progress
        Called with the bytes done and the bytes that there are.
    """
    target = None if output is None else Path(output)
    check_outputs([target], sources, force=force)
    reading = options or ReadOptions()
    awaited = threading.Event() if is_watched(target) else None
    reading = replace(in_time(reading, awaited), keep_empty=not reading.skip_empty)
    renamed = _merged_labels(sources, reading) if reading.merge_labels else {}
    kept = _first_of_copies(sources, reading) if reading.dedupe else None
    streams = [BatchStream(reader_of_path(source, reading), reading) for source in sources]
    kind = choose_format(target, to, streams[0].format)
    total, done, read, rows = sum(stream.size for stream in streams), 0, 0, 0
    encoding = output_encoding(target, kind, streams[0], keep=False)
    form = {"nested": streams[0].nested, "like": streams[0].schema}
    with open_rows(target, kind, encoding, safe_cells=safe_cells, **form) as out:
        for stream in streams:
            _require_same_columns(streams[0], stream, kind)
            with closing(read_ahead(stream, give_up=stream.give_up, awaited=awaited)) as batches:
                for batch in batches:
                    if kept is not None:
                        read, batch = read + len(batch.texts), _some_rows(batch, kept[read : read + len(batch.texts)])
                    out.write(
                        _written(kind, stream, _renamed(_cells(batch, stream, reading), stream.label, renamed), reading)
                    )
                    rows += len(batch.texts)
                    if progress is not None:
                        progress(done + batch.position, total)
            done += stream.size
    notes = dict.fromkeys(note for stream in streams for note in stream.notes)
    if renamed:
        notes[f"labels that differ only in case or blanks were merged: {_in_words(renamed)}"] = None
    if kept is not None and not kept.all():
        gone = counted(int((~kept).sum()), "row was", "rows were")
        notes[f"{gone} left out as a copy or near-copy of an earlier one"] = None
    names = tuple(stream.name for stream in streams)
    return Conversion(names, None if target is None else str(target), kind, rows, (*notes, *out.notes))


def _merged_labels(sources: Sequence[str], reading: ReadOptions) -> dict[str, str]:
    """Which labels get another name: found by reading the labels once before."""
    _require_files(sources, "Labels are merged into their most frequent spelling", "merge_labels")
    counts: Counter[str] = Counter()
    for source in sources:
        stream = BatchStream(reader_of_path(source, replace(reading, keep=False)), replace(reading, keep=False))
        if stream.label is not None:
            for batch in stream:
                counts.update(label for label in batch.columns[stream.label].to_pylist() if isinstance(label, str))
    return merged_names(counts)


def _first_of_copies(sources: Sequence[str], reading: ReadOptions) -> npt.NDArray[np.bool_]:
    """Which rows of all files are no copy or near-copy of an earlier one: found by reading the texts once before."""
    _require_files(sources, "Copies are found by comparing all texts", "dedupe")
    options = replace(reading, keep=False)
    chunks = [batch.texts for source in sources for batch in BatchStream(reader_of_path(source, options), options)]
    first = Corpus(pa.chunked_array(chunks, pa.large_string())).near_copies.first
    return np.asarray(first == np.arange(len(first)))


def _require_files(sources: Sequence[str], why: str, name: str) -> None:
    if "-" in sources:
        raise ParameterError(
            f"{why}, so the data is read twice, and standard input can be read only once. Give a file, or leave "
            f"{setting(name)} out."
        )


def _some_rows(batch: Batch, kept: npt.NDArray[np.bool_]) -> Batch:
    mask = boolean_array(kept)
    columns = {name: values.filter(mask) for name, values in batch.columns.items()}
    return batch._replace(
        texts=batch.texts.filter(mask), columns=columns, origin=batch.origin.take(np.flatnonzero(kept))
    )


def _renamed(batch: Batch, label: str | None, renamed: Mapping[str, str]) -> Batch:
    if label is None or not renamed:
        return batch
    return batch._replace(columns={**batch.columns, label: renamed_labels(batch.columns[label], renamed)})


def _in_words(renamed: Mapping[str, str]) -> str:
    return ", ".join(f"{quote(label)} into {quote(name)}" for label, name in renamed.items())


def _written(kind: str, stream: BatchStream, batch: Batch, reading: ReadOptions) -> Mapping[str, pa.Array]:
    """The columns that a format has: all of them, for fastText the label and the text, in lines the text."""
    if kind == "lines":
        return {"text": batch.texts}
    if kind == "fasttext" and stream.label is None and reading.label_columns:
        raise ParameterError(
            "fastText's lines have the labels' names in them, and columns of 0 and 1 would be lost. Write the labels "
            f"into one column first, or write another format with {setting('to')}."
        )
    if kind == "fasttext":
        label = {} if stream.label is None else {"label": batch.columns[stream.label]}
        if stream.label is not None and stream.form.gives_sets:
            sets = labels_of_cells(batch.columns[stream.label], stream.form, batch.origin)
            label = {"label": pa.array(sets, pa.large_list(pa.large_string()))}
        return label | {"text": batch.texts}
    return batch.columns


def _cells(batch: Batch, stream: BatchStream, reading: ReadOptions) -> Batch:
    """Lines of fastText with several labels, which no blank can separate elsewhere, get a separator."""
    if stream.format != "fasttext" or stream.label is None:
        return batch
    cells = batch.columns[stream.label]
    separator = reading.labels_separator or _SEPARATOR
    written = [cell for cell in cells.to_pylist() if cell]
    if stream.form.gives_sets or any(" " in cell for cell in written):
        stream.form = replace(stream.form, separator=separator)
        wrong = next((label for cell in written for label in cell.split(" ") if separator in label), None)
        if wrong is not None:
            raise DataError(
                f"{stream.name}: lines have several labels, and {quote(separator)}, which is to stand between them, "
                f"stands in the label {quote(wrong)}. Choose another with {setting('labels_separator')}."
            )
    return batch._replace(columns={**batch.columns, stream.label: pc.replace_substring(cells, " ", separator)})


def _require_same_columns(first: BatchStream, other: BatchStream, kind: str) -> None:
    if kind not in ("lines", "fasttext") and first.columns != other.columns:
        raise DataError(
            f"{other.name} has the columns {quoted(other.columns)}, but {first.name} has {quoted(first.columns)}. "
            "Files that are put together need the same columns: convert them one by one."
        )
