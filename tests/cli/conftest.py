"""Runs the installed command in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ASSAY = Path(sys.executable).with_name("assay")


@pytest.fixture
def assay_command() -> Path:
    """Where the installed command is."""
    return ASSAY


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run ``assay`` in an empty folder, 80 columns wide, and return its exit code and what it wrote."""

    def run(*arguments: str | Path, stdin: str | bytes = "", **environment: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [ASSAY, *arguments],
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            cwd=tmp_path,
            env=os.environ | {"COLUMNS": "80"} | environment,
            timeout=60,
            check=False,
        )
        return subprocess.CompletedProcess(
            done.args,
            done.returncode,
            done.stdout.decode("utf-8", "replace"),
            done.stderr.decode("utf-8", "replace"),
        )

    return run
