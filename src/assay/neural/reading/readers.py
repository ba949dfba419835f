"""Readers as data: how texts become what a network is shown, to be kept in a file."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Protocol, Self

from numpy.typing import NDArray

from assay.header_checks import choice
from assay.neural.reading.batches import NetworkExamples

__all__ = ["Arrays", "InputReader", "describe_reader", "read_reader"]

Arrays = dict[str, NDArray[Any]]

#: Module and class of each kind of reader.
KINDS = {
    "words": ("reading.word_reader", "WordReader"),
    "features": ("reading.feature_rows", "FeatureReader"),
    "numbers": ("reading.number_rows", "NumberReader"),
    "tokens": ("encoders.tokens", "TokenReader"),
}


class InputReader(Protocol):
    """How texts become what a network is shown."""

    @property
    def kind(self) -> str:
        """One of `KINDS`."""
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


def describe_reader(reader: InputReader) -> tuple[dict[str, Any], Arrays]:
    """A reader as plain values and arrays."""
    description, arrays = reader.to_data()
    return {"kind": reader.kind, **description}, arrays


def read_reader(description: Mapping[str, Any], arrays: Arrays) -> InputReader:
    """The reader that `describe_reader` described; takes its arrays out of `arrays`."""
    module, name = KINDS[choice(description, "kind", list(KINDS))]
    found: InputReader = getattr(import_module(f"assay.neural.{module}"), name).from_data(description, arrays)
    return found
