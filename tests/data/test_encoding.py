"""Bytes that should be text: UTF-8 torture, other encodings, repairs."""

from __future__ import annotations

import pytest

import assay
from assay.data.bytes import lines, streams
from assay.data.formats import separated
from assay.errors import DataError, ParameterError

# Markus Kuhn's catalogue of what a UTF-8 decoder must refuse, written out by hand.
NOT_UTF8 = {
    "lone continuation": b"\x80",
    "two continuations": b"\x80\xbf",
    "lead of two alone": b"\xc3",
    "lead of three alone": b"\xe2",
    "lead of three and one": b"\xe2\x82",
    "lead of four and two": b"\xf0\x9f\xa4",
    "overlong slash of two": b"\xc0\xaf",
    "overlong slash of three": b"\xe0\x80\xaf",
    "overlong slash of four": b"\xf0\x80\x80\xaf",
    "overlong NUL": b"\xc0\x80",
    "largest overlong of two": b"\xc1\xbf",
    "five bytes": b"\xf8\x88\x80\x80\x80",
    "six bytes": b"\xfc\x84\x80\x80\x80\x80",
    "beyond U+10FFFF": b"\xf4\x90\x80\x80",
    "high surrogate": b"\xed\xa0\x80",
    "low surrogate": b"\xed\xbf\xbf",
    "CESU-8 pair": b"\xed\xa0\xbe\xed\xb4\xb7",
    "FE": b"\xfe",
    "FF": b"\xff",
    "Latin-1 word": b"caf\xe9 noir",
}
FINE = [
    "\u007f",
    "\u0080",
    "\u07ff",
    "\u0800",
    "\ud7ff",
    "\ue000",
    "\ufffd",
    "\uffff",
    "\U00010000",
    "\U0010ffff",
    "κόσμε",
]


@pytest.mark.parametrize("bad", NOT_UTF8.values(), ids=NOT_UTF8)
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("r.csv", b"text,label\nok,x\nab %s cd,y\n"),
        ("r.jsonl", b'{"text": "ok", "label": 1}\n{"text": "ab %s cd", "label": 1}\n'),
        ("r.txt", b"__label__x ok\n__label__x ab %s cd\n"),
        ("lines.txt", b"ok\nab %s cd\n"),
    ],
    ids=["csv", "jsonl", "fasttext", "lines"],
)
def test_what_is_not_utf8_is_found_in_its_row_and_can_be_replaced(refused, write, name, content, bad):
    row = 3 if name == "r.csv" else 2
    message = refused(content % bad, name)
    assert message.startswith(f"{name}, row {row}: column 'text' has ")
    assert "after 'ab " in message
    assert "errors='replace'" in message
    corpus = assay.read(write(name, content % bad), errors="replace")
    assert corpus[1].text.startswith("ab ")
    assert corpus[1].text.endswith(" cd")
    assert "\ufffd" in corpus[1].text
    assert corpus.notes[-1] == f"1 value that was not valid text was repaired ({name}, row {row})"


@pytest.mark.parametrize("character", FINE)
def test_every_kind_of_character_goes_through(write, character):
    corpus = assay.read(write("r.csv", f"text,label\na{character}b,{character}\n".encode()))
    assert corpus[0] == (f"a{character}b", character)


def test_the_message_names_the_byte_and_the_ways_out(refused):
    content = b'text,label\n"a\nb",x\nUn caf\xe9 noir,y\n'
    assert refused(content) == (
        "reviews.csv, row 3 (line 4): column 'text' has byte 0xE9 after 'Un caf', which is not UTF-8 (invalid "
        "continuation byte). Use encoding='cp1252' (often right for files from Windows and Excel, "
        "which would read …'Un café noir'), 'cp850' (which would read …'Un cafÚ noir'), 'mac-roman' (which would read "
        "…'Un cafÈ noir'), another encoding, or errors='replace' to put '\ufffd' in such places."
    )


def test_a_bad_byte_in_a_column_name(refused, write):
    content = b"text,label,pr\xe9nom\na,x,1\n"
    assert refused(content).startswith("reviews.csv, row 1: a column name has byte 0xE9 after 'pr', which is not UTF-8")
    assert assay.read(write("reviews.csv", content), encoding="latin-1").columns == ("prénom",)


def test_a_bad_byte_deep_in_a_file_is_given_its_row_and_line(refused, monkeypatch):
    monkeypatch.setattr(separated, "_BLOCK_BYTES", 4096)
    content = b"text,label\n" + b'"some\ntext",x\n' * 20_000 + b'"caf\xe9",y\n' + b"more,x\n" * 1000
    assert refused(content).startswith("reviews.csv, row 20002 (line 40002): column 'text' has byte 0xE9 after 'caf'")


