"""Arguments of another type than the one that a public function says it takes, refused in our words.

Each function checks what its arguments mean. That they are of the type in its signature is looked at here, and only
when something went wrong: whoever calls it rightly pays nothing.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import inspect
import os
import re
from collections.abc import Callable, Iterable, Mapping
from numbers import Integral, Real
from typing import Any, NamedTuple, ParamSpec, TypeVar

import numpy as np

from assay.errors import AssayError, ParameterError
from assay.suggest import shortened
from assay.wording import parameter

__all__ = ["in_our_words", "require_kinds", "require_writable"]

P = ParamSpec("P")
R = TypeVar("R")

_FAULTS = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError, RecursionError)
_LARGEST = 1 << 63


def in_our_words(function: Callable[P, R]) -> Callable[P, R]:
    """Make a function that fails over an argument of another type than its own say so.

    Examples
    --------
    >>> @in_our_words
    ... def half(n: int, name: str | None = None) -> float:
    ...     return n / 2
    >>> half("four")
    Traceback (most recent call last):
        ...
    assay.errors.ParameterError: The 'n' parameter of half must be a whole number. Got 'four' instead.
    """

    @functools.wraps(function)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except AssayError:
            raise
        except _FAULTS as error:
            refusal = _refusal(function, args, kwargs)
            if refusal is None:
                raise
            raise refusal from error

    return wrapped


def require_kinds(settings: Any) -> None:
    """Complain about a field of a dataclass that is of another type than its own, as it may come out of a file.

    Examples
    --------
    >>> @dataclasses.dataclass
    ... class Size:
    ...     width: int = 1
    >>> require_kinds(Size("wide"))
    Traceback (most recent call last):
        ...
    assay.errors.ParameterError: width must be a whole number. Got 'wide' instead.
    """
    for field in dataclasses.fields(settings):
        refusal = _misfit(str(field.type), getattr(settings, field.name))
        if refusal is not None:
            raise ParameterError(f"{parameter(field.name)} {refusal}")


def require_writable(owner: object, parameters: Mapping[str, Any]) -> None:
    """Complain about values that no message could show: numbers of thousands of digits, lists inside each other."""
    for name, value in parameters.items():
        if not _can_be_written(value):
            named = parameter(name, of=type(owner).__name__)
            raise ParameterError(f"{named} cannot be {shortened(value)}.")


def _refusal(function: Callable[..., Any], args: Any, kwargs: Any) -> ParameterError | None:
    """What is wrong with the first argument that is of another type than it should be."""
    signature = inspect.signature(function)
    try:
        given = signature.bind(*args, **kwargs).arguments
    except TypeError:
        return None  # too many, or too few: Python says it
    for name, value in given.items():
        described = signature.parameters[name]
        several = described.kind in (described.VAR_POSITIONAL, described.VAR_KEYWORD)
        refusal = _misfit("Any" if several else str(described.annotation), value)
        if refusal is not None:
            return ParameterError(f"{parameter(name, of=function.__name__)} {refusal}")
    return None


def _misfit(written: str, value: object) -> str | None:
    """What a value must be that is of none of the types of an annotation; None where it is of one."""
    kinds = _kinds(written) or [_ANYTHING]
    if any(kind.holds(value) for kind in kinds):
        return None
    expected = " or ".join(dict.fromkeys(kind.name for kind in kinds))
    return f"must be {expected}. Got {shortened(value)} instead."


class _Kind(NamedTuple):
    """A type that an argument may have."""

    name: str
    holds: Callable[[Any], bool]


def _kinds(annotation: str) -> list[_Kind]:
    """The types in an annotation, as it is written; none where one of them is not looked at here."""
    kinds = [_kind(written.strip()) for written in re.split(r"\|(?![^\[]*\])", annotation)]
    return [] if None in kinds else [kind for kind in kinds if kind is not None]


def _kind(written: str) -> _Kind | None:
    if written.startswith("Literal["):
        choices = ast.literal_eval(f"({written.removeprefix('Literal[').removesuffix(']')},)")
        listed = ", ".join(map(repr, choices))
        return _Kind(listed, lambda value: any(value is choice or _same_text(value, choice) for choice in choices))
    of_dictionaries = "Sequence[Mapping]" if written.startswith("Sequence[Mapping") else ""
    return _KINDS.get(written) or _KINDS.get(of_dictionaries) or _KINDS.get(written.partition("[")[0])


def _same_text(value: object, choice: object) -> bool:
    return isinstance(value, str) and value == choice


def _is_whole(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool) and -_LARGEST <= int(value) < _LARGEST


def _is_number(value: object) -> bool:
    if isinstance(value, Integral):
        return _is_whole(value)
    return isinstance(value, Real) and value == value


def _are_all(holds: Callable[[object], bool]) -> Callable[[object], bool]:
    def hold(value: object) -> bool:
        if isinstance(value, np.ndarray) and value.ndim != 1:
            return False
        return isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping)) and all(map(holds, value))

    return hold


def _can_be_written(value: object) -> bool:
    try:
        repr(value)
    except (ValueError, RecursionError):
        return False
    return True


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_of(name: str) -> Callable[[object], bool]:
    return lambda value: any(kind.__name__ == name for kind in type(value).__mro__)


def _is_text_or_list(value: object) -> bool:
    return _is_text(value) or _is_of("TermList")(value)


_ANYTHING = _Kind("something that can be written out", _can_be_written)
_KINDS = {
    "int": _Kind("a whole number", _is_whole),
    "float": _Kind("a number", _is_number),
    "bool": _Kind("True or False", lambda value: isinstance(value, (bool, np.bool_))),
    "str": _Kind("a text", _is_text),
    "None": _Kind("None", lambda value: value is None),
    "os.PathLike": _Kind("a path", lambda value: isinstance(value, os.PathLike)),
    "tuple[int, int]": _Kind(
        "a pair of whole numbers",
        lambda value: isinstance(value, (tuple, list)) and len(value) == 2 and all(map(_is_whole, value)),
    ),
    "Sequence": _Kind("a list", _are_all(lambda _: True)),
    "Sequence[Mapping]": _Kind("a list of dictionaries", _are_all(lambda value: isinstance(value, Mapping))),
    "Sequence[str]": _Kind("a list of texts", _are_all(_is_text)),
    "Collection[str]": _Kind("a list of texts", _are_all(_is_text)),
    "Sequence[int]": _Kind("a list of whole numbers", _are_all(_is_whole)),
    "Sequence[float]": _Kind("a list of numbers", _are_all(_is_number)),
    "Floats": _Kind("a list of numbers", _are_all(_is_number)),
    "Mapping": _Kind("a dictionary", lambda value: isinstance(value, Mapping)),
    "Callable": _Kind("a function", callable),
    "Corpus": _Kind("a Corpus, which assay.read gives", _is_of("Corpus")),
    "Thresholds": _Kind("Thresholds", _is_of("Thresholds")),
    "Sequence[Probe]": _Kind("a list of Probes", _are_all(_is_of("Probe"))),
    "Sequence[str | TermList]": _Kind("a list of texts or TermLists", _are_all(_is_text_or_list)),
    "Calibration": _Kind("a Calibration", _is_of("Calibration")),
    "LinearTextModel": _Kind("the `model` of a linear TextClassifier", _is_of("LinearTextModel")),
}
