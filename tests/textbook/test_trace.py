"""Traces: the steps as the books' tables, as HTML, as JSON."""

from __future__ import annotations

import json
import re
from functools import cache
from html.parser import HTMLParser

import pytest

from assay import textbook
from assay.textbook import ALGORITHMS, worked

trace_of = cache(textbook.trace)
EVERY_EXAMPLE = [(name, example.name) for name, algorithm in ALGORITHMS.items() for example in algorithm.examples]

TABLE_2_5 = """\
Perceptron: three product reviews
Surdeanu & Valenzuela-Escárcega, section 2.4, Tables 2.4 and 2.5
features: good, excellent, bad, horrible, boring

epoch  step  seen  w·x+b  decision    update    w                 b  why
─────  ────  ────  ─────  ──────────  ────────  ────────────────  ─  ───────────────────────
    1     1  #1        0  Negative ✗  add       (1, 1, 1, 0, 0)   1  mistake: it is Positive
          2  #2        2  Positive ✗  subtract  (1, 1, 0, -1, 0)  0  mistake: it is Negative
          3  #3        0  Negative ✓  none      (1, 1, 0, -1, 0)  0  right: leave it
    2     4  #1        2  Positive ✓  none      (1, 1, 0, -1, 0)  0  right: leave it
          5  #2       -1  Negative ✓  none      (1, 1, 0, -1, 0)  0  right: leave it
          6  #3        0  Negative ✓  none      (1, 1, 0, -1, 0)  0  right: leave it

w = (1, 1, 0, -1, 0), b = 0; Positive if w · x + b > 0. Mistakes per epoch: (2, 0), no mistake in
the last epoch."""


def test_perceptron_prints_as_the_books_table():
    """Surdeanu & Valenzuela-Escárcega, Table 2.5."""
    assert str(textbook.trace("perceptron", example="reviews")) == TABLE_2_5


def test_gradient_descent_prints_its_numbers():
    """Surdeanu & Valenzuela-Escárcega, section 3.3."""
    lines = textbook.trace("gradient-descent", example="parabola").text().splitlines()
    assert "   1  x = -3       5       -2.6     3.56    slope -4" in lines
    assert "   2  x = -2.6     3.56    -2.28    2.6384  slope -3.2" in lines


@pytest.mark.parametrize(("name", "example"), EVERY_EXAMPLE)
@pytest.mark.parametrize("width", [80, 100])
def test_every_table_keeps_to_its_width(name, example, width):
    text = trace_of(name, example=example).text(width=width, limit=12)
    assert max(len(line) for line in text.splitlines()[2:]) <= width
    assert text.startswith(ALGORITHMS[name].title)


@pytest.mark.parametrize(("name", "example"), EVERY_EXAMPLE)
def test_every_trace_is_stable_json(name, example):
    trace = trace_of(name, example=example)
    data = json.loads(trace.json())
    assert data["format"] == "assay-trace-1"
    assert data["algorithm"] == name
    assert data["example"] == example
    assert [step["number"] for step in data["steps"]] == list(range(1, len(trace.steps) + 1))
    assert set(data["steps"][0]) == {
        "number", "seen", "score", "decision", "update", "parameters", "why", "right", "loss", "epoch",
    }  # fmt: skip
    if len(trace.steps) < 60:
        assert textbook.trace(name, example=example).json() == trace.json()


def test_json_keeps_every_digit_and_says_what_is_not_finite():
    data = json.loads(textbook.trace("selection").json())
    by_word = {step["seen"]: step["parameters"] for step in data["steps"]}
    assert by_word["bad"]["PMI"] == "-Infinity"
    trace = textbook.trace("gradient-descent", example="parabola")
    data = json.loads(trace.json())
    assert [step["parameters"]["x"] for step in data["steps"]] == [step.parameters["x"] for step in trace.steps]
    assert data["arguments"]["f"] == "parabola"


