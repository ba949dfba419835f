"""What the commands that ask word vectors share: their parameters, and how an answer is shown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from assay.embeddings.word_vectors import WordVectors

__all__ = ["Top", "Vectors", "answer", "draw"]

Vectors = Annotated[
    str,
    typer.Argument(
        metavar="VECTORS", help="Word vectors: of assay embed, or word2vec's text or binary format (.vec, .bin, .gz)."
    ),
]
Top = Annotated[int, typer.Option("--top", "-n", metavar="N", help="How many words.")]

DRAWN = ("svg", "png", "pdf")


def answer(question: dict[str, Any], found: list[tuple[str, float]], *, as_json: bool) -> None:
    """Print words and their cosines."""
    from assay.cli.screens.console import print_json, results

    if as_json:
        print_json({**question, "neighbors": [{"word": word, "similarity": cosine} for word, cosine in found]})
        return
    from assay.cli.screens.tables import plain_table
    from assay.terminal import visible

    table = plain_table()
    table.add_column("word", overflow="fold")
    table.add_column("cosine", justify="right")
    for word, cosine in found:
        table.add_row(visible(word), f"{cosine:.3f}")
    results().print(table)


def draw(vectors: WordVectors, words: list[str], path: str, *, quiet: bool) -> None:
    """Write a map of words."""
    import io

    from assay.atomic_file import write_atomically
    from assay.cli.screens.console import notes
    from assay.errors import ParameterError
    from assay.suggest import quoted
    from assay.terminal import visible

    form = Path(path).suffix.removeprefix(".").lower()
    if form not in DRAWN:
        raise ParameterError(f"{path}: a map is drawn as one of {quoted(f'.{name}' for name in DRAWN)}.")
    buffer = io.BytesIO()
    vectors.map(words).savefig(buffer, format=form)
    write_atomically(path, buffer.getvalue())
    notes(quiet=quiet).print(f"map → {visible(path)}", soft_wrap=True)
