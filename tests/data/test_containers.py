"""Files that are something else are named for what they are."""

from __future__ import annotations

import io
import pickle
import sqlite3
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest

import assay
from assay.errors import DataError


def archive(**parts: str) -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as made:
        for name, content in parts.items():
            made.writestr(name.replace("__", "/").replace("_dot_", "."), content)
    return sink.getvalue()


def in_memory(write: object) -> bytes:
    sink = io.BytesIO()
    write(sink)  # type: ignore[operator]
    return sink.getvalue()


def compound(stream: str) -> bytes:
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + stream.encode("utf-16-le") + bytes(600)


def tar(sink: io.BytesIO) -> None:
    with tarfile.open(fileobj=sink, mode="w") as made:
        made.addfile(tarfile.TarInfo("a.txt"))


OFFICE = "application/vnd.oasis.opendocument"
FILES = {
    "a Word document (.docx)": archive(word__document_dot_xml="<x/>"),
    "a PowerPoint presentation (.pptx)": archive(ppt__presentation_dot_xml="<x/>"),
    "a binary Excel workbook (.xlsb)": archive(xl__workbook_dot_bin="x"),
    "an OpenDocument spreadsheet (.ods)": archive(mimetype=f"{OFFICE}.spreadsheet"),
    "an OpenDocument text (.odt)": archive(mimetype=f"{OFFICE}.text"),
    "an e-book (.epub)": archive(mimetype="application/epub+zip"),
    "a document of Apple's Numbers or Pages": archive(Index__Document_dot_iwa="x"),
    "a zip archive, which": archive(reviews_dot_csv="text,label\n"),
    "an empty zip archive": archive(),
    "an old Excel file (.xls)": compound("Workbook"),
    "an old Word document (.doc)": compound("WordDocument"),
    "an old PowerPoint presentation (.ppt)": compound("PowerPoint Document"),
    "a document with a password": compound("EncryptedPackage"),
    "an old file of Office": compound("Something"),
    "a PDF file": b"%PDF-1.7\n",
    "a document in Rich Text Format": b"{\\rtf1\\ansi hello}",
    "a web page (HTML)": b"\xef\xbb\xbf\n<!DOCTYPE html><html><table></table></html>",
    "an XML file": b'<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook/>',
    "a pickle of Python": pickle.dumps([("loved it", "pos")]),
    "a NumPy array": in_memory(lambda sink: np.save(sink, np.zeros(3))),
    "an image (PNG)": b"\x89PNG\r\n\x1a\n",
    "an image (JPEG)": b"\xff\xd8\xff\xe0\0\x10JFIF",
    "a film, a sound or an image": b"\0\0\0\x18ftypmp42",
    "a tar archive": in_memory(tar),
    "a 7-Zip archive": b"7z\xbc\xaf\x27\x1c",
    "a data file of R": b"RDX3\nX\n",
}


@pytest.mark.parametrize("what", FILES)
@pytest.mark.parametrize("name", ["reviews.csv", "reviews.xlsx", "reviews"])
def test_a_file_that_is_no_table_of_text_is_named_for_what_it_is(what: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(FILES[what])
    with pytest.raises(DataError) as caught:
        assay.read(path)
    assert f"{name}: this is {what}" in str(caught.value)
    assert "which assay does not read. " in str(caught.value)


@pytest.mark.parametrize("protocol", range(2, 6))
def test_pickles_of_every_binary_protocol_are_known(protocol: int, tmp_path: Path) -> None:
    path = tmp_path / "reviews.csv"
    for value in ({"text": ["é"]}, ["é"], ("é",), np.array(["é"])):
        path.write_bytes(pickle.dumps(value, protocol))
        with pytest.raises(DataError, match="this is a pickle of Python"):
            assay.read(path)


def test_a_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "reviews.db"
    connection = sqlite3.connect(path)
    connection.execute("create table reviews (text, label)")
    connection.close()
    with pytest.raises(DataError, match=r"this is an SQLite database, .* Export the table as CSV"):
        assay.read(path)


def test_texts_that_begin_like_other_files_are_texts(tmp_path: Path) -> None:
    path = tmp_path / "reviews.csv"
    path.write_text("ORC,label\nall orcs,pos\nno orcs,neg\n")
    assert len(assay.read(path, text="ORC")) == 2
