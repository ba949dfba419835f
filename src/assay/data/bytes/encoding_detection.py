"""What a text file is written in, from its bytes.

A byte-order mark says it.  Without one, zeros tell UTF-16 and UTF-32, and escapes the Japanese of old e-mails.  Every
other file is UTF-8, unless some of its bytes are not; then chardet looks at a passage with such bytes, and its guess is
taken if it is sure enough.  Otherwise, and where a file is UTF-8 almost
everywhere, it is left to complain about the first row that is not, with the likeliest ways to read it.
"""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from assay.data.bytes.encoding import UTF8, FoundEncoding
from assay.data.bytes.streams import ByteSource, read_fully
from assay.wording import setting

__all__ = ["bytes_encoding", "find_encoding", "likely_encodings"]

_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_PASSAGE = 1 << 16
_BLOCK = 1 << 22
_PACKED_BLOCKS = 2
_SHOWN = 3
_CLEAR = 0.04  # chardet's confidence in a sentence or two; for a few letters, and for noise, it is far below
_NARROWEST = 8  # bytes whose zeros tell anything
_FEWEST = 5  # characters beyond ASCII that tell anything
_AS_LIKELY = 0.98
_WORD = re.compile(r"[^\W\d_]+")
_LATIN = re.compile("[A-Za-z]")
_OTHER_ALPHABET = re.compile("[\u0370-\u052f\u0590-\u06ff\u0e00-\u0e7f]")  # Greek, Cyrillic, Hebrew, Arabic, Thai
# What stands near characters beyond ASCII. Among many rows of English, chardet would take a few of Chinese for cp1252.
_TELLING = re.compile(rb"[^\n]{0,40}[\x80-\xff](?:[^\n]{0,40}[\x80-\xff])*[^\n]{0,40}")
# Those that people have, by chardet's names; of readings that do not differ, the first is taken.
_CANDIDATES = {
    "cp1252": "cp1252",
    "cp1251": "cp1251",
    "cp1250": "cp1250",
    "gb18030": "gb18030",
    "big5hkscs": "big5hkscs",
    "cp932": "cp932",
    "euc_jis_2004": "euc-jp",
    "cp949": "cp949",
    "euc_kr": "euc-kr",
    "cp1253": "cp1253",
    "cp1254": "cp1254",
    "cp1255": "cp1255",
    "cp1256": "cp1256",
    "cp1257": "cp1257",
    "cp874": "cp874",
    "tis-620": "tis-620",
    "iso8859-1": "iso8859-1",
    "iso8859-15": "iso8859-15",
    "iso8859-2": "iso8859-2",
    "iso8859-5": "iso8859-5",
    "iso8859-6": "iso8859-6",
    "iso8859-7": "iso8859-7",
    "iso8859-8": "iso8859-8",
    "iso8859-9": "iso8859-9",
    "koi8-r": "koi8-r",
    "koi8-u": "koi8-u",
    "cp866": "cp866",
    "mac-roman": "mac-roman",
    "cp850": "cp850",
}


class _Reading(NamedTuple):
    """A passage as an encoding reads it."""

    encoding: str
    confidence: float
    text: str


