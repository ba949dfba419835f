"""The value of a cell as a person sees it in the sheet."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

__all__ = ["cell_text"]

_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")
_PADDED = re.compile("0{2,}")


def cell_text(value: Any, number_format: str = "General") -> str:
    r"""Write a value as a spreadsheet shows it: 1 and not 1.0, TRUE, a day without its midnight.

    Examples
    --------
    >>> [cell_text(value) for value in (1.0, 0.1 + 0.2, True, None, dt.datetime(2026, 3, 12), dt.time(9, 30))]
    ['1', '0.3', 'TRUE', '', '2026-03-12', '09:30:00']
    >>> cell_text(7, "000"), cell_text("one_x000D_two"), cell_text("_x005F_x0041_")
    ('007', 'one\rtwo', '_x0041_')
    """
    if isinstance(value, str):
        return _unescaped(value) if "_x" in value else value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return _number(value, number_format)
    if isinstance(value, dt.datetime):
        return value.date().isoformat() if value.time() == dt.time() else value.isoformat(" ", "seconds")
    return str(value)


def _unescaped(text: str) -> str:
    """How spreadsheets read ``_xHHHH_``, in which they write characters that XML does not have, and a text like it."""
    plain = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
    # Two escapes may be the halves of one character.
    return plain.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _number(value: float, number_format: str) -> str:
    if value != int(value) if abs(value) < 1e15 else isinstance(value, float):
        return f"{value:.15g}"  # a spreadsheet keeps no more digits
    written = str(int(value))
    return written.zfill(len(number_format)) if _PADDED.fullmatch(number_format) else written
