"""Cells with several labels, into sets of labels.

While a file is read, the labels of a text are one cell of text, whatever their form: ``joy|love`` as it stands in the
file, and lists (or columns of 0 and 1) as JSON, ``["joy", "love"]``. When all is read, every different cell is taken
apart once, and each text gets the set of its cell.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from assay.data.arrays import string_array
from assay.data.columns.label_form import LabelForm
from assay.data.corpus.corpus import Corpus
from assay.data.corpus.incidents import IncidentLog
from assay.data.corpus.origin import Origin
from assay.errors import DataError, NoRowsLeftError
from assay.label_sets import LabelSets
from assay.label_types import LabelType, fitting_type
from assay.suggest import excerpt, quote
from assay.wording import setting

__all__ = ["are_flags", "flag_cells", "labels_as_sets", "labels_of_cells", "list_cells"]

_TRUE = frozenset(("1", "true", "yes", "1.0"))
_FALSE = frozenset(("0", "false", "no", "0.0"))


class _Cell(NamedTuple):
    """What one cell holds."""

    labels: list[str]
    repeated: bool = False
    has_nothing: bool = False  # where a label should be
    padded: bool = False


def labels_as_sets(
    corpus: Corpus, form: LabelForm, *, label_type: LabelType, skip_empty: bool, names: Sequence[str] = ()
) -> Corpus:
    """A corpus whose labels are cells, with the sets that stand in them; what was odd about them is noted.

    Parameters
    ----------
    corpus
        Texts with one cell each.
    form
        How the labels stand in a cell.
    label_type
        What labels were before they became text.
    skip_empty
        Leave texts with an empty set out.
    names
        All labels, where they are known; others follow as they come up.

    Examples
    --------
    >>> cells = Corpus(["a", "b", "c"], ["joy|love|joy", "", "love"])
    >>> found = labels_as_sets(cells, LabelForm("|"), label_type="text", skip_empty=False)
    >>> [label for _, label in found], found.notes
    ([('joy', 'love'), (), ('love',)], ('1 text has no label (memory, row 2)', '1 cell names a label twice, which
    counts once (memory, row 1)'))
    """

    def place(k: int) -> str:
        return corpus.origin.place(int(np.argmax(corpus.classes == k)))

    cells = [_taken_apart(cell, form, partial(place, k)) for k, cell in enumerate(corpus.label_names)]
    number = {name: k for k, name in enumerate(dict.fromkeys([*names, *(n for cell in cells for n in cell.labels)]))}
    rows = [[number[name] for name in cell.labels] for cell in cells]
    sets = LabelSets.of_rows(rows, len(number)).take(corpus.classes)
    log = IncidentLog()
    for kind, odd in (
        ("unlabelled" if skip_empty else "empty_set", [not cell.labels for cell in cells]),
        ("repeated_label", [cell.repeated for cell in cells]),
        ("empty_label", [cell.has_nothing for cell in cells]),
        ("padded_label", [cell.padded for cell in cells]),
    ):
        where = np.flatnonzero(np.array(odd, bool)[corpus.classes])
        log.add(kind, corpus.origin.take(where))
    notes = [*corpus.notes, *log.sentences()]
    if form.separator is not None and not any(form.separator in cell for cell in corpus.label_names):
        notes.append(f"{corpus.source}: {quote(form.separator)} stands in no cell: every text has one label at most")
    found = corpus.with_label_sets(sets, list(number), changes={})._replaced(
        label_type=fitting_type(list(number), label_type),
        labels_separator=form.separator,
        notes=tuple(notes),
        incidents=(*corpus.incidents, *log.incidents()),
    )
    if skip_empty and not sets.sizes.all():
        found = found.select(sets.sizes > 0)
        if not len(found):
            raise NoRowsLeftError(f"{corpus.source}: no rows are left to work with. No text has a label.")
    return found


def labels_of_cells(cells: pa.Array, form: LabelForm, origin: Origin) -> list[list[str]]:
    """The labels of each cell; null has none.

    Examples
    --------
    >>> labels_of_cells(pa.array(["joy|love", None, "joy"]), LabelForm("|"), Origin.counted("a.csv", 3))
    [['joy', 'love'], [], ['joy']]
    """
    known: dict[str, list[str]] = {"": []}
    found = []
    for row, cell in enumerate(cells.to_pylist()):
        if cell and cell not in known:
            known[cell] = _taken_apart(cell, form, partial(origin.place, row)).labels
        found.append(known[cell or ""])
    return found


def _taken_apart(cell: str, form: LabelForm, place: Callable[[], str]) -> _Cell:
    if form.lists or form.columns:
        return _of_list(cell, place)
    if not cell.strip():
        return _Cell([])
    parts = [cell] if form.separator is None else cell.split(form.separator)
    stripped = [part.strip() for part in parts]
    named = [part for part in stripped if part]
    labels = list(dict.fromkeys(named))
    padded = stripped != parts and any(part and part not in parts for part in stripped)
    return _Cell(labels, len(labels) < len(named), len(named) < len(parts), padded)


def _of_list(cell: str, place: Callable[[], str]) -> _Cell:
    items = json.loads(cell, parse_int=str, parse_float=str) if cell else []
    for item in items:
        if item is None or isinstance(item, list | dict):
            what = "null" if item is None else "a list" if isinstance(item, list) else "an object"
            raise DataError(
                f"{place()}: the list of labels {excerpt(cell)} holds {what} where a label should be. Labels are "
                "strings or numbers; write each text's labels as one plain list."
            )
    written = [item if isinstance(item, str) else str(item).lower() for item in items]
    named = [name for name in written if name]
    labels = list(dict.fromkeys(named))
    return _Cell(labels, len(labels) < len(named), len(named) < len(written))


def list_cells(values: pa.Array) -> pa.Array:
    """Lists as JSON; null stays null.

    Examples
    --------
    >>> list_cells(pa.array([["joy", "love"], [], None])).to_pylist()
    ['["joy", "love"]', '[]', None]
    """
    written = (None if items is None else json.dumps(items, ensure_ascii=False) for items in values.to_pylist())
    return string_array(list(written))


def flag_cells(names: Sequence[str], columns: Sequence[pa.Array], place: Callable[[int], str]) -> pa.Array:
    """The labels of each row as JSON, of columns of 0 and 1; a row in which nothing is written is null.

    Examples
    --------
    >>> flag_cells(["joy", "love"], [pa.array(["1", "no"]), pa.array(["true", "0"])], str).to_pylist()
    ['["joy", "love"]', '[]']
    """
    flags = [_flags(name, column, place) for name, column in zip(names, columns, strict=True)]
    written = [json.dumps(name, ensure_ascii=False) for name in names]
    rows = np.transpose(flags) if flags else np.empty((0, 0), bool)
    return string_array([f"[{', '.join(written[k] for k in np.flatnonzero(row))}]" for row in rows])


def are_flags(column: pa.ChunkedArray) -> bool:
    """Whether every value of a column says yes or no.

    Examples
    --------
    >>> are_flags(pa.chunked_array([[1, 0, 1]])), are_flags(pa.chunked_array([["yes", "maybe"]]))
    (True, False)
    """
    if pa.types.is_nested(column.type) or column.null_count:
        return False
    return all(_plain_flag(value) in _TRUE | _FALSE for value in column.unique().to_pylist())


def _plain_flag(value: object) -> str:
    return (value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)).strip().casefold()


def _flags(name: str, column: pa.Array, place: Callable[[int], str]) -> npt.NDArray[np.bool_]:
    encoded = column.dictionary_encode()
    values = [_plain_flag(value) for value in encoded.dictionary.to_pylist()]
    wrong = [k for k, value in enumerate(values) if value not in _TRUE | _FALSE]
    indices = encoded.indices.to_pylist()
    if wrong or column.null_count:
        row = next(row for row, k in enumerate(indices) if k is None or k in wrong)
        found = column[row].as_py()
        raise DataError(
            f"{place(row)}: column {quote(name)} holds {excerpt(found) if found else 'nothing'}, where 1 or 0 says "
            f"whether the text has this label. Write 1 or 0 (or true and false, yes and no) in every row, or leave the "
            f"column out of {setting('label_columns')}."
        )
    return np.array([values[k] in _TRUE for k in indices], bool)
