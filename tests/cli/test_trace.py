"""The command `assay trace`: what it prints, what it reads, what it says when it cannot."""

from __future__ import annotations

import gzip
import io
import json
import sys
from typing import NamedTuple

import pytest

from assay.cli.commands.trace import trace as make_trace
from assay.cli.main import main
from assay.errors import DataError, ParameterError
from assay.textbook import ALGORITHMS

POINTS = "good,bad,label\n4,1,+\n1,3,-\n5,4,+\n2,2.5,-\n"


class Result(NamedTuple):
    code: int
    stdout: str
    stderr: str


@pytest.fixture
def trace(capsys, monkeypatch):
    """Run ``assay trace`` in this process, 100 columns wide."""
    monkeypatch.setenv("COLUMNS", "100")

    def trace(*arguments: str, stdin: str = "") -> Result:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        code = main(["trace", *arguments])
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    return trace


@pytest.fixture
def points(tmp_path):
    path = tmp_path / "points.csv"
    path.write_text(POINTS)
    return str(path)


def test_the_installed_command_prints_the_books_table(run):
    """Surdeanu & Valenzuela-Escárcega, Table 2.5."""
    done = run("trace", "perceptron", "--example", "reviews", COLUMNS="100")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Perceptron: three product reviews\n")
    assert (
        "    1     1  #1        0  Negative ✗  add       (1, 1, 1, 0, 0)   1  mistake: it is Positive\n" in done.stdout
    )


def test_the_installed_command_explains_a_mistake_without_a_traceback(run):
    done = run("trace", "perseptron")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Error: There is no algorithm 'perseptron'. There are: perceptron, ")
    assert "Traceback" not in done.stderr


def test_without_arguments_all_algorithms_are_listed(trace):
    lines = trace().stdout.splitlines()
    for name, algorithm in ALGORITHMS.items():
        assert any(line.split()[:1] == [name] and line.endswith(algorithm.summary) for line in lines)
    assert [row["name"] for row in json.loads(trace("--json").stdout)] == list(ALGORITHMS)


def test_examples_settings_and_pictures_of_one_algorithm(trace):
    out = trace("perceptron", "--examples").stdout
    assert "  reviews         three product reviews (Surdeanu" in out
    assert "Settings (--set NAME=VALUE): positive, epochs, stop_early\n" in out
    assert "Pictures (--picture NAME):   boundary" in out


def test_no_example_is_the_first_example(trace):
    assert trace("perceptron").stdout == trace("perceptron", "-e", "reviews").stdout


def test_json_goes_to_standard_output(trace):
    result = trace("gradient-descent", "--json", "--set", "iterations=2")
    data = json.loads(result.stdout)
    assert [step["parameters"]["x"] for step in data["steps"]] == pytest.approx([-2.6, -2.28])
    assert result.stderr == ""


def test_width_and_limit(trace):
    out = trace("paired-bootstrap", "--width", "80", "--limit", "8", "--set", "b=50").stdout
    assert max(map(len, out.splitlines())) <= 80
    assert "… 42 steps left out …" in out
    assert "left out" not in trace("paired-bootstrap", "--limit", "50", "--set", "b=50").stdout


def test_numbers_with_labels_from_a_file(trace, points):
    result = trace("perceptron", points)
    assert result.code == 0
    assert "features: good, bad" in result.stdout
    assert result.stderr == f"Note: {points}: labels are in column 'label' (guessed; --label says otherwise).\n"
    assert trace("perceptron", points, "--quiet").stderr == ""
    assert trace("perceptron", points, "--label", "label").stderr == ""


def test_standard_input_tabs_and_compressed_files(trace, tmp_path, points):
    out = trace("perceptron", points).stdout
    assert trace("perceptron", "-", stdin=POINTS).stdout == out
    packed = tmp_path / "points.csv.gz"
    packed.write_bytes(gzip.compress(POINTS.encode()))
    assert trace("perceptron", str(packed)).stdout == out
    tabs = tmp_path / "points.tsv"
    tabs.write_text(POINTS.replace(",", "\t"))
    assert trace("perceptron", str(tabs)).stdout == out


