"""Texts that are in memory already: lists, pairs, rows, columns, and whatever speaks Arrow.

What is what:

- a list (or any one-dimensional array or Series) of strings: texts without labels;
- a **tuple** of two such things: ``(texts, labels)``;
- a list of tuples ``(text, label)``: rows;
- in the place of a label, a list, a tuple or a set: all labels of the text; in the place of all labels, an array or a
  sparse matrix of 0 and 1 with a column for each label;
- a list of dicts: rows; a dict of lists: columns;
- anything with ``__arrow_c_stream__`` or ``__arrow_c_array__``: its columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from assay.data.arrays import check_arrow
from assay.data.bytes.encoding import utf8_array
from assay.data.columns.choosing import distinct_names, is_textual
from assay.data.columns.label_form import is_list
from assay.data.columns.width import require_columns, require_equal_lengths
from assay.data.corpus.corpus import SET_TYPES
from assay.data.corpus.origin import Origin
from assay.data.formats.class_labels import named_labels, stored_names
from assay.data.formats.pieces import FileReader, Piece, Wanted
from assay.data.reading.indicators import is_indicator, lists_of_indicator
from assay.errors import DataError
from assay.suggest import counted, excerpt, quote, quoted, shortened

__all__ = ["MemoryReader", "plain_array"]

_PIECE_ROWS = 1 << 16
_MANY = (list, tuple, set, frozenset, dict, np.ndarray)
_DEEPEST = 200


class MemoryReader(FileReader):
    """Reads an object in memory, as a table.

    Parameters
    ----------
    source
        One of the things above.
    """

    def __init__(self, source: Any) -> None:
        if isinstance(source, tuple) and len(source) == 2 and is_indicator(source[1]):
            lists = lists_of_indicator(source[1])
            self.label_names = tuple(map(str, range(source[1].shape[1])))
            source = (source[0], lists)
        name, self._table, self.has_fixed_columns = _tabulate(source)
        super().__init__(name, self._table.get_total_buffer_size())  # nbytes does not know views of text

    def sample(self) -> pa.Table:
        """Return the first rows."""
        require_columns(self._table.num_columns, self.name)
        return self._table.slice(0, 1000)

    def pieces(self, wanted: Wanted) -> Iterator[Piece]:
        """Go through the table, without copying it."""
        table = self._table.rename_columns(distinct_names(self._table.column_names)).select(list(wanted))
        of_classes = stored_names(self._table.schema)
        done = 0
        for batch in table.to_batches(max_chunksize=_PIECE_ROWS):
            origin = Origin.counted(self.name, batch.num_rows, first=done + 1)
            done += batch.num_rows
            position = self.size * done // max(len(table), 1)
            yield Piece(named_labels(batch, of_classes), origin, Origin.counted(self.name, 0), position)


def _tabulate(source: Any) -> tuple[str, pa.Table, bool]:
    """Return what to call the source, its table, and whether the columns "text" and "label" are ours."""
    name = type(source).__name__
    if hasattr(source, "with_format") and isinstance(source, Mapping):  # Hugging Face's DatasetDict
        raise DataError(f"{name}: it holds several tables, {quoted(source)}. Give one of them.")
    if hasattr(source, "with_format") and not hasattr(source, "__arrow_c_stream__"):  # Hugging Face's Dataset
        source = source.with_format("arrow")[:]
    if hasattr(source, "__arrow_c_stream__") or hasattr(source, "__arrow_c_array__"):
        shape = getattr(source, "shape", ())
        if isinstance(shape, tuple) and len(shape) == 2:
            require_columns(shape[1], name)  # before each of them is turned into one of Arrow's
        found = _from_arrow(source, name)
        return (name, found, False) if isinstance(found, pa.Table) else (name, _texts(found, name), True)
    if isinstance(source, Mapping):
        require_columns(len(source), name)
        return name, _from_columns(source, name), False
    if isinstance(source, tuple) and len(source) == 2 and not any(isinstance(part, str) for part in source):
        return _from_pair(*source)
    _require_items(source, name, "text")
    rows = source if isinstance(source, list | np.ndarray) else list(source)
    if len(rows) and isinstance(rows[0], Mapping):
        return name, _from_dicts(rows, name), False
    if len(rows) and isinstance(rows[0], tuple):
        return name, _from_rows(rows, name), True
    if len(rows) and isinstance(rows[0], list):
        raise DataError(
            f"{name}, row 1: a list, where a text was expected. Give (texts, labels) as a tuple of two lists, or a "
            "list of tuples (text, label)."
        )
    return name, _texts(rows, name), True


def _from_arrow(source: Any, name: str) -> pa.Table | pa.ChunkedArray:
    try:
        if hasattr(source, "__arrow_c_stream__"):
            stream = pa.chunked_array(source)
            if not pa.types.is_struct(stream.type):
                check_arrow(stream, name)
                return stream
            table = pa.RecordBatchReader.from_stream(source).read_all()
        else:
            array = pa.array(source)
            if not pa.types.is_struct(array.type):
                check_arrow(array, name)
                return pa.chunked_array([array])
            table = pa.Table.from_batches([pa.record_batch(source)])
        check_arrow(table, name)
    except DataError:
        raise
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise DataError(
            f"{name}: the data cannot be handed over as Arrow: {' '.join(map(str, error.args))}. "
            "A column must hold values of one type; turn it into strings first."
        ) from error
    # pandas adds its index as a column when it is not 0, 1, 2, …
    return table.drop_columns([column for column in table.column_names if column.startswith("__index_level_")])


def _from_pair(texts: Any, labels: Any) -> tuple[str, pa.Table, bool]:
    name = type(texts).__name__
    table = _texts(texts, name)
    found = _label_array(labels, name)
    if pa.types.is_nested(found.type) and not is_list(found.type):
        raise DataError(
            f"(texts, labels): a label is {excerpt(repr(found[0].as_py()))}, where each text was expected to have one. "
            "Give a list of strings or numbers."
        )
    if len(found) != len(table):
        raise DataError(
            f"(texts, labels): there are {counted(len(table), 'text', 'texts')} and "
            f"{counted(len(found), 'label', 'labels')}. There must be as many of both."
        )
    return name, table.append_column("label", found), True


def _texts(values: Any, name: str) -> pa.Table:
    texts = plain_array(values, name, "text")
    if not is_textual(texts.type):
        if len(texts) and texts.null_count < len(texts):
            first = next(value for value in texts.to_pylist() if value is not None)
            raise DataError(
                f"{name}: the texts must be strings. Got values of type {texts.type} instead, such as {first!r}."
            )
        texts = texts.cast(pa.large_string())
    return pa.table({"text": texts})


def _from_columns(source: Mapping[str, Any], name: str) -> pa.Table:
    columns = {str(key): plain_array(values, name, str(key)) for key, values in source.items()}
    require_equal_lengths(name, columns)
    return pa.table(columns)


def _from_dicts(rows: Any, name: str) -> pa.Table:
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, Mapping):
            raise DataError(f"{name}, row {number}: {type(row).__name__} where the rows before are dicts.")
    keys = dict.fromkeys(key for row in rows for key in row)
    return _from_columns({key: [row.get(key) for row in rows] for key in keys}, name)


def _from_rows(rows: Any, name: str) -> pa.Table:
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, tuple) or len(row) != 2:
            raise DataError(
                f"{name}, row {number}: {excerpt(repr(row))} where a tuple (text, label) was expected, as "
                "in the rows before."
            )
    texts = _texts([row[0] for row in rows], name)
    return texts.append_column("label", _label_array([row[1] for row in rows], name))


def _label_array(labels: Any, name: str) -> pa.ChunkedArray:
    """A column of labels, or of lists of them; sets and tuples become lists."""
    items = list(labels) if isinstance(labels, list | tuple) else labels
    if isinstance(items, list) and any(isinstance(item, SET_TYPES) for item in items):
        _refuse_lone_labels(items)
        items = [_listed(item) for item in items]
        _refuse_deep(items, name, "label")
        if len({type(value) for item in items if item is not None for value in item}) > 1:
            items = [item and [_as_string(value, name, "label") for value in item] for item in items]
    return plain_array(items, name, "label")


def _listed(item: Any) -> list[Any] | None:
    if _is_missing(item):
        return None
    if isinstance(item, set | frozenset):
        return sorted(item, key=str)
    return list(item)


def _refuse_lone_labels(items: list[Any]) -> None:
    """Complain about a label that stands among sets of labels: nobody knows whether it is a label, or several."""
    for row, item in enumerate(items, start=1):
        if not (_is_missing(item) or isinstance(item, SET_TYPES)):
            raise DataError(
                f"(texts, labels), row {row}: {shortened(item)} stands where other texts have a set of labels. Put "
                f"it into a list, [{shortened(item)}], if it is the text's only label."
            )


def plain_array(values: Any, name: str, column: str) -> pa.ChunkedArray:
    """Turn one column of anything into Arrow; None and NaN are null, and mixed values become strings."""
    if isinstance(values, pa.ChunkedArray):
        check_arrow(values, name)
        return values
    if hasattr(values, "__arrow_c_stream__") or hasattr(values, "__arrow_c_array__"):
        found = _from_arrow(values, name)
        if isinstance(found, pa.Table):
            raise DataError(f"{name}: column {quote(column)} is itself a table with columns {found.column_names}.")
        return found
    if isinstance(values, str | bytes):
        raise DataError(
            f"{name}: the {quote(column)} column is one string, {excerpt(str(values))}. Give a list of strings."
        )
    _require_items(values, name, column)
    items = values if isinstance(values, np.ndarray) else list(values)
    _refuse_deep(items, name, column)
    try:
        return pa.chunked_array([pa.array(items, from_pandas=True)])
    except (pa.ArrowException, UnicodeEncodeError, TypeError, ValueError):
        if column != "label":
            _refuse_other_than_strings(items, name, column)
        return pa.chunked_array([utf8_array([_as_string(item, name, column) for item in items])])


def _require_items(values: Any, name: str, column: str) -> None:
    """Complain about a single thing where there should be many."""
    if not isinstance(values, Iterable) or getattr(values, "ndim", 1) == 0:
        raise DataError(
            f"{name}: the {quote(column)} column is {excerpt(repr(values))}, of type {type(values).__name__}. Give a "
            "list of strings."
        )


def _refuse_deep(items: Any, name: str, column: str) -> None:
    """Complain about lists that stand in each other without end: pyarrow would go down until the process ends."""
    if isinstance(items, np.ndarray) and items.dtype != object:
        return
    level: list[Any] = [items]
    for _ in range(_DEEPEST):
        values = (v for found in level for v in (found.values() if isinstance(found, Mapping) else found))
        level = list({id(v): v for v in values if isinstance(v, _MANY)}.values())
        if not level:
            return
    raise DataError(
        f"{name}: column {quote(column)} has more than {_DEEPEST} lists inside each other. Give a list of strings."
    )


def _refuse_other_than_strings(items: Any, name: str, column: str) -> None:
    for number, item in enumerate(items, start=1):
        if not (_is_missing(item) or isinstance(item, str)):
            raise DataError(
                f"{name}, row {number}: column {quote(column)} holds {excerpt(repr(item))}, of type "
                f"{type(item).__name__}, among strings. The values of a column must be of one type."
            )


def _is_missing(item: Any) -> bool:
    return item is None or (isinstance(item, float) and item != item)


def _as_string(item: Any, name: str, column: str) -> str | None:
    if _is_missing(item) or isinstance(item, str):
        return item if isinstance(item, str) else None
    try:
        return str(pa.scalar(item).cast(pa.string()).as_py())
    except (pa.ArrowException, TypeError, ValueError):
        raise DataError(
            f"{name}: column {quote(column)} holds {excerpt(repr(item))}, of type {type(item).__name__}. Give "
            "strings or numbers."
        ) from None
