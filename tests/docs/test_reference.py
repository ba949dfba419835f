"""The reference lists exactly what is public: the names that the packages export."""

from __future__ import annotations

import importlib
import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src"
REFERENCE = ROOT / "docs" / "reference"

# Those that load their names when they are used, and the few whose ``__init__`` has them itself.
PACKAGES = {".".join(stub.parent.relative_to(SOURCES).parts) for stub in SOURCES.rglob("__init__.pyi")}
PACKAGES |= {"assay.errors", "assay.samples"}
# The textbook's names are those of its chapters (docs/textbook); the reference has what they share.
TEXTBOOK = "assay.textbook."


def public_names() -> list[str]:
    """Under the name by which the reference has it: what `assay` has itself stands there and nowhere else."""
    names = [f"{package}.{name}" for package in sorted(PACKAGES) for name in importlib.import_module(package).__all__]
    shortest = {id(resolved(name)) for name in names if name.count(".") == 1}
    return [name for name in names if name.count(".") == 1 or id(resolved(name)) not in shortest]


def resolved(path: str) -> object:
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(module), name)


def names_in_reference() -> list[str]:
    entries = [
        entry
        for page in sorted(REFERENCE.glob("*.md"))
        for entry in re.findall(r"^::: (\S+)$", page.read_text("utf-8"), re.MULTILINE)
    ]
    listed = [entry for entry in entries if entry != "assay.errors"]
    return [*listed, *(f"assay.errors.{name}" for name in importlib.import_module("assay.errors").__all__)]


def test_the_reference_has_every_public_name_once_and_nothing_else():
    listed = [name for name in names_in_reference() if not name.startswith(TEXTBOOK)]
    public = [name for name in public_names() if name != "assay.__version__"]
    assert Counter(listed) - Counter(public) == {}
    assert Counter(public) - Counter(listed) == {}


@pytest.mark.parametrize("path", [name for name in names_in_reference() if name.startswith(TEXTBOOK)])
def test_what_the_reference_has_of_the_textbook_is_there(path):
    module, _, name = path.rpartition(".")
    assert name in importlib.import_module(module).__all__


def test_everything_public_has_one_home():
    homes = Counter(id(resolved(path)) for path in public_names())
    assert [path for path in public_names() if homes[id(resolved(path))] > 1] == []


EXAMPLES = [
    path
    for pattern in ("README.md", "docs/**/*.md", "examples/**/*.py", "examples/**/*.md")
    for path in sorted(ROOT.glob(pattern))
    if "adr" not in path.parts and path.parent.name != "design"
]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_examples_take_names_from_their_public_homes(path):
    taken = re.findall(r"^[ >.]*from (assay[\w.]*) import ([^\n(]+|\([^)]*\))", path.read_text("utf-8"), re.MULTILINE)
    homes = {*public_names()}
    deep = [
        f"{module}.{name}"
        for module, names in taken
        if not module.startswith("assay.textbook")
        for name in re.findall(r"\w+", names)
        if f"{module}.{name}" not in homes | PACKAGES | {"assay.textbook"}
    ]
    assert deep == []
