"""What a file is written in, where nobody says it."""

from __future__ import annotations

import gzip
import io

import pytest

import assay
from assay.data.bytes import encoding_detection
from assay.data.bytes.encoding_detection import bytes_encoding
from assay.data.bytes.streams import ByteSource
from assay.errors import DataError

TEXTS = {
    "cp1252-de": "Die Lieferung kam spät, „größer“ als bestellt – schön war es trotzdem für die Gäste.",
    "cp1252-fr": "Le café était très bon, mais le garçon n’a pas été à l’heure, hélas. Où est passé l’été ?",
    "cp1250-pl": "Przesyłka dotarła późno, ale książka jest świetna i wciągająca, żałuję że się skończyła.",
    "cp1251-ru": "Очень хорошая книга, прочитал за один вечер и советую всем своим друзьям.",
    "koi8-r-ru": "Очень хорошая книга, прочитал за один вечер и советую всем своим друзьям.",
    "gb18030-zh": "这本书写得非常好，我一个晚上就读完了，推荐给所有的朋友们。质量不错，送货也很快。",
    "big5hkscs-zh": "這本書寫得非常好，我一個晚上就讀完了，推薦給所有的朋友們。品質不錯，送貨也很快。",
    "cp932-ja": "とても良い本でした。一晩で読み終えてしまいました。友達みんなにお勧めします。",
    "euc-jp-ja": "とても良い本でした。一晩で読み終えてしまいました。友達みんなにお勧めします。",
    "cp949-ko": "정말 좋은 책이었습니다. 하룻밤 만에 다 읽었고 모든 친구들에게 추천합니다.",
    "cp1253-el": "Πολύ καλό βιβλίο, το διάβασα σε ένα βράδυ και το συνιστώ σε όλους τους φίλους μου.",
    "cp1254-tr": "Çok güzel bir kitap, bir akşamda okudum ve bütün arkadaşlarıma öneriyorum, şiddetle tavsiye ederim.",
    "cp1255-he": "ספר טוב מאוד, קראתי אותו בערב אחד ואני ממליץ עליו לכל החברים שלי.",
    "cp1256-ar": "كتاب جيد جدا قرأته في ليلة واحدة وأنصح به جميع أصدقائي.",
    "cp874-th": "หนังสือดีมาก อ่านจบภายในคืนเดียว ขอแนะนำให้เพื่อนทุกคนได้อ่าน",
    "mac-roman-fr": "Le café était très bon, mais le garçon n’a pas été à l’heure, hélas. Où est passé l’été ?",
}


def table(text: str) -> str:
    return f"text,label\n{text.replace(',', ';')},pos\nNo. {text.replace(',', ';')},neg\n"


@pytest.mark.parametrize("case", TEXTS)
def test_a_file_in_a_legacy_encoding_is_read_and_that_is_said(write, case):
    encoding = case.rpartition("-")[0]
    name = write("reviews.csv", table(TEXTS[case]).encode(encoding))
    corpus = assay.read(name)
    assert corpus.texts[0].as_py() == TEXTS[case].replace(",", ";")
    said = f"reviews.csv is not UTF-8; read as {encoding} (guessed; encoding= says otherwise)"
    assert said in corpus.notes


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-32", "utf-8"])
def test_a_mark_says_what_a_file_is(write, encoding):
    mark = "\ufeff" if encoding in ("utf-8", "utf-16-be") else ""
    corpus = assay.read(write("reviews.csv", (mark + table("größer — 很好")).encode(encoding)))
    assert corpus.texts[0].as_py() == "größer — 很好"
    said = [note for note in corpus.notes if "mark" in note]
    expected = [f"reviews.csv is {encoding[:6].upper()} (its byte-order mark says so)"]
    assert said == ([] if encoding == "utf-8" else expected)


def test_utf16_without_a_mark_is_read(write):
    corpus = assay.read(write("reviews.csv", table("loved it").encode("utf-16-le")))
    assert corpus.texts[0].as_py() == "loved it"
    assert any("read as utf-16-le (guessed" in note for note in corpus.notes)


def test_every_format_of_text_and_every_door_is_looked_at(write):
    german = TEXTS["cp1252-de"]
    lines = f'{{"text": "{german}", "label": "pos"}}\n{{"text": "gut", "label": "neg"}}\n'.encode("cp1252")
    for source in (
        write("a.jsonl", lines),
        write("a.jsonl.gz", gzip.compress(lines)),
        io.BytesIO(lines),
        write("texts.txt", f"{german}\nplain\na, b, c\n".encode("cp1252")),
        write("train.ft", f"__label__pos {german}\n".encode("cp1252")),
    ):
        assert assay.read(source).texts[0].as_py() == german
    write("folder/pos/1.txt", german.encode("cp1252"))
    write("folder/neg/1.txt", b"plain")
    corpus = assay.read("folder")
    assert german in corpus.texts.to_pylist()
    assert any("folder: 1 file is not UTF-8; read as cp1252 (guessed" in note for note in corpus.notes)


