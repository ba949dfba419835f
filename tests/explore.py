"""Try the property tests with examples drawn at random, for a while: ``make fuzz``.

`make test` draws the same examples everywhere, so that nobody's change fails by a draw. What those examples never reach
is looked for here. Round after round, each with a random seed that is printed, the tests that Hypothesis feeds run in a
random order until the time is up; a test that has failed is left out from then on. At the end stands what to add above
each failed test, so that the example is tried everywhere from then on.

As a program it starts pytest for every round, as a plugin (``-p explore``) it is loaded there.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

_FINDINGS = "ASSAY_FINDINGS"  # the file that a round appends to, a line of JSON for each failed test
_SECONDS = "ASSAY_EXPLORE_SECONDS"  # for the tests of a round, once they are gathered
_SEED = "ASSAY_EXPLORE_SEED"
_until = pytest.StashKey[float]()


def main() -> int:
    """Explore until the time is up; 1 if anything was found."""
    parser = argparse.ArgumentParser(description=__doc__, usage="explore.py [--seconds N] [what pytest takes]")
    parser.add_argument("--seconds", type=float, default=60.0)
    options, arguments = parser.parse_known_args()
    end = time.time() + options.seconds
    with tempfile.TemporaryDirectory() as folder:
        findings = Path(folder) / "findings.jsonl"
        findings.touch()
        try:
            n_rounds = _explore(end, findings, arguments)
        except KeyboardInterrupt:
            n_rounds = 1  # and not a whole one
        found = [json.loads(line) for line in findings.read_text("utf-8").splitlines()]
    if n_rounds == 0:
        parser.error("There is no property test among these.")
    for finding in found:
        print(f"\n{finding['test']}\n{finding['advice']}")
    print(f"\n{n_rounds} rounds in {options.seconds:g} s: {len(found)} tests failed.")
    return 1 if found else 0


def _explore(end: float, findings: Path, arguments: list[str]) -> int:
    n_rounds = 0
    while time.time() < end:
        seed = random.SystemRandom().randrange(2**32)
        print(f"» seed {seed}", flush=True)
        failed = [json.loads(line)["test"] for line in findings.read_text("utf-8").splitlines()]
        command = [sys.executable, "-m", "pytest", "-p", "explore", "-p", "no:cacheprovider", "-m", "hypothesis"]
        command += ["--hypothesis-profile=explore", f"--hypothesis-seed={seed}", *arguments]
        command += [f"--deselect={test}" for test in failed]
        here = {"PYTHONPATH": str(Path(__file__).parent)}
        settings = {_FINDINGS: str(findings), _SECONDS: str(end - time.time()), _SEED: str(seed)}
        # A round that a worker of another pytest starts, as a test of this program does, is none of that worker's.
        outside = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_XDIST")}
        done = subprocess.run(command, env=outside | here | settings, check=False)
        if done.returncode == pytest.ExitCode.NO_TESTS_COLLECTED:  # or all of them have failed
            break
        n_rounds += 1
        if done.returncode not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            sys.exit(f"pytest ended with {done.returncode}: nothing is explored any further.")
    return n_rounds


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests into an order that the seed decides, the same for all workers."""
    if _SEED in os.environ:
        random.Random(os.environ[_SEED]).shuffle(items)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Start the clock."""
    session.config.stash[_until] = time.time() + float(os.environ.get(_SECONDS, "inf"))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Begin no test after the end."""
    if time.time() > item.config.stash[_until]:
        pytest.skip("the time is up")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Let the report of a failure say what to add to the test."""
    report = yield
    if report.failed:
        calls = getattr(item, "_hypothesis_failing_examples", [])
        report.user_properties = [("advice", advice(calls, report.longreprtext))]
    return report


def advice(calls: list[str], account: str) -> str:
    """What to write above a test that failed for these calls of it: the examples, or else what draws them again."""
    examples = [f"@example{call[call.index('(') :]}" for call in calls if "data(...)" not in call]
    blobs = re.findall(r"@reproduce_failure\(.*\)", account)
    return "\n".join(examples or blobs or [account])


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Write down what was found; of several workers, none but the one that gathers their reports does."""
    found = dict(report.user_properties).get("advice")
    if found and _FINDINGS in os.environ and "PYTEST_XDIST_WORKER" not in os.environ:
        with Path(os.environ[_FINDINGS]).open("a", encoding="utf-8") as file:
            file.write(json.dumps({"test": report.nodeid, "advice": found}) + "\n")


if __name__ == "__main__":
    sys.exit(main())
