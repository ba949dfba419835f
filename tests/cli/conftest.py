"""Runs the installed command in a process of its own."""

from __future__ import annotations

import os
import pty
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
def on_terminal() -> Callable[..., bytes]:
    """Run ``assay`` with standard output or standard error on a terminal, and return what appears there."""

    def on_terminal(stream: str, *arguments: str | Path, **environment: str) -> bytes:
        terminal, inner = pty.openpty()
        os.set_blocking(terminal, False)
        streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL} | {stream: inner}
        settings = {"TERM": "xterm-256color", "COLUMNS": "80"} | environment
        subprocess.run([ASSAY, *arguments], **streams, env=os.environ | settings, timeout=300, check=True)
        try:
            return os.read(terminal, 1 << 16)
        except BlockingIOError:
            return b""
        finally:
            os.close(inner)
            os.close(terminal)

    return on_terminal


@pytest.fixture
def answered(tmp_path: Path) -> Callable[..., tuple[int, str]]:
    """Run ``assay`` where it can ask: what is typed, then the command; returns its exit code and what it said."""

    def answered(typed: str, *arguments: str | Path) -> tuple[int, str]:
        terminal, inner = pty.openpty()
        os.set_blocking(terminal, False)
        os.write(terminal, typed.encode())
        settings = {"TERM": "dumb", "COLUMNS": "200", "NO_COLOR": "1"}
        streams = {"stdin": inner, "stderr": inner, "stdout": subprocess.DEVNULL}
        done = subprocess.run(
            [ASSAY, *arguments], **streams, cwd=tmp_path, env=os.environ | settings, timeout=300, check=False
        )
        try:
            return done.returncode, os.read(terminal, 1 << 16).decode()
        finally:
            os.close(inner)
            os.close(terminal)

    return answered


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run ``assay`` in an empty folder, 80 columns wide and in UTF-8, and return its exit code and what it wrote."""

    def run(*arguments: str | Path, stdin: str | bytes = "", **environment: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [ASSAY, *arguments],
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            cwd=tmp_path,
            env=os.environ | {"COLUMNS": "80", "PYTHONIOENCODING": "utf-8"} | environment,
            timeout=300,
            check=False,
        )
        return subprocess.CompletedProcess(
            done.args,
            done.returncode,
            done.stdout.decode("utf-8", "replace"),
            done.stderr.decode("utf-8", "replace"),
        )

    return run
