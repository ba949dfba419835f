"""Runs the installed command in a process of its own."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest

ASSAY = Path(sys.executable).with_name("assay")


@pytest.fixture
def assay_command() -> Path:
    """Where the installed command is."""
    return ASSAY


class Terminal:
    """A terminal that is read while it is written to: it holds little, and who writes more than that waits."""

    def __init__(self, typed: str = "") -> None:
        self._outer, self.inner = pty.openpty()
        self.shown = b""
        self._reading = Thread(target=self._read)
        os.write(self._outer, typed.encode())

    def __enter__(self) -> Terminal:
        self._reading.start()
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.inner)
        self._reading.join()
        os.close(self._outer)

    def _read(self) -> None:
        with suppress(OSError):  # when nobody has the other end any more
            while piece := os.read(self._outer, 1 << 16):
                self.shown += piece


@pytest.fixture
def on_terminal() -> Callable[..., bytes]:
    """Run ``assay`` with standard output or standard error on a terminal, and return what appears there."""

    def on_terminal(stream: str, *arguments: str | Path, **environment: str) -> bytes:
        settings = {"TERM": "xterm-256color", "COLUMNS": "80"} | environment
        with Terminal() as terminal:
            streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL} | {stream: terminal.inner}
            subprocess.run([ASSAY, *arguments], **streams, env=os.environ | settings, timeout=300, check=True)
        return terminal.shown

    return on_terminal


@pytest.fixture
def answered(tmp_path: Path) -> Callable[..., tuple[int, str]]:
    """Run ``assay`` where it can ask: what is typed, then the command; returns its exit code and what it said."""

    def answered(typed: str, *arguments: str | Path) -> tuple[int, str]:
        settings = {"TERM": "dumb", "COLUMNS": "200", "NO_COLOR": "1"}
        with Terminal(typed) as terminal:
            streams = {"stdin": terminal.inner, "stderr": terminal.inner, "stdout": subprocess.DEVNULL}
            done = subprocess.run(
                [ASSAY, *arguments], **streams, cwd=tmp_path, env=os.environ | settings, timeout=300, check=False
            )
        return done.returncode, terminal.shown.decode()

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
