"""A model's answers for whole files, a batch at a time."""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from assay.data.arrays import boolean_array
from assay.data.options import ReadOptions
from assay.data.reading.batches import Batch, BatchStream
from assay.data.reading.locate import reader_of_path
from assay.errors import ParameterError
from assay.output_files import check_outputs, make_folder
from assay.prediction.linear_model import LinearTextModel
from assay.streaming.ahead import in_time, read_ahead
from assay.streaming.answer_columns import AnswerColumns
from assay.streaming.folder_record import FolderRecord, Maker
from assay.streaming.outputs import choose_format, is_watched, open_rows, output_encoding, outputs_in_folder
from assay.streaming.question import Question
from assay.streaming.review_list import ReviewList
from assay.streaming.unlike_texts import UnlikeTexts
from assay.streaming.written_sets import written_sets
from assay.suggest import counted, shortened
from assay.wording import parameter, setting

__all__ = ["FilePrediction", "Shard", "predict_file", "predict_files"]

RowProgress = Callable[[int, int, int], None]
"""Called with the rows done, the bytes read and the bytes that there are."""


@dataclass(frozen=True, slots=True)
class FilePrediction:
    """What came of one file.

    Attributes
    ----------
    input, output
        Names of the files; output is None for standard output.
    rows, unanswered
        Rows written, and how many of them got no label.
    seconds
        What it took.
    finished_before
        Whether the output was already there and nothing was done.
    notes
        What was guessed, left out or repaired, in sentences.
    """

    input: str
    output: str | None
    rows: int = 0
    unanswered: int = 0
    seconds: float = 0.0
    finished_before: bool = False
    notes: tuple[str, ...] = ()


class Shard(NamedTuple):
    """The part of the work that one of several machines does."""

    part: int
    parts: int

    @classmethod
    def parse(cls, written: str) -> Shard:
        """Read ``i/n``: the i-th of n parts, counted from 1.

        Examples
        --------
        >>> Shard.parse("2/8")
        Shard(part=2, parts=8)
        """
        match = re.fullmatch(r"(\d{1,18})/(\d{1,18})", written.strip())
        if match and 1 <= int(match[1]) <= int(match[2]):
            return cls(int(match[1]), int(match[2]))
        raise ParameterError(
            f"{parameter('shard')} must be written as i/n, the i-th of n parts, such as 1/4 to 4/4. Got "
            f"{shortened(written)} instead."
        )


def predict_file(
    model: Any,
    source: str,
    output: str | os.PathLike[str] | None = None,
    *,
    question: Question | None = None,
    to: str | None = None,
    shard: Shard | None = None,
    force: bool = False,
    safe_cells: bool = False,
    constants: Mapping[str, str] | None = None,
    review: str | os.PathLike[str] | None = None,
    options: ReadOptions | None = None,
    progress: RowProgress | None = None,
) -> FilePrediction:
    """Let a model label the texts of a file; every row is written again with the answers beside it.

    Memory does not grow with the file. An output file that is interrupted is not there. What standard input or a pipe
    brings is read while it comes; on standard output, the answers appear as soon as no more comes for a moment.

    Parameters
    ----------
    model
        A fitted `TextClassifier`.
    source
        A file in any format that `assay.read` takes, or ``"-"`` for standard input.
    output
        Where to write; None for standard output.
    question
        What to ask; the predicted label by default.
    to
        ``"csv"``, ``"tsv"``, ``"jsonl"``, ``"parquet"``, ``"arrow"``, ``"fasttext"`` (label and text) or
        ``"lines"`` (the answers alone). None: what the name of the output says, else the format of the input.
    shard
        Take every so many-th row only.
    force
        Replace an output that exists.
    safe_cells
        Put an apostrophe before texts that a spreadsheet would take for a formula.
    constants
        Columns that are added with one value for every row, such as the name of the model.
    review
        A file for the rows that a person should look at, see `assay.streaming.review_list`.
    options
        How to read; `label` is looked at with `only_unlabelled` only, which labels the rows without a label.
    progress
        Called after every batch.
    """
    started = time.perf_counter()
    target = None if output is None else Path(output)
    waiting = None if review is None else ReviewList(model, question)
    check_outputs([target, review], [source], force=force)
    if isinstance(model.model, LinearTextModel) and os.path.isfile(source):  # noqa: PTH113  (a Path raises for some)
        model.model.expect(os.path.getsize(source))  # noqa: PTH202
    live = is_watched(target)
    awaited = threading.Event() if live else None
    stream = open_batches(source, options or ReadOptions(), model, awaited)
    question = question or Question()
    answers = AnswerColumns(model, question, stream.columns, constants)
    unlike = UnlikeTexts(model) if waiting is None and not question.needs_novelty else None
    kind = choose_format(target, to, stream.format)
    encoding = output_encoding(target, kind, stream, [*model.labels, *answers.names, *(constants or {}).values()])
    rows = 0
    ahead = read_ahead(stream, give_up=stream.give_up, awaited=awaited)
    nested = {*stream.nested, answers.names[0]} if answers.gives_sets else stream.nested
    form: dict[str, Any] = {"delimiter": stream.delimiter, "nested": nested, "like": stream.schema}
    with open_rows(target, kind, encoding, safe_cells=safe_cells, **form) as out, closing(ahead) as batches:
        for batch in batches:
            part = batch if shard is None else sharded(batch, rows, shard)
            if len(part.texts):
                numbers = _numbers(rows, len(batch.texts), shard)
                found = answers.columns(part.texts, numbers, waiting)
                if unlike is not None:
                    unlike.look(part.texts)
                if answers.gives_sets:
                    found[answers.names[0]] = written_sets(found[answers.names[0]], model.labels, kind)
                out.write(_written(kind, part, found))
            rows += len(batch.texts)
            if progress is not None:
                progress(rows, batch.position, stream.size)
    mine = rows if shard is None else len(range(shard.part - 1, rows, shard.parts))
    seconds = time.perf_counter() - started
    notes = (*stream.notes, *([encoding.note] if encoding.note else []), *out.notes)
    if waiting is not None and review is not None:
        waiting.write(Path(review), safe_cells=safe_cells)
        notes += (f"{review}: {counted(waiting.found, 'row', 'rows')} for a person to look at", *waiting.notes)
        notes += (f"'assay label WORKSPACE {review}' takes what a person writes into its column 'label'",)
    if unlike is not None:
        notes += unlike.notes(stream.name)
    return FilePrediction(
        stream.name, None if target is None else str(target), mine, answers.unanswered, seconds, notes=notes
    )


