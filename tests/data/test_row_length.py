"""Rows that do not end: refused, in whatever they come, before they take all memory."""

from __future__ import annotations

import gzip
import io

import pytest

import assay
from assay.data.bytes.arrivals import Arrivals
from assay.data.bytes.live import LiveSource, line_end
from assay.errors import DataError

BLOCK = 1 << 21
ENDLESS = b"so on and " * (BLOCK // 2)  # five blocks without a line end
MOST = "a row is longer than 2 GB, which is the most"


@pytest.fixture(autouse=True)
def small_limit(monkeypatch):
    """Two megabytes, instead of two gigabytes; the blocks that are read at a time stay as they are."""
    for module in ("bytes.row_length", "bytes.streams", "bytes.live", "formats.folders"):
        monkeypatch.setattr(f"assay.data.{module}.LONGEST_ROW", BLOCK)
    monkeypatch.setattr("assay.data.bytes.lines._WORTH_COUNTING", BLOCK)


@pytest.mark.parametrize(
    ("name", "begin", "where"),
    [
        ("r.csv", b"", "r.csv, row 1"),
        ("r.csv", b'"', "r.csv, row 1"),
        ("r.csv", b"text,label\n", "r.csv, row 2 or one after it"),
        ("r.csv", b'text,label\nfun,pos\n"', "r.csv, row 3 or one after it"),
        ("r.tsv", b"text\tlabel\n", "r.tsv, row 2 or one after it"),
        ("r.jsonl", b'{"text": "', "r.jsonl, row 1 or one after it"),
        ("r.jsonl", b'{"text": "fun"}\n{"text": "', "r.jsonl, row 2 or one after it"),
        ("r.txt", b"", "r.txt, row 1 or one after it"),
        ("r.ft", b"__label__pos ", "r.ft, row 1 or one after it"),
    ],
)
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_file(refused, name, begin, where, pack):
    suffix = ".gz" if pack is gzip.compress else ""
    message = refused(pack(begin + ENDLESS), name + suffix)
    assert message.startswith(f"{where.replace(name, name + suffix)}: {MOST}")


def test_what_is_copied_from_a_pipe():
    with pytest.raises(DataError, match=MOST):
        assay.read(io.BytesIO(b"text,label\nfun,pos\n" + ENDLESS))


def test_what_is_read_while_it_comes():
    with pytest.raises(DataError, match=MOST):
        LiveSource(Arrivals(io.BytesIO(ENDLESS)), "standard input", "utf-8", 0.0)
    arrivals = Arrivals(io.BytesIO(b"one\n" * 400_000 + ENDLESS))
    with pytest.raises(DataError, match=MOST):
        list(LiveSource(arrivals, "standard input", "utf-8", 0.0).parts(line_end))


def test_a_file_of_a_folder(write):
    write("texts/pos/1.txt", ENDLESS)
    write("texts/neg/1.txt.gz", gzip.compress(ENDLESS))
    with pytest.raises(DataError, match=rf"^texts/neg/1\.txt\.gz: {MOST}"):
        assay.read("texts")


def test_rows_that_are_long_but_end_are_read(write, monkeypatch):
    monkeypatch.setattr("assay.data.bytes.row_length.LONGEST_ROW", 1 << 30)
    monkeypatch.setattr("assay.data.formats.separated.LONGEST_ROW", 1 << 30)
    write("r.csv", b"text,label\n" + ENDLESS + b",pos\n")
    write("r.jsonl", b'{"text": "' + ENDLESS + b'", "label": "pos"}\n')
    for name in ("r.csv", "r.jsonl"):
        assert assay.read(name)[0] == (ENDLESS.decode(), "pos")
