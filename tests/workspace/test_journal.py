"""Lines that are only added: what was confirmed stays, half lines are set aside, and nothing is skipped silently."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys

import pytest

from assay.errors import AssayError, DataError
from assay.workspace.journal import Journal


def lines(*names: str) -> bytes:
    return b"".join(json.dumps({"n": name}).encode() + b"\n" for name in names)


def names(journal: Journal) -> list[str]:
    return [entry.value["n"] for entry in journal.news()[1]]


def test_what_is_added_is_read_by_another(tmp_path):
    journal = Journal(tmp_path / "x.jsonl")
    with journal.writing() as held:
        added = held.append([{"n": "a"}, {"n": "ü\u202e\x00"}])
    assert [entry.line for entry in added] == [1, 2]
    assert names(Journal(journal.path)) == ["a", "ü\u202e\x00"]
    assert journal.news() == (False, [])


def test_a_reader_sees_what_others_added_since(tmp_path):
    one, other = Journal(tmp_path / "x.jsonl"), Journal(tmp_path / "x.jsonl")
    for name in "abc":
        with one.writing() as held:
            held.append([{"n": name}])
        assert names(other) == [name]


def test_a_half_line_at_the_end_is_set_aside_and_said(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes(lines("a", "b") + b'{"n": "c')
    journal = Journal(path)
    assert names(journal) == ["a", "b"]
    assert path.read_bytes() == lines("a", "b")
    assert (tmp_path / "x.jsonl.torn-1").read_bytes() == b'{"n": "c'
    (note,) = journal.notes
    assert note.endswith(
        'ended in a line that was cut off (8 bytes, \'{"n": "c\'): it is set aside in x.jsonl.torn-1, and all lines '
        "before it are kept"
    )


@pytest.mark.parametrize("tail", [b"\0" * 4096, b"\xff\xfe", b'"text"', b"{}}", b"[" * 100_000])
def test_whatever_stands_at_the_end_is_set_aside(tmp_path, tail):
    path = tmp_path / "x.jsonl"
    path.write_bytes(lines("a") + tail)
    assert names(Journal(path)) == ["a"]
    assert (tmp_path / "x.jsonl.torn-1").read_bytes() == tail


def test_every_end_that_is_set_aside_is_kept(tmp_path):
    path = tmp_path / "x.jsonl"
    for _ in range(2):
        with path.open("ab") as file:
            file.write(b"{")
        Journal(path).news()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["x.jsonl", "x.jsonl.torn-1", "x.jsonl.torn-2"]


def test_a_whole_line_without_its_end_counts(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes(lines("a") + b'{"n": "b"}')
    journal = Journal(path)
    assert names(journal) == ["a", "b"]
    with journal.writing() as held:
        held.append([{"n": "c"}])
    assert names(Journal(path)) == ["a", "b", "c"]
    assert not journal.notes


def test_what_an_editor_leaves_behind_is_read(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + lines("a").replace(b"\n", b"\r\n") + b"\r\n" + lines("b"))
    assert names(Journal(path)) == ["a", "b"]


def test_a_line_in_the_middle_that_is_none_is_refused_with_its_place(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes(lines("a") + b"oops\n" + lines("b"))
    with pytest.raises(DataError) as error:
        Journal(path).news()
    assert str(error.value) == (
        f"{path}, line 2: this is no line of labels: 'oops'. Put it right in an editor, or take the line out; the "
        "other lines do not depend on it."
    )
    assert path.read_bytes() == lines("a") + b"oops\n" + lines("b")


def test_what_belongs_together_counts_when_all_is_there(tmp_path):
    path = tmp_path / "x.jsonl"
    group = [{"n": "g", "id": "1", "lines": 2}, {"n": "h", "of": "1"}, {"n": "i", "of": "1"}]
    whole = b"".join(json.dumps(entry).encode() + b"\n" for entry in group)
    for cut in (1, len(whole) // 2, len(whole) - 2):
        path.write_bytes(lines("a") + whole[:cut])
        assert names(Journal(path)) == ["a"]
        assert path.read_bytes() == lines("a")
    path.write_bytes(lines("a") + whole + lines("b"))
    assert names(Journal(path)) == ["a", "g", "h", "i", "b"]


def test_lines_of_others_are_not_taken_for_a_part_of_what_belongs_together(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"n": "g", "id": "1", "lines": 1000}\n{"n": "h", "of": "1"}\n' + lines("a"))
    assert names(Journal(path)) == ["g", "h", "a"]


def test_a_file_that_was_put_in_its_place_is_read_anew(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes(lines("a", "b"))
    journal = Journal(path)
    names(journal)
    path.write_bytes(lines("c", "b", "d"))
    assert (journal.news()[0], names(Journal(path))) == (True, ["c", "b", "d"])
    path.unlink()
    assert journal.news() == (True, [])


def test_a_full_disk_is_said_in_one_line_and_nothing_half_is_left(tmp_path, monkeypatch):
    path = tmp_path / "x.jsonl"
    path.write_bytes(lines("a"))
    journal = Journal(path)
    write = os.write

    def full(handle: int, content: bytes) -> int:
        if len(content) > 20:
            return write(handle, content[:20])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with journal.writing() as held, monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(AssayError) as error:
            held.append([{"n": "x" * 20}])
    assert str(error.value) == (
        f"{path}: 1 line was not kept: No space left on device. All lines before are; make room or mend the disk, then "
        "give it again."
    )
    assert path.read_bytes() == lines("a")
    with journal.writing() as held:
        held.append([{"n": "b"}])
    assert names(Journal(path)) == ["a", "b"]


@pytest.mark.usefixtures("permissions_count")
def test_who_may_only_read_is_told_of_a_half_line(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes(lines("a") + b"{")
    path.chmod(0o444)
    journal = Journal(path)
    assert names(journal) == ["a"]
    assert journal.notes == [
        f"{path} ends in a line that was cut off (1 byte, '{{'), and may not be written: it is left"
    ]
    with pytest.raises(AssayError, match="Permission denied"), journal.writing():
        pass


WRITER = """
import sys
from pathlib import Path
from assay.workspace.journal import Journal
journal = Journal(Path(sys.argv[1]))
for n in range(int(sys.argv[3])):
    with journal.writing() as held:
        held.append([{"n": f"{sys.argv[2]}{n}", "more": "x" * (n * 37 % 500)}])
"""


def test_two_writers_lose_nothing_of_each_other(tmp_path):
    path = tmp_path / "x.jsonl"
    running = [subprocess.Popen([sys.executable, "-c", WRITER, path, name, "150"]) for name in "ab"]
    assert [process.wait(60) for process in running] == [0, 0]
    found = names(Journal(path))
    assert sorted(found) == sorted(f"{name}{n}" for name in "ab" for n in range(150))
    for name in "ab":
        assert [one for one in found if one[0] == name] == [f"{name}{n}" for n in range(150)]