def predict_files(
    model: Any,
    sources: Sequence[str],
    folder: str | os.PathLike[str],
    *,
    to: str | None = None,
    shard: Shard | None = None,
    force: bool = False,
    maker: Maker | None = None,
    progress: Callable[[str], RowProgress | None] = lambda _: None,
    **settings: Any,
) -> Iterator[FilePrediction]:
    """Let a model label several files, each into a file of its own; those that are there already are left out.

    Every output is whole or not there, so a run that broke off goes on where it stopped. Where the `maker` is known,
    outputs of another one are refused, unless `force` makes them again.

    Parameters
    ----------
    model, to, force, settings
        As for `predict_file`.
    sources
        Files.
    folder
        Where the outputs go, under the names of the inputs; made if it is not there.
    shard
        Take every so many-th file only.
    maker
        The model and what it is asked, kept in the folder beside the outputs; None keeps and compares nothing.
    progress
        Called with the name of each file; what it returns is called after every batch.
    """
    make_folder(Path(folder))
    outputs = outputs_in_folder(sources, folder, to)
    check_outputs(outputs, sources, force=True)
    part = "" if shard is None else f"{shard.part}-of-{shard.parts}"
    record = None if maker is None else FolderRecord(folder, maker, part)
    mine = slice(None) if shard is None else slice(shard.part - 1, None, shard.parts)
    if record is not None and not force:
        record.refuse_others(outputs[mine])
    for source, output in zip(sources[mine], outputs[mine], strict=True):
        if output.is_file() and not force:
            yield FilePrediction(source, str(output), finished_before=True)
            continue
        done = predict_file(model, source, output, to=to, force=True, progress=progress(source), **settings)
        if record is not None:
            record.add(output)
        yield done


def open_batches(source: str, options: ReadOptions, model: Any, awaited: threading.Event | None) -> BatchStream:
    """Open a file for prediction: every row is kept, and the texts are where the model's training had them."""
    reading = replace(
        in_time(options, awaited),
        label=options.label if options.only_unlabelled else False,
        labels_optional=True,
        keep=True,
        keep_empty=not options.skip_empty,
        expected_text=text_column_of(model),
    )
    return BatchStream(reader_of_path(source, reading), reading)


def text_column_of(model: Any) -> str | None:
    """The column that held the texts that a model was trained on; None where that is not known."""
    column: str | None = model.provenance.get("data", {}).get("text_column")
    return column


def _numbers(rows_before: int, rows: int, shard: Shard | None) -> NDArray[np.int64]:
    """The numbers, from 1 on, of the rows of a batch that are this machine's."""
    numbers = np.arange(rows_before + 1, rows_before + rows + 1)
    return numbers if shard is None else numbers[(numbers - 1) % shard.parts == shard.part - 1]


def sharded(batch: Batch, rows_before: int, shard: Shard) -> Batch:
    """Every so many-th row of the file, as far as it is in the batch."""
    mine = (np.arange(rows_before, rows_before + len(batch.texts)) % shard.parts) == shard.part - 1
    mask = boolean_array(mine)
    columns = {name: column.filter(mask) for name, column in batch.columns.items()}
    return Batch(batch.texts.filter(mask), columns, batch.origin.take(np.flatnonzero(mine)), batch.position)


def _written(kind: str, batch: Batch, answers: Mapping[str, pa.Array]) -> Mapping[str, pa.Array]:
    """The columns that a format has: all of them, in lines the answers alone, for fastText the label and the text."""
    if kind == "lines":
        return answers
    if kind == "fasttext":
        if len(answers) > 1:
            raise ParameterError(
                "fastText's lines hold a label and a text, no probabilities. Choose another format with "
                f"{setting('to')}."
            )
        return {"label": next(iter(answers.values())), "text": batch.texts}
    return {**batch.columns, **answers}
