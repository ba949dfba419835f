"""Label names that Hugging Face's datasets keep beside integer labels, in the metadata of the schema."""

from __future__ import annotations

import json

import pyarrow as pa

from assay.data.arrays import string_array
from assay.data.columns.label_form import is_list

__all__ = ["named_labels", "stored_names"]


def stored_names(schema: pa.Schema) -> dict[str, list[str]]:
    """Return the names of the classes for each column of type ClassLabel; nothing where there is no such metadata."""
    try:
        features = json.loads((schema.metadata or {})[b"huggingface"])["info"]["features"]
        return {
            column: [str(name) for name in of_class["names"]]
            for column, feature in features.items()
            if isinstance(feature, dict)
            and isinstance(of_class := feature.get("feature", feature), dict)  # that of a list's values
            and of_class.get("_type") == "ClassLabel"
            and of_class.get("names")
        }
    except (KeyError, TypeError, ValueError, AttributeError):
        return {}


def named_labels(batch: pa.RecordBatch, names: dict[str, list[str]]) -> pa.RecordBatch:
    """Put names in the place of numbers, also in lists; -1 stands for a label that is not known.

    Examples
    --------
    >>> batch = pa.record_batch({"label": [1, 0, -1]})
    >>> named_labels(batch, {"label": ["neg", "pos"]}).column("label").to_pylist()
    ['pos', 'neg', None]
    """
    for column, of_class in names.items():
        index = batch.schema.get_field_index(column)
        if index >= 0 and pa.types.is_integer(batch.schema.field(index).type):
            batch = batch.set_column(index, column, string_array(_named(batch.column(index).to_pylist(), of_class)))
        elif index >= 0 and is_list(kind := batch.schema.field(index).type) and pa.types.is_integer(kind.value_type):
            lists = batch.column(index).to_pylist()
            named = [None if numbers is None else _named(numbers, of_class) for numbers in lists]
            batch = batch.set_column(index, column, pa.array(named, pa.large_list(pa.large_string())))
    return batch


def _named(numbers: list[int | None], names: list[str]) -> list[str | None]:
    return [names[n] if n is not None and 0 <= n < len(names) else None for n in numbers]
