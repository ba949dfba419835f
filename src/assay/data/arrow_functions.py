"""Functions of Arrow that ordinary files pass through, called by their names.

`pyarrow.compute`, and methods such as `cast` that import it, make a documented Python function of each of Arrow's 300
first, which takes longer than reading a small file. What is used of pyarrow although it is not public is here, to be
looked at with every new version.
"""

from __future__ import annotations

from typing import TypeAlias

import pyarrow as pa
from pyarrow._compute import CastOptions, SetLookupOptions, call_function

__all__ = [
    "binary_length",
    "cast",
    "dictionary_encode",
    "is_in",
    "is_space",
    "keep_where",
    "places_in",
    "take",
    "unique",
]

Values: TypeAlias = pa.Array | pa.ChunkedArray | pa.RecordBatch


def binary_length(values: Values) -> Values:
    """Bytes of each value.

    Examples
    --------
    >>> binary_length(pa.array(["né", ""])).to_pylist()
    [3, 0]
    """
    return call_function("binary_length", [values])


def cast(values: Values, kind: pa.DataType) -> Values:
    """Values as another type; what it cannot hold is a `pyarrow.ArrowInvalid`."""
    return values if values.type == kind else call_function("cast", [values], CastOptions.safe(kind))


def dictionary_encode(values: pa.Array) -> pa.DictionaryArray:
    """Each different value once, in the order in which they first come up, and its number in each place."""
    return call_function("dictionary_encode", [values])


def is_in(values: Values, known: pa.Array | pa.ChunkedArray) -> Values:
    """Whether each value is one of those that are known.

    Examples
    --------
    >>> is_in(pa.chunked_array([["a", "b"]]), pa.array(["b"])).to_pylist()
    [False, True]
    """
    return call_function("is_in", [values], SetLookupOptions(known))


def places_in(values: Values, known: pa.Array | pa.ChunkedArray) -> Values:
    """Of each value the place that it first has among those that are known, null where it has none.

    Examples
    --------
    >>> places_in(pa.chunked_array([["a", "b"]]), pa.array(["c", "b"])).to_pylist()
    [None, 1]
    """
    return call_function("index_in", [values], SetLookupOptions(known))


def is_space(values: Values) -> Values:
    """Whether each value is white space, of one character or more.

    Examples
    --------
    >>> is_space(pa.array(["   ", "", "a b"])).to_pylist()
    [True, False, False]
    """
    return call_function("utf8_is_space", [values])


def is_valid(values: Values) -> Values:
    """Whether each value is there, and not null.

    Examples
    --------
    >>> is_valid(pa.array(["a", None])).to_pylist()
    [True, False]
    """
    return call_function("is_valid", [values])


def keep_where(values: Values, mask: pa.Array) -> Values:
    """Values where a mask, which has no nulls, is true."""
    return call_function("filter", [values, mask])


def take(values: Values, indices: pa.Array) -> Values:
    """Values at some places."""
    return call_function("take", [values, indices])


def unique(values: pa.Array) -> pa.Array:
    """Each different value once, in the order in which they first come up."""
    return call_function("unique", [values])
