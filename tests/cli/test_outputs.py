"""No command writes over what it reads, over another of its outputs, or, unless told to, over anything at all."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from assay.cli.application import load
from assay.cli.commands import COMMANDS
from assay.cli.main import main

CSV = "text,label\nloved it,pos\nso dull,neg\ngreat fun,pos\nvery dull,neg\n"

# Each output of each command: the arguments up to the name of the output, and the files that it reads.
OUTPUTS = {
    "train -o": (["train", "d.csv", "--test", "t.csv", "-o"], ["d.csv", "t.csv"]),
    "train --report": (["train", "d.csv", "--settings", "s.toml", "-o", "n.assay", "--report"], ["d.csv", "s.toml"]),
    "train --corrections -o": (["train", "d.csv", "--corrections", "c.csv", "-o"], ["c.csv"]),
    "train --vectors -o": (["train", "d.csv", "--vectors", "v.vec", "-o"], ["v.vec"]),
    "predict -o": (["predict", "m.assay", "d.csv", "-o"], ["m.assay", "d.csv"]),
    "predict --review": (["predict", "m.assay", "d.csv", "-o", "answers.csv", "--review"], ["m.assay", "d.csv"]),
    "explain --html": (["explain", "m.assay", "loved it", "--data", "d.csv", "--html"], ["m.assay", "d.csv"]),
    "explain --retrain --html": (
        ["explain", "m.assay", "--groups", "--data", "d.csv", "--retrain", "t.csv", "--html"],
        ["t.csv"],
    ),
    "audit --html": (
        ["audit", "m.assay", "d.csv", "--train", "t.csv", "--probe", "p.csv", "--swaps", "s.toml", "--html"],
        ["m.assay", "d.csv", "t.csv", "p.csv", "s.toml"],
    ),
    "audit --label-errors": (["audit", "m.assay", "d.csv", "--label-errors"], ["m.assay", "d.csv"]),
    "evaluate --html": (["evaluate", "m.assay", "d.csv", "--html"], ["m.assay", "d.csv"]),
    "compare --html": (["compare", "m.assay", "other.assay", "d.csv", "--html"], ["m.assay", "other.assay", "d.csv"]),
    "card -o": (
        ["card", "m.assay", "--evaluation", "e.json", "--audit", "a.json", "-o"],
        ["m.assay", "e.json", "a.json"],
    ),
    "card --test -o": (["card", "m.assay", "--test", "t.csv", "-o"], ["t.csv"]),
    "convert -o": (["convert", "d.csv", "t.csv", "-o"], ["d.csv", "t.csv"]),
    "convert --to libsvm -o": (
        ["convert", "d.csv", "--to", "libsvm", "--model", "m.assay", "-o"],
        ["d.csv", "m.assay"],
    ),
    "convert libsvm -o": (["convert", "x.npz", "--format", "libsvm", "-o"], ["x.npz"]),
    "embed -o": (["embed", "v.vec", "-o"], ["v.vec"]),
    "cluster -o": (
        ["cluster", "d.csv", "--vectors", "v.vec", "--stop-words", "w.txt", "-o"],
        ["d.csv", "v.vec", "w.txt"],
    ),
    "cluster --html": (["cluster", "d.csv", "--html"], ["d.csv"]),
    "neighbors --map": (["neighbors", "v.vec", "it", "--map"], ["v.vec"]),
    "next -o": (["next", "d.csv", "m.assay", "-o"], ["d.csv", "m.assay"]),
    "agree -o": (["agree", "d.csv", "--coders", "text,label", "-o"], ["d.csv"]),
    "agree --settled": (["agree", "d.csv", "--coders", "text,label", "--settled"], ["d.csv"]),
    "update -o": (
        ["update", "m.assay", "c.csv", "--data", "d.csv", "--test", "t.csv", "--settings", "s.toml", "-o"],
        ["m.assay", "c.csv", "d.csv", "t.csv", "s.toml"],
    ),
    "drift --html": (["drift", "m.assay", "d.csv", "--reference", "t.csv", "--html"], ["m.assay", "d.csv", "t.csv"]),
    "trace -o": (["trace", "perceptron", "d.csv", "-o"], ["d.csv"]),
}
READ = sorted({name for _, names in OUTPUTS.values() for name in names})


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Every file that a command could read; that most of them are not what they are called, no command gets to see."""
    monkeypatch.chdir(tmp_path)
    for name in READ:
        Path(name).write_text({"w.txt": "leave out\n", "s.toml": "", "v.vec": "1 2\nit 1 0\n"}.get(name, CSV))
    return tmp_path


def test_the_table_has_every_output_of_every_command():
    named = {(case.split()[0], option) for case, (arguments, _) in OUTPUTS.items() for option in [arguments[-1]]}
    found = set()
    for command in COMMANDS:
        for option in load(command).params:
            if re.match(r"(Write|Where|Draw|The model|The new model|Only write)", getattr(option, "help", None) or ""):
                found.add((command, min(option.opts, key=len)))
    assert found - {("demo", "-o"), ("demo", "--write")} == named
    for command, _ in found:
        assert any("--force" in option.opts for option in load(command).params), command


