"""Bytes that should be text: other encodings in, valid UTF-8 out, and what to say about the rest.

Files are read as bytes and every value is checked once, where its row is known.  A file in another encoding
is turned into UTF-8 while it streams; a byte which that encoding does not have is carried along as the code
point U+DC00 + byte, which no valid UTF-8 holds, so that the same check finds it, in its row, afterwards.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from encodings.aliases import aliases
from typing import NamedTuple

import pyarrow as pa

from assay.data.arrays import binary_array, string_array, text_bytes
from assay.errors import DataError, ParameterError
from assay.suggest import excerpt, nearest_first, quote, quoted
from assay.wording import setting
from assay.wording import value as spelt

__all__ = [
    "UTF8",
    "FoundEncoding",
    "canonical_encoding",
    "describe_invalid",
    "find_nul",
    "invalid_rows",
    "repair",
    "to_utf8",
    "transcoder",
    "utf8_array",
]

_CARRIED_BYTE = re.compile(rb"\xed[\xb0-\xb3][\x80-\xbf]")
_SURROGATE = re.compile(rb"\xed[\xa0-\xbf][\x80-\xbf]")
_REPLACEMENT = "\ufffd".encode()
#: Python calls these text encodings; what they write are names of hosts, source code, and nothing.
_NOT_OF_FILES = frozenset({"idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape"})


class FoundEncoding(NamedTuple):
    """What a file is written in, and how that was found."""

    name: str
    has_mark: bool = False
    note: str | None = None


UTF8 = FoundEncoding("utf-8")


def canonical_encoding(encoding: str, of: str = "read") -> str:
    """Return Python's name of a text encoding; UTF-8 in all its spellings is ``"utf-8"``.

    A name that is none is said to be the `encoding` parameter `of` a function.

    Examples
    --------
    >>> canonical_encoding("Latin1"), canonical_encoding("UTF-8-SIG")
    ('iso8859-1', 'utf-8')
    """
    found = _text_encoding(encoding)
    if found is None:
        named = {name.replace("_", "-") for name in aliases.values() if _text_encoding(name) is not None}
        valid = nearest_first(str(encoding)[:60], sorted(named | {"latin-1"}))
        given = excerpt(encoding) if isinstance(encoding, str) else repr(encoding)
        raise ParameterError(
            f"The 'encoding' parameter of {of} must be the name of a text encoding, such as {quoted(valid[:5])}. Got "
            f"{given} instead."
        )
    return "utf-8" if found == "utf-8-sig" else found


def _text_encoding(name: str) -> str | None:
    """Python's name of an encoding, if files may be written in it."""
    try:
        found = codecs.lookup(name)
    except (LookupError, TypeError, ValueError):
        return None
    of_files = getattr(found, "_is_text_encoding", True) and found.name.replace("_", "-") not in _NOT_OF_FILES
    return found.name if of_files else None


def _carry_bytes(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return "".join(chr(0xDC00 + byte) for byte in error.object[error.start : error.end]), error.end


codecs.register_error("assay.carry", _carry_bytes)


def transcoder(encoding: str, name: str) -> Callable[[bytes, bool], bytes] | None:
    """Return a function (bytes, is it the end) → UTF-8 that keeps its state between calls; None for UTF-8.

    What cannot be carried along, such as UTF-16 without its mark, is an error in the file `name`.
    """
    if encoding == "utf-8":
        return None
    decoder = codecs.getincrementaldecoder(encoding)("assay.carry")

    def convert(data: bytes, final: bool) -> bytes:
        try:
            return decoder.decode(data, final).encode("utf-8", "surrogatepass")
        except UnicodeError as error:
            raise DataError(f"{name}: this is not {encoding}: {error}. Use another {setting('encoding')}.") from None

    return convert


def to_utf8(data: bytes, encoding: str, name: str) -> bytes:
    """Turn the bytes of one whole document into UTF-8, without a byte-order mark."""
    convert = transcoder(encoding, name)
    return (data if convert is None else convert(data, True)).removeprefix(codecs.BOM_UTF8)


def utf8_array(values: list[str | None]) -> pa.Array:
    """Make an array of strings; lone surrogates become the invalid bytes that they stand for.

    `str`s decoded with ``errors="surrogateescape"`` get their bytes back.
    """
    try:
        return string_array(values)
    except UnicodeEncodeError:
        return binary_array([None if value is None else _encode(value) for value in values])


def _encode(value: str) -> bytes:
    try:
        return value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return value.encode("utf-8", "surrogatepass")


def invalid_rows(array: pa.Array) -> dict[int, UnicodeDecodeError]:
    """Return what Python's decoder says about each value of a binary array that is not UTF-8."""
    found = {}
    for row, value in enumerate(array.to_pylist()):
        try:
            if value is not None:
                value.decode()
        except UnicodeDecodeError as error:
            found[row] = error
    return found


def repair(value: bytes) -> str:
    """Decode, with U+FFFD in the place of what is not text; NUL bytes count as such."""
    return _CARRIED_BYTE.sub(_REPLACEMENT, value).decode("utf-8", "replace").replace("\0", "\ufffd")


def describe_invalid(error: UnicodeDecodeError, encoding: str) -> str:
    """Say what was found and with which ways out; the sentence begins with a verb ("has byte …")."""
    value, at = error.object, error.start
    before = value[max(0, at - 40) : at].decode("utf-8", "ignore")[-20:]
    after = f" after {quote(before)}" if before else " at the beginning"
    replace = f"{setting('errors', 'replace')} to put '\ufffd' in such places"
    if encoding != "utf-8" and (carried := _CARRIED_BYTE.match(value, at)):
        byte = ord(carried[0].decode("utf-8", "surrogatepass")) - 0xDC00
        return (
            f"has byte 0x{byte:02X}{after}, which is not {encoding}. Use another {setting('encoding')}, or {replace}."
        )
    if half := _SURROGATE.match(value, at):
        code = ord(half[0].decode("utf-8", "surrogatepass"))
        return f"has half of a surrogate pair, U+{code:04X},{after}, which is not a character. Use {replace}."
    from assay.data.bytes.encoding_detection import likely_encodings  # which builds on this module

    readings: list[str] = []
    for likely in likely_encodings(value) or ["cp1252"]:
        often = ["often right for files from Windows and Excel"] if likely == "cp1252" else []
        guess = value[max(0, at - 40) : at + 8].decode(likely, "replace")
        shown = [f"which would read …{quote(guess[-24:])}"] if guess.isprintable() else []
        said = f" ({', '.join([*often, *shown])})" if often or shown else ""
        readings.append(f"{spelt(likely) if readings else setting('encoding', likely)}{said}")
    return (
        f"has byte 0x{value[at]:02X}{after}, which is not UTF-8 ({error.reason}). Use {', '.join(readings)}, another "
        f"encoding, or {replace}."
    )


def find_nul(array: pa.Array) -> bool:
    """Whether a value of a large_binary or large_string array holds a NUL byte."""
    _, data = text_bytes(array)
    return bool(data.size and data.min() == 0)
