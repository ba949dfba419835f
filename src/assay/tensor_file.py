"""One safetensors file: named arrays and a header of plain values. Nothing in it can run."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.atomic_file import write_atomically
from assay.errors import ModelFileError

__all__ = ["TensorFile", "format_of", "read_tensor_file", "write_tensor_file"]

_KEY = "assay"


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

    name = os.fspath(path)
    try:
        with safe_open(name, framework="numpy") as file:
            metadata = file.metadata() or {}
            arrays = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118 (it is no dict)
    except FileNotFoundError:
        raise ModelFileError(f"{name}: no such file.") from None
    except (SafetensorError, OSError, ValueError, TypeError, AttributeError, MemoryError, OverflowError) as error:
        raise ModelFileError(f"{name}: this is no {what}, or the file is damaged ({error}).") from None
    header = _header_of(metadata)
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
    except (SafetensorError, OSError, ValueError, TypeError, AttributeError, MemoryError, OverflowError):
        return None
    return found if isinstance(found, str) else None


def _header_of(metadata: Mapping[str, str]) -> dict[str, Any]:
    try:
        header = json.loads(metadata[_KEY])
    except (KeyError, ValueError, RecursionError):
        return {}
    return header if isinstance(header, dict) else {}
