"""Killed at any moment: what was confirmed is there."""

from __future__ import annotations

import random
import signal
import subprocess
import sys

from assay.workspace import Workspace

LABELLER = """
import sys
from assay.workspace import Workspace
space = Workspace(sys.argv[1])
print("ready", flush=True)
for row in range(len(space.texts)):
    decision = space.record(row, "pos", who=sys.argv[2], why="uncertain", note="n" * (row * 91 % 3000))
    print(decision.stamp.id, flush=True)
"""


def test_kill_9_loses_no_label_that_was_confirmed(tmp_path, space):
    draw = random.Random(0)
    for round in range(6):
        command = [sys.executable, "-c", LABELLER, str(space.folder), f"coder {round}"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            confirmed = [process.stdout.readline().strip()]
            for _ in range(draw.randrange(1, 40)):
                confirmed.append(process.stdout.readline().strip())
            process.send_signal(signal.SIGKILL)
            confirmed += process.stdout.read().split("\n")[:-1]
        kept = {decision.stamp.id for decision in Workspace(space.folder).decisions_by(f"coder {round}").values()}
        confirmed = confirmed[1:]
        assert set(confirmed) <= kept
        assert len(kept) <= len(confirmed) + 1


def test_a_journal_that_is_cut_anywhere_gives_the_lines_before(tmp_path, space):
    for row in range(5):
        space.record(row, "pos", who="ana")
    path = space.folder / "labels.jsonl"
    whole = path.read_bytes()
    ends = [n + 1 for n, byte in enumerate(whole) if byte == ord("\n")]
    for cut in range(0, len(whole), 7):
        path.write_bytes(whole[:cut])
        assert len(Workspace(space.folder).decisions) == sum(end <= cut + 1 for end in ends)
