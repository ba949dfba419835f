from __future__ import annotations

import html
import json
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from assay import load
from assay.samples import SHOP_MESSAGES, load_sample

Run = Callable[..., subprocess.CompletedProcess[str]]
BY_HAND = ("--learner", "nb", "--ngrams", "1")


@pytest.fixture
def messages(tmp_path: Path) -> Path:
    """Some of the sample's messages as a CSV file."""
    rows = list(load_sample())[::4]
    path = tmp_path / "messages.csv"
    lines = ["text,label", *(f'"{text.replace(chr(34), chr(34) * 2)}",{label}' for text, label in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.csv"
    path.write_text("text,label\ngood film,pos\nbad film,neg\nfine film,pos\npoor film,neg\n", encoding="utf-8")
    return path


def test_plain_train_searches_tests_shows_and_keeps_everything(run: Run, messages: Path) -> None:
    done = run("train", messages.name, "--folds", "2")
    assert done.returncode == 0, done.stderr
    for expected in (
        "messages.csv: 138 texts in 5 classes",
        "What was tried: 20 recipes",
        "95% interval",
        "Chosen: ",
        "The test, on ",
        "Always saying 'delivery' would give accuracy",
        "What tells the classes apart",
        "The worst mistakes",
        "messages.assay",
        "assay predict ",
    ):
        assert expected in done.stdout
    assert sum(map(int, re.findall(r"Round 1 of 2: (\d+) recipes", done.stderr))) == 20
    folder = messages.with_name("messages.run")
    assert {"settings.toml", "metrics.json", "predictions.parquet", "card.md"} <= {p.name for p in folder.iterdir()}
    assert load(messages.with_name("messages.assay")).predict_proba(["where is my parcel"]).shape == (1, 5)


def test_the_settings_of_a_run_repeat_it_to_the_bit(run: Run, messages: Path) -> None:
    assert run("train", messages, "--learner", "svm", "--folds", "2", "--seed", "3").returncode == 0
    model = messages.with_name("messages.assay")
    settings = messages.with_name("messages.run") / "settings.toml"
    done = run("train", "--settings", settings, "-o", "again.assay", "--threads", "1")
    assert done.returncode == 0, done.stderr
    assert messages.with_name("again.assay").read_bytes() == model.read_bytes()


def test_by_hand_nothing_is_searched_or_held_out(run: Run, messages: Path) -> None:
    done = run("train", messages, *BY_HAND)
    assert done.returncode == 0, done.stderr
    assert "Chosen: naive Bayes, alpha=1, words 1" in done.stdout
    assert "Trained on all 138 texts: none was held out" in done.stdout


def test_json_is_one_object_and_nothing_else(run: Run, messages: Path) -> None:
    done = run("train", messages, *BY_HAND, "--holdout", "0.3", "--json")
    result = json.loads(done.stdout)
    assert done.stderr == ""
    assert result["chosen"][0]["learner"]["name"] == "nb"
    assert result["evaluation"]["metrics"]["accuracy"]["low"] < 1
    assert result["files"]["model"].endswith("messages.assay")
    assert set(result) == {
        *("labels", "train", "test", "metric", "chosen", "candidates", "cross_validation", "evaluation", "baseline"),
        *("verdict", "notes", "budget", "seconds", "files", "kind", "version"),
    }


def test_quiet_prints_one_line(run: Run, messages: Path) -> None:
    done = run("train", messages, *BY_HAND, "--holdout", "0.3", "--quiet")
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 1
    assert "accuracy 0." in done.stdout


def test_a_test_file_is_tested_on(run: Run, messages: Path, tmp_path: Path) -> None:
    (tmp_path / "test.csv").write_text("text,label\nwhere is my parcel,delivery\nthank you,praise\n", encoding="utf-8")
    done = run("train", messages, *BY_HAND, "--test", "test.csv")
    assert done.returncode == 0, done.stderr
    assert "The test, on 2 texts" in done.stdout


def test_standard_input_is_read(run: Run, tiny: Path, tmp_path: Path) -> None:
    done = run("train", "-", *BY_HAND, stdin=tiny.read_bytes())
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "model.assay").exists()


def test_the_first_screen_of_the_help_is_grouped(run: Run) -> None:
    done = run("train", "--help")
    assert done.returncode == 0
    order = [done.stdout.index(heading) for heading in ("Most used:", "Choosing by hand", "Measuring:", "Reading:")]
    assert order == sorted(order)


class TestBadInput:
    def check(self, done: subprocess.CompletedProcess[str], code: int, message: str, folder: Path) -> None:
        assert done.returncode == code, done.stderr
        assert message in done.stderr.replace("\n", " ")
        assert "Traceback" not in done.stderr
        assert not [path for path in folder.iterdir() if path.suffix in (".assay", ".run") or path.name.startswith(".")]

    def test_two_rows(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "two.csv").write_text("text,label\ngood film,pos\nbad film,neg\n", encoding="utf-8")
        done = run("train", "two.csv")
        self.check(done, 3, "two.csv: 2 of the 2 classes have one text only, in 2 texts: too few", tmp_path)

    def test_all_texts_equal(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "same.csv").write_text("text,label\n" + "same text,a\nsame text,b\n" * 10, encoding="utf-8")
        done = run("train", "same.csv")
        self.check(done, 3, "same.csv: all 20 texts are the same, so nothing tells their 2 classes apart.", tmp_path)

    def test_one_class(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "one.csv").write_text("text,label\ngood,a\nbad,a\n", encoding="utf-8")
        self.check(run("train", "one.csv"), 3, "one.csv: all 2 texts have the label 'a'.", tmp_path)

    def test_as_many_classes_as_texts(self, run: Run, tmp_path: Path) -> None:
        rows = "".join(f"text number {i},id {i}\n" for i in range(10_000))
        (tmp_path / "ids.csv").write_text("text,label\n" + rows, encoding="utf-8")
        done = run("train", "ids.csv")
        self.check(done, 3, "ids.csv: 10,000 of the 10,000 classes have one text only, in 10,000 texts", tmp_path)

    def test_a_label_that_training_never_saw(self, run: Run, tiny: Path, tmp_path: Path) -> None:
        (tmp_path / "test.csv").write_text("text,label\nfilm,pos\nfilm,negg\n", encoding="utf-8")
        done = run("train", tiny, "--test", "test.csv", *BY_HAND)
        message = "test.csv, row 3: the label 'negg' (1 of 2 test texts have it) does not occur in the training data."
        self.check(done, 3, message, tmp_path)

    def test_an_output_that_exists(self, run: Run, tiny: Path) -> None:
        model = tiny.with_name("tiny.assay")
        model.write_text("mine")
        done = run("train", tiny, *BY_HAND)
        assert done.returncode == 2
        assert "tiny.assay: the file exists. Use --force to replace it" in done.stderr
        assert model.read_text() == "mine"
        assert run("train", tiny, *BY_HAND, "--force").returncode == 0
        assert load(model).labels == ("neg", "pos")

    def test_a_folder_that_does_not_exist(self, run: Run, tiny: Path, tmp_path: Path) -> None:
        done = run("train", tiny, *BY_HAND, "-o", "nowhere/m.assay")
        message = "nowhere/m.assay: the folder 'nowhere' does not exist. Make it first, or write elsewhere."
        self.check(done, 3, message, tmp_path)

    @pytest.mark.usefixtures("permissions_count")
    def test_no_permission(self, run: Run, tiny: Path, tmp_path: Path) -> None:
        (tmp_path / "locked").mkdir(mode=0o500)
        done = run("train", tiny, *BY_HAND, "-o", "locked/m.assay")
        self.check(done, 1, "there is no permission to write into 'locked'", tmp_path)

    def test_no_data(self, run: Run, tmp_path: Path) -> None:
        self.check(run("train"), 2, "There is no DATA to train on. Name a file: assay train reviews.csv.", tmp_path)

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (("--learner", "smv"), "There is no learner 'smv'. Learners are 'svm'"),
            (("--ngrams", "a"), "--ngrams must be a range of numbers from 1 to 100, such as 1-2. Got 'a' instead."),
            (("--budget", "soon"), "budget must be a time such as 60s, 2m or 1h. Got 'soon' instead."),
            (("--metric", "acc", *BY_HAND), "There is no metric 'acc'. Metrics are 'accuracy'"),
            (("--settings", "none.toml"), "none.toml: there is no such settings file."),
            (("--class-weight", "pos=2,x=1", *BY_HAND[:3], "2"), "--class-weight names the label 'x'"),
            (("-o", "."), "this is a folder. Give -o the name of a file"),
        ],
    )
    def test_an_option_with_a_value_it_cannot_have(
        self, options: tuple[str, ...], message: str, run: Run, tiny: Path, tmp_path: Path
    ) -> None:
        self.check(run("train", tiny, *options), 2, message, tmp_path)

    def test_names_and_texts_that_would_command_the_terminal(self, run: Run, tmp_path: Path) -> None:
        name = "odd \x1b[31m name.csv"
        rows = "".join(f"\x1b[2Jgood {i},\x1b[0mpos\n<script> bad {i},neg\n" for i in range(10))
        (tmp_path / name).write_text("text,label\n" + rows, encoding="utf-8")
        done = run("train", name, "--learner", "nb", "--ngrams", "1", "--holdout", "0.3")
        assert done.returncode == 0, done.stderr
        assert "\x1b" not in done.stdout + done.stderr


