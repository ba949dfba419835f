"""Where things are read from: paths, globs, lists, standard input, open files, compressed files."""

from __future__ import annotations

import bz2
import gzip
import io
import os
import re
import sys
import threading

import pyarrow as pa
import pytest

import assay
from assay.errors import DataError, NotPermittedError, ParameterError

CSV = b"text,label\nloved it,pos\ndull,neg\n"
JSONL = b'{"text": "loved it", "label": "pos"}\n{"text": "dull", "label": "neg"}\n'
FASTTEXT = b"__label__pos loved it\n__label__neg dull\n"
ROWS = [("loved it", "pos"), ("dull", "neg")]
PACK = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".zst": lambda data: pa.Codec("zstd").compress(data, asbytes=True),
}


def rows_of(corpus):
    return [tuple(example) for example in corpus]


def parquet_bytes():
    import pyarrow.parquet

    sink = pa.BufferOutputStream()
    pyarrow.parquet.write_table(pa.table({"text": ["loved it", "dull"], "label": ["pos", "neg"]}), sink)
    return sink.getvalue().to_pybytes()


FORMATS = {
    "r.csv": CSV,
    "r.tsv": CSV.replace(b",", b"\t"),
    "r.jsonl": JSONL,
    "r.txt": FASTTEXT,
    "r.parquet": parquet_bytes(),
}


@pytest.mark.parametrize("suffix", PACK)
@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_read_compressed(write, name, suffix):
    assert rows_of(assay.read(write(name + suffix, PACK[suffix](FORMATS[name])))) == ROWS


def test_compressed_bytes_are_recognised_without_their_suffix(write):
    assert rows_of(assay.read(write("r.csv", gzip.compress(CSV)))) == ROWS


def test_gzip_members_one_after_the_other_are_one_file(write):
    assert rows_of(assay.read(write("r.csv.gz", gzip.compress(CSV[:20]) + gzip.compress(CSV[20:])))) == ROWS


