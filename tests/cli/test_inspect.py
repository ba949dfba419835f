"""``assay inspect`` through the installed command, on good files and bad."""

from __future__ import annotations

import gzip
import json
import signal
import subprocess
from shutil import copy

import pytest

from assay.data.options import FORMATS
from assay.samples import SHOP_MESSAGES

MESSY = b"""id,review,stars
1,Loved it,good
2,Dull,bad
3,Dull,good
4,,bad
5,Loved it,good
6,What a film,
7,caf\xe9 nice,bad
"""


@pytest.fixture
def messy(tmp_path):
    (tmp_path / "messy.csv").write_bytes(MESSY)
    return "messy.csv"


def test_good_data_is_shown_with_classes_and_lengths(run, tmp_path):
    copy(SHOP_MESSAGES, tmp_path)
    shown = run("inspect", "shop_messages.csv")
    assert shown.returncode == 0
    words = " ".join(shown.stdout.split())
    assert "shop_messages.csv: 549 texts in 5 classes" in words
    assert "delivery 178 32.4%" in words
    assert "words 1 21 26.6 65 173" in words
    assert "Nothing to put right was found." in words


def test_the_guess_of_the_columns_is_said_on_standard_error(run, messy):
    shown = run("inspect", messy)
    assert "texts are in column 'review' and labels are in column 'stars'" in shown.stderr
    assert "column 'review'" not in shown.stdout


def test_quiet_leaves_the_notes_out(run, messy):
    assert run("inspect", messy, "--quiet").stderr == ""


def test_bad_rows_are_counted_with_place_and_advice(run, messy):
    shown = run("inspect", messy)
    assert shown.returncode == 0
    words = " ".join(shown.stdout.split())
    assert "1 text is empty. messy.csv, row 5 → Leave them out with --skip-empty" in words
    assert "1 row has no label. messy.csv, row 7 → Leave them out with --skip-unlabelled" in words
    assert "1 value is not valid in the encoding of the file. messy.csv, row 8" in words
    assert "another label: 'Dull' ('bad', 'good')" in words


def test_rows_that_are_known_are_not_complained_about(run, messy):
    shown = run("inspect", messy, "--skip-empty", "--skip-unlabelled")
    assert "is empty" not in shown.stdout
    assert "has no label" not in shown.stdout
    assert "left out" in shown.stderr


def test_json_holds_the_same_facts(run, messy):
    shown = run("inspect", messy, "--json")
    assert (shown.returncode, shown.stderr) == (0, "")
    facts = json.loads(shown.stdout)
    assert facts["n_texts"] == 5
    assert facts["classes"][0] == {"label": "good", "count": 3, "share": 0.6}
    assert (facts["empty"]["rows"], facts["unlabelled"]["rows"], facts["invalid"]["rows"]) == (1, 1, 1)
    assert {finding["kind"] for finding in facts["findings"]} >= {"empty_texts", "conflicts", "duplicates"}


def test_the_other_encoding_reads_what_utf8_cannot(run, messy):
    facts = json.loads(run("inspect", messy, "--json", "--encoding", "cp1252").stdout)
    assert facts["invalid"]["rows"] == 0


def test_standard_input_and_compressed_files_are_read_as_they_are(run, tmp_path):
    (tmp_path / "messages.csv.gz").write_bytes(gzip.compress(SHOP_MESSAGES.read_bytes()))
    from_file = run("inspect", "messages.csv.gz").stdout.splitlines()[1:]
    from_input = run("inspect", "-", stdin=SHOP_MESSAGES.read_bytes()).stdout.splitlines()[1:]
    assert from_file == from_input != []


def test_several_files_are_one_data_set(run, tmp_path):
    (tmp_path / "a.csv").write_text("text,label\nyes,x\n")
    (tmp_path / "b.csv").write_text("text,label\nno,y\n")
    assert "2 texts in 2 classes" in run("inspect", "a.csv", "b.csv").stdout


@pytest.mark.parametrize("spelling", ["tab", "\\t", "\t"])
def test_a_tab_can_be_written_in_words(run, tmp_path, spelling):
    (tmp_path / "a.csv").write_text("text\tlabel\none, two\tx\nthree\ty\n")
    assert "2 texts in 2 classes" in run("inspect", "a.csv", "--delimiter", spelling).stdout


def test_a_file_without_a_header_and_without_quoting(run, tmp_path):
    (tmp_path / "sms.tsv").write_text('ham\t"Ok lar\nspam\tFree entry\n')
    refused = run("inspect", "sms.tsv")
    assert "--names" in refused.stderr or "--no-quotes" in refused.stderr
    shown = run("inspect", "sms.tsv", "--names", "label,text", "--no-quotes")
    assert "2 texts in 2 classes" in shown.stdout


def test_data_without_labels(run, tmp_path):
    (tmp_path / "a.csv").write_text("text\nfirst\nsecond\n")
    shown = run("inspect", "a.csv", "--unlabelled")
    assert "a.csv: 2 texts without labels" in shown.stdout


