"""A signal in the middle of an import neither aborts the process nor shows a traceback.

nanobind imports a module of Python's when it is first loaded, and forgets what that raises; to make an enumeration it
calls much more, and gives up the whole process where that raises. The signal is sent from within those very calls, so
that nothing depends on time.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

import assay

SENT_WITHIN = """
import os, signal, sys
number, point, calls, within = getattr(signal, sys.argv[1]), int(sys.argv[2]), 0, False

def look(frame, event, called):
    global calls, within
    if event == "c_call" and called.__name__ in ("create_dynamic", "exec_dynamic"):
        within = "assay._native" in str(frame.f_locals)
    elif event == "c_return" and called.__name__ in ("create_dynamic", "exec_dynamic"):
        within = False
    elif event == "call" and within:
        calls += 1
        if calls == point:
            os.kill(os.getpid(), number)

signal.signal(signal.SIGINT, signal.default_int_handler)  # which a background job would not have
signal.signal(signal.SIGHUP, signal.SIG_DFL)
sys.setprofile(look)
"""

IN_A_COMMAND = """
from assay.cli.start import start
sys.argv = ["assay", "info"]
code = start()
sys.exit(0 if calls < point else f"went on with code {code}")
"""

IN_A_LIBRARY = """
try:
    from assay.learners import MultinomialNB
except KeyboardInterrupt:
    sys.setprofile(None)
    print(calls >= point, signal.getsignal(number) is signal.default_int_handler)
from assay.learners import MultinomialNB
print(MultinomialNB().fit([[1, 0], [0, 1]], ["a", "b"]).predict([[2, 0]]))
"""


def run_script(script: str, *arguments: str) -> tuple[int, str, str]:
    command = [sys.executable, "-c", SENT_WITHIN + script, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout, done.stderr


def test_ctrl_c_in_a_library_arrives_when_the_native_module_is_there():
    assert run_script(IN_A_LIBRARY, "SIGINT", "1") == (0, "True True\n['a']\n", "")


@pytest.mark.parametrize(
    ("name", "code", "said"), [("SIGINT", 130, "Interrupted.\n"), ("SIGTERM", 143, ""), ("SIGHUP", 129, "")]
)
def test_a_command_ends_with_the_exit_code_of_the_signal(name, code, said):
    assert run_script(IN_A_COMMAND, name, "1") == (code, "", said)


@pytest.mark.parametrize(("name", "code"), [("SIGTERM", 143), ("SIGHUP", 129)])
def test_a_request_to_end_while_the_command_line_is_imported_is_quiet(name, code, tmp_path):
    (tmp_path / "typer.py").write_text(f"import os, signal\nos.kill(os.getpid(), signal.{name})\nwhile True: pass\n")
    script = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from assay.cli.start import start; start()"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (code, b"", b"")


def test_the_native_module_makes_no_enumerations():
    """An import of the module itself, in which nothing holds signals back, would be given up by Ctrl-C in them."""
    script = "import assay._native as n; print([k for k, v in vars(n).items() if isinstance(v, type(Flag))])"
    done = subprocess.run([sys.executable, "-c", f"from enum import Flag; {script}"], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"[]\n")


def test_the_command_begins_with_what_python_has_loaded_already():
    """Until it has begun, Ctrl-C is Python's, with a traceback."""
    source = Path(assay.__file__).parents[1]
    script = (
        f"import os, sys, __future__; sys.path.insert(0, {str(source)!r}); before = set(sys.modules)\n"
        "import assay.cli.start; print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-S", "-c", script], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("assay assay.cli assay.cli.start assay.lazy_names\n", "")


def test_a_closed_terminal_is_ignored_behind_nohup():
    script = (
        "import os, signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "from assay.cli import application; build = application.build\n"
        "from assay.cli import main as module\n"
        "module.build = lambda: os.kill(os.getpid(), signal.SIGHUP) or build()\n"
        "from assay.cli.start import start; sys.argv = ['assay', '--version']; sys.exit(start())"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("assay ")


def test_in_another_thread_no_handler_is_touched():
    import threading

    from assay.deferred_signals import signals_held_back

    found = []

    def look():
        with signals_held_back():
            found.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert found == [signal.getsignal(signal.SIGINT)]
