"""Between numpy, Python and Arrow, through their buffers.

`pyarrow.array`, `pyarrow.scalar` and `to_numpy` would do; but they import pandas wherever it is installed, which takes
longer than most files take to read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from assay.data.arrow_functions import cast
from assay.errors import DataError

__all__ = [
    "binary_array",
    "boolean_array",
    "check_arrow",
    "filled",
    "float_array",
    "integer_array",
    "joined_integers",
    "joined_mask",
    "only_where",
    "string_array",
    "text_bytes",
    "utf8_or_bytes",
]


def integer_array(values: npt.NDArray[np.integer[Any]]) -> pa.Array:
    """Wrap integers, without copying them."""
    kind = pa.from_numpy_dtype(values.dtype)
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(np.ascontiguousarray(values))])


def float_array(values: npt.NDArray[np.floating[Any]]) -> pa.Array:
    """Wrap floating-point numbers, without copying them."""
    kind = pa.from_numpy_dtype(values.dtype)
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(np.ascontiguousarray(values))])


def boolean_array(mask: npt.NDArray[np.bool_]) -> pa.Array:
    """Pack a mask into bits."""
    return pa.Array.from_buffers(pa.bool_(), len(mask), [None, _bits(mask)])


def binary_array(values: Sequence[bytes | None], kind: pa.DataType | None = None) -> pa.Array:
    """Make a large_binary array (or another type with 64-bit offsets) of byte strings."""
    offsets = np.zeros(len(values) + 1, np.int64)
    np.cumsum(np.fromiter((len(value or b"") for value in values), np.int64, len(values)), out=offsets[1:])
    valid = np.fromiter((value is not None for value in values), bool, len(values))
    data = b"".join([value or b"" for value in values])
    buffers = [None if valid.all() else _bits(valid), pa.py_buffer(offsets), pa.py_buffer(data)]
    return pa.Array.from_buffers(kind or pa.large_binary(), len(values), buffers)


def string_array(values: Sequence[str | None]) -> pa.Array:
    """Make a large_string array; a lone surrogate is a `UnicodeEncodeError`.

    Examples
    --------
    >>> string_array(["né", None, ""]).to_pylist()
    ['né', None, '']
    """
    encoded = [None if value is None else value.encode() for value in values]
    return binary_array(encoded, pa.large_string())


def utf8_or_bytes(array: pa.Array) -> pa.Array:
    """Take an array of bytes for strings where all of them are UTF-8."""
    try:
        return cast(array, pa.large_string())
    except pa.ArrowInvalid:
        return array


def filled(values: pa.Array, text: str) -> pa.Array:
    """Put a text in the place of nulls in a large_string array.

    Examples
    --------
    >>> filled(string_array(["a", None]), "none").to_pylist()
    ['a', 'none']
    """
    return values.fill_null(string_array([text])[0]) if values.null_count else values


def only_where(mask: pa.Array, values: pa.Array) -> pa.Array:
    """Keep the values where a mask of booleans, which may be null, is true; the others are null.

    Examples
    --------
    >>> only_where(boolean_array(np.array([True, False])), integer_array(np.array([7, 8]))).to_pylist()
    [7, None]
    """
    import pyarrow.compute as pc

    return pc.if_else(mask, values, pa.nulls(1, values.type)[0])


def joined_integers(array: pa.Array | pa.ChunkedArray) -> npt.NDArray[Any]:
    """Return the integers, which must not be null, as one numpy array."""
    dtype = np.dtype(str(array.type))  # to_pandas_dtype would import pandas in older versions of pyarrow
    parts = [
        np.frombuffer(chunk.buffers()[1], dtype, len(chunk), chunk.offset * dtype.itemsize)
        for chunk in _chunks(array)
        if len(chunk)
    ]
    return parts[0] if len(parts) == 1 else np.concatenate([np.empty(0, dtype), *parts])


def joined_mask(array: pa.Array | pa.ChunkedArray) -> npt.NDArray[np.bool_]:
    """Return booleans, which must not be null, as one numpy array.

    Examples
    --------
    >>> joined_mask(boolean_array(np.array([True, False, True])).slice(1))
    array([False,  True])
    """
    parts = [np.empty(0, bool)]
    for chunk in _chunks(array):
        if len(chunk):
            bits = np.frombuffer(chunk.buffers()[1], np.uint8)
            end = chunk.offset + len(chunk)
            parts.append(np.unpackbits(bits, count=end, bitorder="little")[chunk.offset :].astype(bool))
    return np.concatenate(parts)


def text_bytes(chunk: pa.Array) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8]]:
    """Return the offsets (n + 1, from 0) and the bytes of a large_string or large_binary array, in place."""
    if not len(chunk):  # its offsets may be missing
        return np.zeros(1, np.int64), np.empty(0, np.uint8)
    _, offset_buffer, data = chunk.buffers()
    offsets = np.frombuffer(offset_buffer, np.int64, len(chunk) + 1, chunk.offset * 8)
    if data is None or offsets[-1] == offsets[0]:
        return offsets - offsets[0], np.empty(0, np.uint8)
    return offsets - offsets[0], np.frombuffer(data, np.uint8, int(offsets[-1] - offsets[0]), int(offsets[0]))


def _bits(mask: npt.NDArray[np.bool_]) -> pa.Buffer:
    return pa.py_buffer(np.packbits(mask, bitorder="little"))


def _chunks(array: pa.Array | pa.ChunkedArray) -> list[pa.Array]:
    return array.chunks if isinstance(array, pa.ChunkedArray) else [array]


def check_arrow(values: pa.Array | pa.ChunkedArray | pa.Table, name: str) -> None:
    """Complain about an array whose buffers are too short, or whose offsets or indices point outside of them.

    Reading it would end the process. Arrow's own ``validate(full=True)`` also looks at every byte of the texts; here
    only the offsets are read.

    Examples
    --------
    >>> damaged = pa.StringArray.from_buffers(2, pa.py_buffer(np.array([0, 5, 3], np.int32)), pa.py_buffer(b"abcde"))
    >>> check_arrow(damaged, "reviews")
    Traceback (most recent call last):
    assay.errors.DataError: reviews, row 2: the Arrow array is damaged: its text would go from byte 5 to 3 of 5. Make
    the array anew from where it came from.
    """
    if isinstance(values, pa.Table):
        for column in values.columns:
            check_arrow(column, name)
        return
    row = 0
    for chunk in values.chunks if isinstance(values, pa.ChunkedArray) else [values]:
        if pa.types.is_dictionary(chunk.type):
            check_arrow(chunk.dictionary, f"{name}, dictionary")
            _validate(chunk, name)
            _check_indices(chunk, name)
        elif chunk.type not in _WIDTHS:
            _validate(chunk.cast(pa.binary_view()) if chunk.type == pa.string_view() else chunk, name, full=True)
        elif len(chunk):
            _validate(chunk, name)
            _check_offsets(chunk, name, row)
        row += len(chunk)


_WIDTHS = {pa.string(): np.int32, pa.binary(): np.int32, pa.large_string(): np.int64, pa.large_binary(): np.int64}


def _validate(chunk: pa.Array, name: str, *, full: bool = False) -> None:
    try:
        chunk.validate(full=full)
    except pa.ArrowException as error:
        raise DataError(
            f"{name}: the Arrow array is damaged: {' '.join(str(error).split())}. Make the array anew from where it "
            "came from."
        ) from None


def _check_offsets(chunk: pa.Array, name: str, rows_before: int) -> None:
    _, buffer, data = chunk.buffers()
    size = 0 if data is None else data.size
    offsets = np.frombuffer(buffer, _WIDTHS[chunk.type])[chunk.offset : chunk.offset + len(chunk) + 1]
    if len(offsets) > len(chunk) and offsets[0] >= 0 and offsets[-1] <= size and (offsets[1:] >= offsets[:-1]).all():
        return
    wrong = (offsets[:-1] < 0) | (offsets[1:] < offsets[:-1]) | (offsets[1:] > size)
    i = int(wrong.argmax()) if wrong.any() else len(offsets) - 1
    end = f"{offsets[i + 1]} of {size}" if i + 1 < len(offsets) else "nowhere"
    raise DataError(
        f"{name}, row {rows_before + i + 1}: the Arrow array is damaged: its text would go from byte {offsets[i]} to "
        f"{end}. Make the array anew from where it came from."
    )


def _check_indices(chunk: pa.DictionaryArray, name: str) -> None:
    import pyarrow.compute as pc

    span = pc.min_max(chunk.indices).as_py()
    least, most = span["min"], span["max"]
    if least is not None and (least < 0 or most >= len(chunk.dictionary)):
        wrong = least if least < 0 else most
        raise DataError(
            f"{name}: the Arrow array is damaged: it refers to value {wrong} of a dictionary of "
            f"{len(chunk.dictionary)}. Make the array anew from where it came from."
        )
