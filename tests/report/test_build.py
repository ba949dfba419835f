"""The report as a file: complete, escaped, small, and right about what is and is not known."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import assay
from assay.errors import DataError
from assay.report import render_report, write_report
from assay.training import TrainingRun

Train = Callable[..., TrainingRun]


class Page(HTMLParser):
    """Elements with their attributes, and the text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(html)
        self.text = " ".join(self.text.split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in ("meta", "input", "use", "path", "image"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.open and self.open[-1] == tag:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.open[-1:] not in (["script"], ["style"]):
            self.text += data + " "


def random_texts(n: int, n_classes: int, seed: int = 0) -> tuple[list[str], list[str]]:
    rng = np.random.default_rng(seed)
    labels = [f"class {k % n_classes}" for k in range(n)]
    texts = [f"{label.replace(' ', '')} " + " ".join(f"w{i}" for i in rng.integers(0, 50, 12)) for label in labels]
    keep = rng.random(n) < 0.8  # the others say nothing about their class
    return [text if kept else text.partition(" ")[2] for text, kept in zip(texts, keep, strict=True)], labels


def test_every_section_is_there_and_nothing_hostile_is(hostile_report: Path) -> None:
    page = Page(hostile_report.read_text(encoding="utf-8"))
    sections = [attributes["id"] for tag, attributes in page.elements if tag == "section"]
    assert sections == ["data", "result", "confusion", "curves", "elsewhere", "features", "texts", "mistakes", "repeat"]
    tags = [tag for tag, _ in page.elements]
    assert (tags.count("script"), tags.count("img")) == (1, 0)
    assert not any(name.startswith("on") for _, attributes in page.elements for name in attributes)
    assert "unseen texts right" in page.text
    assert "assay predict shop.assay new.csv" in page.text
    assert "assay audit shop.assay other.csv" in page.text
    assert "assay card shop.assay" in page.text


def test_nothing_points_outside_of_the_file(hostile_report: Path) -> None:
    html = hostile_report.read_text(encoding="utf-8")
    addresses = re.findall(r"https?://[^\s\"'<)]+", html)
    assert set(addresses) <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}  # names, never loaded
    assert "default-src 'none'" in html
    assert not re.findall(r'(?:src|href)="(?!#)', html)


def test_the_same_run_gives_the_same_bytes(hostile_run: TrainingRun) -> None:
    assert render_report(hostile_run) == render_report(hostile_run)


def test_a_search_shows_its_candidates(run_of: Train) -> None:
    corpus = assay.read(random_texts(90, 3))
    run = run_of(corpus, learner="auto", ngrams=None, budget=2)
    page = Page(render_report(run))
    assert "candidates were compared by accuracy in cross-validation" in page.text
    assert "chosen" in page.text
    assert "Round 1 of" in page.text


def test_without_a_test_part_the_numbers_are_those_of_the_cross_validation(run_of: Train) -> None:
    page = Page(render_report(run_of(assay.read(random_texts(80, 2)), learner="logistic", holdout=0.0, folds=4)))
    assert "Measured on all 80 texts by cross-validation" in page.text
    assert "Which of the two classes “class 0” and “class 1” does a text belong to?" in page.text


def test_without_any_measurement_the_report_says_that_nothing_is_known(run_of: Train) -> None:
    page = Page(render_report(run_of(assay.read(random_texts(40, 2)), holdout=0.0, folds=0)))
    assert "How good it is, is not known ." in page.text
    assert [attributes["id"] for tag, attributes in page.elements if tag == "section"] == ["data", "features", "repeat"]


def test_a_model_without_probabilities_is_reported_without_them(run_of: Train) -> None:
    run = run_of(assay.read(random_texts(80, 3)), learner="svm", folds=0)
    assert run.evaluation is not None
    assert run.evaluation.outcomes.probabilities is None
    page = Page(render_report(run))
    assert "Do its probabilities come true?" not in page.text
    assert "% sure" not in page.text


def test_groups_of_features_are_measured_on_the_test_part(run_of: Train) -> None:
    corpus = assay.read(random_texts(120, 3))
    page = " ".join(Page(render_report(run_of(corpus, learner="logistic", folds=0))).text.split())
    assert "What each group of features is worth" in page
    assert "Macro F1 " in page.partition("What each group")[2].partition(" with all features, on")[0]
    without = run_of(corpus, learner="logistic", folds=0, holdout=0.0)
    assert "What each group of features is worth" not in Page(render_report(without)).text


def test_a_model_without_mistakes_says_so(run_of: Train) -> None:
    texts = ["good good film", "bad bad film", "good good one", "bad bad one"] * 15
    page = Page(render_report(run_of(assay.read((texts, ["+", "-"] * 30)))))
    assert "It gets 100% of unseen texts right" in " ".join(page.text.split())
    assert "None: every text got its own label." in page.text


def test_many_classes_and_long_texts_stay_below_two_megabytes(run_of: Train, tmp_path: Path) -> None:
    texts, labels = random_texts(2400, 80)
    long = [f"{text} {'und so weiter ' * 400}" for text in texts]
    run = run_of(assay.read((long, labels)), learner="nb", ngrams="1-1")
    assert run.evaluation is not None
    assert (~run.evaluation.outcomes.correct).sum() > 50
    write_report(run, tmp_path / "report.html")
    assert (tmp_path / "report.html").stat().st_size < 2_000_000
    page = Page((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert "more characters" in page.text
    assert "Find a class" in page.text
    assert "These are the most frequent confusions." in page.text


def test_names_of_classes_may_hold_anything(run_of: Train) -> None:
    texts, labels = random_texts(90, 3)
    odd = {"class 0": "$x_1$ & “so”", "class 1": "שלום", "class 2": "a" * 300}
    page = Page(render_report(run_of(assay.read((texts, [odd[label] for label in labels])), learner="logistic")))
    for name in odd.values():
        assert name in page.text


def test_places_show_no_folders(run_of: Train, tmp_path: Path) -> None:
    path = tmp_path / "private" / "texts.csv"
    path.parent.mkdir()
    texts, labels = random_texts(60, 2)
    path.write_text("text,label\n" + "\n".join(map(",".join, zip(texts, labels, strict=True))), encoding="utf-8")
    html = render_report(run_of(assay.read(path)))
    assert "texts.csv, row " in html
    assert "private" not in html
    assert str(tmp_path) not in html


def test_a_folder_that_is_not_there_is_refused(hostile_run: TrainingRun, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"the folder '.*nowhere' does not exist"):
        write_report(hostile_run, tmp_path / "nowhere" / "report.html")


def test_a_useless_classifier_is_not_announced_as_good(run_of: Train) -> None:
    random = np.random.default_rng(0)
    texts = [" ".join(f"w{i}" for i in random.integers(0, 50, 12)) for _ in range(1000)]
    run = run_of(assay.read((texts, ["keep"] * 980 + ["remove"] * 20)), learner="logistic", holdout=0.2)
    page = Page(render_report(run))
    before = page.text.partition("Against guessing")[0]
    assert "unseen texts right" not in page.text
    assert "It says “keep” to every text." in before
    assert "Of 4 texts of “remove” it found none." in before
    assert "Label more texts of “remove”: there were 16 to learn from." in before
    assert "When it is sure" not in page.text
    assert run.to_dict()["verdict"]["kind"] == "constant"
