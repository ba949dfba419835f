"""One safetensors file: named arrays and a header of plain values. Nothing in it can run.

Arrays of numbers with a point are mapped: they are read as they are used, and processes that have the same file open
share the memory. What is counted or pointed with is copied: whoever writes into the file under a running model can
spoil its answers, but not its memory.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from math import isfinite
from mmap import ACCESS_COPY, mmap
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.atomic_file import write_atomically
from assay.errors import AssayError, MissingExtraError, ModelFileError, NotPermittedError
from assay.file_access import is_there, require_name

__all__ = ["TensorFile", "damage_said", "read_tensor_file", "write_tensor_file"]

_KEY = "assay"
_DAMAGES = (OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, MemoryError, RuntimeError)
_TYPES = {"BOOL": "?", **{f"{kind.upper()}{8 * size}": f"<{kind}{size}" for kind in "iuf" for size in (1, 2, 4, 8)}}
del _TYPES["F8"]  # numpy has none


@dataclass(frozen=True)
class TensorFile:
    """What stood in a file."""

    name: str
    header: dict[str, Any]
    arrays: dict[str, NDArray[Any]]


def write_tensor_file(
    path: str | os.PathLike[str], header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> None:
    """Write a header, which has a "format" and a "version", and arrays; the same ones give the same bytes."""
    from safetensors.numpy import save

    # One entry: safetensors writes several in an order that changes from run to run.
    metadata = {_KEY: json.dumps(header, sort_keys=True, ensure_ascii=True, allow_nan=False)}
    plain = {name: np.ascontiguousarray(arrays[name]) for name in sorted(arrays)}
    write_atomically(path, save(plain, metadata=metadata))


def read_tensor_file(path: str | os.PathLike[str], formats: Mapping[str, int], what: str) -> TensorFile:
    """Read a file of one of these formats.

    Parameters
    ----------
    path
        Where it is.
    formats
        Each format that the caller understands, and the newest version of it.
    what
        Noun for messages, such as "model".
    """
    from safetensors import SafetensorError, safe_open

    require_name(path)
    name = os.fspath(path)
    if not is_there(name):
        raise ModelFileError(f"{name}: no such file.")
    try:
        _require_permission(name)
        with safe_open(name, framework="numpy") as file:
            header = _header_of(file.metadata() or {})
            arrays = _read_arrays(name, list(file.keys()))
    except NotPermittedError:
        raise
    except (SafetensorError, *_DAMAGES) as error:
        # What the library says of a header is for those who write such files: a CSV has one that is "too large".
        why = "it does not begin as such a file does" if "header" in str(error) else str(error)
        raise ModelFileError(f"{name}: this is no {what}, or the file is damaged ({why}).") from None
    kind = header.get("format")
    if not isinstance(kind, str) or kind not in formats:
        raise ModelFileError(f"{name}: this is no {what} of assay. A {what} is what `save` writes.")
    found = header.get("version")
    if not isinstance(found, int) or isinstance(found, bool) or found < 1:
        raise ModelFileError(f"{name}: the file is damaged (its version is {found!r}).")
    if found > formats[kind]:
        raise ModelFileError(
            f"{name}: written in version {found} of the format; this assay reads version {formats[kind]}. "
            f"Install a newer assay."
        )
    return TensorFile(name, header, arrays)


@contextmanager
def damage_said(name: str) -> Iterator[None]:
    """Say of the file `name` what is found to be wrong while its content is looked at."""
    try:
        yield
    except (ModelFileError, MissingExtraError) as error:  # the file is sound, and something else is missing
        raise type(error)(f"{name}: {error}") from None
    except (AssayError, *_DAMAGES) as error:
        raise ModelFileError(f"{name}: the file is damaged ({error}).") from None


def _require_permission(name: str) -> None:
    """Open a file to see whether one may: safetensors would say that it is not there."""
    try:
        open(name, "rb").close()  # noqa: PTH123
    except PermissionError:
        raise NotPermittedError.of(name) from None


def _read_arrays(name: str, keys: list[str]) -> dict[str, NDArray[Any]]:
    """The arrays of a file whose header safetensors has found to be sound."""
    with open(name, "rb") as file:  # noqa: PTH123 (pathlib is slow to import)
        # Copy on write: the file never changes, and nothing is copied as long as nobody writes.
        content = np.frombuffer(mmap(file.fileno(), 0, access=ACCESS_COPY), np.uint8)
    first = 8 + int.from_bytes(content[:8].tobytes(), "little")
    described = json.loads(content[8:first].tobytes())
    arrays = {}
    for key in keys:
        parts = described[key]
        if parts["dtype"] not in _TYPES:
            raise ValueError(f"the array '{key}' is of type {parts['dtype']}")
        kind, (begin, end) = np.dtype(_TYPES[parts["dtype"]]), parts["data_offsets"]
        found = content[first + begin : first + end]
        if len(found) != end - begin:
            raise ValueError("it ended while it was read")
        aligned = found.ctypes.data % kind.itemsize == 0  # as safetensors writes them, but another writer need not
        arrays[key] = (found if kind.kind == "f" and aligned else found.copy()).view(kind).reshape(parts["shape"])
    return arrays


def _header_of(metadata: Mapping[str, str]) -> dict[str, Any]:
    """The header, in which numbers are numbers: whatever shows one may count on that."""
    header = json.loads(metadata.get(_KEY, "{}"), parse_float=_number, parse_constant=_number)
    return header if isinstance(header, dict) else {}


def _number(written: str) -> float:
    number = float(written)
    if not isfinite(number):
        raise ValueError(f"it holds {written[:20]}, which is no number")
    return number
