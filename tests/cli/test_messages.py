"""What commands say: options instead of parameters of Python, one instead of many, and names without escapes."""

from __future__ import annotations

import re

import pytest

from assay.cli.main import main

#: Words of Python that nobody who typed a command should have to know.
PYTHON = re.compile(r"\b(None|True|False|nan|dict|n_[a-z]+|min_[a-z]+|[a-z_]+=(?!\d)\S|parameter of|\w+Error:)")
#: A number one before a plural.
ONE_OF_MANY = re.compile(r"(?<![\d.,])1 (rows|texts|classes|documents|clusters|features|words|times|answers)\b")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Files and a model; no test changes them."""
    place = tmp_path_factory.mktemp("messages")
    rows = [f"{kind} day {n},{label}" for n in range(12) for kind, label in (("good nice", "x"), ("bad awful", "y"))]
    (place / "many.csv").write_text("\n".join(["text,label", *rows, rows[0]]))
    (place / "one.csv").write_text("text,label\nhello there,x\n")
    (place / "three.csv").write_text("text,label\nhello there,x\nhello there,x\nbye now,y\n")
    labels = ("line one\nline two", "👩\u200d👧 family")
    rows = [f'{word} {n},"{label}"' for n in range(12) for word, label in zip(("good", "bad"), labels, strict=True)]
    (place / "odd.csv").write_text("\n".join(["text,label", *rows]), "utf-8")
    return place


@pytest.fixture
def said(folder, monkeypatch, capsys):
    """Run a command in this process, in the folder, 80 columns wide: its exit code, and all that it said."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "80")

    def said(*arguments):
        capsys.readouterr()
        code = main(list(arguments))
        shown = capsys.readouterr()
        return code, shown.out + shown.err

    return said


@pytest.fixture
def model(said, folder):
    if not (folder / "m.assay").exists():
        code, shown = said("train", "many.csv", "--learner=nb", "--ngrams=1-2", "--holdout=0.2", "-o", "m.assay")
        assert code == 0, shown
        assert "1 row repeats an earlier text; all copies of a text were kept on the same" in shown
    return "m.assay"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("train", "many.csv", "--learner=svm", "--C=0"), "--C must be a number above 0. Got 0.0"),
        (("train", "many.csv", "--learner=svm", "--chars=900"), "--chars must be a range of numbers from 1 to 100"),
        (("train", "many.csv", "--learner=svm", "--ngrams=1", "--threads=0"), "--threads must be a positive number"),
        (("train", "many.csv", "--holdout=0.99"), "--holdout must leave rows for training. Got 0.99 for 25 rows"),
        (("train", "many.csv", "--holdout=0.001"), "are too few for train and test with --holdout 0.001"),
        (("train", "many.csv", "--learner=svm", "--ngrams=1", "--class-weight=z=2"), "--class-weight names the label"),
        (("train", "many.csv", "--learner=svm", "--ngrams=1", "--class-weight=x=-2"), "--class-weight of 'x' must be"),
        (("train", "many.csv", "--text=text", "--label=text"), "--text and --label both name the column 'text'"),
        (("cluster", "many.csv", "-k", "0"), "--clusters is 0. Ask for at least 1 cluster."),
        (("cluster", "many.csv", "-k", "2", "--starts=0"), "--starts must be a whole number at least 1"),
        (("cluster", "one.csv"), "There is 1 document (1 sample), fewer than the 8 clusters that were asked for."),
        (("cluster", "many.csv", "-k", "25"), "documents are different, fewer than the 25 clusters"),
        (
            ("embed", "one.csv", "-o", "v.vec"),
            "as --min-count 5 asks for: of 2 different words the most frequent comes",
        ),
        (("embed", "many.csv", "-o", "v.vec", "-d", "0"), "--dimensions must be a whole number of at least 1"),
        (
            ("embed", "many.csv", "-o", "v.vec", "--min-count=1", "--method=svd", "-d", "900"),
            "--dimensions is 900, but",
        ),
    ],
)
def test_an_error_names_the_option_and_nothing_of_python(said, arguments, expected):
    code, shown = said(*arguments)
    assert code in (2, 3)
    message = shown.partition("Error: ")[2]
    assert expected in message
    assert not PYTHON.search(message)
    assert not ONE_OF_MANY.search(message)


