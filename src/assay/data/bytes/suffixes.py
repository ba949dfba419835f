"""What the name of a file says: how it is packed, and which format it has. Nothing here opens a file."""

from __future__ import annotations

from pathlib import PurePath

from assay.output_files import FOREIGN_ENDINGS

__all__ = [
    "KNOWN_SUFFIXES",
    "PACKING_OF_SUFFIX",
    "format_of_name",
    "has_known_suffix",
    "looks_like_a_path",
    "strip_packing",
]

PACKING_OF_SUFFIX = {".gz": "gzip", ".zst": "zstd", ".bz2": "bz2"}
_FORMAT_OF_SUFFIX = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".ft": "fasttext",
    ".fasttext": "fasttext",
    ".xlsx": "xlsx",
    ".xlsm": "xlsx",
}
KNOWN_SUFFIXES = frozenset(_FORMAT_OF_SUFFIX)
_SUFFIXES_OF_OTHER_FILES = FOREIGN_ENDINGS | {".txt", ".md", ".assay"}


def strip_packing(name: str) -> str:
    """Return a file name without ``.gz``, ``.zst`` or ``.bz2``.

    Examples
    --------
    >>> strip_packing("reviews.csv.gz")
    'reviews.csv'
    """
    path = PurePath(name)
    return path.stem if path.suffix.lower() in PACKING_OF_SUFFIX else path.name


def format_of_name(name: str) -> str | None:
    """Return the format that a file's name promises; None where the name says nothing.

    Examples
    --------
    >>> format_of_name("reviews.jsonl.zst"), format_of_name("reviews.txt")
    ('jsonl', None)
    """
    return _FORMAT_OF_SUFFIX.get(PurePath(strip_packing(name)).suffix.lower())


def has_known_suffix(text: str) -> bool:
    """Whether a text looks like the name of a file of data, which need not be there.

    Examples
    --------
    >>> has_known_suffix("parts/*.parquet"), has_known_suffix("see reviews.csv"), has_known_suffix("loved it.")
    (True, False, False)
    """
    return _is_one_word(text) and format_of_name(text) is not None


def looks_like_a_path(text: str) -> bool:
    """Whether a text would be odd as a text: one word that has a slash, or ends like data, a document or a model.

    Examples
    --------
    >>> looks_like_a_path("parts/*.txt"), looks_like_a_path("nosuch.txt"), looks_like_a_path("data/part-0")
    (True, True, True)
    >>> looks_like_a_path("nosuch.assay"), looks_like_a_path("letter.docx")
    (True, True)
    >>> looks_like_a_path("really?"), looks_like_a_path("good and/or bad"), looks_like_a_path("</p>")
    (False, False, False)
    """
    if not _is_one_word(text) or "<" in text:
        return False
    suffix = PurePath(strip_packing(text)).suffix.lower()
    return "/" in text.rstrip("/") or has_known_suffix(text) or suffix in _SUFFIXES_OF_OTHER_FILES


def _is_one_word(text: str) -> bool:
    return len(text) <= 1000 and not any(c.isspace() or c == "\0" for c in text)
