"""Which label of the data a person or a spreadsheet meant by what stands in a cell."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assay.data.corpus.spellings import spelling_key

__all__ = ["label_meant", "without_apostrophe"]

_SAFE_CELL = re.compile(r"'(?=[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20])")  # see assay.streaming.safe_cells
_NUMBER = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]+)?")


def label_meant(written: str, labels: Sequence[str]) -> str | None:
    """The label that is written so, else the only one that it can be; None where there is none, or several.

    It can be one without the apostrophe that makes a cell safe, one in another case or with other blanks, or the same
    number.

    Examples
    --------
    >>> [label_meant(written, ["spam", "-1", "007"]) for written in ("spam", " Spam", "'-1", "7", "8")]
    ['spam', 'spam', '-1', '007', None]
    >>> label_meant("SPAM", ["spam", "Spam"]) is None
    True
    """
    plain = without_apostrophe(written)
    for same in (written, plain, plain.strip()):
        if same in labels:
            return same
    for key in (spelling_key, _number):
        wanted = key(plain)
        found = [label for label in labels if wanted is not None and key(label) == wanted]
        if found:
            return found[0] if len(found) == 1 else None
    return None


def without_apostrophe(cell: str) -> str:
    """A cell without the apostrophe that keeps a spreadsheet from taking it for a formula.

    Examples
    --------
    >>> without_apostrophe("'=1+1"), without_apostrophe("'tis")
    ('=1+1', "'tis")
    """
    return _SAFE_CELL.sub("", cell, count=1) if cell.startswith("'") else cell


def _number(label: str) -> float | None:
    stripped = label.strip()
    return float(stripped.replace(",", ".")) if _NUMBER.fullmatch(stripped) else None