CASES = [(case, name) for case, (_, names) in OUTPUTS.items() for name in names]


@pytest.mark.parametrize(("case", "name"), CASES, ids=[f"{case} {name}" for case, name in CASES])
def test_what_is_read_is_not_written_over(files, capsys, case, name):
    os.link(name, "hard" + Path(name).suffix)
    Path("soft" + Path(name).suffix).symlink_to(name)
    before = Path(name).read_bytes()
    dotted = f"../{files.name}/{name}"
    for output in (name, dotted, "hard" + Path(name).suffix, "soft" + Path(name).suffix):
        assert main([*OUTPUTS[case][0], output, "--force"]) == 2
        said = capsys.readouterr().err
        assert f"{output} would be written over {name}, which is read. Give the output another name." in said
        assert Path(name).read_bytes() == before


@pytest.mark.parametrize("case", OUTPUTS)
def test_nothing_is_replaced_without_force(files, capsys, case):
    output = {
        "embed -o": "old.vec",
        "convert libsvm -o": "old.npz",
        "card -o": "old.html",
        "card --test -o": "old.html",
    }
    name = output.get(case, "old.svg")
    Path(name).write_text("mine")
    assert main([*OUTPUTS[case][0], name]) == 2
    assert f"{name}: the file exists. Use --force to replace it, or write elsewhere." in capsys.readouterr().err
    assert Path(name).read_text() == "mine"


ALSO = {
    "two outputs of one name": (
        ["cluster", "d.csv", "-o", "x.csv", "--html", "./x.csv"],
        "x.csv and x.csv would be one file. Give one of the outputs another name.",
    ),
    "the report in the place of the model": (
        ["train", "d.csv", "-o", "x.assay", "--report", "x.assay"],
        "x.assay and x.assay would be one file.",
    ),
    "the report in the folder of the run": (
        ["train", "d.csv", "-o", "old.assay", "--report", "old.run/r.html"],
        "old.run would be made anew, with old.run/r.html in it, which is written, too.",
    ),
    "data in the folder of the run": (
        ["train", "old.run/d.csv", "-o", "old.assay"],
        "old.run would be made anew, with old.run/d.csv in it, which is read.",
    ),
    "a file of a folder": (
        ["convert", "folder", "-o", "folder/pos/1.txt"],
        "folder/pos/1.txt would be written over a file of folder, a folder whose files are read.",
    ),
    "a file of a pattern": (["convert", "*.csv", "-o", "t.csv"], "t.csv would be written over t.csv, which is read."),
    "into the folder of the input": (
        ["predict", "m.assay", "d.csv", "t.csv", "-o", "."],
        "d.csv would be written over d.csv, which is read.",
    ),
    "into a folder with a link to the input": (
        ["predict", "m.assay", "d.csv", "-o", "links/"],
        "links/d.csv would be written over d.csv, which is read.",
    ),
    "what is beside an output": (["convert", "d.csv", "-o", "x.svm"], "x.svm.json"),
}


@pytest.mark.parametrize("case", ALSO)
def test_also_refused_with_force(files, capsys, case):
    for folder in ("old.run", "folder/pos", "links"):
        Path(folder).mkdir(parents=True)
    Path("old.run/d.csv").write_text(CSV)
    Path("folder/pos/1.txt").write_text("loved it")
    Path("links/d.csv").symlink_to("../d.csv")
    Path("x.svm.json").symlink_to("d.csv")
    arguments, message = ALSO[case]
    assert main([*arguments, "--force"]) == 2
    assert message in capsys.readouterr().err
    assert Path("d.csv").read_text() == CSV


def test_demo_replaces_nothing_either(run, tmp_path):
    for arguments, name in [(["demo", "-o", "."], "shop.assay"), (["demo", "--write", "my.csv"], "my.csv")]:
        (tmp_path / name).write_text("mine")
        done = run(*arguments)
        assert done.returncode == 2
        assert f"{name}: the file exists. Use --force" in done.stderr
        assert (tmp_path / name).read_text() == "mine"


def test_the_model_survives_its_own_explanation(run, shop_model, tmp_path):
    before = shop_model.read_bytes()
    done = run("explain", shop_model, "where is it", "--html", shop_model, "-f")
    assert (done.returncode, done.stdout) == (2, "")
    assert shop_model.read_bytes() == before


