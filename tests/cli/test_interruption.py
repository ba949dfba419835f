"""Ctrl-C reaches a command that loses exceptions, sits in native code, or has hardly begun."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

BEGINNING = """
import os, signal, sys, weakref
from pathlib import Path
from assay.cli import main as module
from assay.cli.signals import watch
from assay.cli.main import main
from assay.atomic_file import open_atomically

class Thing: pass

def press():
    os.kill(os.getpid(), signal.SIGINT)

def run(command):
    module.build = lambda: lambda **_: command()
    sys.exit(main([]))
"""


def run_script(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", BEGINNING + script]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)


LOSES_IT = {
    "in the callback of a weak reference": """
def command():
    thing = Thing()
    reference = weakref.ref(thing, lambda _: press())
    del thing
    while True: pass
run(command)
""",
    "in a library that catches everything": """
def command():
    try:
        press()
    except BaseException:
        pass
    while True: pass
run(command)
""",
    "while clearing away takes its time": """
def command():
    try:
        press()
    finally:
        begun = Path("begun"); begun.touch()
        for _ in range(3 * 10**6): pass
        begun.unlink()
watch.PATIENCE = 30
run(command)
""",
    "in native code": """
import ctypes, threading
watch.PATIENCE = 0.1
def command():
    with open_atomically("out"):
        threading.Timer(0.1, press).start()
        mutex = ctypes.create_string_buffer(64)
        while True: ctypes.CDLL(None).pthread_mutex_lock(mutex)  # the second time, for ever
run(command)
""",
    "twice": """
watch.PATIENCE = 1000
def command():
    with open_atomically("out"):
        try:
            press()
        finally:
            press()
            while True: pass
run(command)
""",
}


@pytest.mark.parametrize("script", LOSES_IT.values(), ids=LOSES_IT.keys())
def test_ctrl_c_ends_the_command(script: str, tmp_path: Path) -> None:
    done = run_script(script, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "Interrupted.\n")
    assert list(tmp_path.iterdir()) == []


def test_an_error_that_a_library_makes_of_ctrl_c_is_not_shown(tmp_path: Path) -> None:
    done = run_script(
        """
def command():
    try:
        press()
    except KeyboardInterrupt:
        raise SystemError("returned a result with an exception set")
run(command)
""",
        tmp_path,
    )
    assert (done.returncode, done.stderr) == (130, "Interrupted.\n")


def test_the_request_of_the_system_to_end_is_not_lost_either(tmp_path: Path) -> None:
    done = run_script(
        """
def command():
    try:
        os.kill(os.getpid(), signal.SIGTERM)
    except BaseException:
        pass
    while True: pass
run(command)
""",
        tmp_path,
    )
    assert (done.returncode, done.stderr) == (143, "")


def test_other_errors_in_callbacks_are_still_printed(tmp_path: Path) -> None:
    done = run_script(
        """
def command():
    thing = Thing()
    reference = weakref.ref(thing, lambda _: 1 / 0)
    del thing
run(command)
""",
        tmp_path,
    )
    assert done.returncode == 0
    assert "ZeroDivisionError" in done.stderr


def test_handlers_are_put_back_after_a_command() -> None:
    from assay.cli.main import main

    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM), sys.unraisablehook
    assert main(["--version"]) == 0
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM), sys.unraisablehook) == before


def test_ctrl_c_while_the_command_is_imported_is_quiet(tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nwhile True: pass\n")
    script = "from assay.cli.start import start; start()"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"Interrupted.\n")


def test_an_error_in_a_new_folder_names_the_folder_that_was_asked_for(tmp_path: Path) -> None:
    from assay.training.run_folder import new_folder

    for name in ("card.md", None):
        with (
            pytest.raises(OSError, match="No space left") as caught,
            new_folder(tmp_path / "x.run", force=False) as new,
        ):
            raise OSError(28, "No space left on device", name and str(new / name))
        assert caught.value.filename == str(tmp_path / "x.run" / (name or ""))
    assert list(tmp_path.iterdir()) == []


def test_a_run_folder_that_is_being_replaced_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from assay.training.run_folder import new_folder

    old = tmp_path / "x.run"
    old.mkdir()
    (old / "card.md").write_text("old")
    rename = Path.replace

    def interrupted(self: Path, target: Path) -> Path:
        if target == old and self.parent == tmp_path:  # the new folder takes the place
            raise KeyboardInterrupt
        return rename(self, target)

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt), new_folder(old, force=True):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["x.run"]
    assert (old / "card.md").read_text() == "old"


def test_what_a_process_that_was_killed_had_set_aside_goes_with_the_next_run(tmp_path: Path) -> None:
    script = """
import os, signal
from pathlib import Path
from assay.training.run_folder import new_folder
rename = Path.replace
def killed(self, target):
    if target == Path("x.run"):
        os.kill(os.getpid(), signal.SIGKILL)
    return rename(self, target)
Path.replace = killed
Path("x.run").mkdir()
with new_folder(Path("x.run"), force=True): pass
"""
    done = run_script(script, tmp_path)
    assert (done.returncode, len(list(tmp_path.iterdir()))) == (-9, 2)

    from assay.training.run_folder import new_folder

    with new_folder(tmp_path / "x.run", force=False):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["x.run"]
