"""Python functions as features, known by the names under which they were registered.

A model file holds no code. A function that was registered is kept by its name, and whoever loads the model registers
the same function first, by importing the module that does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite
from numbers import Real
from typing import Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from assay.errors import DataError, ModelFileError, ParameterError
from assay.features.columns.blocks import Arrays
from assay.features.designed.table_block import TableBlock
from assay.suggest import excerpt, nearest_first, quoted

__all__ = ["FunctionBlock", "TextFunction", "register_feature", "registered_feature"]

TextFunction = Callable[[str], float]
Registered = TypeVar("Registered", bound=TextFunction)

_REGISTERED: dict[str, TextFunction] = {}


def register_feature(name: str) -> Callable[[Registered], Registered]:
    """Register a function of a text under a name, so that models that use it can be saved.

    Examples
    --------
    >>> @register_feature("share of capitals")
    ... def share_of_capitals(text):
    ...     return sum(map(str.isupper, text)) / max(len(text), 1)
    >>> registered_feature("share of capitals")("ABcd")
    0.5
    """
    if not isinstance(name, str) or not name:
        raise ParameterError(
            f"A feature is registered under a name, such as 'share of capitals'. Got {name!r} instead."
        )

    def register(function: Registered) -> Registered:
        known = _REGISTERED.get(name)
        if known is not None and _home(known) != _home(function):
            raise ParameterError(
                f"A feature {name!r} is registered already, the function {_home(known)}. Choose another name."
            )
        _REGISTERED[name] = function
        return function

    return register


def registered_feature(name: str) -> TextFunction:
    """The function that was registered under a name."""
    if name not in _REGISTERED:
        known = f"Registered are {quoted(nearest_first(name, _REGISTERED))}." if _REGISTERED else "None is."
        raise ParameterError(
            f"There is no feature function {name!r}. {known} Import the module that registers it with "
            f"assay.features.register_feature({name!r})."
        )
    return _REGISTERED[name]


def _home(function: TextFunction) -> str:
    return f"{getattr(function, '__module__', '?')}.{getattr(function, '__qualname__', repr(function))}"


@dataclass(frozen=True, eq=False)
class FunctionBlock(TableBlock):
    """One column a function.

    Attributes
    ----------
    functions
        By the names of the columns.
    """

    functions: Mapping[str, TextFunction]

    kind: ClassVar[str] = "functions"

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return len(self.functions)

    def names(self) -> list[str]:
        """Name of each column."""
        return list(self.functions)

    def table(self, documents: Any, *, n_threads: int = 1) -> npt.NDArray[np.float64]:
        """The values of documents, (n, n_columns)."""
        rows = [[_number(name, f, text) for name, f in self.functions.items()] for text in documents.strings()]
        return np.array(rows, dtype=np.float64).reshape(len(rows), self.n_columns)

    def to_data(self) -> tuple[dict[str, Any], Arrays]:
        """The names of the functions; functions that were not registered are refused."""
        for name, function in self.functions.items():
            if _REGISTERED.get(name) is not function:
                raise ParameterError(
                    f"The feature {name!r} is the Python function {_home(function)}, and a model file holds no code. "
                    f"Register it, with @assay.features.register_feature({name!r}) above its definition in a module "
                    "that whoever loads the model imports first, or leave the feature out."
                )
        return {"functions": list(self.functions)}, {}

    @classmethod
    def from_data(cls, description: Mapping[str, Any], arrays: Arrays) -> FunctionBlock:  # noqa: ARG003
        """The inverse of `to_data`."""
        names = description["functions"]
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise ValueError(f"'functions' is {names!r}")
        missing = [name for name in names if name not in _REGISTERED]
        if missing:
            raise ModelFileError(
                f"this model uses the feature functions {quoted(missing)}, which are not registered here. Import the "
                f"module that registers them with assay.features.register_feature({missing[0]!r}), then load the "
                "model again."
            )
        return cls({name: _REGISTERED[name] for name in names})


def _number(name: str, function: TextFunction, text: str) -> float:
    value = function(text)
    if not isinstance(value, Real | np.bool_) or not isfinite(value):
        raise DataError(
            f"The feature function {name!r} gave {value!r} for the text {excerpt(text)}. It must give a finite number, "
            "or True or False, for every text."
        )
    return float(value)
