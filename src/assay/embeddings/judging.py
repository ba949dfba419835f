"""What the files that judge word vectors share: lines, and words as both the file and the vectors may write them."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from assay.embeddings.settings import check_whole
from assay.errors import DataError
from assay.file_access import read_short

__all__ = ["known_rows", "lines_of"]

MOST_FREQUENT = 300_000


def lines_of(path: str | os.PathLike[str]) -> Iterator[tuple[int, str]]:
    """Number, from 1, and text of each line of a file in UTF-8, gzip or not."""
    file = Path(path)
    try:
        content = read_short(file)
        if content[:2] == b"\x1f\x8b":
            content = gzip.decompress(content)
        text = content.decode("utf-8-sig")
    except FileNotFoundError:
        raise DataError(f"{file}: no such file.") from None
    except IsADirectoryError:
        raise DataError(f"{file}: this is a folder. Give the name of a file in it.") from None
    except (UnicodeDecodeError, EOFError, gzip.BadGzipFile) as error:
        raise DataError(f"{file}: the file is not text in UTF-8, or is damaged ({error}).") from None
    yield from enumerate(text.split("\n"), start=1)


def known_rows(words: Sequence[str], restrict: int | None, case_sensitive: bool) -> dict[str, int]:
    """Row of each word as it is compared: without case, that of the first word, by custom the most frequent, wins."""
    if restrict is not None:
        check_whole("an evaluation", "restrict", restrict, least=1)
    kept = words[:restrict]
    return {kept[i] if case_sensitive else kept[i].upper(): i for i in range(len(kept) - 1, -1, -1)}
