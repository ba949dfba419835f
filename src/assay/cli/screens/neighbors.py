"""Words near to others, as a table and as a map."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.cli.options.screen import Screen
    from assay.embeddings.word_vectors import WordVectors

__all__ = ["draw_words", "show_words"]

DRAWN = ("svg", "png", "pdf")


def show_words(question: dict[str, Any], found: list[tuple[str, float]], screen: Screen) -> None:
    """Print words and their cosines."""
    from assay.cli.screens.console import print_json, results

    if screen.as_json:
        print_json({**question, "neighbors": [{"word": word, "similarity": cosine} for word, cosine in found]})
        return
    from assay.cli.screens.tables import plain_table
    from assay.terminal import visible

    table = plain_table("word", numbers=["cosine"])
    for word, cosine in found:
        table.add_row(visible(word), f"{cosine:.3f}")
    results().print(table)


def draw_words(vectors: WordVectors, words: list[str], path: str, screen: Screen) -> None:
    """Write a map of words."""
    import io

    from assay.atomic_file import write_atomically
    from assay.errors import ParameterError
    from assay.suggest import quoted

    form = Path(path).suffix.removeprefix(".").lower()
    if form not in DRAWN:
        raise ParameterError(f"{path}: a map is drawn as one of {quoted(f'.{name}' for name in DRAWN)}.")
    buffer = io.BytesIO()
    vectors.map(words).savefig(buffer, format=form)
    write_atomically(path, buffer.getvalue())
    screen.say(f"map → {path}")
