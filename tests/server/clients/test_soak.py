"""A short soak: questions, replaced files and killed workers all at once (long: benchmarks/soak.py)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[3] / "benchmarks" / "soak.py"


@pytest.mark.slow
def test_nothing_goes_wrong_while_everything_happens() -> None:
    if not SCRIPT.exists():
        pytest.skip("the benchmarks are not here")
    words = [sys.executable, str(SCRIPT), "--seconds", "4", "--connections", "16", "--seed", "7"]
    often = ["--replace-every", "1.5", "--kill-every", "2.5"]
    done = subprocess.run([*words, *often], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "killed workers" in done.stdout
    assert "replaced files" in done.stdout
