"""What can be traced: the list of algorithms, and a page for each."""

from __future__ import annotations

import inspect
import re
from typing import Any

from assay.errors import ParameterError
from assay.textbook import ALGORITHMS, Algorithm, SettingError, find_algorithm, options_of

__all__ = ["algorithm_page", "algorithm_rows", "algorithm_table", "settings_of"]

_IN_PYTHON_ONLY = re.compile(r"Callable|Order|Matrix")


def settings_of(algorithm: Algorithm) -> list[str]:
    """Give the names of the parameters that can be written on a command line; functions cannot."""
    parameters = inspect.signature(algorithm.steps).parameters
    return [name for name in options_of(algorithm) if not _IN_PYTHON_ONLY.search(str(parameters[name].annotation))]


def algorithm_rows() -> list[dict[str, Any]]:
    """Give for every algorithm what a program wants to know.

    Examples
    --------
    >>> algorithm_rows()[0]["name"]
    'count-vectors'
    """
    return [
        {
            "name": name,
            "summary": algorithm.summary,
            "source": algorithm.source,
            "data": list(algorithm.data),
            "examples": [example.name for example in algorithm.examples],
            "settings": settings_of(algorithm),
            "pictures": list(algorithm.pictures),
        }
        for name, algorithm in ALGORITHMS.items()
    ]


def algorithm_table() -> str:
    """Give the name of every algorithm with one line on what it does, and what to do with a name."""
    width = max(map(len, ALGORITHMS)) + 2
    return "\n".join(
        [
            "Algorithms that can be traced:",
            "",
            *(f"  {name:{width}}{algorithm.summary}" for name, algorithm in ALGORITHMS.items()),
            "",
            "  assay trace NAME               its first worked example",
            "  assay trace NAME --examples    its examples, settings and pictures",
            "  assay trace NAME DATA          on a file of yours",
        ]
    )


def algorithm_page(name: str) -> str:
    """Give an algorithm's source, worked examples, settings and pictures."""
    try:
        algorithm = find_algorithm(name)
    except SettingError as error:
        raise ParameterError(str(error)) from None
    width = max(len(example.name) for example in algorithm.examples) + 2
    return "\n".join(
        [
            f"{algorithm.title}: {algorithm.summary}",
            algorithm.source,
            "",
            "Examples (--example NAME):",
            *(f"  {e.name:{width}}{e.title} ({e.source})" for e in algorithm.examples),
            "",
            f"Settings (--set NAME=VALUE): {', '.join(settings_of(algorithm))}",
            f"Pictures (--picture NAME):   {', '.join(algorithm.pictures)}",
        ]
    )
