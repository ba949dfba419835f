"""Texts that are typed into a command, and how they are told from names of files."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["are_files", "empty_notes"]


def are_files(arguments: Sequence[str]) -> bool:
    """Whether what was given are files, and not texts: one of them is there, or looks like the name of one.

    Examples
    --------
    >>> are_files(["loved it"]), are_files(["-"]), are_files(["reviews.csv"]), are_files(["parts/*.txt"])
    (False, True, True, True)
    """
    import os

    from assay.data.bytes.suffixes import looks_like_a_path

    return any(
        name == "-" or os.path.lexists(name) or looks_like_a_path(name) for name in arguments if "\0" not in name
    )


def empty_notes(texts: Sequence[str]) -> list[str]:
    """A sentence for each text in which there is nothing: its answer is about the model, not about it.

    Examples
    --------
    >>> empty_notes(["loved it", " "])
    ["the text is empty (' '): its label is what the model says where it knows nothing of a text, and means nothing"]
    """
    return [
        f"the text is empty ({text!r}): its label is what the model says where it knows nothing of a text, and means "
        "nothing"
        for text in texts
        if not text.strip()
    ]
