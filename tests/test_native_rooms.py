"""The rooms of the C++ sources include only what the table in cpp/assay/README.md lets them."""

import re
from pathlib import Path

CPP = Path(__file__).parents[1] / "cpp"


def allowed():
    """Room to the rooms that it may include, as the table says."""
    rows = re.findall(r"^\| `([\w/]+)` \|([^|]*)\|", (CPP / "assay" / "README.md").read_text("utf-8"), re.MULTILINE)
    return {room: set(re.findall(r"`([\w/]+)`", others)) for room, others in rows}


def room_of(path):
    return path.parent.relative_to(CPP / "assay").as_posix()


SOURCES = sorted(path for path in (CPP / "assay").rglob("*.?pp"))


def test_table_names_every_room_once_and_no_other():
    assert set(allowed()) == {room_of(path) for path in SOURCES}


def test_rooms_include_only_rooms_that_they_may_know():
    known = allowed()
    for path in SOURCES:
        included = re.findall(r'^#include "assay/([\w/]+)/\w+\.hpp"', path.read_text("utf-8"), re.MULTILINE)
        assert set(included) <= known[room_of(path)] | {room_of(path)}, path


def test_namespaces_are_the_rooms():
    for path in SOURCES:
        room = room_of(path).split("/")[0]
        spaces = re.findall(r"^namespace (assay[\w: ]*) \{", path.read_text("utf-8"), re.MULTILINE)
        assert set(spaces) == {"assay::inline base" if room == "base" else f"assay::{room}"}, path
