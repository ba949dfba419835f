"""Tracing: run an algorithm and keep every step, to print it, to draw it, or to hand it on."""

from __future__ import annotations

import inspect
import os
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.textbook.catalogue import ALGORITHMS, Algorithm, Example
from assay.textbook.inputs import InputError, SettingError, nearest_first
from assay.textbook.rendering import data, page, text
from assay.textbook.steps import Run, Step

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Trace", "find_algorithm", "find_example", "options_of", "trace"]


@dataclass(frozen=True)
class Trace:
    """Everything that an algorithm did.

    Parameters
    ----------
    algorithm
        What was run.
    arguments
        What it was given.
    steps
        What it did.
    result
        What came out: the same as without tracing.
    example
        The worked example, if it was one.
    features
        Names of the features, for tables and pictures.
    """

    algorithm: Algorithm
    arguments: Mapping[str, Any]
    steps: tuple[Step, ...]
    result: Any
    example: Example | None = None
    features: tuple[str, ...] = field(default=())

    @property
    def title(self) -> str:
        """The algorithm, and what it was run on."""
        return f"{self.algorithm.title}: {self.example.title}" if self.example else self.algorithm.title

    @property
    def source(self) -> str:
        """Where the example, or else the algorithm, comes from."""
        return self.example.source if self.example else self.algorithm.source

    @property
    def conclusion(self) -> str:
        """What came out, in words."""
        return self.algorithm.conclude(self.result)

    def text(self, width: int = 100, limit: int = 30) -> str:
        """Give a table of plain text, as the books print it.

        Parameters
        ----------
        width
            The number of characters of a line.
        limit
            How many steps to show; of more, the first and the last.
        """
        notes = textwrap.wrap(f"features: {', '.join(self.features)}", width) if self.features else []
        heading = [self.title, self.source, *notes, ""]
        table = text.table(self.steps, width, limit, self.algorithm.headings)
        return "\n".join([*heading, table, "", *textwrap.wrap(self.conclusion, width)])

    def html(self) -> str:
        """Give one HTML page with all steps and every picture that can be drawn."""
        from assay.textbook.rendering.pictures import draw, svg

        notes = [f"Features: {', '.join(self.features)}."] if self.features else []
        drawings = [svg(draw(self, kind)) for kind in self.pictures]
        return page.page(self.title, self.source, notes, self.steps, self.algorithm.headings, self.conclusion, drawings)

    def json(self) -> str:
        """Give all steps as JSON."""
        heading = {
            "algorithm": self.algorithm.name,
            "example": self.example.name if self.example else None,
            "title": self.title,
            "source": self.source,
            "features": self.features,
            "arguments": self.arguments,
        }
        return data.dump(heading, self.steps, self.conclusion)

    @property
    def pictures(self) -> tuple[str, ...]:
        """The pictures that can be drawn of this trace."""
        from assay.textbook.rendering.pictures import can_draw

        return tuple(kind for kind in self.algorithm.pictures if can_draw(self, kind))

    def picture(self, kind: str | None = None) -> Figure:
        """Draw a matplotlib figure.

        Parameters
        ----------
        kind
            One of `algorithm.pictures`; by default the first that can be drawn.
        """
        from assay.textbook.rendering.pictures import draw

        return draw(self, kind)

    def save(self, path: str | Path, kind: str | None = None) -> None:
        """Write a file of the kind that its name says: .txt, .html, .json, .svg or .png.

        An old file of that name stays whole until the new one is.
        """
        path = Path(path)
        content = self.encode(path.suffix, kind)
        unfinished = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            unfinished.write_bytes(content)
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)

    def encode(self, suffix: str, kind: str | None = None) -> bytes:
        """Give what a file of this kind holds: ".txt", ".html", ".json", ".svg" or ".png"."""
        if suffix in (".svg", ".png"):
            from assay.textbook.rendering.pictures import draw, encode

            return encode(draw(self, kind), suffix)
        if suffix == ".txt":
            return f"{self.text(limit=len(self.steps))}\n".encode()
        if suffix == ".html":
            return self.html().encode()
        if suffix == ".json":
            return f"{self.json()}\n".encode()
        raise SettingError(f"A file that ends in {suffix!r} cannot be written. Use .txt, .html, .json, .svg or .png.")

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return page.step_table(self.steps, self.algorithm.headings)


def trace(
    algorithm: str, *given: Any, example: str | None = None, features: Sequence[str] = (), **options: Any
) -> Trace:
    """Run an algorithm on data, or on one of the books' worked examples, and keep every step.

    Parameters
    ----------
    algorithm
        A name of `ALGORITHMS`, for example "perceptron", "k-means" or "logistic-regression".
    given
        The data that it needs: X and y, or documents, or whatever its function takes first.
    example
        The name of a worked example instead of data; without data and without a name, the first one.
    features
        Names of the features, for tables and pictures.
    options
        The algorithm's other parameters, for example ``epochs=3``.

    Examples
    --------
    >>> print(trace("gradient-descent", example="jumping").text(width=80, limit=3))
    Gradient descent: (x + 1)² + 1 from -3 with α = 1
    Surdeanu & Valenzuela-Escárcega, section 3.3
    <BLANKLINE>
    update: x - 1 · slope
    <BLANKLINE>
    step  at      f there  go      x  f(x)  why
    ────  ──────  ───────  ─────  ──  ────  ────────
       1  x = -3        5  right   1     5  slope -4
       2  x = 1         5  left   -3     5  slope 4
       3  x = -3        5  right   1     5  slope -4
       4  x = 1         5  left   -3     5  slope 4
       5  x = -3        5  right   1     5  slope -4
       6  x = 1         5  left   -3     5  slope 4
    <BLANKLINE>
    x = -3.
    """
    method = find_algorithm(algorithm)
    shown: Example | None = None
    if given and example is not None:
        raise SettingError(f"Both data and the example {example!r} were given. Give one of them.")
    if given:
        needed = " and ".join(method.data)
        if len(given) != len(method.data):
            raise InputError(f"{method.name} needs {needed}; {len(given)} of {len(method.data)} were given.")
        arguments = dict(zip(method.data, given, strict=True))
    else:
        shown = find_example(method, example)
        arguments = dict(shown.arguments)
        features = features or shown.features
    valid = options_of(method)
    for name in options:
        if name not in valid:
            names = ", ".join(nearest_first(name, valid)) or "none"
            raise SettingError(f"{method.name} has no option {name!r}. Its options: {names}.")
    arguments.update(options)
    run: Run[Any] = Run(method.steps(**arguments))
    steps = tuple(run)
    return Trace(method, arguments, steps, run.result, shown, tuple(features))


def find_algorithm(name: str) -> Algorithm:
    """Give the algorithm of a name, or name the valid ones, nearest first."""
    if name not in ALGORITHMS:
        names = ", ".join(nearest_first(name, ALGORITHMS))
        raise SettingError(f"There is no algorithm {name!r}. There are: {names}.")
    return ALGORITHMS[name]


def find_example(algorithm: Algorithm, name: str | None) -> Example:
    """Give an algorithm's example of a name, its first one for None, or name the valid ones, nearest first."""
    examples = {example.name: example for example in algorithm.examples}
    if name is None:
        return algorithm.examples[0]
    if name not in examples:
        names = ", ".join(nearest_first(name, examples))
        raise SettingError(f"{algorithm.name} has no example {name!r}. It has: {names}.")
    return examples[name]


def options_of(algorithm: Algorithm) -> list[str]:
    """Give the names of an algorithm's parameters that are not data."""
    return [name for name in inspect.signature(algorithm.steps).parameters if name not in algorithm.data]
