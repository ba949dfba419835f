"""Folders: a sub-folder a class, a file a document."""

from __future__ import annotations

import gzip

import pytest

import assay
from assay.errors import DataError


@pytest.fixture
def reviews(write):
    write("reviews/pos/2.txt", b"loved it")
    write("reviews/pos/1.txt", b"\xef\xbb\xbfgreat\nfun\n")
    write("reviews/neg/deeper/1.txt", "très ennuyeux".encode())
    write("reviews/pos/.DS_Store", b"\0\xff")
    write("reviews/.git/x", b"\0\xff")
    return "reviews"


def test_files_come_in_the_order_of_their_names(reviews):
    corpus = assay.read(reviews)
    assert [tuple(example) for example in corpus] == [
        ("très ennuyeux", "neg"),
        ("great\nfun\n", "pos"),
        ("loved it", "pos"),
    ]
    assert corpus.column("path").to_pylist() == ["neg/deeper/1.txt", "pos/1.txt", "pos/2.txt"]
    assert corpus.origin.place(1) == "reviews/pos/1.txt"
    assert corpus.notes == ("reviews: 2 hidden files and folders are left out",)


def test_a_trailing_slash_does_not_matter(reviews):
    assert assay.read("reviews/") == assay.read(reviews)


def test_compressed_documents_are_unpacked(reviews, write):
    write("reviews/neg/2.txt.gz", gzip.compress("plutôt mauvais".encode()))
    assert assay.read(reviews)[0].text == "plutôt mauvais"


def test_files_beside_the_sub_folders_are_left_out_and_said(reviews, write):
    write("reviews/README", b"about")
    assert "reviews: 1 file beside the sub-folders is left out: 'README'" in assay.read(reviews).notes


def test_an_empty_sub_folder_is_said(reviews, tmp_path):
    (tmp_path / "reviews" / "neutral").mkdir()
    assert "reviews: the sub-folder 'neutral' holds no files" in assay.read(reviews).notes


def test_without_labels_every_file_is_a_text(reviews, write):
    write("plain/b.txt", b"second")
    write("plain/a.txt", b"first")
    corpus = assay.read("plain", label=False)
    assert [tuple(example) for example in corpus] == [("first", None), ("second", None)]
    assert len(assay.read(reviews, label=False)) == 3


def test_another_encoding(write):
    write("reviews/pos/1.txt", "déjà vu".encode("latin-1"))
    write("reviews/neg/1.txt", "naïve".encode("latin-1"))
    with pytest.raises(
        DataError, match=r"^reviews/neg/1\.txt: column 'text' has byte 0xEF after 'na', which is not UTF-8"
    ):
        assay.read("reviews")
    assert assay.read("reviews", encoding="latin-1").texts.to_pylist() == ["naïve", "déjà vu"]
    corpus = assay.read("reviews", errors="replace")
    assert corpus.notes[-1] == "2 values that were not valid text were repaired (reviews/neg/1.txt; reviews/pos/1.txt)"


def test_an_empty_document(reviews, write):
    write("reviews/pos/0.txt", b"")
    with pytest.raises(DataError, match=r"^reviews/pos/0\.txt: column 'text' is empty\. Use skip_empty=True"):
        assay.read(reviews)
    assert len(assay.read(reviews, skip_empty=True)) == 3


def test_a_binary_document(reviews, write):
    write("reviews/pos/0.bin", b"ab\0c")
    with pytest.raises(DataError, match=r"^reviews/pos/0\.bin: column 'text' holds a NUL byte"):
        assay.read(reviews)


@pytest.mark.parametrize("inside", [[], ["pos"], ["pos", "neg"], [".hidden"]])
def test_a_folder_without_files(tmp_path, monkeypatch, inside):
    monkeypatch.chdir(tmp_path)
    for name in ["", *inside]:
        (tmp_path / "reviews" / name).mkdir(parents=True)
    with pytest.raises(DataError) as caught:
        assay.read("reviews")
    assert str(caught.value) == (
        "reviews: the folder holds no files. Put one sub-folder for each class in it, with one file for each text."
    )


def test_a_folder_of_tables(write):
    write("shards/1.csv", b"text,label\na,x\n")
    with pytest.raises(DataError) as caught:
        assay.read("shards")
    assert str(caught.value) == (
        "shards: the folder has no sub-folders, one for each class; it holds 1 file such as '1.csv'. If they are "
        "tables, give the files: 'shards/*.csv'. If each is a text without a label, use label=False."
    )


def test_a_format_that_is_not_a_folder(reviews):
    with pytest.raises(DataError, match=r"^reviews: a folder, not a csv file\. Give its files: 'reviews/\*'\.$"):
        assay.read(reviews, format="csv")


def test_a_file_where_a_folder_is_expected(write):
    with pytest.raises(DataError, match=r"^r\.csv: not a folder\."):
        assay.read(write("r.csv", b"text\na\n"), format="folder")