@pytest.mark.parametrize("block", [1, 2, 3, 5, 7])
def test_a_character_may_stand_across_blocks(write, monkeypatch, block):
    monkeypatch.setattr(separated, "_BLOCK_BYTES", 32 + block)
    monkeypatch.setattr(lines, "line_blocks", lambda stream: lines.line_blocks(stream, block))
    text = "é日🤷" * 5
    content = f"text,label\n{text},x\n{text},y\n"
    assert assay.read(write("r.csv", content.encode())).texts.to_pylist() == [text, text]
    assert assay.read(write("r16.csv", content.encode("utf-16")), encoding="utf-16").texts.to_pylist() == [text, text]


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 64])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-32", "cp1252", "shift_jis", "gb18030"])
def test_a_stream_gives_the_same_text_in_any_pieces(write, encoding, size):
    text = "cafe, naive" if encoding in ("cp1252", "shift_jis") else "café 日本 🤷"
    name = write("x", text.encode(encoding))
    stream = streams.TextStream(streams.ByteSource(streams.Path(name), name), encoding)
    pieces = []
    while piece := bytes(stream.read(size)):
        pieces.append(piece)
    assert b"".join(pieces).decode().removeprefix("\ufeff") == text


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("latin-1", "café ÿ"),
        ("cp1252", "“café” €"),
        ("utf-16", "café 日本 🤷"),
        ("utf-16-le", "café 日本 🤷"),
        ("utf-32", "café 日本 🤷"),
        ("utf-8-sig", "café 日本 🤷"),
        ("shift_jis", "日本語"),
        ("koi8-r", "привет"),
        ("gb18030", "中文 🤷"),
        ("big5", "中文"),
    ],
)
def test_other_encodings(write, encoding, text):
    csv = assay.read(write("r.csv", f"text,label\n{text},{text}\n".encode(encoding)), encoding=encoding)
    assert csv[0] == (text, text)
    jsonl = assay.read(write("r.jsonl", f'{{"text": "{text}", "label": 1}}\n'.encode(encoding)), encoding=encoding)
    assert jsonl[0] == (text, "1")


@pytest.mark.parametrize(
    ("encoding", "bad", "byte"),
    [("cp1252", b"ab \x81 cd", "81"), ("ascii", "ab é cd".encode(), "C3"), ("shift_jis", b"ab \x82\xff cd", "82")],
)
def test_bytes_that_another_encoding_does_not_have(refused, write, encoding, bad, byte):
    content = b"text,label\nok,x\n" + bad + b",y\n"
    message = refused(content, encoding=encoding)
    assert message.startswith(
        f"reviews.csv, row 3: column 'text' has byte 0x{byte} after 'ab ', which is not {encoding}"
    )
    corpus = assay.read(write("reviews.csv", content), encoding=encoding, errors="replace")
    assert corpus[1].text.startswith("ab \ufffd")
    assert corpus.incidents[0].count == 1


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_a_byte_order_mark_of_another_encoding_is_recognised(refused, encoding):
    assert refused("text,label\na,x\n".encode(encoding), encoding="utf-8") == (
        f"reviews.csv: the file is not UTF-8; it begins with the byte-order mark of {encoding}. Use "
        f"encoding='{encoding}'."
    )


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_without_a_mark_is_recognised(refused, encoding):
    assert refused("text,label\na,x\n".encode(encoding), encoding="utf-8") == (
        f"reviews.csv: the file is not UTF-8; every second byte is 0. Use encoding='{encoding}'."
    )


def test_a_truncated_utf16_file(refused):
    content = "text,label\na,x\n".encode("utf-16")[:-1]
    assert refused(content, encoding="utf-16").startswith("reviews.csv")


@pytest.mark.parametrize("name", [None, "a.csv"])
def test_utf16_that_does_not_say_its_byte_order_is_refused(write, name):
    path = write(name or "mails/spam/1.txt", b"text,label\na,x\n")
    with pytest.raises(
        DataError, match=r"this is not utf-16: UTF-16 stream does not start with BOM\. Use another encoding="
    ):
        assay.read(path if name else "mails", encoding="utf-16")


@pytest.mark.parametrize(
    "name",
    [
        *("idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape", "base64", "rot13", "x" * 5000),
        *("", "\0", "\udcff", 8, True, []),
    ],
)
def test_what_no_file_is_written_in_is_no_encoding(write, name):
    path = write("r.csv", b"text,label\na,x\n")
    with pytest.raises(ParameterError, match=r"The 'encoding' parameter of read must be the name of a text") as raised:
        assay.read(path, encoding=name)
    assert len(str(raised.value)) < 250
    assert "base64" not in str(raised.value).partition("Got")[0]


def test_repairs_are_counted_and_placed(write):
    content = b"text,label\n" + b"fine,x\nca\xe9f\xe9,y\n" * 10
    corpus = assay.read(write("r.csv", content), errors="replace")
    assert corpus.texts.to_pylist().count("ca\ufffdf\ufffd") == 10
    assert corpus.notes[-1] == "10 values that were not valid text were repaired (r.csv, rows 3, 5, 7, 9, 11 …)"
