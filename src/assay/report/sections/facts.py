"""What the first screen of a report is made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.evaluation.uncertainty.estimate import Estimate

__all__ = ["FEW_TEXTS", "Fact", "Gauge", "note_facts"]

FEW_TEXTS = 200  # below, how sure a figure is stands among the first things that are said


@dataclass(frozen=True)
class Fact:
    """Something that a reader should know: a heading, sentences, and whether it is a warning."""

    title: str
    text: str
    caution: bool = False
    pair: tuple[str, str] | None = None  # true and predicted label, to look at such mistakes


@dataclass(frozen=True)
class Gauge:
    """A number on a scale from 0 to 1."""

    name: str
    estimate: Estimate
    base: bool = False


def note_facts(notes: Sequence[str]) -> Iterator[Fact]:
    """Notes as sentences, each once."""
    told = (f"{note[:1].upper()}{note[1:].removesuffix('.')}." for note in notes)
    for note in dict.fromkeys(told):
        yield Fact("Note", note, caution=True)
