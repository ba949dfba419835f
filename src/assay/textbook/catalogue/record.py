"""What the catalogue knows of an algorithm and of a worked example."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.textbook.steps import Steps

__all__ = ["Algorithm", "Example"]


@dataclass(frozen=True)
class Example:
    """A worked example: data, and where it comes from.

    Parameters
    ----------
    name
        What it is called on the command line.
    title
        A few words on what it is.
    source
        Author and chapter.
    arguments
        What the algorithm is given.
    features
        Names of the features.
    """

    name: str
    title: str
    source: str
    arguments: Mapping[str, Any]
    features: tuple[str, ...] = ()


@dataclass(frozen=True)
class Algorithm:
    """An algorithm that can be traced.

    Parameters
    ----------
    name
        What it is called on the command line.
    title
        What it is called in a heading.
    summary
        What it does, in one line.
    source
        Author and chapter.
    steps
        The generator.
    data
        The names of the parameters that are data; the others are options.
    examples
        The worked examples; the first is shown when nothing else is asked for.
    conclude
        Says in words what came out.
    pictures
        The pictures that may be drawn, the most telling first.
    headings
        What "seen", "score", "decision" and "update" are called in this algorithm's table.
    """

    name: str
    title: str
    summary: str
    source: str
    steps: Callable[..., Steps[Any]]
    data: tuple[str, ...]
    examples: tuple[Example, ...]
    conclude: Callable[[Any], str]
    pictures: tuple[str, ...] = ()
    headings: Mapping[str, str] = field(default_factory=dict)
