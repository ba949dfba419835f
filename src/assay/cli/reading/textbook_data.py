"""Data for `assay trace`: small tables of numbers, labels or texts, as the textbook's algorithms take them."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from assay.errors import DataError, NotPermittedError, ParameterError
from assay.suggest import nearest_first, quote, quoted
from assay.textbook import Algorithm, count_vectors, words_of

__all__ = ["TraceData", "read_table", "read_trace_data"]

_LABEL_NAMES = ("label", "class", "y", "target", "category")
_MOST_WORDS = 50

Table = dict[str, list[str]]


class TraceData(NamedTuple):
    """What an algorithm is given, the names of the features, and what was guessed or left out on the way."""

    given: tuple[Any, ...]
    features: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    to_count: bool = False  # documents stand where points are needed: the counts of their words


def read_trace_data(
    algorithm: Algorithm,
    source: str,
    *,
    label: str | None = None,
    text: str | None = None,
    columns: Sequence[str] = (),
    rows: int = 200,
) -> TraceData:
    """Read what an algorithm needs from a file.

    =============================  =============================================================================
    the algorithm takes            the file has
    =============================  =============================================================================
    points, with labels or not     columns of numbers, and a column of labels; or texts, whose words are counted
    documents, with labels or not  texts in any form that `assay.read` takes
    a text                         the same; the texts are put together
    gold labels and predictions    two columns of labels
    pairs                          three: the gold label, what A said, what B said
    =============================  =============================================================================

    Parameters
    ----------
    algorithm
        Whose data is read.
    source
        A file, or "-" for standard input.
    label, text
        Names of the columns that hold the label and the text; None to guess them.
    columns
        The columns to use; all but the label by default.
    rows
        Of a longer file so many rows are taken, evenly spread: the textbook is not made for large data.
    """
    if rows < 1:
        raise ParameterError(f"--rows is {rows}. It must be 1 or more.")
    everything = _read(algorithm, source, label, text, columns)
    n = len(everything.given[0])
    chosen = sorted({k * n // min(rows, n) for k in range(min(rows, n))})
    given = tuple([column[i] for i in chosen] for column in everything.given)
    notes = everything.notes
    if len(chosen) < n:
        notes = (*notes, f"{source}: {len(chosen)} of {n} rows are taken, evenly spread (--rows says otherwise).")
    if everything.to_count:
        words = _frequent_words(given[0])
        given = (count_vectors(given[0], words), *given[1:])
        counted = f"{source}: texts are turned into the counts of their {len(words)} words"
        notes = (*notes, f"{counted}{', the most frequent ones' if len(words) == _MOST_WORDS else ''}.")
        return TraceData(given, tuple(words), notes)
    if algorithm.data == ("text",):
        given = ([word for tokens in given[0] for word in tokens],)
        notes = (*notes, f"{source}: {len(chosen)} texts are put together into one.")
    return TraceData(given, everything.features, notes)


def _read(algorithm: Algorithm, source: str, label: str | None, text: str | None, columns: Sequence[str]) -> TraceData:
    match algorithm.data:
        case ("X", "y"):
            return _labelled_points(read_table(source), source, label, text, columns)
        case ("X",) | ("C",):
            return _points_alone(read_table(source), source, label, text, columns, algorithm.name)
        case ("documents" | "sequences" | "text", *_):
            return _texts(algorithm, source, label, text)
        case ("gold", "predicted"):
            names, (gold, predicted) = _columns(read_table(source), source, columns, ("gold", "predicted"))
            return TraceData(
                (gold, predicted), notes=(f"{source}: gold {quote(names[0])}, predicted {quote(names[1])}.",)
            )
        case ("pairs",):
            names, (gold, a, b) = _columns(read_table(source), source, columns, ("gold", "A", "B"))
            pairs = [(int(x == truth), int(y == truth)) for truth, x, y in zip(gold, a, b, strict=True)]
            return TraceData(
                (pairs,), notes=(f"{source}: gold {quote(names[0])}, A {quote(names[1])}, B {quote(names[2])}.",)
            )
    examples = ", ".join(example.name for example in algorithm.examples)
    raise ParameterError(
        f"{algorithm.name} takes {' and '.join(algorithm.data)}, which no file holds. "
        f"Use --example with one of {examples}, or assay.textbook.trace in Python."
    )


def read_table(source: str) -> Table:
    """Read a CSV or TSV file with a header row, every value as the text that it is.

    Parameters
    ----------
    source
        A file, also compressed, or "-" for standard input.
    """
    import pyarrow as pa
    from pyarrow import csv

    try:
        if source == "-":
            content = sys.stdin.buffer.read()
        else:
            with pa.input_stream(source, compression="detect") as stream:
                content = stream.read()
        header = content.split(b"\n", 1)[0]
        parse = csv.ParseOptions(delimiter="\t" if b"\t" in header and b"," not in header else ",")
        names = csv.open_csv(pa.BufferReader(content), parse_options=parse).schema.names
        convert = csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string()))
        table = csv.read_csv(pa.BufferReader(content), parse_options=parse, convert_options=convert)
    except FileNotFoundError:
        raise DataError(f"{source}: there is no such file.") from None
    except PermissionError:
        raise NotPermittedError.of(source) from None
    except (pa.ArrowInvalid, OSError) as error:
        raise DataError(f"{source}: not a table of values with a header row ({error}).") from None
    if not table.num_rows:
        raise DataError(f"{source}: a header and no rows. Give at least one example.")
    return {name: table[name].to_pylist() for name in table.column_names}


def _labelled_points(
    table: Table, source: str, label: str | None, text: str | None, features: Sequence[str]
) -> TraceData:
    notes = []
    if label is None:
        known = [name for name in table if name.lower() in _LABEL_NAMES]
        label = known[0] if known else list(table)[-1]
        notes.append(f"{source}: labels are in column {quote(label)} (guessed; --label says otherwise).")
    _require(table, [label], source)
    documents = None if features else _documents(table, source, text)
    if documents is not None:
        return TraceData((documents, _labels(table, label, source)), notes=tuple(notes), to_count=True)
    names = list(features) or [name for name in table if name != label]
    return TraceData((_numbers(table, names, source), _labels(table, label, source)), tuple(names), tuple(notes))


def _points_alone(
    table: Table, source: str, label: str | None, text: str | None, features: Sequence[str], algorithm: str
) -> TraceData:
    documents = None if features else _documents(table, source, text)
    if documents is not None:
        return TraceData((documents,), to_count=True)
    left_out = [name for name in table if name == label or (label is None and name.lower() in _LABEL_NAMES)]
    names = list(features) or [name for name in table if name not in left_out]
    notes = [f"{source}: column {quote(name)} is left out, for {algorithm} uses no labels." for name in left_out]
    return TraceData((_numbers(table, names, source),), tuple(names), tuple(notes))


def _documents(table: Table, source: str, text: str | None) -> list[list[str]] | None:
    """Give the words of each text, where a column was named for texts or is called so; None where there is none."""
    if text is not None:
        _require(table, [text], source)
    name = text or next((name for name in table if name.lower() in ("text", "texts")), None)
    return None if name is None else [words_of(value or "") for value in table[name]]


def _frequent_words(documents: Sequence[Sequence[str]]) -> list[str]:
    """Give the words in the order of their first appearance; of very many, the most frequent ones."""
    counts = Counter(word for words in documents for word in words)
    if not counts:
        raise DataError("No text has a word. Give texts with words, or columns of numbers.")
    frequent = {word for word, _ in counts.most_common(_MOST_WORDS)}
    return [word for word in counts if word in frequent]


def _columns(
    table: Table, source: str, chosen: Sequence[str], roles: Sequence[str]
) -> tuple[list[str], list[list[str]]]:
    """Give the columns that were named, or the first ones, one for each role."""
    names = list(chosen) or list(table)[: len(roles)]
    if len(names) != len(roles):
        wanted = ", ".join(roles)
        raise DataError(
            f"{source}: {len(names)} columns, where {len(roles)} are needed: {wanted}. Name them with --columns."
        )
    _require(table, names, source)
    return names, [_labels(table, name, source) for name in names]


def _numbers(table: Table, names: Sequence[str], source: str) -> list[list[float]]:
    _require(table, names, source)
    if not names:
        raise DataError(f"{source}: no columns of numbers are left. Give at least one feature.")
    return [
        [_number(table[name][row], f"{source}, row {row + 1}: column {quote(name)}") for name in names]
        for row in range(len(table[names[0]]))
    ]


def _labels(table: Table, name: str, source: str) -> list[str]:
    for row, value in enumerate(table[name], start=1):
        if not value:
            raise DataError(
                f"{source}, row {row}: column {quote(name)} is empty. Leave the row out, or give it a label."
            )
    return table[name]


def _number(value: str, place: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        shown = "is empty" if not value else f"is {quote(value)}, not a number"
        raise DataError(f"{place} {shown}. Leave the row out, or choose other columns with --columns.")
    return number


def _require(table: Table, names: Sequence[str], source: str) -> None:
    for name in names:
        if name not in table:
            raise ParameterError(f"{source} has no column {quote(name)}. It has {quoted(nearest_first(name, table))}.")


def _texts(algorithm: Algorithm, source: str, label: str | None, text: str | None) -> TraceData:
    from assay.data.reading.read import read_given

    labelled = len(algorithm.data) == 2
    corpus = read_given(source, "text", "label", text=text, label=label if labelled else False)
    documents = [words_of(example.text) for example in corpus]
    notes = (
        *(f"{note}." for note in corpus.notes),
        f"{source}: texts are split into words; signs of punctuation are left out.",
    )
    if not labelled:
        return TraceData((documents,), notes=notes)
    labels = [example.label for example in corpus]
    return TraceData((documents, labels), notes=notes)
