"""One safetensors file: named arrays and a header of plain values. Nothing in it can run."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from assay.atomic_file import write_atomically
from assay.errors import ModelFileError, NotPermittedError
from assay.file_access import is_there, require_name

__all__ = ["TensorFile", "format_of", "read_tensor_file", "write_tensor_file"]

_KEY = "assay"
_DAMAGES = (OSError, ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError)
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


def read_tensor_file(path: str | os.PathLike[str], kind: str, version: int, what: str) -> TensorFile:
    """Read a file of this format and at most this version.

    Parameters
    ----------
    path
        Where it is.
    kind, version
        Format, and newest version of it, that the caller understands.
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
    if header.get("format") != kind:
        raise ModelFileError(f"{name}: this is no {what} of assay. A {what} is what `save` writes.")
    found = header.get("version")
    if not isinstance(found, int) or isinstance(found, bool) or found < 1:
        raise ModelFileError(f"{name}: the file is damaged (its version is {found!r}).")
    if found > version:
        raise ModelFileError(
            f"{name}: written in version {found} of the format; this assay reads version {version}. "
            f"Install a newer assay."
        )
    return TensorFile(name, header, arrays)


def format_of(path: str | os.PathLike[str]) -> str | None:
    """The "format" of a file, without a look at its arrays; None where it is no such file."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(os.fspath(path), framework="numpy") as file:
            found = _header_of(file.metadata() or {}).get("format")
    except (SafetensorError, *_DAMAGES):
        return None
    return found if isinstance(found, str) else None


def _require_permission(name: str) -> None:
    """Open a file to see whether one may: safetensors would say that it is not there."""
    try:
        open(name, "rb").close()  # noqa: PTH123
    except PermissionError:
        raise NotPermittedError.of(name) from None


def _read_arrays(name: str, keys: list[str]) -> dict[str, NDArray[Any]]:
    """The arrays of a file whose header safetensors has found to be sound.

    Each is read straight into its own memory, in half the time that safetensors takes to copy it out of a mapping.
    """
    with open(name, "rb", buffering=0) as file:  # noqa: PTH123 (pathlib is slow to import)
        length = int.from_bytes(file.read(8), "little")
        described = json.loads(file.read(length))
        arrays = {}
        for key in keys:
            parts = described[key]
            if parts["dtype"] not in _TYPES:
                raise ValueError(f"the array '{key}' is of type {parts['dtype']}")
            kind, (begin, end) = np.dtype(_TYPES[parts["dtype"]]), parts["data_offsets"]
            file.seek(8 + length + begin)
            found = np.empty(end - begin, np.uint8)
            _fill(found, file)
            arrays[key] = found.view(kind).reshape(parts["shape"])
    return arrays


def _fill(found: NDArray[np.uint8], file: IO[bytes]) -> None:
    done = 0
    while done < len(found):
        more = file.readinto(found[done:])  # type: ignore[attr-defined]
        if not more:
            raise ValueError("it ended while it was read")
        done += more


def _header_of(metadata: Mapping[str, str]) -> dict[str, Any]:
    """The header, in which numbers are numbers: whatever shows one may count on that."""
    header = json.loads(metadata.get(_KEY, "{}"), parse_float=_number, parse_constant=_number)
    return header if isinstance(header, dict) else {}


def _number(written: str) -> float:
    number = float(written)
    if not isfinite(number):
        raise ValueError(f"it holds {written[:20]}, which is no number")
    return number
