"""The report in a real browser: it looks right, its controls work, and no text in it gets its way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assay.training import TrainingRun

VISIBLE_MISTAKES = "[...document.querySelectorAll('#mistake-list .text')].filter((it) => !it.hidden)"


@pytest.fixture
def page(browser: Any, hostile_report: Path) -> Any:
    browser.open(hostile_report)
    return browser


def test_nothing_is_loaded_and_no_text_is_run(page: Any, hostile_report: Path) -> None:
    assert page.requests == [hostile_report.as_uri()]
    assert page.run("document.title").endswith("report of assay")
    assert page.run("document.querySelectorAll('img').length") == 0
    assert page.run("document.querySelectorAll('script').length") == 1
    shown = page.run("document.querySelector('#mistake-list blockquote').textContent")
    assert "<script>document.title = 'taken over'</script> <img src=x onerror=" in shown


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [360, 768, 1280])
def test_the_page_fits_its_window_in_both_schemes(browser: Any, hostile_report: Path, width: int, dark: bool) -> None:
    browser.open(hostile_report, width=width, dark=dark)
    assert browser.run("document.documentElement.scrollWidth") <= width
    assert browser.run("getComputedStyle(document.body).backgroundColor") == (
        "rgb(18, 21, 24)" if dark else "rgb(251, 251, 249)"
    )
    first = browser.run("document.querySelector('h1').getBoundingClientRect().bottom")
    assert 0 < first < 900  # the answer is on the first screen
    assert browser.picture().startswith(b"\x89PNG")


@pytest.mark.parametrize("width", [390, 820])
def test_words_are_whole_and_long_tables_scroll_in_a_box_of_their_own(
    browser: Any, many_classes_report: Path, width: int
) -> None:
    browser.open(many_classes_report, width=width)
    assert browser.run("document.documentElement.scrollWidth") <= width
    assert browser.run(BROKEN_WORDS) == []
    boxes = "[...document.querySelectorAll('.long')].map((it) => it.clientHeight < it.scrollHeight)"
    assert browser.run(boxes) == [True, True]
    worst = browser.run("[...document.querySelectorAll('#class-table td:last-child')].map((it) => +it.dataset.value)")
    assert worst == sorted(worst)
    assert browser.run("document.querySelector('#confusion details').open") is False


@pytest.mark.parametrize("dark", [False, True])
def test_letters_stand_out_from_their_ground(browser: Any, hostile_report: Path, dark: bool) -> None:
    browser.open(hostile_report, dark=dark)
    lowest = browser.run(CONTRAST)
    # Of normal text, what the Web Content Accessibility Guidelines (level AA) ask for.
    assert lowest["ratio"] >= 4.5, lowest


OTHER_PAGES = ["audit", "clusters", "card", "evaluation", "comparison", "explanation"]
OF_A_MODEL = ["learned", "counted", "groups", "prototypes"]


@pytest.mark.parametrize("name", [*OTHER_PAGES, *OF_A_MODEL])
@pytest.mark.parametrize(("width", "dark"), [(390, False), (390, True), (1280, False), (1280, True)])
def test_other_pages_fit_are_readable_and_run_no_text(
    browser: Any, hostile_pages: Path, name: str, width: int, dark: bool
) -> None:
    page = hostile_pages / f"{name}.html"
    browser.open(page, width=width, dark=dark)
    assert browser.requests == [page.as_uri()]
    assert browser.run("document.title") != "taken over"
    assert browser.run("document.querySelectorAll('img').length") == 0
    assert browser.run("document.documentElement.scrollWidth") <= width
    lowest = browser.run(CONTRAST)
    assert lowest["ratio"] >= 4.5, lowest
    assert browser.run(EMPTY_SECTIONS) == []
    assert browser.run(BROKEN_WORDS) == []
    assert browser.run(CUT_OFF) == []


@pytest.mark.parametrize("width", [390, 1280])
def test_labels_longer_than_any_column_neither_widen_the_page_nor_its_tables(
    browser: Any, long_labels_report: Path, width: int
) -> None:
    browser.open(long_labels_report, width=width)
    assert browser.run("document.documentElement.scrollWidth") <= width
    # A finger's breadth that a table is wider than a phone is scrolled; a label on one line would be 1,000 more.
    wide = browser.run("[...document.querySelectorAll('.wide')].map((it) => it.scrollWidth - it.clientWidth)")
    assert max(wide) <= 80
    assert browser.run("document.querySelector('.matrix').offsetHeight") < 700
    assert browser.run(CUT_OFF) == []


def test_curves_are_named_whole_and_told_apart_without_colours(browser: Any, many_classes_report: Path) -> None:
    browser.open(many_classes_report, width=390)
    legends = browser.run("[...document.querySelectorAll('.legend')].map((it) => it.innerText)")
    assert legends[1].count("card_payment_") == 6
    assert "…" not in legends[1]
    keys = "document.querySelectorAll('.legend')[1].querySelectorAll('line')"
    dashes = browser.run(f"[...{keys}].map((it) => it.getAttribute('stroke-dasharray'))")
    assert len(dashes) == len(set(dashes)) == 6
    named = browser.run("[...document.querySelectorAll('svg[role=img]')].map((it) => it.getAttribute('aria-label'))")
    assert all(named)
    letters = browser.run(
        "[...document.querySelectorAll('figure > svg text')].filter((it) => it.checkVisibility())"
        ".map((it) => it.getBoundingClientRect()).map((box) => Math.min(box.width, box.height))"
    )
    assert min(letters) >= 9  # pixels, on a phone


def test_a_click_on_a_heading_sorts_the_table_both_ways(page: Any) -> None:
    texts = "[...document.querySelectorAll('#class-table tbody tr')].map((row) => +row.cells[1].dataset.value)"
    page.click("#class-table thead th:nth-child(2) button")
    falling = page.run(texts)
    assert falling == sorted(falling, reverse=True)
    assert page.run("document.querySelector('#class-table th:nth-child(2)').getAttribute('aria-sort')") == "descending"
    page.click("#class-table thead th:nth-child(2) button")
    assert page.run(texts) == falling[::-1]
    page.click("#class-table thead th:nth-child(1) button")
    labels = page.run("[...document.querySelectorAll('#class-table tbody th')].map((it) => it.textContent)")
    assert labels == sorted(labels)


def test_a_click_in_the_matrix_shows_those_mistakes(page: Any) -> None:
    button = "document.querySelector('.matrix button')"
    truth, said = page.run(f"[{button}.dataset.truth, {button}.dataset.said]")
    count = page.run(f"+{button}.textContent")
    page.click(".matrix button")
    shown = page.run(f"{VISIBLE_MISTAKES}.map((it) => [it.dataset.truth, it.dataset.said])")
    assert shown == [[truth, said]] * min(count, 10)
    assert page.run("document.querySelector('#mistake-truth').value") == truth


def test_mistakes_are_searched_filtered_ordered_and_shown_by_the_page(page: Any, hostile_run: TrainingRun) -> None:
    assert hostile_run.evaluation is not None
    wrong = int((~hostile_run.evaluation.outcomes.correct).sum())
    assert page.run(f"{VISIBLE_MISTAKES}.length") == 10
    assert page.run("document.querySelector('#mistake-count').textContent") == f"10 of {wrong} shown"
    page.click("#mistake-more")
    assert page.run(f"{VISIBLE_MISTAKES}.length") == min(20, wrong)
    page.run(
        "(() => { const it = document.querySelector('#mistake-order'); it.value = 'unsure';"
        "it.dispatchEvent(new Event('input')); })()"
    )
    sure = page.run(f"{VISIBLE_MISTAKES}.map((it) => +it.dataset.confidence)")
    assert sure == sorted(sure)
    word = page.run(f"{VISIBLE_MISTAKES}[0].querySelector('blockquote').textContent").split()[0]
    page.type("#mistake-search", word)
    found = page.run(f"{VISIBLE_MISTAKES}.map((it) => it.querySelector('blockquote').textContent)")
    assert found
    assert all(word.lower() in text.lower() for text in found)
    page.type("#mistake-search", " nothing has this")
    assert page.run(f"{VISIBLE_MISTAKES}.length") == 0
    assert "No mistake fits" in page.run("document.querySelector('#mistake-count').textContent")


def test_colours_can_be_chosen(page: Any) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    seen = [page.run(ground)]
    for _ in range(3):
        page.click(".theme")
        seen.append(page.run(ground))
    assert seen == ["rgb(251, 251, 249)", "rgb(251, 251, 249)", "rgb(18, 21, 24)", "rgb(251, 251, 249)"]


def test_every_link_leads_somewhere(page: Any) -> None:
    links = page.run("[...document.querySelectorAll('a')].map((it) => it.getAttribute('href'))")
    assert len(links) >= 9
    assert all(link.startswith("#") for link in links)
    assert page.run(f"{json.dumps(links)}.filter((it) => !document.querySelector(it))") == []
    assert page.run(
        "[...document.querySelectorAll('[id]')].length === new Set([...document.querySelectorAll('[id]')]"
        ".map((it) => it.id)).size"
    )


def test_print_shows_every_mistake_and_no_controls(page: Any) -> None:
    page.ask("Emulation.setEmulatedMedia", media="print")
    hidden = "[...document.querySelectorAll('nav, .controls, .button')].every((it) => !it.getClientRects().length)"
    assert page.run(hidden)
    every = "[...document.querySelectorAll('#mistake-list .text')].every((it) => it.getClientRects().length)"
    assert page.run(every)
    page.ask("Emulation.setEmulatedMedia", media="")


def test_without_script_everything_is_there(browser: Any, hostile_report: Path) -> None:
    browser.ask("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(hostile_report)
        assert browser.run(f"{VISIBLE_MISTAKES}.length") > 10
        assert not browser.run("document.querySelector('#mistake-more').getClientRects().length")
    finally:
        browser.ask("Emulation.setScriptExecutionDisabled", value=False)


# The lowest contrast of a text to what it stands on, over all texts that are shown; pictures and marked words, whose
# ground is half transparent, are put together layer by layer.
EMPTY_SECTIONS = """
[...document.querySelectorAll('h2')].filter((it) => !it.parentElement.textContent.replace(it.textContent, '').trim())
  .map((it) => it.textContent)"""

# Words of a table that stand on more than one line, though nothing in them may be broken.
# Headings of the matrix stand upright on a phone, on one line each, and end in dots where they are long.
BROKEN_WORDS = """[...document.querySelectorAll('td, th:not(.matrix thead th)')].flatMap((cell) => {
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  const broken = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    for (const word of node.textContent.matchAll(/[\\p{L}\\p{N}]+/gu)) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1) broken.push(word[0]);
    }
  }
  return broken;
})"""

# Names of rows that reach below their cell.
CUT_OFF = """[...document.querySelectorAll('tbody th')].filter((cell) => {
  const range = document.createRange();
  range.selectNodeContents(cell.querySelector('span:not([class])') || cell);
  const cut = cell.closest('.matrix') !== null;  // after three lines, with dots
  const lowest = Math.max(...[...range.getClientRects()].slice(0, cut ? 3 : undefined).map((it) => it.bottom));
  return lowest > cell.getBoundingClientRect().bottom + 1;
}).map((cell) => cell.textContent)"""

CONTRAST = """(() => {
  const parse = (colour) => {
    const [a, b, c, opacity = 1] = colour.match(/[\\d.]+/g).map(Number);
    const most = colour.startsWith('color(srgb') ? 255 : 1;
    return [most * a, most * b, most * c, opacity];
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const linear = (v) => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
  const light = (c) => {
    const [r, g, b] = c.slice(0, 3).map((v) => linear(v / 255));
    return .2126 * r + .7152 * g + .0722 * b;
  };
  let lowest = { ratio: 99 };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const text = walker.currentNode.textContent.trim();
    if (!text || !element.getClientRects().length || element.closest('svg, script, .none, .skip')) continue;
    const layers = [];
    for (let it = element; it; it = it.parentElement) layers.unshift(parse(getComputedStyle(it).backgroundColor));
    const ground = layers.reduce((below, top) => over(top, below), [255, 255, 255, 1]);
    const ink = over(parse(getComputedStyle(element).color), ground);
    const [a, b] = [light(ink), light(ground)].sort((x, y) => y - x);
    const ratio = (a + .05) / (b + .05);
    if (ratio < lowest.ratio) lowest = { ratio, text: text.slice(0, 40), tag: element.outerHTML.slice(0, 120) };
  }
  return lowest;
})()"""
