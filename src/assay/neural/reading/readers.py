"""Readers as data: how texts become what a network is shown, to be kept in a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, Self

from numpy.typing import NDArray

from assay.neural.reading.batches import NetworkExamples
from assay.registry import Registry

__all__ = ["READER_KINDS", "Arrays", "InputReader", "describe_reader"]

Arrays = dict[str, NDArray[Any]]


class InputReader(Protocol):
    """How texts become what a network is shown."""

    @property
    def kind(self) -> str:
        """What files call such a reader."""
        ...

    def read(self, texts: Any, threads: int) -> NetworkExamples:
        """The examples of some texts."""
        ...

    def check_fits(self, settings: Mapping[str, Any]) -> None:
        """Raise ValueError if a network with these settings cannot be shown what this reads."""

    def to_data(self) -> tuple[dict[str, Any], Arrays]:
        """Plain values and arrays that say everything about it."""
        ...

    @classmethod
    def from_data(cls, description: Mapping[str, Any], arrays: Arrays) -> Self:
        """The inverse, for data of unknown origin; takes its arrays out of `arrays`."""
        ...


READER_KINDS = Registry[InputReader]()


def describe_reader(reader: InputReader) -> tuple[dict[str, Any], Arrays]:
    """A reader as plain values and arrays."""
    description, arrays = reader.to_data()
    return {"kind": reader.kind, **description}, arrays
