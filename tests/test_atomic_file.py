"""Files that are whole or not there, and what becomes of those that a killed process left half done."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from assay.atomic_file import move_atomically, open_atomically, write_atomically
from assay.errors import DataError, ParameterError
from assay.temporary_files import beside

KILLED = """
import os, signal, sys
from pathlib import Path
from assay.atomic_file import open_atomically
from assay.training.run_folder import new_folder
with open_atomically("out.csv") as file, new_folder(Path("x.run"), force=False) as folder:
    file.write(b"half")
    (folder / "half").write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("name", ["a" * 255, "é" * 127 + "x", "a" * 249 + ".assay"])
def test_a_name_may_be_as_long_as_the_system_allows(folder, name):
    write_atomically(name, b"x")
    write_atomically(name, b"y")
    assert (names(folder), Path(name).read_bytes()) == ([name], b"y")


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("a" * 256, ParameterError, "the name is too long: 256 bytes, where most systems allow 255. Give a shorter"),
        ("é" * 128, ParameterError, "the name is too long: 256 bytes"),
        ("a/" * 2100 + "b", ParameterError, "the path is too long: 4201 bytes, where most systems allow 4095"),
        ("a\0b", ParameterError, r"'a\\x00b': no name of a file has a zero byte in it\. Leave it out"),
        ("no/x", DataError, "the folder 'no' does not exist. Make it first"),
        (".", DataError, "this is a folder. Give the name of a file in it"),
    ],
)
def test_a_name_that_no_file_can_have_is_refused(folder, name, error, message):
    with pytest.raises(error, match=message):
        write_atomically(name, b"x")
    assert names(folder) == []


def test_what_a_killed_process_left_goes_when_the_same_output_is_written(folder):
    done = subprocess.run([sys.executable, "-c", KILLED], check=False)
    assert done.returncode == -9
    assert len(names(folder)) == 2
    write_atomically("other.csv", b"x")
    assert len(names(folder)) == 3  # those of other outputs are not looked at
    write_atomically("out.csv", b"x")
    with beside(Path("x.run"), folder=True):
        pass
    assert names(folder) == ["other.csv", "out.csv"]


def test_two_that_write_the_same_output_leave_each_other_alone(folder):
    with open_atomically("out.csv") as first:
        first.write(b"first")
        first.flush()
        subprocess.run(
            [sys.executable, "-c", "from assay.atomic_file import write_atomically as w; w('out.csv', b'2')"],
            check=True,
        )
        with open_atomically("out.csv") as third:
            third.write(b"third")
        assert Path("out.csv").read_bytes() == b"third"
    assert (names(folder), Path("out.csv").read_bytes()) == (["out.csv"], b"first")


def test_one_that_is_taken_for_abandoned_before_it_is_locked_is_made_again(folder, monkeypatch):
    import fcntl

    taken: list[str] = []
    lock = fcntl.flock

    def too_late(handle: int, how: int) -> None:
        if how == fcntl.LOCK_SH and not taken:
            taken.extend(names(folder))
            (folder / taken[0]).unlink()
        lock(handle, how)

    monkeypatch.setattr(fcntl, "flock", too_late)
    write_atomically("out.csv", b"x")
    assert (names(folder), len(taken)) == (["out.csv"], 1)


def test_where_nothing_can_be_locked_nothing_is_taken_for_abandoned(folder, monkeypatch):
    import fcntl

    def refused(handle: int, how: int) -> None:
        raise OSError(95, "Operation not supported")

    with beside(Path("out.csv")) as half:
        monkeypatch.setattr(fcntl, "flock", refused)
        write_atomically("out.csv", b"x")
        assert half.exists()
    assert names(folder) == ["out.csv"]


def test_a_link_stays_and_what_it_points_to_is_written(folder):
    Path("there").mkdir()
    Path("link.csv").symlink_to("there/real.csv")
    write_atomically("link.csv", b"x")
    assert Path("link.csv").is_symlink()
    assert Path("there/real.csv").read_bytes() == b"x"
    assert names(folder / "there") == ["real.csv"]


def test_a_pipe_is_written_to_as_it_is(folder):
    os.mkfifo("pipe")
    reader = subprocess.Popen(["cat", "pipe"], stdout=subprocess.PIPE)
    write_atomically("pipe", b"through")
    assert reader.communicate()[0] == b"through"


def test_a_file_that_is_written_gets_its_name_in_one_step(tmp_path):
    draft, model = tmp_path / "draft", tmp_path / "model"
    draft.write_bytes(b"new")
    model.write_bytes(b"old")
    move_atomically(draft, model)
    assert (model.read_bytes(), draft.exists()) == (b"new", False)


def test_a_link_stays_one_where_a_file_is_moved_to_it(tmp_path):
    (tmp_path / "draft").write_bytes(b"new")
    (tmp_path / "there").write_bytes(b"old")
    link = tmp_path / "model"
    link.symlink_to("there")
    move_atomically(tmp_path / "draft", link)
    assert link.is_symlink()
    assert (tmp_path / "there").read_bytes() == b"new"


def test_a_file_on_another_disk_is_copied(tmp_path, monkeypatch):
    draft, model = tmp_path / "draft", tmp_path / "model"
    draft.write_bytes(b"new")
    replace = Path.replace

    def refuse(self, target):
        if self == draft:
            raise OSError(errno.EXDEV, "Invalid cross-device link", str(self))
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", refuse)
    move_atomically(draft, model)
    assert (model.read_bytes(), draft.exists()) == (b"new", False)


def test_a_folder_is_no_place_for_a_file_that_is_moved(tmp_path):
    (tmp_path / "draft").write_bytes(b"new")
    with pytest.raises(DataError, match="this is a folder"):
        move_atomically(tmp_path / "draft", tmp_path)
