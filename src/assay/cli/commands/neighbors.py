"""``assay neighbors``: the words whose vectors are nearest to that of a word."""

from __future__ import annotations

from typing import Annotated

import typer

from assay.cli.options.option import option
from assay.cli.options.screen import SCREEN, JsonOrQuiet
from assay.cli.options.shared import AskedVectors, Force, TopWords

__all__ = ["neighbors_cli"]


def neighbors_cli(
    vectors: AskedVectors,
    word: Annotated[str, typer.Argument(metavar="WORD", help="As the vectors write it, usually in small letters.")],
    top: TopWords = 10,
    map: Annotated[
        str | None,
        option(
            "--map",
            metavar="FILE",
            help="Draw the words in the plane of their two principal components (.svg, .png, .pdf).",
        ),
    ] = None,
    force: Force = False,
    screen: JsonOrQuiet = SCREEN,
) -> None:
    """Show the words whose vectors are nearest to that of a word."""
    from assay.cli.screens.neighbors import draw_words, show_words
    from assay.embeddings.vector_files import read_vectors
    from assay.output_files import check_outputs

    check_outputs([map], [vectors], force=force)
    known = read_vectors(vectors)
    found = known.neighbors(word, top)
    if map is not None:
        draw_words(known, [word, *(near for near, _ in found)], map, screen)
    show_words({"kind": "neighbors", "version": 1, "word": word}, found, screen)