@pytest.mark.parametrize("suffix", PACK)
@pytest.mark.parametrize("name", FORMATS)
def test_a_truncated_compressed_file(write, name, suffix):
    packed = PACK[suffix](FORMATS[name] if name == "r.parquet" else FORMATS[name] + os.urandom(50_000).hex().encode())
    write(name + suffix, packed[: len(packed) * 2 // 3])
    with pytest.raises(DataError) as caught:
        assay.read(name + suffix)
    assert str(caught.value).startswith(f"{name + suffix}: the compressed file ends too early (Truncated")
    assert "fetch it again" in str(caught.value)


def test_a_damaged_compressed_file(write):
    packed = bytearray(gzip.compress(CSV))
    packed[-6] ^= 1
    write("r.csv.gz", bytes(packed))
    with pytest.raises(DataError, match=r"^r\.csv\.gz: the compressed file is damaged \(.*incorrect data check"):
        assay.read("r.csv.gz")


@pytest.mark.parametrize("suffix", PACK)
def test_a_file_that_is_not_compressed_though_its_name_says_so(write, suffix):
    write("r.csv" + suffix, CSV)
    with pytest.raises(DataError) as caught:
        assay.read("r.csv" + suffix)
    assert str(caught.value).startswith(f"r.csv{suffix}: the name says ")
    assert "but the bytes do not: they begin with 'text,lab'. Rename the file to what it is" in str(caught.value)


@pytest.mark.parametrize("suffix", PACK)
def test_a_compressed_file_with_nothing_in_it(write, suffix):
    write("r.csv" + suffix, PACK[suffix](b""))
    with pytest.raises(DataError, match=r"the file is empty\. There is nothing to read\.$"):
        assay.read("r.csv" + suffix)
    write("r.csv" + suffix, b"")
    with pytest.raises(DataError, match=r"the file is empty\. There is nothing to read\.$"):
        assay.read("r.csv" + suffix)


# -- several files -------------------------------------------------------------------------------------------------


def test_a_glob_is_read_in_the_order_of_the_names(write):
    write("b.csv", b"text,label\nb,y\n")
    write("a.csv", b"text,label\na,x\n")
    corpus = assay.read("*.csv")
    assert rows_of(corpus) == [("a", "x"), ("b", "y")]
    assert corpus.source == "2 files from a.csv to b.csv"
    assert [corpus.origin.place(i) for i in range(2)] == ["a.csv, row 2", "b.csv, row 2"]


def test_a_list_of_files_keeps_its_order_and_mixes_formats(write, tmp_path):
    write("b.csv", b"text,label\nb,y\n")
    write("a.jsonl", b'{"text": "a", "label": "x"}')
    assert rows_of(assay.read(["b.csv", "a.jsonl"])) == [("b", "y"), ("a", "x")]
    assert rows_of(assay.read([tmp_path / "b.csv", tmp_path / "a.jsonl"])) == [("b", "y"), ("a", "x")]
    assert rows_of(assay.read(("b.csv", "a.jsonl"))) == [("b", "y"), ("a", "x")]


def test_a_list_of_strings_that_are_no_files_is_texts():
    assert assay.read(["good.", "bad"]).texts.to_pylist() == ["good.", "bad"]


def test_a_list_of_file_names_that_do_not_exist_is_not_taken_for_texts(write):
    write("a.csv", CSV)
    with pytest.raises(DataError, match=r"^no such file: b\.csv\. In the current folder there are 'a\.csv'\.$"):
        assay.read(["a.csv", "b.csv"])


def test_columns_that_only_some_files_have_are_null_in_the_others(write):
    write("a.csv", b"text,label,id\na,x,1\n")
    write("b.csv", b"text,label,when\nb,y,now\n")
    corpus = assay.read("*.csv")
    assert corpus.column("id").to_pylist() == ["1", None]
    assert corpus.column("when").to_pylist() == [None, "now"]


def test_columns_whose_types_differ_become_strings(write):
    write("a.csv", b"text,label,id\na,x,1\n")
    table = pa.table({"text": ["b"], "label": ["y"], "id": [2]})
    with pa.ipc.new_file("b.arrow", table.schema) as sink:
        sink.write_table(table)
    assert assay.read(["a.csv", "b.arrow"]).column("id").to_pylist() == ["1", "2"]


def test_a_later_file_without_the_columns_of_the_first(write):
    write("a.csv", b"text,label\na,x\n")
    write("b.csv", b"body,label\nb,y\n")
    with pytest.raises(DataError, match=r"^b\.csv: there is no column 'text'\. The columns are 'label', 'body'\.$"):
        assay.read("*.csv")


def test_labels_are_numbered_across_files(write):
    write("a.csv", b"text,label\na,x\nb,y\n")
    write("b.csv", b"text,label\nc,z\nd,x\n")
    corpus = assay.read("*.csv")
    assert corpus.label_names == ("x", "y", "z")
    assert corpus.classes.tolist() == [0, 1, 2, 0]
    assert corpus.labels.to_pylist() == ["x", "y", "z", "x"]


def test_progress_goes_on_from_file_to_file(write):
    write("a.csv", CSV)
    write("b.csv", CSV)
    seen = []
    assay.read("*.csv", progress=lambda *step: seen.append(step))
    assert seen == sorted(seen)
    assert seen[-1] == (2 * len(CSV), 2 * len(CSV))


# -- streams -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", [*FORMATS.values(), gzip.compress(JSONL)], ids=[*FORMATS, "jsonl.gz"])
def test_standard_input_is_read_whatever_it_holds(monkeypatch, content):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    corpus = assay.read("-")
    assert rows_of(corpus) == ROWS
    assert corpus.source == "standard input"


def test_nothing_on_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    with pytest.raises(DataError, match=r"^standard input: the file is empty\. There is nothing to read\.$"):
        assay.read("-")


def test_an_open_file_is_read(write):
    with open(write("r.csv", CSV), "rb") as file:  # noqa: PTH123
        assert rows_of(assay.read(file)) == ROWS
    assert rows_of(assay.read(io.BytesIO(CSV))) == ROWS


def test_a_file_open_as_text_is_refused(write):
    with open(write("r.csv", CSV)) as file, pytest.raises(ParameterError, match="Open it with mode 'rb'"):  # noqa: PTH123
        assay.read(file)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_read(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(CSV))
    writer.start()
    assert rows_of(assay.read(pipe)) == ROWS
    writer.join()


# -- what is not there ---------------------------------------------------------------------------------------------


def test_no_such_file_offers_the_nearest_names(write):
    write("reviews.csv", CSV)
    write("notes.txt", CSV)
    with pytest.raises(DataError) as caught:
        assay.read("review.csv")
    assert str(caught.value) == (
        "no such file: review.csv. In the current folder there are 'reviews.csv', 'notes.txt'."
    )


def test_no_such_folder(write):
    write("data/reviews.csv", CSV)
    with pytest.raises(DataError) as caught:
        assay.read("dta/reviews.csv")
    assert str(caught.value) == (
        "no such file: dta/reviews.csv. There is no folder 'dta'; the current folder holds 'data'."
    )


def test_nothing_matches_a_glob(write):
    write("reviews.csv", CSV)
    with pytest.raises(DataError, match=r"^\*\.parquet: no files match this pattern\. In the current folder there are"):
        assay.read("*.parquet")


def test_a_text_given_as_if_it_were_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DataError, match=r"If this is a text and not the name of a file, give a list: \[text\]\.$"):
        assay.read("I loved it\nfrom beginning to end")
    with pytest.raises(DataError, match=r"^no such file: I loved it\. There is nothing in the current folder\.$"):
        assay.read("I loved it")


@pytest.mark.parametrize("url", ["https://example.org/r.csv", "s3://bucket/r.csv", "hf://datasets/x"])
def test_addresses_are_not_fetched(url):
    with pytest.raises(DataError, match=r"assay reads local files\. Fetch it first and give the file\.$"):
        assay.read(url)


@pytest.mark.usefixtures("permissions_count")
class TestWhatMayNotBeRead:
    """Each is said to be forbidden, and neither absent nor empty nor damaged."""

    def refuses(self, source, named, **settings):
        said = rf"^{re.escape(named)}: Permission denied\. Change its permissions or those of the folder"
        with pytest.raises(NotPermittedError, match=said):
            assay.read(source, **settings)

    @pytest.mark.parametrize("format", [None, "csv", "jsonl", "lines", "fasttext", "parquet", "arrow"])
    def test_a_file(self, write, tmp_path, format):
        (tmp_path / write("r.csv", CSV)).chmod(0)
        self.refuses("r.csv", "r.csv", format=format)

    def test_one_file_of_several(self, write, tmp_path):
        write("1.csv", CSV)
        (tmp_path / write("2.csv", CSV)).chmod(0)
        self.refuses(["1.csv", "2.csv"], "2.csv")
        self.refuses("*.csv", "2.csv")

    @pytest.mark.parametrize("pattern", ["*/*.csv", "**/*.csv", "**", "closed/*.csv", "*/2.csv"])
    def test_a_folder_that_a_pattern_goes_through(self, write, tmp_path, monkeypatch, pattern):
        write("open/1.csv", CSV)
        write("closed/2.csv", CSV)
        (tmp_path / "closed").chmod(0)
        self.refuses(pattern, "closed")

    def test_a_folder_that_can_be_entered_but_not_listed_is_enough_where_its_file_is_named(self, write, tmp_path):
        write("closed/parts/1.csv", CSV)
        (tmp_path / "closed").chmod(0o100)
        assert len(assay.read("closed/parts/*.csv")) == len(assay.read("closed/parts/1.csv"))

    def test_a_file_in_a_folder_that_cannot_be_entered(self, write, tmp_path):
        write("closed/1.csv", CSV)
        (tmp_path / "closed").chmod(0)
        self.refuses("closed/1.csv", "closed/1.csv")

    @pytest.mark.parametrize("closed", ["texts", "texts/neg", "texts/neg/deeper", "texts/neg/1.txt"])
    def test_a_part_of_a_folder_of_classes(self, write, tmp_path, closed):
        write("texts/pos/1.txt", b"loved it")
        write("texts/neg/1.txt", b"so dull")
        write("texts/neg/deeper/2.txt", b"so dull")
        (tmp_path / closed).chmod(0)
        self.refuses("texts", closed)

    def test_files_that_can_be_listed_but_not_reached(self, write, tmp_path):
        write("texts/pos/1.txt", b"loved it")
        write("texts/neg/1.txt", b"so dull")
        (tmp_path / "texts/neg").chmod(0o400)
        self.refuses("texts", "texts/neg/1.txt")

    @pytest.mark.parametrize("link", ["texts/neg", "texts/pos/2.txt"])
    def test_a_link_to_what_may_not_be_read(self, write, tmp_path, link):
        write("texts/pos/1.txt", b"loved it")
        write("closed/neg/1.txt", b"so dull")
        (tmp_path / link).symlink_to(tmp_path / "closed/neg" / ("1.txt" if link.endswith(".txt") else ""))
        (tmp_path / "closed").chmod(0)
        self.refuses("texts", link)

    def test_hidden_folders_are_left_out_unread(self, write, tmp_path):
        write("texts/pos/1.txt", b"loved it")
        write("texts/pos/.kept/1.txt", b"loved it")
        (tmp_path / "texts/pos/.kept").chmod(0)
        assert assay.read("texts").notes == ("texts: 1 hidden files and folders are left out",)


@pytest.mark.parametrize(
    ("name", "head", "what"),
    [
        ("r.pdf", b"%PDF-1.7", "a PDF file"),
        ("r.csv.xz", b"\xfd7zXZ\x00", "compressed with xz"),
        ("r.db", b"SQLite format 3\0", "an SQLite database"),
    ],
)
def test_files_of_a_foreign_kind_say_what_to_do(refused, name, head, what):
    assert refused(head + b"\0" * 100, name).startswith(f"{name}: this is {what}")


def test_a_list_of_texts_too_long_for_the_name_of_a_file_is_texts():
    text = "so long a text of one line " * 20  # longer than the names that a system allows, shorter than many a text
    assert assay.read([text]).texts.to_pylist() == [text]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere names are Unicode")
@pytest.mark.parametrize("name", ["two\nlines.csv", "caf\udce9.csv", " .csv", "-x.csv", "[1].csv"])
def test_odd_names_of_files(write, name):
    assert rows_of(assay.read(write(name, CSV))) == ROWS


def test_a_link_to_itself_cannot_be_read(write, tmp_path):
    write("other.csv", CSV)
    (tmp_path / "loop.csv").symlink_to("loop.csv")
    with pytest.raises(DataError, match=r"^loop\.csv: the file cannot be read: Too many levels of symbolic links\.$"):
        assay.read("loop.csv")


@pytest.mark.parametrize("suffix", PACK)
def test_a_packed_file_that_is_cut_off_anywhere_is_refused(write, suffix):
    packed = PACK[suffix](CSV)
    for end in range(len(packed)):
        with pytest.raises(DataError, match=r"^r\.csv\.\w+: the (compressed file|name says|file is empty)"):
            assay.read(write(f"r.csv{suffix}", packed[:end]))
