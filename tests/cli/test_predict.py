"""``assay predict`` through the installed command, on good files and bad."""

from __future__ import annotations

import hashlib
import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import assay
from assay.samples import SHOP_MESSAGES

TEXT = "Where is my parcel?"
LABELS = {"delivery", "payment", "praise", "product question", "returns"}


@pytest.fixture
def data(tmp_path):
    (tmp_path / "in.csv").write_text(f"id,text\n1,{TEXT}\n2,Thank you so much\n")
    return "in.csv"


def test_one_text_gets_its_label(run, shop_model):
    shown = run("predict", shop_model, TEXT)
    assert (shown.returncode, shown.stdout, shown.stderr) == (0, "delivery\n", "")


def test_one_text_with_probabilities(run, shop_model):
    shown = run("predict", shop_model, TEXT, "--proba").stdout.splitlines()
    assert len(shown) == 5
    assert shown[0].startswith("delivery ")
    assert run("predict", shop_model, TEXT, "--top", "1").stdout.splitlines() == [
        " ".join(shown[0].split()).replace(" ", "  ")
    ]


def test_texts_as_json(run, shop_model):
    facts = json.loads(run("predict", shop_model, TEXT, "bank\x1b[2J", "--json", "--threshold", "1").stdout)
    assert (facts["kind"], facts["version"]) == ("answers", 1)
    first, second = facts["answers"]
    assert (first["text"], first["prediction"]) == (TEXT, None)
    assert second["text"] == "bank\x1b[2J"
    assert set(first["probabilities"]) == LABELS
    assert sum(first["probabilities"].values()) == pytest.approx(1, abs=1e-5)


