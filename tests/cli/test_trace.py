"""The command `assay trace`: what it prints, what it reads, what it says when it cannot."""

from __future__ import annotations

import gzip
import json
from importlib.util import find_spec

import pytest
import typer
from typer.testing import CliRunner

from assay.cli.trace import trace, trace_cli
from assay.errors import DataError, ParameterError
from assay.textbook import ALGORITHMS

app = typer.Typer()
app.command()(trace_cli)

POINTS = "good,bad,label\n4,1,+\n1,3,-\n5,4,+\n2,2.5,-\n"

needs_reader = pytest.mark.skipif(find_spec("assay.data.read") is None, reason="assay.read is not there")


def run(*arguments: str, stdin: str | None = None):
    result = CliRunner().invoke(app, list(arguments), input=stdin, catch_exceptions=False)
    assert result.exit_code == 0
    return result


@pytest.fixture
def points(tmp_path):
    path = tmp_path / "points.csv"
    path.write_text(POINTS)
    return str(path)


def test_without_arguments_all_algorithms_are_listed():
    out = run().stdout
    for name, algorithm in ALGORITHMS.items():
        assert any(line.split()[:1] == [name] and algorithm.summary in line for line in out.splitlines())
    assert [row["name"] for row in json.loads(run("--json").stdout)] == list(ALGORITHMS)


def test_examples_of_one_algorithm():
    out = run("perceptron", "--examples").stdout
    assert "reviews" in out
    assert "epochs" in out
    assert "boundary" in out


def test_worked_example_as_a_table():
    """Surdeanu & Valenzuela-Escárcega, Table 2.5."""
    out = run("perceptron", "--example", "reviews").stdout
    assert out.startswith("Perceptron: three product reviews\n")
    assert "1  #1        0  Negative ✗  add       (1, 1, 1, 0, 0)   1" in out


def test_no_example_is_the_first_example():
    assert run("perceptron").stdout == run("perceptron", "-e", "reviews").stdout


def test_json_goes_to_standard_output():
    data = json.loads(run("gradient-descent", "--json", "--set", "iterations=2").stdout)
    assert [step["parameters"]["x"] for step in data["steps"]] == pytest.approx([-2.6, -2.28])


def test_width_and_limit():
    out = run("paired-bootstrap", "--width", "80", "--limit", "8", "--set", "b=50").stdout
    assert max(map(len, out.splitlines()[1:])) <= 80
    assert "… 42 steps left out …" in out
    assert "left out" not in run("paired-bootstrap", "--all", "--set", "b=50").stdout


def test_numbers_with_labels_from_a_file(points):
    result = run("perceptron", points)
    assert "features: good, bad" in result.stdout
    assert f"{points}: labels are in column 'label' (guessed; --label says otherwise)." in result.stderr
    assert run("perceptron", points, "--quiet").stderr == ""
    assert run("perceptron", points, "--label", "label").stderr == ""


def test_standard_input_and_compressed_files(tmp_path, points):
    out = run("perceptron", points, "-q").stdout
    assert run("perceptron", "-", "-q", stdin=POINTS).stdout == out
    packed = tmp_path / "points.csv.gz"
    packed.write_bytes(gzip.compress(POINTS.encode()))
    assert run("perceptron", str(packed), "-q").stdout == out
    tabs = tmp_path / "points.tsv"
    tabs.write_text(POINTS.replace(",", "\t"))
    assert run("perceptron", str(tabs), "-q").stdout == out


def test_columns_can_be_chosen(points):
    assert "features: bad\n" in run("perceptron", points, "--features", "bad", "-q").stdout


def test_clusters_leave_the_labels_out(points):
    result = run("k-means", points, "--set", "k=2", "--seed", "1")
    assert "column 'label' is left out, for k-means uses no labels" in result.stderr
    assert "Clusters {" in result.stdout


def test_files_are_written(tmp_path, points):
    html, svg = tmp_path / "trace.html", tmp_path / "trace.svg"
    result = run("perceptron", points, "-o", str(html), "-o", str(svg))
    assert result.stdout == ""
    assert f"Wrote {html}" in result.stderr
    assert "<svg" in html.read_text(encoding="utf-8")
    assert svg.read_text(encoding="utf-8").startswith("<?xml")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["points.csv", "trace.html", "trace.svg"]


