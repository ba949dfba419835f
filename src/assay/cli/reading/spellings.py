"""Labels that look like one class in several spellings: ask whether to merge them, or say how."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.cli.options.screen import Screen
    from assay.data.corpus.corpus import Corpus

__all__ = ["settle_spellings"]


def settle_spellings(corpus: Corpus, screen: Screen, known: Sequence[str] = ()) -> Corpus:
    """Merge the spellings of a label if a person says so; where nobody can be asked, name the option that does.

    Parameters
    ----------
    corpus
        What was read without ``--merge-labels``.
    screen
        Where to ask, or to say it.
    known
        The labels of the model that the texts are for: its spellings are taken.
    """
    from assay.cli.screens.asking import can_ask, confirm
    from assay.data.corpus.spellings import (
        label_counts,
        merge_spellings,
        merged_names,
        spelling_key,
        spellings_sentence,
    )

    counts = label_counts(corpus)
    renamed = merged_names(counts, known)
    if not renamed:
        return corpus
    concerned = {spelling_key(label) for label in renamed}
    both: dict[str, int | None] = {**dict.fromkeys(known), **counts}
    found = spellings_sentence({label: n for label, n in both.items() if spelling_key(label) in concerned})
    if can_ask(screen):
        into = " into those that the model knows" if known else ""
        return merge_spellings(corpus, known) if confirm(f"{found}. Merge them{into}?") else corpus
    screen.say(f"Warning: {found}. They are taken for different classes; --merge-labels makes them one.")
    return corpus