def test_one_text_loads_nothing_that_takes_long(shop_model):
    code = (
        "import sys; from assay.cli.main import main; main(sys.argv[1:]); "
        "late = {'sklearn', 'scipy', 'pandas', 'matplotlib', 'pyarrow', 'rich', 'torch'}; "
        "sys.exit(','.join(late & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "predict", shop_model, TEXT], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr.strip()) == ("delivery\n", "")


def test_files_load_nothing_that_takes_long(shop_model, tmp_path):
    code = (
        "import sys; from assay.cli.main import main; main(sys.argv[1:]); "
        "late = {'sklearn', 'scipy', 'pandas', 'matplotlib', 'torch', 'rich', 'pyarrow.compute'}; "
        "sys.exit(','.join(late & set(sys.modules)) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "predict", shop_model, SHOP_MESSAGES, "-o", tmp_path / "labelled.csv"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("549 rows in ")


def test_file_to_standard_output(run, shop_model, data):
    shown = run("predict", shop_model, data)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout.splitlines()[:2] == ["id,text,prediction", f"1,{TEXT},delivery"]


def test_standard_input_of_plain_lines(run, shop_model):
    shown = run("predict", shop_model, "-", "--format", "lines", stdin=f"{TEXT}\n")
    assert (shown.returncode, shown.stdout) == (0, "delivery\n")


def test_file_to_file_says_how_much(run, shop_model, data, tmp_path):
    shown = run("predict", shop_model, data, "-o", "out.jsonl")
    assert (shown.returncode, shown.stdout) == (0, "")
    assert "2 rows in" in shown.stderr
    assert "rows/s) → out.jsonl" in shown.stderr
    assert json.loads((tmp_path / "out.jsonl").read_text().splitlines()[0]) == {
        "id": "1",
        "text": TEXT,
        "prediction": "delivery",
    }
    assert run("predict", shop_model, data, "-o", "out.csv", "--quiet").stderr == ""


def test_json_says_what_was_written(run, shop_model, data):
    shown = run("predict", shop_model, data, "-o", "out.csv", "--json", "--threshold", "1")
    facts = json.loads(shown.stdout)
    assert (facts["kind"], facts["version"], shown.stderr) == ("file_predictions", 1, "")
    (file,) = facts["files"]
    assert (file["input"], file["output"], file["rows"], file["unanswered"]) == ("in.csv", "out.csv", 2, 2)


def test_json_without_a_file_is_json_lines(run, shop_model, data):
    shown = run("predict", shop_model, data, "--json")
    assert [json.loads(line)["id"] for line in shown.stdout.splitlines()] == ["1", "2"]


def test_several_files_go_to_a_folder_and_are_made_once(run, shop_model, tmp_path):
    (tmp_path / "out").mkdir()
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text(f"text\n{TEXT}\n")
    assert "2 files in out" in run("predict", shop_model, "?.csv", "-o", "out").stderr
    again = run("predict", shop_model, "a.csv", "b.csv", "-o", "out")
    assert again.returncode == 0
    assert "2 outputs were there already and left as they were (out/a.csv …); --force makes them again." in again.stderr


@pytest.fixture(scope="session")
def other_model(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "other.assay"
    assay.TextClassifier(learner="nb").fit(["where is it", "thank you"], ["delivery", "praise"]).save(path)
    return path


def test_a_folder_is_not_gone_on_with_by_another_model_or_with_other_options(run, shop_model, other_model, tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text(f"text\n{TEXT}\n")
    assert run("predict", shop_model, "a.csv", "-o", "out/").returncode == 0
    made = (tmp_path / "out" / "a.csv").read_bytes()
    other = run("predict", other_model, "a.csv", "b.csv", "-o", "out/")
    assert other.returncode == 2
    assert "Error: out/a.csv is there already, and another model wrote it: " in other.stderr
    assert "and this is other.assay@" in other.stderr
    assert "Give another folder, or add --force to make all outputs again." in other.stderr
    asked = run("predict", shop_model, "a.csv", "b.csv", "-o", "out/", "--top", "2", "--skip-empty")
    assert asked.returncode == 2
    assert "it was written without options, and this is asked for with --top 2 --skip-empty:" in asked.stderr
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [".assay-predict.jsonl", "a.csv"]
    assert (tmp_path / "out" / "a.csv").read_bytes() == made
    again = run("predict", other_model, "a.csv", "b.csv", "-o", "out/", "--force")
    assert (again.returncode, "2 files in out" in again.stderr) == (0, True)
    assert "2 outputs were there already" in run("predict", other_model, "a.csv", "b.csv", "-o", "out").stderr


def test_an_output_of_unknown_origin_is_not_taken_for_ones_own(run, shop_model, tmp_path):
    (tmp_path / "a.csv").write_text(f"text\n{TEXT}\n")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a.csv").write_text("by hand")
    shown = run("predict", shop_model, "a.csv", "-o", "out")
    assert (shown.returncode, (tmp_path / "out" / "a.csv").read_text()) == (2, "by hand")
    assert "out/a.csv is there already, and nothing says which model wrote it:" in shown.stderr


def test_json_and_a_column_name_the_model_that_answered(run, shop_model, data, tmp_path):
    reference = {"file": shop_model.name, "sha256": hashlib.sha256(shop_model.read_bytes()).hexdigest()}
    assert json.loads(run("predict", shop_model, TEXT, "--json").stdout)["model"] == reference
    written = json.loads(run("predict", shop_model, data, "-o", "out.csv", "--json").stdout)
    assert written["model"] == reference
    named = f"{shop_model.name}@{reference['sha256'][:12]}"
    rows = run("predict", shop_model, data, "--json", "--model-column", "model").stdout.splitlines()
    assert [json.loads(row)["model"] for row in rows] == [named, named]
    (tmp_path / "model.csv").write_text(f"model,text\nT,{TEXT}\n")
    shown = run("predict", shop_model, "model.csv", "--top", "1", "--model-column", "model").stdout.splitlines()
    assert shown[0] == "model,text,prediction,probability,model_2"
    assert shown[1].endswith(f",{named}")


def test_a_typed_text_and_a_row_get_the_same_answer(run, shop_model, tmp_path):
    texts = [TEXT, "The card was charged twice and I want my money back", "thank you", "xyzzy"]
    (tmp_path / "in.csv").write_text("text\n" + "".join(f"{text}\n" for text in texts))
    rows = [json.loads(row) for row in run("predict", shop_model, "in.csv", "--proba", "--json").stdout.splitlines()]
    typed = json.loads(run("predict", shop_model, *texts, "--proba", "--json").stdout)["answers"]
    for row, answer in zip(rows, typed, strict=True):
        assert answer["prediction"] == row["prediction"]
        assert answer["probabilities"] == {label: row[f"p({label})"] for label in answer["probabilities"]}
        assert list(answer["probabilities"].values()) == sorted(answer["probabilities"].values(), reverse=True)


def test_progress_is_shown_on_a_terminal(on_terminal, shop_model, tmp_path):
    shown = on_terminal("stderr", "predict", shop_model, SHOP_MESSAGES, "-o", str(tmp_path / "out.csv"))
    assert b"rows/s" in shown


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["missing.assay", "a text"], 3, "missing.assay: no such file"),
        (["in.csv", "a text"], 3, "in.csv: this is no model"),
        (["MODEL", "missing.csv"], 3, "no such file: missing.csv."),
        (["MODEL", "in.csv", "a text"], 3, "no such file: a text."),
        (["MODEL", "other.csv"], 3, "other.csv: there is no column 'text', which held the texts"),
        (["MODEL", "in.csv", "-o", "no/where.csv"], 3, "no/where.csv: the folder 'no' does not exist."),
        (["MODEL", "in.csv", "-o", "old.csv"], 2, "old.csv: the file exists. Use --force"),
        (["MODEL", "in.csv", "-o", "."], 2, "in.csv would be written over in.csv, which is read."),
        (["MODEL", "in.csv", "other.csv"], 2, "2 files cannot all be written to standard output."),
        (["MODEL", "in.csv", "other.csv", "-o", "x.csv"], 2, "2 files cannot all be written to the file x.csv."),
        (["MODEL", "in.csv", "--to", "cvs"], 2, "does not write the format 'cvs'. It writes 'csv'"),
        (["MODEL", "in.csv", "--shard", "3/2"], 2, "--shard must be written as i/n"),
        (["MODEL", "in.csv", "--top", "0"], 2, "top must be 1 or more"),
        (["MODEL", "in.csv", "--threshold", "7"], 2, "between 0 and 1"),
        (["MODEL", "in.csv", "--threads", "0"], 2, "--threads must be a positive number of threads"),
        (["MODEL", "a text", "-o", "out.csv"], 2, "one text is answered on standard output"),
        (["SCORES", "a text", "--proba"], 2, "gives scores, not probabilities"),
        (["MODEL"], 2, "Missing argument 'DATA...'"),
    ],
)
def test_what_is_wrong_is_said_without_a_traceback(
    run, shop_model, score_model, data, tmp_path, arguments, code, message
):
    (tmp_path / "other.csv").write_text("review\nhello there\n")
    (tmp_path / "old.csv").write_text("old")
    given = [{"MODEL": shop_model, "SCORES": score_model}.get(item, item) for item in arguments]
    shown = run("predict", *given)
    assert message in shown.stderr
    assert (shown.returncode, shown.stdout) == (code, "")
    assert "Traceback" not in shown.stderr
    assert (tmp_path / "old.csv").read_text() == "old"


def test_force_replaces(run, shop_model, data, tmp_path):
    (tmp_path / "old.csv").write_text("old")
    assert run("predict", shop_model, data, "-o", "old.csv", "--force").returncode == 0
    assert (tmp_path / "old.csv").read_text() != "old"


@pytest.mark.usefixtures("permissions_count")
def test_folder_that_may_not_be_written_to(run, shop_model, data, tmp_path):
    (tmp_path / "locked").mkdir(mode=0o555)
    shown = run("predict", shop_model, data, "-o", "locked/out.csv")
    assert shown.returncode == 1
    assert shown.stderr.startswith("Error: locked/out.csv: there is no permission to write into 'locked'.")


def test_folder_of_the_system_that_takes_no_files(run, shop_model, data):
    shown = run("predict", shop_model, data, "-o", "/proc/out.csv")
    assert shown.returncode == 1
    assert shown.stderr.startswith("Error: /proc/out.csv: ")


def test_full_disk_is_said_and_leaves_nothing(shop_model, tmp_path, assay_command):
    def small_files():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    (tmp_path / "out.csv").write_text("old")
    done = subprocess.run(
        [assay_command, "predict", shop_model, SHOP_MESSAGES, "-o", "out.csv", "--force"],
        cwd=tmp_path,
        capture_output=True,
        preexec_fn=small_files,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, b"Error: out.csv: File too large.\n")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("out.csv", "old")]