def test_gold_and_predictions(tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text("gold,predicted\n+,+\n+,-\n-,-\n-,+\n+,+\n")
    result = run("confusion", str(path))
    assert "Accuracy 0.6" in result.stdout
    assert "gold 'gold', predicted 'predicted'" in result.stderr


def test_two_classifiers(tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text("gold,a,b\n" + "x,x,y\n" * 9 + "x,y,x\n")
    assert "δ(x) = 0.8" in run("paired-bootstrap", str(path), "--set", "b=100").stdout


@needs_reader
def test_texts_from_a_file(tmp_path):
    path = tmp_path / "news.csv"
    path.write_text('text,label\n"goal, fans!",sports\nstock loan,money\n')
    result = run("naive-bayes", str(path), "--text", "text", "--label", "label")
    assert "goal fans" in result.stdout
    assert "texts are split into words" in result.stderr
    assert "in 1 of 2" in run("tf-idf", str(path), "--text", "text", "-q").stdout
    assert "company" in run("co-occurrence", str(path), "--text", "text", "-q").stdout


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("perseptron",), ParameterError, "There is no algorithm 'perseptron'. There are: perceptron, "),
        (("perceptron", "-e", "reviewz"), ParameterError, "perceptron has no example 'reviewz'. It has: reviews, "),
        (("perceptron", "--set", "epoch=1"), ParameterError, "perceptron has no option 'epoch'. Its options: epochs, "),
        (("perceptron", "--set", "epochs"), ParameterError, "--set epochs: write it as NAME=VALUE"),
        (("perceptron", "--set", "epochs=0"), ParameterError, "epochs is 0. It must be a whole number, 1 or more"),
        (("perceptron", "--seed", "1"), ParameterError, "perceptron has no option 'seed'"),
        (("perseptron", "--examples"), ParameterError, "There is no algorithm 'perseptron'"),
        (("perceptron", "absent.csv"), DataError, "absent.csv: there is no such file."),
        (("gradient-descent", "x.csv"), ParameterError, "gradient-descent takes f and x, which no file holds."),
        (("perceptron", "POINTS", "-e", "and"), ParameterError, "Both the file"),
        (("perceptron", "POINTS", "--label", "lable"), ParameterError, "has no column 'lable'. It has: 'label', "),
        (("perceptron", "POINTS", "--features", "gud"), ParameterError, "has no column 'gud'. It has: 'good', "),
        (("perceptron", "POINTS", "-o", "trace.pdf"), ParameterError, "trace.pdf ends in '.pdf'"),
        (("perceptron", "POINTS", "-o", "absent/trace.svg"), DataError, "cannot be written: No such file or directory"),
        (("perceptron", "-e", "reviews", "-o", "a.svg"), DataError, "A boundary is drawn in one or two dimensions"),
        (("perceptron", "POINTS", "--picture", "los", "-o", "a.svg"), ParameterError, "There is no picture 'los'"),
    ],
)  # fmt: skip
def test_mistakes_are_explained(points, arguments, error, message):
    arguments = [points if argument == "POINTS" else argument for argument in arguments]
    with pytest.raises(error) as caught:
        run(*arguments)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "not a table of values with a header row"),
        ("a,label\n", "a header and no rows. Give at least one example."),
        ("a,label\n1,+\ntwo,-\n", "row 2: column 'a' is 'two', not a number. Leave the row out"),
        ("a,label\n1,+\n,-\n", "row 2: column 'a' is empty. Leave the row out"),
        ("a,label\n1,+\ninf,-\n", "row 2: column 'a' is 'inf', not a number"),
        ("label\n+\n-\n", "no columns of numbers are left"),
        ("a,label\n1,x\n2,y\n3,z\n", "The perceptron needs two classes and the labels name 3: 'x', 'y', 'z'"),
    ],
)
def test_bad_files_are_explained(tmp_path, content, message):
    path = tmp_path / "bad.csv"
    path.write_text(content)
    with pytest.raises(DataError) as caught:
        trace("perceptron", str(path))
    assert str(caught.value).startswith(f"{path}")
    assert message in str(caught.value)


def test_too_few_columns(tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text("gold\n+\n")
    with pytest.raises(DataError, match=r"1 columns, where 2 are needed: gold, predicted\. Name them with --features"):
        trace("confusion", str(path))


def test_the_function_gives_the_trace_and_what_was_guessed(points):
    done, notes = trace("linear-svm", points, options={"C": 10, "iterations": 50})
    assert done.features == ("good", "bad")
    assert len(done.steps) == 50
    assert notes == (f"{points}: labels are in column 'label' (guessed; --label says otherwise).",)
