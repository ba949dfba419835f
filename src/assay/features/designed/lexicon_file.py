"""Lexicons in files: one word or phrase a line, or a word and its score; ``;`` begins a comment."""

from __future__ import annotations

import os
import re
from pathlib import Path

from assay.errors import DataError
from assay.features.designed.lexicon import Lexicon
from assay.file_access import read_short
from assay.suggest import excerpt, nearest_first, quoted

__all__ = ["read_lexicon"]

#: What may stand between a word and its score; white space only if every line has a score.
_SEPARATORS = ("\t", ",", None)

Line = tuple[int, str]


def read_lexicon(
    path: str | os.PathLike[str],
    *,
    comments: str = ";",
    case_sensitive: bool = False,
    encoding: str = "utf-8",
) -> Lexicon:
    r"""Read a lexicon from a text file.

    A line holds a word or a phrase, or one and its score, with a tab, a comma or white space between them. Empty lines
    are left out. A first line whose score is no number is a header.

    Parameters
    ----------
    path
        The file.
    comments
        Characters each of which begins a comment, at the beginning of a line or after white space.
    case_sensitive
        Whether "May" and "may" are different entries.
    encoding
        Of the file.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "words.txt"
    ...     _ = file.write_text("; opinions\ngood\t3\nnot bad\t1\n")
    ...     lexicon = read_lexicon(file)
    >>> lexicon.entries
    {'good': 3.0, 'not bad': 1.0}
    """
    from assay.data.bytes.encoding import canonical_encoding

    name = os.fspath(path)
    lines = _lines(name, comments, canonical_encoding(encoding, "read_lexicon"))
    if not lines:
        raise DataError(f"{name}: this lexicon holds no words. Write one word a line, or a word, a tab and its score.")
    scored = _scored_lines(name, lines)
    entries: dict[str, float | None] = {}
    seen_at: dict[str, int] = {}
    for number, word, score in scored:
        if word in entries and entries[word] != score:
            raise DataError(
                f"{name}, line {number}: {excerpt(word)} has the score {score:g}, but {entries[word]:g} in line "
                f"{seen_at[word]}. Keep one of them."
            )
        entries[word], seen_at[word] = score, number
    return Lexicon(entries, case_sensitive=case_sensitive)


def _lines(name: str, comments: str, encoding: str) -> list[Line]:
    """Lines that hold something, with their numbers."""
    try:
        content = read_short(name)
    except (FileNotFoundError, IsADirectoryError):
        raise DataError(f"{name}: there is no such lexicon file. {_files_beside(Path(name))}") from None
    try:
        text = content.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise DataError(
            f"{name}, line {line}: byte 0x{content[error.start]:02X} is not {encoding.upper()}. Save the file as "
            "UTF-8, or give its encoding, such as encoding='latin-1'."
        ) from None
    comment = re.compile(rf"(?:^|\s)[{re.escape(comments)}].*") if comments else None
    stripped = (comment.sub("", line).strip(" \r") if comment else line.strip(" \r") for line in text.split("\n"))
    return [(number, line) for number, line in enumerate(stripped, start=1) if line.strip()]


def _files_beside(path: Path) -> str:
    folder = path.parent
    if not folder.is_dir():
        return f"There is no folder {str(folder)!r} either."
    files = nearest_first(path.name, sorted(entry.name for entry in folder.iterdir() if entry.is_file()))
    return f"In that folder are {quoted(files, 5)}." if files else "That folder is empty."


def _scored_lines(name: str, lines: list[Line]) -> list[tuple[int, str, float | None]]:
    for separator in _SEPARATORS:
        found = [(number, *_split(line, separator)) for number, line in lines]
        if separator and separator in lines[0][1] and found[0][2] is None:
            found = found[1:] or found  # a header
        n_scored = sum(score is not None for _, _, score in found)
        if n_scored == len(found):
            return found
        if separator and found[0][2] is not None and n_scored > 1:
            number, word, _ = next(entry for entry in found if entry[2] is None)
            raise DataError(
                f"{name}, line {number}: {excerpt(word)} has no score, but {excerpt(found[0][1])} in line "
                f"{found[0][0]} has one. Give every word a score, or none."
            )
    return [(number, line.strip(), None) for number, line in lines]


def _split(line: str, separator: str | None) -> tuple[str, float | None]:
    """Word and score; the whole line and None if there is none."""
    parts = line.rsplit(separator, 1)
    if len(parts) == 2 and parts[0].strip():
        try:
            return parts[0].strip().strip('"'), float(parts[1])
        except ValueError:
            pass
    return line.strip(), None
