"""The chapters and their scripts: all of their code runs, and prints what the page shows."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from assay.textbook import ALGORITHMS

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "docs/textbook"
CHAPTERS = sorted(path.stem for path in BOOK.glob("*.md") if path.stem != "index")
SCRIPTS = sorted((ROOT / "examples/textbook").glob("*.py"))

pytestmark = pytest.mark.skipif(not BOOK.is_dir(), reason="the documentation is not there")


def text_of(chapter: str) -> str:
    return (BOOK / f"{chapter}.md").read_text("utf-8")


@pytest.mark.parametrize("chapter", ["index", *CHAPTERS])
def test_code_prints_what_the_page_shows_and_draws_its_pictures(chapter, tmp_path):
    (tmp_path / "pictures").mkdir()
    refreshed = runpy.run_path(str(BOOK / "refresh.py"))["refreshed"]
    assert refreshed(text_of(chapter), tmp_path) == text_of(chapter)
    shown = set(re.findall(r"!\[.+?\]\(pictures/(.+?)\)", text_of(chapter)))
    drawn = {path.name for path in (tmp_path / "pictures").iterdir()}
    assert shown == drawn
    assert all((BOOK / "pictures" / name).is_file() for name in shown)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_chapter_has_its_parts(chapter):
    text = text_of(chapter)
    for part in ("## The formula", "## The picture", "## What the fast version does differently"):
        assert part in text, part
    assert "print(" in text
    for path in re.findall(r"`(assay/textbook/\w+\.py)`", text):
        assert (ROOT / "src" / path).is_file(), path
    (script,) = re.findall(r"`(examples/textbook/\w+\.py)`", text)
    assert (ROOT / script).is_file(), script


def test_every_chapter_is_in_the_table_of_contents_and_every_link_leads_somewhere():
    linked = set(re.findall(r"\]\(([\w-]+)\.md\)", text_of("index")))
    assert linked == set(CHAPTERS)
    for chapter in CHAPTERS:
        assert set(re.findall(r"\]\(([\w-]+)\.md\)", text_of(chapter))) <= set(CHAPTERS), chapter


def test_every_algorithm_is_traced_in_a_chapter():
    book = "".join(text_of(chapter) for chapter in CHAPTERS)
    assert [name for name in ALGORITHMS if f'trace("{name}"' not in book] == []


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_every_script_runs(script, capsys):
    runpy.run_path(str(script), run_name="__main__")
    assert capsys.readouterr().out.strip()


def test_every_chapter_has_a_script_and_every_script_a_chapter():
    assert {path.stem for path in SCRIPTS} == {chapter.replace("-", "_") for chapter in CHAPTERS}