def find_encoding(source: ByteSource) -> FoundEncoding:
    """What a file is written in; all of it is looked at, of a compressed file the beginning."""
    if source.found is not None:
        return source.found
    stream, file = source.open()
    before = b""
    n_blocks = 0
    while stream is file or n_blocks < _PACKED_BLOCKS:
        block = bytes(read_fully(source, stream, _BLOCK))
        if not block:
            break
        data = before + block
        found = bytes_encoding(data, source.name) if not n_blocks else _later(data, source.name)
        if found is not UTF8:
            return found
        before = data[-_PASSAGE // 4 :]
        n_blocks += 1
    return UTF8


def likely_encodings(passage: bytes) -> list[str]:
    """What a passage that is not UTF-8 may be written in, the likeliest first; where that is not clear, the usual."""
    readings = _readings(passage)
    names = [reading.encoding for reading in readings]
    if not readings or not _is_clear(readings[0]):
        names.sort(key=lambda name: name != "cp1252")
    return names[:_SHOWN]


def mark_of(head: bytes) -> str | None:
    r"""What a byte-order mark says.

    Examples
    --------
    >>> mark_of(b"\xff\xfet\0"), mark_of(b"text")
    ('utf-16-le', None)
    """
    return next((encoding for mark, encoding in _MARKS.items() if head.startswith(mark)), None)


def bytes_encoding(data: bytes, name: str) -> FoundEncoding:
    """What the bytes of a file, or a part of them that begins the file, are written in.

    Parameters
    ----------
    data
        The bytes; the last character may be cut.
    name
        What messages call the file.
    """
    marked = mark_of(data[:4])
    if marked is not None:
        said = f"{name} is {marked.rpartition('-')[0].upper()} (its byte-order mark says so)"
        return FoundEncoding(marked, True, None if marked == "utf-8" else said)
    wide = _wide(data[:_PASSAGE])
    if wide is not None:
        return _said(name, wide)
    if _has_japanese_escapes(data[:_PASSAGE]):
        return _said(name, "iso2022_jp")
    bad = first_invalid(data)
    return UTF8 if bad is None else _guessed(data, bad, name)


def _later(data: bytes, name: str) -> FoundEncoding:
    """The same for a part further down, which may begin within a character."""
    begin = next((i for i, byte in enumerate(data[:4]) if byte & 0xC0 != 0x80), 0)
    bad = first_invalid(data[begin:])
    return UTF8 if bad is None else _guessed(data[begin:], bad, name)


def first_invalid(data: bytes | memoryview) -> int | None:
    r"""Where bytes stop to be UTF-8; a character that is cut at the end is none of that.

    Examples
    --------
    >>> first_invalid("café".encode()), first_invalid("café".encode()[:-1]), first_invalid(b"caf\xe9 noir")
    (None, None, 3)
    """
    offsets = pa.py_buffer(np.array([0, len(data)], np.int64))
    try:
        pa.Array.from_buffers(pa.large_string(), 1, [None, offsets, pa.py_buffer(data)]).validate(full=True)
    except pa.ArrowInvalid:
        try:
            codecs.utf_8_decode(data, "strict", False)
        except UnicodeDecodeError as error:
            return error.start
    return None


def _wide(data: bytes) -> str | None:
    r"""UTF-16 or UTF-32 without a mark: characters of ASCII, the ends of lines among them, hold zeros in one place.

    Examples
    --------
    >>> _wide("текст,метка\n".encode("utf-16-be")), _wide("text\n".encode("utf-32-le")), _wide(b"te\0xt,label\n")
    ('utf-16-be', 'utf-32-le', None)
    """
    if b"\0" not in data or len(data) < _NARROWEST:
        return None
    for encoding in ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be"):
        text = _decoded(data, encoding)
        if not text or any(c < " " and c not in "\t\n\r" for c in set(text)):
            continue
        # Read from the wrong end, the zeros are in other characters than those of Latin-1.
        latin = sum(c < "\u0100" for c in text)
        ends = sum(data.count(end) for end in (b"\n", b"\r"))
        if "32" in encoding or (latin >= 0.9 * data.count(b"\0") and 2 * sum(map(text.count, "\n\r")) >= ends):
            return encoding
    return None


def _has_japanese_escapes(data: bytes) -> bool:
    """ISO-2022-JP, all bytes of which are ASCII."""
    return b"\x1b$" in data and b"\x1b(" in data and _decoded(data, "iso2022_jp") is not None


def _said(name: str, encoding: str) -> FoundEncoding:
    otherwise = f"guessed; {setting('encoding')} says otherwise"
    return FoundEncoding(encoding, False, f"{name} is not UTF-8; read as {encoding} ({otherwise})")


def _guessed(data: bytes, bad: int, name: str) -> FoundEncoding:
    begin = data.rfind(b"\n", 0, max(bad - _PASSAGE // 4, 0)) + 1
    passage = data[begin : bad + _PASSAGE]
    repaired = passage.decode("utf-8", "replace")
    n_wrong = repaired.count("\ufffd")
    if sum(not character.isascii() for character in repaired) - n_wrong > n_wrong:
        return UTF8  # damaged
    readings = _readings(passage)
    if readings and _is_clear(readings[0]):
        return _said(name, readings[0].encoding)
    return UTF8


def _readings(passage: bytes) -> list[_Reading]:
    """The different ways to read a passage, the likeliest first."""
    import chardet

    passage = b"\n".join(_TELLING.findall(passage))
    found = chardet.detect_all(
        passage, ignore_threshold=True, include_encodings=list(_CANDIDATES), compat_names=False, prefer_superset=False
    )
    preference = list(_CANDIDATES.values())
    readings: dict[str, _Reading] = {}
    for guess in found:
        encoding = _CANDIDATES[guess["encoding"] or "cp1252"]
        text = _decoded(passage, encoding)
        if text is None:
            continue
        before = readings.setdefault(text, _Reading(encoding, guess["confidence"], text))
        if preference.index(encoding) < preference.index(before.encoding):
            readings[text] = before._replace(encoding=encoding)
    odd = {text for text in readings if _is_odd(text)}
    likely = _AS_LIKELY * max(
        (reading.confidence for text, reading in readings.items() if text not in odd), default=0.0
    )
    return sorted(readings.values(), key=lambda reading: (reading.text in odd, reading.confidence < likely))


def _is_clear(reading: _Reading) -> bool:
    n_others = sum(not character.isascii() for character in reading.text)
    return reading.confidence >= _CLEAR and n_others >= _FEWEST and not _is_odd(reading.text)


def _decoded(passage: bytes, encoding: str) -> str | None:
    try:
        return codecs.getincrementaldecoder(encoding)().decode(passage, False)
    except UnicodeDecodeError:
        return None


def _is_odd(text: str) -> bool:
    """Whether nobody writes so: with control characters, or with letters of two alphabets in most words of the rarer.

    Bytes that are quotes and dashes in the encodings of Windows are control characters in their neighbours; and where
    "très" is read as Cyrillic, a Cyrillic letter stands among Latin ones.
    """
    words = [word for word in _WORD.findall(text) if _OTHER_ALPHABET.search(word)]
    return _has_controls(text) or 2 * sum(_LATIN.search(word) is not None for word in words) > len(words)


def _has_controls(text: str) -> bool:
    return any("\x7f" <= c <= "\x9f" or "\ue000" <= c <= "\uf8ff" for c in set(text))