def test_bytes_far_from_the_beginning_and_in_other_columns_count(write, monkeypatch):
    monkeypatch.setattr(encoding_detection, "_BLOCK", 1000)
    rows = "".join(f"plain text number {n},pos,nothing\n" for n in range(500))
    content = f"text,label,remark\n{rows}the last,neg,{TEXTS['cp1252-fr'].replace(',', '')}\n".encode("cp1252")
    corpus = assay.read(write("reviews.csv", content))
    assert corpus.column("remark")[-1].as_py() == TEXTS["cp1252-fr"].replace(",", "")


def test_characters_across_blocks_are_no_damage(write, monkeypatch):
    monkeypatch.setattr(encoding_detection, "_BLOCK", 7)
    source = ByteSource(__import__("pathlib").Path(write("a.csv", ("é很😀" * 50).encode())), "a.csv")
    assert encoding_detection.find_encoding(source) is encoding_detection.UTF8


def test_utf8_that_is_damaged_is_not_taken_for_anything_else(write):
    content = table(TEXTS["cp1252-fr"]).encode() + b"cut \xe2\x80,pos\n"
    with pytest.raises(DataError, match=r"row 4: column 'text' has byte 0xE2 after 'cut ', which is not UTF-8"):
        assay.read(write("reviews.csv", content))


def test_too_little_to_tell_is_an_error_in_its_row_with_the_ways_to_read_it(write):
    with pytest.raises(
        DataError, match=r"row 2: .* Use encoding='cp1252' \(.*would read …'Un café noir'\), 'cp\d+' \("
    ):
        assay.read(write("reviews.csv", b"text,label\nUn caf\xe9 noir,pos\nplain,neg\n"))


def test_a_byte_that_the_guess_does_not_have_is_found_in_its_row(write):
    rows = "".join(f"{TEXTS['gb18030-zh']},pos\n" for _ in range(1000))
    content = f"text,label\n{rows}".encode("gb18030") + b"cut \xff here,pos\n"
    with pytest.raises(DataError, match=r"row 1002: column 'text' has byte 0xFF after 'cut ', which is not gb18030"):
        assay.read(write("reviews.csv", content))


def test_what_is_asked_for_is_not_guessed(write):
    content = table(TEXTS["gb18030-zh"]).encode("gb18030")
    with pytest.raises(DataError, match="which is not UTF-8"):
        assay.read(write("reviews.csv", content), encoding="utf-8")
    assert "guessed; encoding=" not in " ".join(assay.read("reviews.csv", encoding="gbk", label="label").notes)


WIDE = {
    "russian": "текст,метка\nочень понравилось,да\nникогда больше,нет\n",
    "chinese": "文本,类别\n这个产品非常好,好评\n快递太慢了,差评\n",
    "typographic": "text,label\n“It’s – well – 20 €”,pos\nл,neg\n",
    "one_line": "the only line",
}


@pytest.mark.parametrize("text", WIDE.values(), ids=WIDE)
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_wide_characters_are_known_without_a_mark(text, encoding):
    found = bytes_encoding(text.encode(encoding), "a.csv")
    assert found.name == encoding
    assert found.note == f"a.csv is not UTF-8; read as {encoding} (guessed; encoding= says otherwise)"


@pytest.mark.parametrize("data", [b"te\0xt,label\na,b\n", b"a\0\nb\0\nccc\n", b"\0\0\0\0", b"a,b\n\0\0c,d\n", b"\0a"])
def test_a_few_zeros_are_no_wide_characters(data):
    assert bytes_encoding(data, "a.csv").name == "utf-8"


def test_the_japanese_of_old_mails_is_known_by_its_escapes():
    assert bytes_encoding("本文,ラベル\n配送が早い,良い\n".encode("iso2022_jp"), "a.csv").name == "iso2022_jp"
    assert bytes_encoding(b"a price in dollars: \x1b$", "a.csv").name == "utf-8"


def test_arabic_of_iso_is_not_taken_for_that_of_windows():
    text = "وصل الطلب بسرعة كبيرة، شكرا جزيلا لكم. هل يمكنكم إخباري بحجم الباب؟"
    assert bytes_encoding(text.encode("iso8859-6"), "a.csv").name == "iso8859-6"


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("gb18030", "快递太慢了，等了三个星期还没有收到。"),
        ("cp932", "二日で壊れました。返金してください。"),
        ("cp1251", "Товар сломался на второй день, верните деньги."),
        ("cp1250", "Urządzenie zepsuło się po dwóch dniach, proszę o zwrot pieniędzy. Świetny wybór."),
        ("cp1252", "Très déçu par cet achat à l’époque où ça coûtait déjà 20 €"),
    ],
)
def test_a_few_rows_among_many_of_plain_english_are_read_as_what_they_are(encoding, text):
    rows = [f"a plain text about nothing in particular {n},https://example.org/orders?id={n},pos" for n in range(300)]
    data = "\n".join(["text,link,label", *rows, f"{text},https://example.org/orders?id=300,neg", *rows[:30]])
    assert bytes_encoding(data.encode(encoding), "a.csv").name == encoding
