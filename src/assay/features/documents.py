"""Texts in any form, handed to the native core without a copy where that is possible."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from assay import _native
from assay.errors import DataError

__all__ = ["as_arrow_texts", "as_documents", "documents_from_strings"]


def as_documents(texts: Iterable[Any], decode: Callable[[Any], str] | None = None) -> _native.Documents:
    """Native view of the texts of a list, an array, a Series, an Arrow array or a Corpus.

    `decode` turns an item that is not a `str` (bytes, a file, a file's name) into one.

    Examples
    --------
    >>> len(as_documents(["one", "two"]))
    2
    """
    arrow = as_arrow_texts(texts)
    if arrow is not None:
        return _documents_from_arrow(arrow)
    many = isinstance(texts, Iterable) and not isinstance(texts, (bytes, Mapping)) and not _is_scalar(texts)
    if not many or getattr(texts, "ndim", 1) == 0 or getattr(texts, "closed", False) is True:
        raise DataError(f"the texts are {_describe(texts)}, where many were expected. Give a list of strings.")
    items = texts if isinstance(texts, (list, tuple)) else list(texts)
    return documents_from_strings(items, decode)


def documents_from_strings(
    items: list[Any] | tuple[Any, ...], decode: Callable[[Any], str] | None = None
) -> _native.Documents:
    """Native view of Python strings."""
    documents = _native.Documents()
    try:
        documents.add_strings(items)
    except TypeError:
        strings = [item if isinstance(item, str) or decode is None else decode(item) for item in items]
        for row, (string, item) in enumerate(zip(strings, items, strict=True)):
            if not isinstance(string, str):
                raise DataError(
                    f"row {row + 1} is no text but {_describe(item)}. Every document must be a str or bytes: "
                    f"leave such rows out, or turn them into text first."
                ) from None
        documents = _native.Documents()
        documents.add_strings(strings)
    return documents


def as_arrow_texts(texts: Any) -> Any:
    """The texts as a pyarrow ChunkedArray if they come from Arrow, pandas or polars or are a Corpus; else None."""
    if not isinstance(texts, (list, tuple)) and hasattr(texts, "texts") and hasattr(texts, "label_names"):
        texts = texts.texts
    if isinstance(texts, (list, tuple, np.ndarray)):
        return None
    if type(texts).__module__.startswith("pyarrow") and hasattr(texts, "type"):
        array = None if _is_scalar(texts) else texts
    elif (hasattr(texts, "__arrow_c_stream__") or hasattr(texts, "__arrow_c_array__")) and getattr(
        texts, "ndim", 1
    ) == 1:
        array = _import_arrow(texts)
    else:
        return None
    return _checked_strings(array)


def _import_arrow(texts: Any) -> Any:
    import pyarrow as pa

    try:
        return pa.chunked_array(texts) if hasattr(texts, "__arrow_c_stream__") else pa.array(texts)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, TypeError):
        return None  # mixed objects: taken item by item


def _checked_strings(array: Any) -> Any:
    import pyarrow as pa

    from assay.data.arrays import check_arrow
    from assay.data.arrow_functions import cast

    if array is None:
        return None
    if not isinstance(array, pa.ChunkedArray):
        array = pa.chunked_array([array])
    check_arrow(array, "texts")  # first: whatever else is done with a damaged array may end the process
    kind = array.type
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
        array = cast(array, kind)
    if array.null_count:
        import pyarrow.compute as pc

        row = pc.index(pc.is_null(array), True).as_py()
        raise DataError(
            f"row {row + 1} is missing (null or NaN), as are {array.null_count - 1} more. "
            f"Drop such rows (`dropna()`), or fill them with empty text."
        )
    if pa.types.is_string_view(kind):
        return cast(array, pa.large_string())
    return array if pa.types.is_string(kind) or pa.types.is_large_string(kind) else None


def _documents_from_arrow(array: Any) -> _native.Documents:
    import pyarrow as pa

    documents = _native.Documents()
    for chunk in array.chunks:
        if len(chunk) == 0:
            continue
        _, offsets, data = chunk.buffers()
        width = np.int64 if pa.types.is_large_string(chunk.type) else np.int32
        positions: npt.NDArray[Any] = np.frombuffer(offsets, dtype=width)[chunk.offset : chunk.offset + len(chunk) + 1]
        content = np.frombuffer(data, dtype=np.uint8) if data is not None else np.empty(0, dtype=np.uint8)
        documents.add_arrow(positions, content)
    return documents


def _is_scalar(texts: Any) -> bool:
    """Whether it is a single value of Arrow, which Python takes for one of many: it has a method to go through it."""
    return type(texts).__module__.startswith("pyarrow") and hasattr(texts, "as_py")


def _describe(item: Any) -> str:
    if item is None or (isinstance(item, float) and np.isnan(item)):
        return f"missing ({item!r})"
    shown = repr(item)
    return f"{type(item).__name__} {shown if len(shown) <= 40 else shown[:37] + '...'}"
