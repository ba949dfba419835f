"""Whatever stops a command becomes a message and an exit code."""

from __future__ import annotations

import os
import re
import subprocess

import pytest

from assay import errors
from assay.cli import main as module
from assay.cli.main import main
from assay.samples import SHOP_MESSAGES


def stopped_by(monkeypatch, failure):
    def command(**_):
        raise failure

    monkeypatch.setattr(module, "build", lambda: command)
    return main([])


@pytest.mark.parametrize(
    ("failure", "code"),
    [
        (errors.DataError, 3),
        (errors.ModelFileError, 3),
        (errors.ParameterError, 2),
        (errors.NotFittedError, 1),
        (errors.MissingExtraError, 1),
    ],
)
def test_assay_error_is_a_message_with_its_exit_code(monkeypatch, capsys, failure, code):
    assert stopped_by(monkeypatch, failure("a.csv, row 2: no.")) == code
    assert capsys.readouterr() == ("", "Error: a.csv, row 2: no.\n")


def test_system_error_names_the_file(monkeypatch, capsys):
    assert stopped_by(monkeypatch, PermissionError(13, "Permission denied", "out.csv")) == 1
    assert capsys.readouterr().err.startswith("Error: out.csv: Permission denied. Change its permissions or those of ")
    assert stopped_by(monkeypatch, IsADirectoryError(21, "Is a directory", "out.csv")) == 1
    assert capsys.readouterr().err == "Error: out.csv: Is a directory.\n"


def test_interruption_is_said_in_one_word(monkeypatch, capsys):
    assert stopped_by(monkeypatch, SystemExit(130)) == 130
    assert capsys.readouterr().err == "Interrupted.\n"


def test_defect_is_not_hidden(monkeypatch):
    with pytest.raises(ZeroDivisionError):
        stopped_by(monkeypatch, ZeroDivisionError())


def test_message_cannot_command_the_terminal(monkeypatch, capsys):
    stopped_by(monkeypatch, errors.DataError("\x1b[2Jgone.csv: no such file."))
    assert capsys.readouterr().err == "Error: \\x1b[2Jgone.csv: no such file.\n"


def test_output_that_is_not_unicode_gets_question_marks(run):
    shown = run("inspect", SHOP_MESSAGES, PYTHONIOENCODING="ascii")
    assert shown.returncode == 0
    assert shown.stdout.isascii()


def test_output_that_is_closed_early_is_quiet(assay_command):
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([assay_command, "info"], stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")


def test_without_a_terminal_there_is_no_colour(run):
    shown = run("inspect", SHOP_MESSAGES)
    assert "\x1b" not in shown.stdout + shown.stderr


@pytest.mark.parametrize(("setting", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_colour_on_a_terminal_unless_it_is_not_wanted(on_terminal, setting, coloured):
    shown = on_terminal("stdout", "inspect", SHOP_MESSAGES, **setting)
    assert b"549 texts" in shown
    assert bool(re.search(rb"\x1b\[[0-9;]*3[0-7]m", shown)) is coloured


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MemoryError(), "memory ran out. Give assay less at a time"),
        (MemoryError("std::bad_alloc"), "memory ran out. Give assay less at a time"),
        (ImportError("libx.so: failed to map segment from shared object"), "memory ran out (libx.so: failed to map"),
        (RuntimeError("can't start new thread"), "memory ran out (can't start new thread). Give"),
        (MemoryError("Unable to allocate 8.00 EiB."), "memory ran out (Unable to allocate 8.00 EiB). Give assay less"),
    ],
)
def test_memory_that_runs_out_is_said_without_a_traceback(monkeypatch, capsys, error, said):
    assert stopped_by(monkeypatch, error) == 1
    assert capsys.readouterr().err.startswith(f"Error: {said}")


def test_an_import_that_fails_for_another_reason_stays_a_defect(monkeypatch):
    with pytest.raises(ImportError, match="no module"):
        stopped_by(monkeypatch, ImportError("no module"))