def test_output_that_goes_back_into_the_input_is_refused(assay_command, tmp_path):
    import subprocess

    (tmp_path / "d.csv").write_text(CSV)
    with (tmp_path / "d.csv").open("a") as file:
        done = subprocess.run(
            [assay_command, "convert", "d.csv"], cwd=tmp_path, stdout=file, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 2
    assert b"Standard output goes to d.csv, which is read." in done.stderr
    assert (tmp_path / "d.csv").read_text() == CSV


INTO_ITSELF = {
    "predict": ["predict", "MODEL", "-", "-o", "d.csv"],
    "convert": ["convert", "-", "-o", "d.csv"],
    "train": ["train", "-", "-o", "d.csv"],
    "train --report": ["train", "-", "-o", "n.assay", "--report", "d.csv"],
    "cluster": ["cluster", "-", "--html", "d.csv"],
    "explain": ["explain", "MODEL", "-", "--html", "d.csv"],
}


@pytest.mark.parametrize("case", INTO_ITSELF)
def test_the_file_behind_standard_input_is_not_written_over(files, capsys, monkeypatch, case):
    with Path("d.csv").open() as file:
        monkeypatch.setattr("sys.stdin", file)
        assert main([*("m.assay" if word == "MODEL" else word for word in INTO_ITSELF[case]), "--force"]) == 2
    said = capsys.readouterr().err
    assert "d.csv would be written over the file behind standard input, which is read. Give the output" in said
    assert Path("d.csv").read_text() == CSV


SETTINGS = """
[features.words]
ngrams = [1, 1]
[features.lexicons]
good = "w.txt"
[features.vectors]
file = "v.vec"
"""


@pytest.mark.parametrize("name", ["w.txt", "v.vec"])
def test_what_a_settings_file_names_is_not_written_over(files, capsys, name):
    Path("s.toml").write_text(SETTINGS)
    before = Path(name).read_bytes()
    assert main(["train", "d.csv", "--settings", "s.toml", "-o", name, "--force"]) == 2
    assert f"{name} would be written over" in capsys.readouterr().err
    assert Path(name).read_bytes() == before


def test_a_model_is_refused_where_no_vectors_are_written(files, capsys):
    assert main(["convert", "d.csv", "--model", "m.assay", "-o", "m.assay", "--force"]) == 2
    assert "--model m.assay: a model is for vectors, which go into libsvm. Name the output .svm" in (
        capsys.readouterr().err
    )
    assert Path("m.assay").read_text() == CSV


@pytest.mark.parametrize(
    "command",
    [["train", "d.csv", "-o"], ["train", "d.csv", "-o", "n.assay", "--report"], ["convert", "d.csv", "-o"]],
    ids=lambda command: " ".join(command),
)
def test_the_name_of_a_folder_is_not_taken_for_that_of_a_file(files, capsys, command):
    before = sorted(files.iterdir())
    assert main([*command, "new/"]) == 2
    assert "new/: this is the name of a folder. Give the name of a file in it, such as new/x." in (
        capsys.readouterr().err
    )
    assert sorted(files.iterdir()) == before


LONG = "n" * 256
TOO_LONG = {
    "train": ["train", "d.csv", "-o", LONG],
    "train beside its data": ["train", "n" * 251 + ".csv"],
    "predict": ["predict", "m.assay", "d.csv", "-o", LONG],
    "predict into a folder": ["predict", "MODEL", "d.csv", "-o", LONG + "/"],
    "predict into a folder below": ["predict", "MODEL", "d.csv", "-o", f"new/{LONG}/"],
    "demo": ["demo", "-o", LONG],
    "explain": ["explain", "m.assay", "loved it", "--html", LONG],
}


@pytest.mark.parametrize("case", TOO_LONG)
def test_a_name_that_is_too_long_is_said_to_be(files, capsys, shop_model, case):
    Path("n" * 251 + ".csv").write_text(CSV)
    assert main([str(shop_model) if word == "MODEL" else word for word in TOO_LONG[case]]) == 2
    assert re.search(
        r"the name is too long: 25\d bytes, where most systems allow 255\. Give a", capsys.readouterr().err
    )


def test_the_file_of_an_interrupted_training_has_a_name_wherever_the_model_has_one():
    from assay.cli.writing.run import Places

    for stem in ("n" * 249, "é" * 124, "reviews"):
        model = Path(f"{stem}.assay")
        name = Places(model, Path("x.run"), None, force=False).checkpoint.name
        assert len(name.encode()) <= 255
        assert name.startswith(stem[:50])
        assert name.endswith(".checkpoint")


def test_a_folder_for_the_answers_is_made(run, shop_model, tmp_path):
    (tmp_path / "a.csv").write_text("text\nwhere is it\n")
    assert run("predict", shop_model, "a.csv", "-o", "labelled/").returncode == 0
    assert (tmp_path / "labelled" / "a.csv").read_text().startswith("text,")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train", "d.csv", "-o", "out.xlsx"], "out.xlsx: a model is written as .assay, and .xlsx means another kind"),
        (["card", "MODEL", "-o", "card.docx"], "card.docx: a card is written as .md or .html, and .docx means"),
        (["predict", "MODEL", "d.csv", "-o", "pred.docx"], "pred.docx: tables are written as .csv, .tsv, .jsonl"),
        (["convert", "d.csv", "-o", "d.pdf"], "d.pdf: tables are written as .csv"),
    ],
)
def test_an_ending_that_means_another_kind_of_file_is_refused(files, capsys, shop_model, arguments, message):
    before = sorted(files.iterdir())
    assert main([str(shop_model) if word == "MODEL" else word for word in arguments]) == 2
    assert message in capsys.readouterr().err
    assert sorted(files.iterdir()) == before


def test_an_ending_that_means_nothing_is_taken(files, shop_model):
    assert main(["predict", str(shop_model), "d.csv", "-o", "answers.out"]) == 0
