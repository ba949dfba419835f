"""The columns of one file: as they were asked for, as the format has them, or guessed."""

from __future__ import annotations

import pyarrow as pa

from assay.data.columns import Choice, choose_columns
from assay.data.options import ReadOptions
from assay.data.pieces import Reader
from assay.data.suggest import nearest_first, quoted
from assay.errors import DataError
from assay.wording import setting

__all__ = ["choose"]


def choose(reader: Reader, sample: pa.Table, options: ReadOptions) -> Choice:
    """Find the columns that hold the texts and the labels, from the first rows of a file."""
    text, label = options.text, options.label
    if reader.has_fixed_columns:
        text = text or "text"
        label = label if label is not None else "label" in sample.column_names and "label"
    elif text is None and options.expected_text is not None:
        text = options.expected_text
        if text not in sample.column_names:
            lines = f" If every line is a text, say {setting('format', 'lines')}."
            raise DataError(
                f"{reader.name}: there is no column {text!r}, which held the texts that the model was trained on. The "
                f"columns are {quoted(nearest_first(text, sample.column_names))}. Say which of them holds the texts "
                f"with {setting('text')}.{lines * (reader.format == 'csv' and sample.num_columns == 1)}"
            )
    return choose_columns(
        sample, reader.name, text, label, reader.looks_headless(), labels_optional=options.labels_optional
    )