def test_of_many_classes_the_largest_are_shown(run, tmp_path):
    rows = [f"text {c} {i},class {c}" for c in range(30) for i in range(c + 1)]
    (tmp_path / "many.csv").write_text("text,label\n" + "\n".join(rows))
    words = " ".join(run("inspect", "many.csv").stdout.split())
    assert "class 29 30 6.5%" in words
    assert "10 more classes 55 11.8% 1 to 10 each" in words


def test_hostile_labels_and_texts_stay_text(run, tmp_path):
    (tmp_path / "hostile.csv").write_text(
        'text,label\n\x1b]0;gone\x07,[bold]x[/bold]\n\x1b]0;gone\x07,"line\nbreak"\nharmless,:smile:\n'
    )
    shown = run("inspect", "hostile.csv")
    assert shown.returncode == 0
    assert "\x1b" not in shown.stdout
    assert all(piece in shown.stdout for piece in ("[bold]x[/bold]", "line ↵ break", ":smile:", "\\x1b]0;gone\\x07"))


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["missing.csv"], 3, "Error: no such file: missing.csv."),
        (
            ["messy.csv", "--label", "star"],
            3,
            "there is no column 'star' for --label. The columns are: 'stars'",
        ),
        (["messy.csv", "--errors", "strict"], 3, "messy.csv, row 8: column 'review' has byte 0xE9"),
        (["messy.csv", "--format", "cvs"], 2, "must be one of 'csv'"),
        (["messy.csv", "--encoding", "utf8000"], 2, "The 'encoding' parameter"),
        (["messy.csv", "--delimiter", ",,"], 2, "--delimiter must be one ASCII character"),
        ([], 2, "Missing argument 'DATA...'"),
    ],
)
def test_what_is_wrong_is_said_without_a_traceback(run, messy, arguments, code, message):
    shown = run("inspect", *arguments)
    assert shown.returncode == code
    assert message in shown.stderr
    assert "Traceback" not in shown.stderr
    assert shown.stdout == ""


def test_help_names_every_format(run):
    words = run("inspect", "--help").stdout
    assert all(name in words for name in FORMATS)


def test_progress_is_shown_on_a_terminal(on_terminal):
    assert b"reading" in on_terminal("stderr", "inspect", SHOP_MESSAGES)
    assert on_terminal("stderr", "inspect", SHOP_MESSAGES, "--quiet") == b""


def test_interruption_ends_with_its_own_code(assay_command):
    process = subprocess.Popen(
        [assay_command, "inspect", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdin.write(b"text,label\n" * 100_000)  # more than a pipe holds: it is being read when this returns
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    shown, said = process.communicate()
    assert (process.returncode, shown, said) == (130, b"", b"Interrupted.\n")


def test_bytes_of_another_encoding_get_one_piece_of_advice(run, tmp_path):
    (tmp_path / "latin.csv").write_bytes("text,label\ncafé is nice,a\nbad thing,b\nnice été,a\n".encode("cp1252"))
    shown = run("inspect", "latin.csv").stdout
    assert "--encoding cp1252 is often right" in shown
    assert "wrongly decoded" not in shown


def test_several_labels_a_text_are_shown(run, tmp_path):
    rows = ["rain|weather"] * 6 + ["weather"] * 6 + ["sport"] * 5 + ["sport|weather"] * 4 + [""]
    (tmp_path / "news.csv").write_text("text,label\n" + "".join(f"text {i},{row}\n" for i, row in enumerate(rows)))
    shown = run("inspect", "news.csv", "--labels-separator", "|")
    assert shown.returncode == 0
    words = " ".join(shown.stdout.split())
    assert "news.csv: 22 texts with 3 labels, 1.41 a text" in words
    assert "label texts share weather 16 72.7%" in words
    assert "labels a text texts share none 1 4.5% █" in words
    assert "come together texts times chance rain weather 6 1.4" in words
    assert "'rain' never without 'weather'" in words
    assert "1 text has no label (4.5%)." in words
    facts = json.loads(run("inspect", "news.csv", "--labels-separator", "|", "--skip-unlabelled", "--json").stdout)
    assert facts["label_sets"]["sizes"] == [0, 11, 10]
    whole = json.loads(run("inspect", "news.csv", "--one-label", "--skip-unlabelled", "--json").stdout)
    assert len(whole["classes"]) == 4
    both = run("inspect", "news.csv", "--one-label", "--labels-separator", "|")
    assert both.returncode == 2
    assert (
        "--labels-separator '|' says that a cell holds several labels, and --one-label that it holds one."
        in both.stderr
    )


def test_columns_of_flags_are_shown_as_labels(run, tmp_path):
    (tmp_path / "flags.csv").write_text("text,is_a,is_b\none,1,0\ntwo,1,1\nthree,0,0\n")
    facts = json.loads(run("inspect", "flags.csv", "--label-columns", "is_*", "--json").stdout)
    assert [(item["label"], item["count"]) for item in facts["classes"]] == [("is_a", 2), ("is_b", 1)]
    refused = run("inspect", "flags.csv", "--label-columns", "is_a,text")
    assert refused.returncode == 3
    assert "flags.csv, row 2: column 'text' holds 'one', where 1 or 0 says" in refused.stderr
