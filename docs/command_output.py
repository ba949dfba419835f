"""Puts the real output of commands into the documentation, so that it cannot grow old.

A line ``<!-- output: assay inspect --help -->`` in a page becomes a block with that command and what it
printed.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

MARK = re.compile(r"^<!-- output: (assay .*?) -->$", re.MULTILINE)
ROOT = Path(__file__).parent.parent


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Called by mkdocs for every page before it is rendered."""
    return MARK.sub(lambda mark: block(mark[1]), markdown)


@cache
def block(command: str) -> str:
    """Run `command` and show it with its output."""
    program, *arguments = shlex.split(command)
    shown = subprocess.run(
        [Path(sys.executable).with_name(program), *arguments],
        cwd=ROOT,
        env=os.environ | {"COLUMNS": "100", "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=True,
    )
    lines = "\n".join(line.rstrip() for line in shown.stdout.splitlines())
    return f"```console\n$ {command}\n{lines}\n```"
