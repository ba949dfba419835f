"""`FunctionFeatures`: Python functions as features, in scikit-learn's manners."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from assay.errors import ParameterError
from assay.features.designed.designed_vectorizer import DesignedFeatures
from assay.features.designed.functions import FunctionBlock, TextFunction, registered_feature

__all__ = ["FunctionFeatures"]


class FunctionFeatures(DesignedFeatures):
    """One column for each function of a text that gives a number.

    Models with functions are saved only if these were registered, see `register_feature`.

    Parameters
    ----------
    functions
        Functions by name, or a list of names under which functions were registered.

    Attributes
    ----------
    block_
        The features as plain data.

    Examples
    --------
    >>> features = FunctionFeatures({"characters": len})
    >>> features.fit_transform(["good", "so dull"])
    array([[4.],
           [7.]])
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {"functions": [Mapping, list, tuple]}

    def __init__(self, functions: Mapping[str, TextFunction] | Sequence[str] = ()) -> None:
        self.functions = functions

    def _new_block(self, texts: list[str]) -> FunctionBlock:
        if not self.functions:
            raise ParameterError("The 'functions' parameter of FunctionFeatures must hold at least one. Got none.")
        if not isinstance(self.functions, Mapping):
            return FunctionBlock({name: registered_feature(name) for name in self.functions})
        for name, function in self.functions.items():
            if not isinstance(name, str) or not callable(function):
                raise ParameterError(
                    f"The 'functions' parameter of FunctionFeatures must be functions by name. Got {name!r}: "
                    f"{function!r} instead."
                )
        return FunctionBlock(dict(self.functions))
