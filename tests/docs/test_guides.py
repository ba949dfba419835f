"""The documentation's Python: what is shown with prompts is run by pytest's doctest, all the rest here."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from assay.samples import SHOP_MESSAGES

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = {
    page.relative_to(ROOT).as_posix(): BLOCK.findall(page.read_text(encoding="utf-8"))
    for page in sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
    if "textbook" not in page.parts  # whose chapters are run, with their output, by tests/textbook
}


def with_blocks(*, prompts):
    """Pages that have such blocks, and those blocks."""
    found = {page: [b for b in blocks if b.startswith(">>>") == prompts] for page, blocks in PAGES.items()}
    return [pytest.param(blocks, id=page) for page, blocks in found.items() if blocks]


@pytest.mark.parametrize("blocks", with_blocks(prompts=False))
def test_examples_without_prompts_run_on_a_file_of_reviews(blocks, tmp_path, monkeypatch):
    shutil.copy(SHOP_MESSAGES, tmp_path / "reviews.csv")
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in blocks:
        exec(compile(block, "example", "exec"), names)
    assert len(names) > 1, "nothing but __builtins__: the examples did nothing"


@pytest.mark.parametrize("blocks", with_blocks(prompts=True))
def test_an_empty_line_keeps_the_fence_out_of_the_expected_output(blocks):
    assert [block for block in blocks if not block.endswith("\n\n")] == []