def test_one_class_only_is_refused_with_an_option_that_exists(said, model):
    code, shown = said("evaluate", model, "one.csv")
    assert code == 3
    assert "the only document has the label" in shown
    assert "pass --allow-one-class to evaluate" in shown
    assert said("evaluate", model, "one.csv", "--allow-one-class")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("cluster", "one.csv", "-k", "1", "--html", "one-cluster.html"), "1 cluster of 1 text\n"),
        (("convert", "one.csv", "-o", "o.jsonl"), "1 row → o.jsonl"),
        (("inspect", "one.csv"), "1 text in 1 class"),
        (
            ("evaluate", "MODEL", "one.csv", "--allow-one-class", "--html", "one-e.html"),
            "1 document of 2 classes",
        ),
        (
            ("explain", "MODEL", "--data", "one.csv", "--prototypes", "1", "--html", "one-p.html"),
            "x, 1 document\n",
        ),
        (("audit", "MODEL", "one.csv", "--swaps", "none", "--html", "one-audit.html"), "0.0% of 1 answer changes"),
        (("regress", "three.csv", "--feature", "hello"), "Does the feature add anything?"),
    ],
)
def test_one_of_a_kind_is_not_said_in_the_plural(said, model, folder, arguments, expected):
    code, shown = said(*(model if part == "MODEL" else part for part in arguments))
    assert code == 0, shown
    assert expected in shown
    assert not ONE_OF_MANY.search(shown)
    if "--html" in arguments:
        page = (folder / arguments[-1]).read_text("utf-8")
        words = re.sub(r"<(style|script)>.*?</\1>|<[^>]*>", " ", page, flags=re.DOTALL)
        assert not ONE_OF_MANY.search(" ".join(words.split()))


def test_labels_are_quoted_without_escapes_everywhere(said, folder):
    shown = ""
    for arguments in (
        ("train", "odd.csv", "--learner=nb", "--ngrams=1", "--holdout=0.3", "-o", "odd.assay", "--report", "odd.html"),
        ("evaluate", "odd.assay", "odd.csv", "--html", "odd-e.html"),
        ("explain", "odd.assay", "good", "--html", "odd-x.html"),
        ("audit", "odd.assay", "odd.csv", "--swaps", "gender", "--html", "odd-a.html"),
        ("card", "odd.assay", "-o", "odd-c.html"),
    ):
        code, told = said(*arguments)
        assert code == 0, told
        shown += told
    shown += "".join(page.read_text("utf-8") for page in sorted(folder.glob("odd*.html")))
    assert "line one ↵ line two" in shown
    assert "👩\u200d👧 family" in shown
    assert not re.findall(r"one\\n|\\u200d", shown)


def test_pages_of_explanations_are_announced_and_name_the_model(said, model, folder):
    for arguments in (("good day",), (), ("--data", "many.csv", "--groups")):
        code, shown = said("explain", model, *arguments, "--html", "page.html", "-f")
        assert code == 0, shown
        assert "→ page.html" in shown
        assert '<span class="where">m.assay</span>' in (folder / "page.html").read_text("utf-8")


@pytest.mark.parametrize("columns", [60, 80])
def test_nothing_outgrows_the_terminal_whatever_labels_and_words_there_are(said, folder, monkeypatch, columns):
    sentence, word = "a label that is a whole sentence about what was written " * 3, "w" * 3000
    rows = [f'{word} good extra{n} more{n % 3},"{sentence}"' for n in range(8)] + [
        f"{word}x bad extra{n} more{n % 3},{'L' * 150}" for n in range(8)
    ]
    (folder / "long.csv").write_text("\n".join(["text,label", *rows]))
    if not (folder / "long.assay").exists():
        assert said("train", "long.csv", "--learner=nb", "--ngrams=1", "-o", "long.assay", "-q")[0] == 0
    monkeypatch.setenv("COLUMNS", str(columns))
    for arguments in (
        ("evaluate", "long.assay", "long.csv"),
        ("compare", "long.assay", "long.assay", "long.csv"),
        ("cluster", "long.csv", "-k", "2-3"),
        ("inspect", "long.csv"),
        ("inspect", "long.assay"),
        ("explain", "long.assay", "--top", "3"),
    ):
        code, shown = said(*arguments, "-q")
        assert code == 0, shown
        assert max(map(len, shown.splitlines())) <= columns, arguments
        assert len(shown) < 12_000, arguments


def test_a_wrong_kind_of_file_or_number_is_said_to_be_that(said, model, folder):
    for name in ("~$many.xlsx", "~$many.csv"):
        (folder / name).write_bytes(b"\x05owner" + bytes(20))
    model = str(model)
    for arguments, code, expected in (
        (("train", "~$many.xlsx"), 3, "this is a lock file, which Excel keeps beside a workbook"),
        (("inspect", "~$many.xlsx"), 3, "Give the workbook: many.xlsx."),
        (("train", model, "-o", "no.model"), 2, "this is a model, not data."),
        (
            ("card", "many.csv", "-o", "no.md"),
            3,
            "many.csv: this is no model, or the file is damaged (it does not begin",
        ),
        (("predict", "many.asay", "hello"), 3, "many.asay: no such file. In the current folder there are "),
        (("train", "many.csv", "--holdout", "20%"), 2, "'20%' is not a number such as 0.2."),
        (("cluster", "many.csv", "--seed", "x"), 2, "'x' is not a whole number such as 3."),
        (("train", "many.csv", "--corrections", "bare.csv"), 3, "bare.csv: this is no list of corrections"),
    ):
        (folder / "bare.csv").write_text("said,is\nhello there,x\n")
        found, shown = said(*arguments)
        shown = " ".join(shown.split())
        assert found == code, shown
        assert expected in shown
        assert "deserializ" not in shown
    assert "~$" not in said("train", "manny.csv")[1]
