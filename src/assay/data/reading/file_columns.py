"""The columns of one file: as they were asked for, as the format has them, or guessed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

import pyarrow as pa

from assay.data.arrow_functions import cast
from assay.data.columns.choosing import ColumnChoice, choose_columns, distinct_names, is_textual
from assay.data.columns.column_names import plain_name
from assay.data.columns.label_form import ONE_LABEL, LabelForm, is_list
from assay.data.columns.separator import guess_separator, separator_of_known
from assay.data.formats.pieces import FileReader
from assay.data.options import ReadOptions
from assay.data.reading.label_cells import are_flags
from assay.errors import DataError
from assay.suggest import excerpt, nearest_first, quote, quoted
from assay.wording import setting

__all__ = ["choose", "guessed_form"]


def choose(reader: FileReader, sample: pa.Table, options: ReadOptions) -> ColumnChoice:
    """Find the columns that hold the texts and the labels, from the first rows of a file.

    A name that was asked for, or that a model expects, also means the only column that is written so but for case,
    accents, blanks and punctuation; that is said.
    """
    text, label = options.text, options.label
    if options.label_columns:
        return _with_label_columns(reader, sample, options)
    if _are_label_columns(sample, options):
        found = _with_label_columns(reader, sample, replace(options, label_columns=options.known_labels))
        same = f"{reader.name}: the labels are in columns of 0 and 1 that are called as the model's are"
        return replace(found, note="; ".join([same, *([found.note] if found.note else [])]))
    if reader.has_fixed_columns:
        text = text or "text"
        label = label if label is not None else "label" in sample.column_names and "label"
    elif text is None and options.expected_text is not None:
        text = options.expected_text
        if _written(text, sample.column_names) not in sample.column_names:
            lines = f" If every line is a text, say {setting('format', 'lines')}."
            raise DataError(
                f"{reader.name}: there is no column {quote(text)}, which held the texts that the model was trained "
                f"on. The columns are {quoted(nearest_first(text, sample.column_names))}. Say which of them holds "
                f"the texts with {setting('text')}.{lines * (reader.format == 'csv' and sample.num_columns == 1)}"
            )
    written = {name: _written(name, sample.column_names) for name in (text, label) if isinstance(name, str)}
    choice = choose_columns(
        sample,
        reader.name,
        None if text is None else written[text],
        written[label] if isinstance(label, str) else label,
        reader.looks_headless(),
        labels_optional=options.labels_optional,
    )
    others = ", ".join(f"{column!r} for {name!r}" for name, column in written.items() if column != name)
    said = [f"{reader.name}: took the column {others}"] if others else []
    note = "; ".join([*said, *([choice.note] if choice.note else [])]) or None
    form = ONE_LABEL if choice.label is None else _form(reader, sample, choice.label, options)
    return replace(choice, note=note, form=form)


def _are_label_columns(sample: pa.Table, options: ReadOptions) -> bool:
    """Whether a table for a model of label sets has a column of 0 and 1 for each of its labels."""
    if options.task != "label-sets" or options.label is not None or not options.known_labels:
        return False
    named = [sample.column_names.count(label) == 1 for label in options.known_labels]
    return all(named) and all(are_flags(sample.column(label)) for label in options.known_labels)


def _with_label_columns(reader: FileReader, sample: pa.Table, options: ReadOptions) -> ColumnChoice:
    """The column with the texts, of those that are no label."""
    names = distinct_names(sample.column_names)
    columns = _named_columns(reader.name, names, options.label_columns)
    others = [place for place, name in enumerate(names) if name not in columns]
    choice = choose(reader, sample.select(others), replace(options, label=False, label_columns=()))
    return replace(choice, form=LabelForm(columns=columns))


def _named_columns(where: str, names: Sequence[str], asked: Sequence[str]) -> tuple[str, ...]:
    """The columns that are asked for by their names, or by patterns such as ``topic_*``, in the order of the file."""
    found: set[str] = set()
    for name in asked:
        written = _written(name, names)
        matching = [written] if written in names else [column for column in names if fnmatchcase(column, name)]
        if not matching:
            raise DataError(
                f"{where}: there is no column {quote(name)} for {setting('label_columns')}. The columns are "
                f"{quoted(nearest_first(name, names), 12)}."
            )
        found.update(matching)
    return tuple(name for name in names if name in found)


def _form(reader: FileReader, sample: pa.Table, label: str, options: ReadOptions) -> LabelForm:
    """How the labels stand in their column: as it was said, as its values show, or as a strong guess has it."""
    values = sample.column(distinct_names(sample.column_names).index(label))
    if is_list(values.type) or label in reader.lists:
        _refuse_lists_of_others(reader.name, label, values.type)
        if options.labels_separator is None:
            return LabelForm(lists=True, note=reader.why_lists())
        said = setting("labels_separator", options.labels_separator)
        kept = f"{reader.name}: column {quote(label)} holds lists of labels, which stand as they are"
        return LabelForm(lists=True, note=f"{kept}: {said} changes nothing there")
    if options.labels_separator:
        return LabelForm(options.labels_separator)
    return guessed_form(dict(Counter(_cells(values))), reader, options)


def guessed_form(cells: Mapping[str, int], reader: FileReader, options: ReadOptions) -> LabelForm:
    """How labels stand in a column whose cells, with how often each stands there, are these; nobody said it.

    Labels that are given in memory beside their texts stand as they are.
    """
    if options.labels_separator is False or options.task == "labels":
        return ONE_LABEL
    if options.task == "label-sets" and (separator := separator_of_known(cells, options.known_labels)) is not None:
        return LabelForm(separator)
    if reader.format == "fasttext":
        several = next((cell for cell in cells if " " in cell), None)
        if several is not None:
            said = f"{reader.name}: lines have several labels, such as {excerpt(several)}; a text has a set of them"
            return LabelForm(" ", note=said)
    elif not reader.has_fixed_columns:
        guess = guess_separator(cells)
        if guess is not None and guess.strong:
            return LabelForm(guess.separator, note=guess.note(reader.name))
    return LabelForm(one_a_cell=True) if options.task == "label-sets" else ONE_LABEL


def _cells(values: pa.ChunkedArray) -> list[str]:
    """Labels of the sample; invalid text does not matter here."""
    if not is_textual(values.type):
        return []
    plain = values if not pa.types.is_dictionary(values.type) else cast(values, pa.large_string())
    return [(value or b"").decode("utf-8", "replace") for value in cast(plain, pa.large_binary()).to_pylist()]


def _refuse_lists_of_others(where: str, label: str, kind: pa.DataType) -> None:
    """Complain about lists whose values are no labels."""
    if not is_list(kind):
        return
    inner = kind.value_type
    types = pa.types
    if not (is_textual(inner) or types.is_integer(inner) or types.is_boolean(inner) or types.is_null(inner)):
        raise DataError(
            f"{where}: column {quote(label)} holds lists of {inner}, which are no labels. Labels are strings or whole "
            "numbers; write each text's labels as one plain list."
        )


def _written(name: str, columns: Sequence[str]) -> str:
    """How a column of that name is written in the file; the name itself where that is not clear.

    Examples
    --------
    >>> _written("text", ["ID", "Text "]), _written("text", ["Text", "TEXT"]), _written("text", ["Text", "text"])
    ('Text ', 'text', 'text')
    """
    plain = plain_name(name)
    alike = [column for column in columns if plain and plain_name(column) == plain]
    return alike[0] if name not in columns and len(alike) == 1 else name
