"""Texts that are typed into a command, and how they are told from names of files."""

from __future__ import annotations

from collections.abc import Sequence

from assay.errors import ParameterError

__all__ = ["are_files", "require_words"]


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


def require_words(texts: Sequence[str]) -> None:
    """Refuse texts in which there is nothing: an answer would be about the model, not about them.

    Examples
    --------
    >>> require_words(["loved it", " "])
    Traceback (most recent call last):
    assay.errors.ParameterError: the text is empty (' '): there is nothing to label. Give a text in quotes, or a file.
    """
    for text in texts:
        if not text.strip():
            raise ParameterError(
                f"the text is empty ({text!r}): there is nothing to label. Give a text in quotes, or a file."
            )
