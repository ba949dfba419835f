"""The columns of one file: as they were asked for, as the format has them, or guessed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pyarrow as pa

from assay.data.columns.choosing import ColumnChoice, choose_columns
from assay.data.columns.column_names import plain_name
from assay.data.formats.pieces import FileReader
from assay.data.options import ReadOptions
from assay.errors import DataError
from assay.suggest import nearest_first, quote, quoted
from assay.wording import setting

__all__ = ["choose"]


def choose(reader: FileReader, sample: pa.Table, options: ReadOptions) -> ColumnChoice:
    """Find the columns that hold the texts and the labels, from the first rows of a file.

    A name that was asked for, or that a model expects, also means the only column that is written so but for case,
    accents, blanks and punctuation; that is said.
    """
    text, label = options.text, options.label
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
    return replace(choice, note="; ".join([*said, *([choice.note] if choice.note else [])]) or None)


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
