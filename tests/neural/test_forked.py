"""A network that has been used goes on working in a process that is forked, where PyTorch's own threads are gone."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytest.importorskip("torch")

IN_A_CHILD = """
import os, sys
from assay import neural
texts, labels = ["loved it", "so dull", "great fun", "very dull"] * 30, ["pos", "neg", "pos", "neg"] * 30
network = neural.AveragingNetwork(epochs=1, threads=2).fit(texts, labels)
before = network.predict(texts).tolist()
if os.fork() == 0:
    same = network.predict(texts).tolist() == before
    network.fit(texts, labels)
    os._exit(0 if same else 1)
_, status = os.wait()
print(os.waitstatus_to_exitcode(status), network.predict(texts).tolist() == before)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
def test_a_network_predicts_and_learns_in_a_forked_process():
    done = subprocess.run([sys.executable, "-c", IN_A_CHILD], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout == "0 True\n", done.stderr
