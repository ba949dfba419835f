"""Standard input that stays open: answers come before it ends, in order, and whoever goes away is no error."""

from __future__ import annotations

import gzip
import json
import select
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from assay.samples import SHOP_MESSAGES

PARCEL, MONEY = "Where is my parcel?", "I want my money back."
PATIENCE = 120  # seconds after which a test fails rather than wait for ever


@contextmanager
def started(command, *arguments) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        [command, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
    )
    try:
        yield process
    finally:
        process.kill()
        for stream in (process.stdin, process.stdout, process.stderr):
            stream.close()
        process.wait()


def next_line(process) -> bytes:
    """A line of the output, as soon as it is there; it must not take for ever."""
    line = b""
    while not line.endswith(b"\n"):
        ready, _, _ = select.select([process.stdout], [], [], PATIENCE)
        assert ready, "no answer came while standard input was open"
        byte = process.stdout.read(1)
        assert byte, process.stderr.read()
        line += byte
    return line


def conclusion(process) -> tuple[int, bytes, bytes]:
    """The exit code and what was still written."""
    rest = process.stdout.read() if not process.stdout.closed else b""
    return process.wait(PATIENCE), rest, process.stderr.read()


FORMATS = {
    "lines": (["--format", "lines"], b"", "{text}\n", b"", "{label}\n"),
    "csv": ([], b"id,text\n", "7,{text}\n", b"id,text,prediction\n", "7,{text},{label}\n"),
    "csv without a header": (["--names", "id,text"], b"", "7,{text}\n", b"id,text,prediction\n", "7,{text},{label}\n"),
    "jsonl": ([], b"", '{{"text": "{text}"}}\n', b"", '{{"text": "{text}", "prediction": "{label}"}}\n'),
    "fasttext": ([], b"", "__label__x {text}\n", b"", "__label__{label} {text}\n"),
}


@pytest.mark.parametrize("form", FORMATS)
def test_answers_come_while_standard_input_is_open(shop_model, assay_command, form):
    options, header, row, new_header, new_row = FORMATS[form]
    with started(assay_command, "predict", shop_model, "-", *options) as process:
        for number, (text, label) in enumerate([(PARCEL, "delivery"), (MONEY, "returns"), (PARCEL, "delivery")]):
            process.stdin.write(header * (number == 0) + row.format(text=text).encode())
            if number == 0 and new_header:
                assert next_line(process) == new_header
            assert next_line(process) == new_row.format(text=text, label=label).encode()
        process.stdin.close()
        assert conclusion(process)[:2] == (0, b"")


def test_row_is_answered_when_it_is_whole(shop_model, assay_command):
    with started(assay_command, "predict", shop_model, "-", "--to", "lines") as process:
        process.stdin.write(f'id,text\n1,{PARCEL}\n2,"I want\n'.encode())
        assert next_line(process) == b"delivery\n"
        process.stdin.write(b'my money back"\n')
        assert next_line(process) == b"returns\n"


def test_many_small_pieces_give_the_same_as_the_file(run, shop_model, assay_command, tmp_path):
    data = SHOP_MESSAGES.read_bytes()
    command = [assay_command, "predict", shop_model, "-", "--proba"]
    with (
        (tmp_path / "answers").open("wb") as answers,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=answers) as process,
        process.stdin as pipe,
    ):
        for begin in range(0, len(data), 1777):
            pipe.write(data[begin : begin + 1777])
            pipe.flush()
    assert process.returncode == 0
    assert (tmp_path / "answers").read_text() == run("predict", shop_model, SHOP_MESSAGES, "--proba").stdout


def test_interruption_ends_at_once_and_what_was_answered_stands(shop_model, assay_command):
    with started(assay_command, "predict", shop_model, "-", "--format", "lines") as process:
        process.stdin.write(f"{PARCEL}\nhalf a te".encode())
        assert next_line(process) == b"delivery\n"
        process.send_signal(signal.SIGINT)
        assert conclusion(process) == (130, b"", b"Interrupted.\n")


def test_reader_that_goes_away_ends_it_quietly_at_the_next_answer(shop_model, assay_command):
    with started(assay_command, "predict", shop_model, "-", "--format", "lines") as process:
        process.stdin.write(f"{PARCEL}\n".encode())
        assert next_line(process) == b"delivery\n"
        process.stdout.close()
        process.stdin.write(f"{PARCEL}\n".encode())
        assert conclusion(process) == (1, b"", b"")


def test_error_comes_after_the_answers_before_it_and_says_the_row(shop_model, assay_command):
    with started(assay_command, "predict", shop_model, "-") as process:
        process.stdin.write(f"id,text\n1,{PARCEL}\n".encode())
        assert next_line(process) == b"id,text,prediction\n"
        assert next_line(process) == f"1,{PARCEL},delivery\n".encode()
        process.stdin.write(b"2,one,too many\n")
        code, rest, said = conclusion(process)
    assert (code, rest) == (3, b"")
    assert said.startswith(b"Error: standard input, row 3: 3 fields where the first row has 2: '2,one,too many'.")


def test_compressed_standard_input_is_unpacked(run, shop_model):
    packed = gzip.compress(f"text\n{PARCEL}\n".encode())
    assert run("predict", shop_model, "-", stdin=packed).stdout == f"text,prediction\n{PARCEL},delivery\n"


def test_standard_input_to_a_file_says_how_much(run, shop_model, tmp_path):
    shown = run("predict", shop_model, "-", "-o", "out.jsonl", stdin=SHOP_MESSAGES.read_bytes())
    assert (shown.returncode, shown.stdout) == (0, "")
    assert "549 rows in" in shown.stderr
    lines = (tmp_path / "out.jsonl").read_text().splitlines()
    assert len(lines) == 549
    assert json.loads(lines[0])["prediction"] == "delivery"


def test_lines_that_are_no_table_are_told_the_way_out(run, shop_model):
    shown = run("predict", shop_model, "-", stdin="a line of a log\nanother one\n")
    assert shown.returncode == 3
    assert "If every line is a text, say --format lines." in shown.stderr


def test_conversion_goes_on_while_standard_input_is_open(assay_command):
    with started(assay_command, "convert", "-", "--to", "jsonl") as process:
        process.stdin.write(b"text,label\nfine,good\n")
        assert next_line(process) == b'{"text": "fine", "label": "good"}\n'
        process.stdin.close()
        assert conclusion(process)[:2] == (0, b"")
