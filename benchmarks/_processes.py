"""Whole processes, from their start to their end: what they take, contestants in turn."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from _measuring import say

__all__ = ["ASSAY", "Command", "Run", "best_runs", "run"]

ASSAY = str(Path(sys.executable).with_name("assay"))


@dataclass(frozen=True)
class Command:
    """A process to be measured: its words, where it runs, and where its standard output goes (None: nowhere)."""

    words: Sequence[str]
    folder: Path | None = None
    output: Path | None = None


@dataclass(frozen=True)
class Run:
    """What one process took: wall seconds, processor seconds of all its threads, most memory in megabytes."""

    seconds: float
    cpu: float
    megabytes: float


# In a small process of its own: a process that is started inherits the peak memory of the one that starts it.
LAUNCHER = """
import os, sys, time
output, *command = sys.argv[1:]
files = [
    (os.POSIX_SPAWN_OPEN, 1, output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644),
    (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
]
started = time.perf_counter()
child = os.posix_spawn(command[0], command, os.environ, file_actions=files)
_, status, usage = os.wait4(child, 0)
unit = 1 if sys.platform == "darwin" else 1024
print(time.perf_counter() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit / 1e6)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def run(command: Command) -> Run:
    """Run a process to its end; it must succeed."""
    launched = [sys.executable, "-S", "-c", LAUNCHER, str(command.output or os.devnull), *command.words]
    # An installed package has its bytecode: where none may be written, a source tree would be compiled every time.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(launched, cwd=command.folder, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command.words)} ended with code {done.returncode}")
    return Run(*map(float, done.stdout.split()))


def best_runs(commands: Mapping[str, Command], repeats: int) -> dict[str, Run]:
    """Let them run in turns; of each, the least seconds, the least processor seconds and the most memory."""
    runs: dict[str, list[Run]] = {what: [] for what in commands}
    for round_ in range(repeats):
        for what, command in commands.items():
            say(f"round {round_ + 1} of {repeats}: {what}")
            runs[what].append(run(command))
    return {
        what: Run(min(r.seconds for r in some), min(r.cpu for r in some), max(r.megabytes for r in some))
        for what, some in runs.items()
    }
