"""Runs the code of the textbook's chapters and puts what it prints and draws where it belongs.

    python docs/textbook/refresh.py

A block of Python in a chapter is run in the order of the page; what it prints stands in the block of text
below it. Pictures are drawn by the chapters' own code.
"""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

FOLDER = Path(__file__).parent
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n.*?^```\n)?", re.DOTALL | re.MULTILINE)


def chapters() -> list[Path]:
    """Give the pages of the textbook."""
    return sorted(FOLDER.glob("*.md"))


def refreshed(chapter: str, folder: Path) -> str:
    """Give a chapter with every output as its code prints it; pictures are written below `folder`."""
    namespace: dict[str, object] = {}

    def rerun(match: re.Match[str]) -> str:
        printed = io.StringIO()
        with contextlib.chdir(folder), contextlib.redirect_stdout(printed):
            exec(match[1], namespace)
        shown = f"```python\n{match[1]}```\n"
        return shown + (f"\n```text\n{printed.getvalue().rstrip()}\n```\n" if printed.getvalue() else "")

    return BLOCK.sub(rerun, chapter)


if __name__ == "__main__":
    (FOLDER / "pictures").mkdir(exist_ok=True)
    for path in chapters():
        path.write_text(refreshed(path.read_text("utf-8"), FOLDER), "utf-8")
