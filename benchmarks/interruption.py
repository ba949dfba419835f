"""Whether Ctrl-C ends `assay train` whenever it comes, and how soon.

Trains on the embedded sample again and again and sends SIGINT at a random time: each run must end with exit code 130,
one word on standard error, and no file that is not whole.

    python benchmarks/interruption.py [N] [OPTIONS OF assay train]
"""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from assay.samples import SHOP_MESSAGES

ASSAY = Path(sys.executable).with_name("assay")


def train(options: list[str], delay: float | None) -> tuple[int, float, list[str], list[str]]:
    """Exit code, seconds (after the signal, if one is sent), lines on standard error, and files."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(str(SHOP_MESSAGES), Path(folder, "shop.csv"))
        began = time.monotonic()
        command = [ASSAY, "train", "shop.csv", *options]
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if delay is not None:
            time.sleep(delay)
            began = time.monotonic()
            process.send_signal(signal.SIGINT)
        said = process.communicate()[1].splitlines()
        return process.returncode, time.monotonic() - began, said, sorted(path.name for path in Path(folder).iterdir())


def main() -> None:
    """Print what went wrong, and the count."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    options = sys.argv[2:]
    whole = train(options, None)[1]
    print(f"without a signal: {whole:.1f} s")
    draw = random.Random(1)
    ended, late, wrong, slowest = 0, 0, 0, 0.0
    for _ in range(n):
        delay = draw.uniform(0.05, whole)
        code, seconds, said, files = train(options, delay)
        half = [name for name in files if name.startswith(".")]
        if code == 0 and not half and "shop.assay" in files:
            late += 1  # it was done
        elif code == 130 and said[-1] == "Interrupted." and not half and not any("Traceback" in line for line in said):
            ended += 1
            slowest = max(slowest, seconds)
        else:
            wrong += 1
            print(f"after {delay:.3f} s: exit code {code}, {files}, {said[-3:]}")
    print(f"{n} signals: {ended} ended the run, {late} came when it was done, {wrong} went wrong")
    print(f"the slowest end took {slowest:.2f} s")


if __name__ == "__main__":
    main()