def test_columns_can_be_chosen(trace, points):
    assert "features: bad\n" in trace("perceptron", points, "--columns", "bad").stdout


def test_clusters_leave_the_labels_out(trace, points):
    result = trace("k-means", points, "--set", "k=2", "--seed", "1")
    assert "column 'label' is left out, for k-means uses no labels" in result.stderr
    assert "Clusters {" in result.stdout


def test_files_are_written(trace, tmp_path, points):
    html, svg = tmp_path / "trace.html", tmp_path / "trace.svg"
    result = trace("perceptron", points, "-o", str(html), "-o", str(svg))
    assert result.stdout == ""
    assert f"Wrote {html}" in result.stderr
    assert "<svg" in html.read_text(encoding="utf-8")
    assert svg.read_text(encoding="utf-8").startswith("<?xml")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["points.csv", "trace.html", "trace.svg"]


def test_long_files_are_thinned_evenly(trace, tmp_path):
    path = tmp_path / "long.csv"
    path.write_text("a,label\n" + "".join(f"{i},{'-' if i < 500 else '+'}\n" for i in range(1000)))
    result = trace("confusion", str(path))
    assert "200 of 1000 rows are taken, evenly spread (--rows says otherwise)." in result.stderr
    done, _ = make_trace("k-means", str(path), rows=4)
    assert done.arguments["X"] == [[0], [250], [500], [750]]
    done, notes = make_trace("perceptron", str(path), label="label", rows=1000, settings={"epochs": 1})
    assert len(done.steps) == 1000
    assert notes == ()
    with pytest.raises(ParameterError, match=r"--rows is -1\. It must be 1 or more"):
        make_trace("k-means", str(path), rows=-1)


