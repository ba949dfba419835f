"""``assay analogy``: sums and differences of words."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from assay.cli.options.screen import SCREEN, JsonOrQuiet
from assay.cli.options.shared import AskedVectors, TopWords

__all__ = ["analogy_cli", "signed_words"]


def analogy_cli(
    vectors: AskedVectors,
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="WORD [+|- WORD]...", help="Words with + or - between them, such as king - man + woman."
        ),
    ],
    top: TopWords = 10,
    screen: JsonOrQuiet = SCREEN,
) -> None:
    """Show the words nearest to a sum of words: king - man + woman.

    The answer to «man is to king as woman is to …». The words that were given are left out of the answer.
    """
    from assay.cli.screens.neighbors import show_words
    from assay.embeddings.vector_files import read_vectors

    added, taken = signed_words(words)
    found = read_vectors(vectors).most_similar(added, taken, top)
    show_words({"kind": "analogy", "version": 1, "positive": added, "negative": taken}, found, screen)


def signed_words(parts: list[str]) -> tuple[list[str], list[str]]:
    """Words that are added, and those that are taken away.

    Examples
    --------
    >>> signed_words(["king", "-", "man", "+", "woman"]), signed_words(["king - man"])
    ((['king', 'woman'], ['man']), (['king'], ['man']))
    """
    from assay.errors import ParameterError

    added: list[str] = []
    taken: list[str] = []
    sign: str | None = "+"
    for part in " ".join(parts).split():
        if part in ("+", "-", "−"):
            if sign is not None and (added or taken or sign != "+"):
                raise ParameterError(f"Two signs stand side by side, {sign!r} and {part!r}. Put a word between them.")
            sign = part
        elif sign is None:
            raise ParameterError(f"There is no sign before the word {part!r}. Put + or - between the words.")
        else:
            (added if sign == "+" else taken).append(part)
            sign = None
    joined = [word for word in (*added, *taken) if re.search(r"\w[+−-]\w", word)]
    if joined and len(added) + len(taken) == 1:
        raise ParameterError(
            f"{joined[0]!r} is taken for one word. Put spaces around the signs, as in king - man + woman."
        )
    if sign is not None:
        raise ParameterError("A word is missing at the end: a sum is written as in king - man + woman.")
    return added, taken
