"""What a person wrote into a card, found again in it.

Such a part stands between ``<!-- assay:write KEY -->`` and ``<!-- /assay:write -->`` in the text, and between ``#
assay:write`` and ``# /assay:write`` in the header.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from pathlib import Path

from assay.errors import DataError
from assay.file_access import is_there, read_short_text

__all__ = ["SEAL", "KeptText", "read_kept", "sealed"]

_BEGIN = re.compile(r"^<!-- assay:write ([\w-]+) -->$")
_END = "<!-- /assay:write -->"
_HEADER_BEGIN, _HEADER_END = "# assay:write", "# /assay:write"
SEAL = re.compile(r"^<!-- assay:card ([0-9a-f]{16}) -->$", re.MULTILINE)
HEADER = "header"


@dataclass(frozen=True)
class KeptText:
    """The parts of a card that its person wrote, by key, and whether anything else in it was changed by hand."""

    parts: dict[str, str] = field(default_factory=dict)
    changed_elsewhere: bool = False


def read_kept(path: Path) -> KeptText:
    """What there is to keep in the card at `path`; nothing where there is no such file."""
    if not is_there(path):
        return KeptText()
    text = _text_of(path)
    seal = SEAL.search(text)
    if seal is None:
        raise DataError(
            f"{path}: this file is not a card that assay made (its last line is missing), so what is in it would be "
            "lost. Write the card to another file, or move this one away."
        )
    parts, rest = _separated(text, path)
    return KeptText(parts, seal[1] != _digest(rest))


def sealed(card: str) -> str:
    """A card with its last line, by which a change outside the person's parts is noticed when it is made again."""
    _, rest = _separated(card, Path("card"))
    return f"{card}\n<!-- assay:card {_digest(rest)} -->\n"


def _separated(text: str, path: Path) -> tuple[dict[str, str], list[str]]:
    """The person's parts, and all other lines."""
    parts: dict[str, str] = {}
    rest: list[str] = []
    key, end, opened, inside = "", "", 0, list[str]()
    for number, line in enumerate(text.splitlines(), 1):
        begin = _BEGIN.match(line.strip())
        if not end:
            rest.append(line)
            if begin or line.strip() == _HEADER_BEGIN:
                key, end = (begin[1], _END) if begin else (HEADER, _HEADER_END)
                opened, inside = number, []
        elif line.strip() == end:
            parts[key] = "\n".join(inside).strip("\n")
            end = ""
        elif begin:
            break
        else:
            inside.append(line)
    if end:
        raise DataError(
            f"{path}, line {opened}: the part {key!r} begins here but does not end. Put a line '{end}' after what you "
            "wrote."
        )
    return parts, rest


def _text_of(path: Path) -> str:
    try:
        return read_short_text(path)
    except UnicodeDecodeError:
        return ""  # no card of ours


def _digest(lines: list[str]) -> str:
    kept = [line.rstrip() for line in lines if line.strip() and not SEAL.match(line)]
    return hashlib.sha256("\n".join(kept).encode("utf-8", "replace")).hexdigest()[:16]