def test_gold_and_predictions(trace, tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text("gold,predicted\n+,+\n+,-\n-,-\n-,+\n+,+\n")
    result = trace("confusion", str(path))
    assert "Accuracy 0.6" in result.stdout
    assert "gold 'gold', predicted 'predicted'" in result.stderr


def test_two_classifiers(trace, tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text("gold,a,b\n" + "x,x,y\n" * 9 + "x,y,x\n")
    assert "δ(x) = 0.8" in trace("paired-bootstrap", str(path), "--set", "b=100").stdout


def test_texts_from_a_file(trace, tmp_path):
    path = tmp_path / "news.csv"
    path.write_text('text,label\n"goal, fans!",sports\nstock loan,money\n')
    result = trace("naive-bayes", str(path))
    assert "goal fans" in result.stdout
    assert "texts are in column 'text' and labels are in column 'label'" in result.stderr
    assert "texts are split into words; signs of punctuation are left out." in result.stderr
    assert "in 1 of 2" in trace("tf-idf", str(path), "--text", "text").stdout
    assert "2 texts are put together into one." in trace("co-occurrence", str(path)).stderr


def test_texts_where_points_are_needed_are_counted(trace, tmp_path):
    path = tmp_path / "reviews.csv"
    path.write_text('text,label\n"good excellent, bad",pos\nbad horrible,neg\nbad boring,neg\n')
    result = trace("perceptron", str(path))
    assert "features: good, excellent, bad, horrible, boring" in result.stdout
    assert "w = (1, 1, 0, -1, 0), b = 0; pos if w · x + b > 0." in result.stdout  # as in Table 2.5
    assert "texts are turned into the counts of their 5 words." in result.stderr
    clusters = trace("k-means", str(path), "--text", "text", "--set", "k=2")
    assert "sum of squared distances" in clusters.stdout


def test_many_words_are_cut_to_the_most_frequent(trace, tmp_path):
    path = tmp_path / "long.csv"
    rows = [f"often {' '.join(f'w{i}x{j}' for j in range(9))},{'ab'[i % 2]}" for i in range(20)]
    path.write_text("text,label\n" + "\n".join(rows))
    result = trace("perceptron", str(path), "--set", "epochs=1")
    assert "counts of their 50 words, the most frequent ones." in result.stderr
    empty = tmp_path / "empty.csv"
    empty.write_text("text,label\n...,a\n!,b\n")
    assert "No text has a word." in trace("perceptron", str(empty)).stderr


def test_no_text_can_command_the_terminal(trace, tmp_path):
    path = tmp_path / "news.csv"
    path.write_text("text,label\n\x1b[31mred,\x1b]0;title\x07\ngreen,b\n")
    result = trace("naive-bayes", str(path))
    assert result.code == 0
    assert "\x1b" not in result.stdout + result.stderr


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("perceptron", "-e", "reviewz"), ParameterError, "perceptron has no example 'reviewz'. It has: reviews, "),
        (("perceptron", "--set", "epoch=1"), ParameterError, "perceptron has no option 'epoch'. Its options: epochs, "),
        (("perceptron", "--set", "epochs"), ParameterError, "--set epochs: write it as NAME=VALUE"),
        (("perceptron", "--set", "epochs=0"), ParameterError, "epochs is 0. It must be a whole number, 1 or more"),
        (("perceptron", "--set", "order=3"), ParameterError, "The setting 'order' can be given in Python only"),
        (("feed-forward", "--set", "hidden=3"), ParameterError, "feed-forward cannot use the settings hidden=3: "),
        (("perceptron", "--seed", "1"), ParameterError, "perceptron has no option 'seed'"),
        (("perseptron", "--examples"), ParameterError, "There is no algorithm 'perseptron'"),
        (("perceptron", "absent.csv"), DataError, "absent.csv: there is no such file."),
        (("gradient-descent", "x.csv"), ParameterError, "gradient-descent takes f and x, which no file holds."),
        (("perceptron", "POINTS", "-e", "and"), ParameterError, "Both the file"),
        (("perceptron", "POINTS", "--label", "lable"), ParameterError, "has no column 'lable'. It has 'label', "),
        (("perceptron", "POINTS", "--columns", "gud"), ParameterError, "has no column 'gud'. It has 'good', "),
        (("perceptron", "POINTS", "-o", "trace.pdf"), ParameterError, "trace.pdf: A file that ends in '.pdf' cannot"),
        (("perceptron", "POINTS", "-o", "absent/trace.svg"), DataError, "the folder 'absent' does not exist"),
        (("perceptron", "-e", "reviews", "-o", "a.svg"), DataError, "A boundary is drawn in one or two dimensions"),
        (("perceptron", "POINTS", "--picture", "los", "-o", "a.svg"), ParameterError, "There is no picture 'los'"),
    ],
)  # fmt: skip
def test_mistakes_are_explained(trace, points, arguments, error, message):
    result = trace(*[points if argument == "POINTS" else argument for argument in arguments])
    assert result.code == error.exit_code
    assert result.stdout == ""
    assert message in result.stderr


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "not a table of values with a header row"),
        ("a,label\n", "a header and no rows. Give at least one example."),
        ("a,label\n1,+\ntwo,-\n", "row 2: column 'a' is 'two', not a number. Leave the row out"),
        ("a,label\n1,+\n,-\n", "row 2: column 'a' is empty. Leave the row out"),
        ("a,label\n1,+\ninf,-\n", "row 2: column 'a' is 'inf', not a number"),
        ("a,label\n1,+\n2,\n", "row 2: column 'label' is empty. Leave the row out, or give it a label."),
        ("label\n+\n-\n", "no columns of numbers are left"),
        ("a,label\n1,x\n2,y\n3,z\n", "The perceptron needs two classes and the labels name 3: 'x', 'y', 'z'"),
    ],
)
def test_bad_files_are_explained(tmp_path, content, message):
    path = tmp_path / "bad.csv"
    path.write_text(content)
    with pytest.raises(DataError) as caught:
        make_trace("perceptron", str(path))
    assert str(caught.value).startswith(str(path))
    assert message in str(caught.value)


def test_too_few_columns(tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text("gold\n+\n")
    with pytest.raises(DataError, match=r"1 columns, where 2 are needed: gold, predicted\. Name them with --columns"):
        make_trace("confusion", str(path))


def test_the_function_gives_the_trace_and_what_was_guessed(points):
    done, notes = make_trace("linear-svm", points, settings={"C": 10, "iterations": 50})
    assert done.features == ("good", "bad")
    assert len(done.steps) == 50
    assert notes == (f"{points}: labels are in column 'label' (guessed; --label says otherwise).",)
