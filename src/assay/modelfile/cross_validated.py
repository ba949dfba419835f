"""What a model file says of the cross-validation of its training: the figure, and what the texts were like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from math import isfinite
from typing import Any, TypeGuard

__all__ = ["CROSS_VALIDATION", "CrossValidated"]

#: Where it stands in the provenance.
CROSS_VALIDATION = "cross_validation"


@dataclass(frozen=True)
class CrossValidated:
    """The figure by which a model was chosen; every training text was answered by a model that had not seen it.

    Attributes
    ----------
    metric, value, low, high
        The figure, without what choosing by it is likely to have added where that is known, and its interval; None
        where there is no such number.
    texts, right
        Training texts, and how many of them got their label.
    median_words
        Words of a training text of middle length.
    more
        Of labels of which less than half was found, how many examples are likely to be needed: plain values.

    Examples
    --------
    >>> told = {"cross_validation": {"metric": "accuracy", "value": 0.8, "texts": 150, "right": 120, "median_words": 9}}
    >>> CrossValidated.told_in(told).right
    120
    >>> CrossValidated.told_in({"cross_validation": {"metric": "accuracy", "value": "high"}}) is None
    True
    """

    metric: str
    value: float | None
    low: float | None = None
    high: float | None = None
    texts: int = 0
    right: int = 0
    median_words: float = 0.0
    more: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def figure(self) -> str | None:
        """``accuracy 0.800 [0.760, 0.840]``; None where there is no such number."""
        if self.value is None:
            return None
        interval = "" if self.low is None or self.high is None else f" [{self.low:.3f}, {self.high:.3f}]"
        return f"{self.metric} {self.value:.3f}{interval}"

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return asdict(self)

    @classmethod
    def told_in(cls, provenance: Mapping[str, Any]) -> CrossValidated | None:
        """What a provenance of unknown origin says; None where it says nothing, or not in this form."""
        told = provenance.get(CROSS_VALIDATION)
        if not isinstance(told, Mapping) or not isinstance(told.get("metric"), str):
            return None
        numbers = [told.get(name) for name in ("value", "low", "high")]
        texts, right = told.get("texts"), told.get("right")
        length, more = told.get("median_words"), told.get("more", {})
        if not (isinstance(texts, int) and isinstance(right, int) and 0 <= right <= texts and type(texts) is int):
            return None
        if not all(number is None or _is_number(number) for number in numbers) or not _is_number(length):
            return None
        if not isinstance(more, Mapping) or not all(isinstance(part, Mapping) for part in more.values()):
            return None
        value, low, high = numbers
        return cls(told["metric"], value, low, high, texts, right, float(length), more)


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