def test_ctrl_c_ends_with_130_and_leaves_nothing(assay_command: Path, tmp_path: Path) -> None:
    rows = "".join(f"{word} {i} {i % 97} text,{word}\n" for i in range(3000) for word in ("good", "bad"))
    (tmp_path / "long.csv").write_text("text,label\n" + rows, encoding="utf-8")
    command = [assay_command, "train", "long.csv"]
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=tmp_path, text=True, **streams) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if line.startswith("Round 1"):  # the search is under way
                break
        process.send_signal(signal.SIGINT)
        rest = process.stderr.read()
        assert process.wait(timeout=300) == 130
    assert "Interrupted." in rest
    assert [path.name for path in tmp_path.iterdir()] == ["long.csv"]


def test_vectors_that_are_not_there_are_found_before_anything_is_read(run):
    done = run("train", "missing.csv", "--vectors", "gone.vec")
    assert (done.returncode, done.stdout) == (3, "")
    assert "Error: gone.vec: there is no such file. --vectors names it" in done.stderr


def test_a_choice_by_hand_that_is_tested_has_a_report(run, tmp_path):
    done = run("train", SHOP_MESSAGES, "-o", "m.assay", "--learner", "svm", "--ngrams", "1", "--holdout", "0.2", "-q")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "m.run" / "report.html").is_file()