class Tags(HTMLParser):
    """Checks that what is opened is closed, and collects the tags and what they refer to."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        self.links += [value for name, value in attrs if name in ("src", "href") and value]
        if tag not in ("meta", "br", "link"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.append(tag)
        self.links += [value for name, value in attrs if name in ("src", "href", "xlink:href") and value]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.parametrize("name", ["perceptron", "paired-bootstrap"])
def test_page_stands_alone(name):
    trace = textbook.trace(name, example="lexicon") if name != "paired-bootstrap" else textbook.trace(name, b=20)
    html = trace.html()
    tags = Tags()
    tags.feed(html)
    assert tags.open == []
    assert "svg" in tags.seen
    assert "script" not in tags.seen
    assert all(link.startswith(("#", "data:")) for link in tags.links)
    assert html.count("<tr") == len(trace.steps) + 1
    assert trace.html() == html


def test_page_escapes_what_it_shows():
    html = textbook.trace("naive-bayes", ["<script>alert(1)</script> good", "bad"], ["+", "-"]).html()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_notebooks_show_a_table():
    assert textbook.trace("perceptron")._repr_html_().startswith('<div class="scroll"><table>')


def test_own_data_is_traced():
    trace = textbook.trace("perceptron", [[1], [10], [2], [20]], ["-", "+", "-", "+"], features=["words"])
    assert trace.result.w == (2,)
    assert trace.example is None
    assert trace.title == "Perceptron"
    assert trace.source.startswith("Surdeanu")
    assert "features: words" in trace.text()


def test_options_reach_the_algorithm():
    trace = textbook.trace("perceptron", example="xor", epochs=2)
    assert len(trace.steps) == 8
    assert "still mistakes in the last epoch" in trace.conclusion


def test_result_is_that_of_the_plain_function():
    for name in ("perceptron", "linear-svm", "k-means"):
        arguments = ALGORITHMS[name].examples[0].arguments
        plain = {"perceptron": textbook.perceptron, "linear-svm": textbook.linear_svm, "k-means": textbook.kmeans}
        assert textbook.trace(name).result == plain[name](**arguments)


def test_long_traces_say_what_they_leave_out():
    text = textbook.trace("paired-bootstrap", b=100).text(limit=10)
    assert "… 90 steps left out …" in text
    assert "\n 100  " in text
    assert "left out" not in textbook.trace("paired-bootstrap", b=10).text(limit=10)
    assert "… 1 step left out …" in textbook.trace("paired-bootstrap", b=11).text(limit=10)


def test_headings_stand_above_their_columns():
    lines = textbook.trace("skip-gram", epochs=1).text(width=100, limit=8).splitlines()
    rule = next(i for i, line in enumerate(lines) if line.startswith("─"))
    for match in re.finditer(r"─+", lines[rule]):
        start, end = match.span()
        assert lines[rule - 1].ljust(end + 1)[start:end].strip()
        assert lines[rule - 1].ljust(end + 1)[end : end + 2].strip() == ""


def test_wide_steps_stand_below_each_other():
    text = textbook.trace("multiclass-perceptron").text(limit=8)
    assert "epoch 1, step 1\n  seen         #1\n  θ·φ(x,c)     money 0, sport 0, transfer 0\n" in text
    assert "  w[sport]     (5, 1, 1)" in text
    after_a_right_decision = text.split("step 2\n")[1].split("\n\n")[0]
    assert "w[" not in after_a_right_decision  # what did not change is left out


def test_files_are_named_for_what_they_hold(tmp_path):
    trace = textbook.trace("perceptron", example="positive-words")
    for name in ("a.txt", "a.json", "a.html", "a.svg", "a.png"):
        trace.save(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 0
    assert (tmp_path / "a.txt").read_text(encoding="utf-8") == trace.text() + "\n"
    assert json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))["algorithm"] == "perceptron"
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(textbook.InputError, match=r"ends in '\.pdf' cannot be written\. Use \.txt, \.html, "):
        trace.save(tmp_path / "a.pdf")
    assert len(list(tmp_path.iterdir())) == 5


def test_unknown_names_are_answered_with_the_nearest():
    with pytest.raises(textbook.InputError, match=r"There is no algorithm 'perseptron'\. There are: perceptron, "):
        textbook.trace("perseptron")
    with pytest.raises(textbook.InputError, match=r"perceptron has no example 'review'\. It has: reviews, "):
        textbook.trace("perceptron", example="review")
    with pytest.raises(textbook.InputError, match=r"perceptron has no option 'epoch'\. Its options: epochs, "):
        textbook.trace("perceptron", epoch=3)


def test_data_must_be_whole_and_alone():
    with pytest.raises(textbook.InputError, match=r"perceptron needs X and y; 1 of 2 were given"):
        textbook.trace("perceptron", [[1]])
    with pytest.raises(textbook.InputError, match=r"Both data and the example 'reviews' were given"):
        textbook.trace("perceptron", [[1]], ["+"], example="reviews")


def test_every_algorithm_has_a_worked_example_and_a_source():
    for name, algorithm in ALGORITHMS.items():
        assert algorithm.examples, name
        assert algorithm.source, name
        assert algorithm.pictures, name
        assert len(algorithm.summary) <= 72, name
        for example in algorithm.examples:
            assert example.source, example.name


def test_emails_are_those_of_the_figure():
    """Jurafsky & Martin, Figure 4.8."""
    trace = textbook.trace("confusion", example="e-mails")
    expected = textbook.Confusion.from_table(worked.EMAIL_CLASSES, worked.EMAIL_TABLE, rows="system")
    assert trace.result.counts == expected.counts
    assert len(trace.steps) == 367


def test_three_classes_cannot_be_traced_where_two_are_needed():
    with pytest.raises(textbook.InputError, match="The perceptron needs two classes and the labels name 3"):
        textbook.trace("perceptron", [[1], [2], [3]], ["a", "b", "c"])


def test_a_trace_of_nothing_is_refused():
    with pytest.raises(textbook.InputError, match=r"X is empty\. Give at least one example"):
        textbook.trace("perceptron", [], [])
    with pytest.raises(textbook.InputError, match=r"X\[0\]\[0\] is 'good', not a number"):
        textbook.trace("linear-svm", [["good"]], ["+"])
