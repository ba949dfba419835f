"""Taking values out of a header that anybody may have written, each of the type and size that is expected."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "LARGEST",
    "array",
    "choice",
    "entry",
    "flag",
    "labels_of",
    "numbers",
    "said_of",
    "taken",
    "whole_number",
    "within",
]

#: No model has larger numbers, and sums of products of larger ones may overflow.
LARGEST = 1e100

Kind = TypeVar("Kind")


def entry(header: Any, name: str, kind: type[Kind]) -> Kind:
    """The value `name`, of this type."""
    if not isinstance(header, dict) or name not in header:
        raise ValueError(f"'{name}' is missing")
    value = header[name]
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise ValueError(f"'{name}' is {_shown(value)}, which is no {kind.__name__}")
    return value


def flag(header: Any, name: str) -> bool:
    """A value that is true or false."""
    return entry(header, name, bool)


def whole_number(header: Any, name: str, least: int, most: int) -> int:
    """A whole number between two."""
    value = entry(header, name, int)
    if not least <= value <= most:
        raise ValueError(f"'{name}' is {_shown(value)}, which is not between {least} and {most}")
    return value


def choice(header: Any, name: str, choices: Sequence[str | None]) -> Any:
    """One of some names."""
    value = entry(header, name, object)
    if not any(value is option or (isinstance(value, str) and value == option) for option in choices):
        raise ValueError(f"'{name}' is {_shown(value)}, which is none of {list(choices)}")
    return value


def labels_of(header: Any, fewest: int = 2) -> tuple[str, ...]:
    """Two, or as few as told, or more different labels, each of which can be written as UTF-8."""
    labels = entry(header, "labels", list)
    for i, label in enumerate(labels):
        if not isinstance(label, str):
            raise ValueError(f"label {i} is {_shown(label)}, which is no text")
        try:
            label.encode()
        except UnicodeEncodeError:
            raise ValueError(f"label {i}, {_shown(label)}, cannot be written as UTF-8") from None
    if len(labels) < fewest or len(set(labels)) != len(labels):
        wanted = {0: "all different", 1: "one or more different ones", 2: "two or more different ones"}[fewest]
        raise ValueError(f"the {len(labels)} labels are not {wanted}")
    return tuple(labels)


def array(
    arrays: dict[str, NDArray[Any]], name: str, types: Sequence[Any], shape: tuple[int, ...] | None
) -> NDArray[Any]:
    """Take an array out, of one of these types and of this shape; None: any length."""
    if name not in arrays:
        raise ValueError(f"the array '{name}' is missing")
    found = arrays.pop(name)
    if found.dtype not in types:
        names = " or ".join(np.dtype(kind).name for kind in types)
        raise ValueError(f"the array '{name}' is of type {found.dtype}, not {names}")
    if (found.ndim != 1) if shape is None else (found.shape != shape):
        expected = "(n,)" if shape is None else shape
        raise ValueError(f"the array '{name}' has shape {found.shape}, not {expected}")
    return np.ascontiguousarray(found)


def numbers(
    arrays: dict[str, NDArray[Any]], name: str, types: Sequence[Any], shape: tuple[int, ...] | None
) -> NDArray[Any]:
    """Take an array out that holds finite numbers, none of them absurdly large."""
    found = array(arrays, name, types, shape)
    if not within(found, LARGEST):
        index = int(np.argmin(np.abs(found.ravel().astype(np.float64)) <= LARGEST))
        place = ", ".join(str(int(i)) for i in np.unravel_index(index, found.shape))
        raise ValueError(
            f"the array '{name}' holds {found.ravel()[index]} at [{place}], and numbers from -{LARGEST:g} to "
            f"{LARGEST:g} are expected"
        )
    return found


def within(values: NDArray[Any], most: float = float(np.finfo(np.float64).max)) -> bool:
    """Whether all are numbers from -most to most; none is copied for it, as they may be gigabytes of a mapped file.

    Examples
    --------
    >>> within(np.array([1.0, -2.0])), within(np.array([1.0, np.nan])), within(np.array([1.0, 3.0]), 2)
    (True, False, False)
    """
    return not values.size or (float(values.min()) >= -most and float(values.max()) <= most)


def taken(prefix: str, arrays: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Take the arrays out whose names begin so, without the beginning."""
    names = [name for name in arrays if name.startswith(prefix)]
    return {name.removeprefix(prefix): arrays.pop(name) for name in names}


@contextmanager
def said_of(what: str) -> Iterator[None]:
    """Name the part of a file that something is wrong with."""
    try:
        yield
    except KeyError as error:
        raise ValueError(f"{what}: the array {error} is missing") from None
    except (TypeError, ValueError) as error:
        raise ValueError(f"{what}: {error}") from None


def refuse_rest(names: Iterable[str]) -> None:
    """Complain about arrays that are left when everything has been read."""
    left = sorted(names)
    if left:
        raise ValueError(f"there are arrays that nothing refers to: {', '.join(left[:5])}")


def _shown(value: object) -> str:
    try:
        text = repr(value)
    except ValueError:  # a number of more digits than Python writes
        return "a number of thousands of digits"
    return text if len(text) <= 60 else text[:60] + "…"