def test_full_device_is_said_in_one_line(shop_model, assay_command):
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [assay_command, "predict", shop_model, SHOP_MESSAGES], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert (done.returncode, done.stderr) == (1, b"Error: No space left on device.\n")


def test_device_is_written_to_and_stays_a_device(run, shop_model, data):
    assert run("predict", shop_model, data, "-o", "/dev/null").returncode == 0
    assert not Path("/dev/null").is_file()
    shown = run("predict", shop_model, data, "-o", "/dev/full")
    assert (shown.returncode, shown.stderr) == (1, "Error: /dev/full: No space left on device.\n")


def test_reader_that_goes_away_is_no_error(shop_model, tmp_path, assay_command):
    (tmp_path / "many.csv").write_text("text\n" + f"{TEXT}\n" * 100_000)
    process = subprocess.Popen(
        [assay_command, "predict", shop_model, tmp_path / "many.csv"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout.readline() == b"text,prediction\n"
    process.stdout.close()
    assert (process.stderr.read(), process.wait()) == (b"", 1)
    process.stderr.close()


@pytest.mark.parametrize(
    ("redirection", "code", "message"),
    [
        ("<&-", 3, "Error: standard input is closed: there is nothing to read."),
        ("</dev/null", 3, "Error: standard input: the file is empty."),
        (">&- < in.csv", 0, ""),
        ("2>&- < in.csv", 0, ""),
    ],
)
def test_streams_that_are_closed_or_empty(shop_model, data, tmp_path, assay_command, redirection, code, message):
    command = f'"{assay_command}" predict "{shop_model}" - {redirection}'
    done = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("stop", "code", "said"), [(signal.SIGINT, 130, "Interrupted.\n"), (signal.SIGTERM, 143, "")])
def test_interruption_leaves_the_old_file_and_no_half_of_a_new_one(
    shop_model, tmp_path, assay_command, stop, code, said
):
    os.mkfifo(tmp_path / "endless")
    (tmp_path / "out.csv").write_text("old")
    process = subprocess.Popen(
        [assay_command, "predict", shop_model, "-", "-o", "out.csv", "--force", "--format", "lines"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
    )
    process.stdin.write(b"a text\n" * 100_000)  # more than a pipe holds: it is being read when this returns
    process.stdin.flush()
    process.send_signal(stop)
    process.stdin.close()
    assert (process.stderr.read().decode(), process.wait()) == (said, code)
    process.stderr.close()
    assert (tmp_path / "out.csv").read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["endless", "out.csv"]


@pytest.mark.parametrize("name", ["--help.csv", "new\nline.csv", "esc\x1b[2J.csv", "[bold]x[red].csv", "café ☕.csv"])
def test_hostile_file_names(run, shop_model, tmp_path, name):
    (tmp_path / name).write_text(f"text\n{TEXT}\n")
    (tmp_path / "out").mkdir()
    given = f"./{name}"
    shown = run("predict", shop_model, given, "-o", "out/")
    assert shown.returncode == 0
    assert (tmp_path / "out" / name).read_text() == f"text,prediction\n{TEXT},delivery\n"
    assert "\x1b" not in shown.stderr
    if "[bold]" in name:
        assert "out/[bold]x[red].csv" in shown.stderr


def test_hostile_texts_come_back_as_they_were(run, shop_model, tmp_path):
    texts = ["<script>alert(1)</script>", "\x1b]0;gone\x07", "=cmd|' /C calc'!A0", "a\u202eb", '"', "\\n", "🎉" * 50]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    shown = run("predict", shop_model, "in.jsonl")
    assert [json.loads(line)["text"] for line in shown.stdout.splitlines()] == texts


def test_the_same_answers_as_in_python(run, shop_model, tmp_path):
    run("predict", shop_model, SHOP_MESSAGES, "-o", "out.csv", "--threads", "1")
    run("predict", shop_model, SHOP_MESSAGES, "-o", "again.csv", "--threads", "2")
    assert (tmp_path / "out.csv").read_bytes() == (tmp_path / "again.csv").read_bytes()
    table = assay.read(str(tmp_path / "out.csv"), text="text", label="prediction")
    texts = table.texts.to_pylist()
    assert [example.label for example in table] == assay.load(shop_model).predict(texts).tolist()


def test_a_second_model_is_not_taken_for_data(run, shop_model, score_model):
    done = run("predict", shop_model, score_model)
    assert (done.returncode, done.stdout) == (2, "")
    assert "scores.assay: this is a model, not data to label. 'assay predict' takes one model" in done.stderr


@pytest.mark.parametrize("name", ["parts/*.txt", "nosuch.txt", "data/part-0", "nosuch.csv.gz", "nosuch.assay", "a.pdf"])
def test_what_looks_like_a_path_and_is_none_is_no_text(run, shop_model, name):
    shown = run("predict", shop_model, name)
    assert (shown.returncode, shown.stdout) == (3, "")
    assert name in shown.stderr
    assert shown.stderr.endswith(" If it is a text to label, add --literal.\n")
    literal = run("predict", shop_model, name, "--literal")
    assert literal.returncode == 0
    assert literal.stdout.strip() in LABELS


def test_a_file_that_is_there_can_be_meant_literally(run, shop_model, data):
    literal = run("predict", shop_model, data, "--literal", "--json")
    assert json.loads(literal.stdout)["answers"][0]["text"] == "in.csv"


@pytest.mark.parametrize("given", [("",), ("--literal", " \t")])
def test_an_empty_text_is_answered_with_a_note_that_the_label_means_nothing(run, shop_model, given):
    done = run("predict", shop_model, *given)
    assert done.returncode == 0
    assert done.stdout.strip() in LABELS
    assert "Note: the text is empty" in done.stderr
    assert "means nothing" in " ".join(done.stderr.split())