def test_a_training_without_a_test_says_what_is_known(run, tmp_path):
    done = run("train", SHOP_MESSAGES, "-o", "m.assay", "--learner", "svm", "--ngrams", "1")
    said = "none was held out, so nothing is known about texts that the model has not seen. Add --holdout 0.2"
    assert said in " ".join(done.stdout.split())
    assert not (tmp_path / "m.run" / "report.html").exists()
    done = run("train", SHOP_MESSAGES, "-o", "n.assay", "--learner", "nb", "--holdout", "0")
    assert "none was held out, the cross-validation, by which it was chosen, is all" in " ".join(done.stdout.split())
    assert (tmp_path / "n.run" / "report.html").is_file()


def test_the_command_that_repeats_a_training_runs_as_the_report_prints_it(run, messages, tmp_path):
    assert run("train", messages, *BY_HAND, "--holdout", "0.3", "-o", "m y.assay").returncode == 0
    report = html.unescape((tmp_path / "m y.run" / "report.html").read_text(encoding="utf-8"))
    (command,) = set(re.findall(r"assay (train \S+ --settings .*?\.assay'?)<", report))
    done = run(*shlex.split(command))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "m y-again.assay").read_bytes() == (tmp_path / "m y.assay").read_bytes()


@pytest.mark.parametrize(("word", "verdict"), [("bad", "0.750 worse (-0."), ("good", "no better")])
def test_a_model_that_does_not_beat_the_most_frequent_label_is_not_called_better(
    run: Run, tmp_path: Path, word: str, verdict: str
) -> None:
    rows = [f"good thing {i},a" for i in range(12)] + [f"bad thing {i},b" for i in range(8)]
    (tmp_path / "train.csv").write_text("\n".join(["text,label", *rows]))
    answers = [f"{word} {word} {word} film {i},a" for i in range(30)] + [f"good film {i},b" for i in range(30, 40)]
    (tmp_path / "test.csv").write_text("\n".join(["text,label", *answers]))
    done = run("train", "train.csv", "--test", "test.csv", "--learner", "logistic", "--ngrams", "1")
    said = " ".join(done.stdout.split())
    assert f"would give accuracy 0.750: the model is {verdict}" in said
    assert "may be chance" not in said
    report = (tmp_path / "train.run" / "report.html").read_text(encoding="utf-8")
    assert "It cannot be said that the model is better than that." in report


def test_commands_to_go_on_with_stand_on_one_line_each(run: Run) -> None:
    done = run("train", SHOP_MESSAGES, "--learner", "nb", "--ngrams", "1", "-o", "a-rather-long-name.assay")
    assert '  assay predict a-rather-long-name.assay "a text"  the label' in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_training_by_hand_loads_nothing_that_takes_long(tmp_path: Path) -> None:
    code = (
        "import sys; from assay.cli.main import main; main(sys.argv[1:]); "
        "late = {'sklearn', 'scipy', 'pandas', 'matplotlib', 'torch', 'pyarrow.compute', 'numpy.ma', 'assay.report'}; "
        "sys.exit(','.join(late & set(sys.modules)) or 0)"
    )
    words = ["train", str(SHOP_MESSAGES), "--learner", "svm", "--ngrams", "1-2", "-o", str(tmp_path / "shop.assay")]
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_figure_that_a_choice_went_by_is_called_too_good_also_where_less_is_better(run: Run, messages: Path) -> None:
    shown = run("train", messages.name, "--learner", "nb", "--metric", "log_loss", "--folds", "2", "--holdout", "0")
    assert shown.returncode == 0, shown.stderr
    said = " ".join(shown.stdout.split())
    assert re.search(r"training texts: log_loss [\d.]+.*, rather too good, since it was used to choose\.", said)
