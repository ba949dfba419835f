"""What a file remembers of its training texts: arrays whose meaning belongs to the method that made them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError
from assay.header_checks import array, entry, numbers
from assay.prediction.novelty import METHOD, Novelty

__all__ = ["Attachment"]

Plain = bool | int | float | str | None

_INTEGERS = tuple(np.dtype(f"{kind}{size}") for kind in "iu" for size in (1, 2, 4, 8))
_FLOATS = (np.dtype(np.float32), np.dtype(np.float64))
_LONGEST = 100  # characters of a name


@dataclass(frozen=True, eq=False)
class Attachment:
    """Arrays, the method that made them, and its settings.

    A file carries it from one reader to the next unchanged. Whoever knows the method checks more before it is used:
    here it is only made sure that there are plain values, whole numbers and finite numbers, in vectors and tables.

    Attributes
    ----------
    method
        Name of what made it, such as ``"minhash"``.
    settings
        Plain values by name.
    arrays
        Vectors and tables by name.

    Examples
    --------
    >>> sketch = Attachment("minhash", {"seed": 1}, {"signatures": np.zeros((4, 2), np.uint32)})
    >>> content, arrays = sketch.to_data()
    >>> Attachment.from_data(content, arrays).settings
    {'seed': 1}
    """

    method: str
    settings: Mapping[str, Plain] = field(default_factory=dict)
    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)

    def to_data(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Plain values, and the arrays."""
        return {"method": self.method, "settings": dict(self.settings)}, dict(self.arrays)

    @classmethod
    def of_novelty(cls, novelty: Novelty) -> Attachment:
        """What a model knows of texts from elsewhere."""
        return cls(METHOD, *novelty.to_data())

    def novelty(self) -> Novelty:
        """The inverse; an error where another method made it, or the numbers do not fit together."""
        if self.method != METHOD:
            raise DataError(
                f"What this model knows of novelty was made by the method {self.method!r}, which this assay does not "
                "know. Install a newer assay."
            )
        return Novelty.from_data(self.settings, self.arrays)

    @classmethod
    def from_data(cls, content: Mapping[str, Any], arrays: dict[str, NDArray[Any]]) -> Attachment:
        """The inverse, for data of unknown origin; takes the arrays out of `arrays`."""
        method = entry(content, "method", str)
        if not 0 < len(method) <= _LONGEST:
            raise ValueError(f"the name of a method has {len(method)} characters")
        settings = entry(content, "settings", dict)
        for name, value in settings.items():
            if not isinstance(value, Plain):
                raise ValueError(
                    f"the setting {name[:_LONGEST]!r} is a {type(value).__name__}, which is no plain value"
                )
        return cls(method, settings, {name: _checked(arrays, name) for name in sorted(arrays)})


def _checked(arrays: dict[str, NDArray[Any]], name: str) -> NDArray[Any]:
    given = arrays[name]
    if given.ndim not in (1, 2):
        raise ValueError(f"the array '{name}' has {given.ndim} dimensions, not one or two")
    if given.dtype.kind in "iu":
        return array(arrays, name, _INTEGERS, given.shape)
    return numbers(arrays, name, _FLOATS, given.shape)
