"""Whether a signal ends `assay` whenever it comes, and how soon.

Starts a command again and again and sends it a signal at a random time: each run must end with the signal's exit code
(130 for SIGINT, 143 for SIGTERM, 129 for SIGHUP), say nothing but one word about Ctrl-C, and leave no file that is not
whole. What Python does before the first line of assay runs is not in our hands, and counted on its own.

    python benchmarks/interruption.py [N] [INT|TERM|HUP] [train|predict|help] [LONGEST DELAY IN SECONDS]
"""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from assay.cli.signals.exit_codes import EXIT_CODES
from assay.samples import SHOP_MESSAGES

ASSAY = Path(sys.executable).with_name("assay")
COMMANDS = {
    "train": ("train", "shop.csv", "-o", "new.assay", "--learner", "nb", "--ngrams", "1-2", "-q"),
    "predict": ("predict", "shop.assay", "shop.csv", "-o", "out.csv", "-q"),
    "help": ("--help",),
}


def ended(folder: Path, arguments: tuple[str, ...], number: int, delay: float) -> tuple[int, float, str]:
    """Exit code, seconds after the signal, and standard error."""
    process = subprocess.Popen(
        [ASSAY, *arguments], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    time.sleep(delay)
    began = time.monotonic()
    process.send_signal(number)
    said = process.communicate()[1]
    return process.returncode, time.monotonic() - began, said


def verdict(number: int, code: int, said: str, left: list[str]) -> str:
    """What became of one run, in a word or two."""
    if left:
        return f"left {left}"
    if code == 0 and not said:
        return "was done before"
    if code == EXIT_CODES[number] and said == ("Interrupted.\n" if number == signal.SIGINT else ""):
        return "ended as it should"
    if code == -number and not said:
        return "before Python had a handler"
    if code in (1, EXIT_CODES[number], -number) and "KeyboardInterrupt" in said and "in start" not in said:
        ours = "/assay/" in said  # the frames of our package
        return "before the first line of start() ran" if ours else "while Python itself was starting"
    return f"went wrong: exit code {code}, {said[-2000:]!r}"


def main() -> None:
    """Print what went wrong, and the counts."""
    n, name, command, longest = (*sys.argv[1:], *("200", "INT", "predict", "0.6")[len(sys.argv) - 1 :])
    number = getattr(signal, f"SIG{name}")
    draw = random.Random(1)
    counts: Counter[str] = Counter()
    slowest = 0.0
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        shutil.copy(str(SHOP_MESSAGES), folder / "shop.csv")
        subprocess.run([ASSAY, "train", "shop.csv", "--learner", "nb", "-q"], cwd=folder, check=True)
        there = {path.name for path in folder.iterdir()}
        for _ in range(int(n)):
            code, seconds, said = ended(folder, COMMANDS[command], number, draw.uniform(0, float(longest)))
            new = {path for path in folder.iterdir() if path.name not in there}
            counts[verdict(number, code, said, sorted(path.name for path in new if path.name.startswith(".")))] += 1
            slowest = max(slowest, seconds)
            for path in new:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
    for what, count in counts.most_common():
        print(f"{count:5}  {what}")
    print(f"the slowest end took {slowest:.2f} s")


if __name__ == "__main__":
    main()
