"""Text that is read while it comes: the same rows, notes and errors as from a file, however it is cut."""

from __future__ import annotations

import io
import json
import math
import os
import threading

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assay.data.bytes.arrivals import Arrivals
from assay.data.bytes.live import LiveSource, SeparatedRowEnd, line_end
from assay.data.bytes.streams import ByteSource
from assay.data.formats.recognition import file_reader
from assay.data.options import ReadOptions
from assay.data.reading.batches import BatchStream
from assay.data.reading.locate import reader_of_path
from assay.errors import DataError

few = settings(max_examples=50, deadline=None)


class Pieces:
    """A stream that gives what it was given, piece by piece."""

    def __init__(self, data: bytes, sizes: list[int]) -> None:
        self._left = []
        for size in sizes:
            self._left.append(data[:size])
            data = data[size:]
        self._left.append(data)
        self._left = [piece for piece in self._left if piece]

    def fileno(self) -> int:
        raise io.UnsupportedOperation("no file")

    def read(self, size: int = -1) -> bytes:
        return self._left.pop(0) if self._left else b""


def outcome(source, options):
    """Every row with its place, and what was noted; or the message of the error."""
    try:
        stream = BatchStream(file_reader(source(), options), options)
        rows = []
        for batch in stream:
            columns = [column.to_pylist() for column in batch.columns.values()]
            rows += [(batch.origin.place(i), *values) for i, values in enumerate(zip(*columns, strict=True))]
        return rows, stream.notes
    except DataError as error:
        return str(error)


def assert_same(data: bytes, sizes: list[int], **settings: object) -> None:
    options = ReadOptions(label=False, keep_empty=True, **settings)
    whole = outcome(lambda: ByteSource.copied(io.BytesIO(data), "data"), options)
    live = outcome(lambda: LiveSource(Arrivals(Pieces(data, sizes)), "data", options.encoding, 0.0), options)
    assert live == whole


symbols = st.sampled_from(['"', '"', ",", ",", "\n", "\n", "\r", "\r\n", "a", "é", " ", "1,2\n"])
pieces = st.lists(st.integers(1, 12), max_size=40)


@few
@given(st.lists(symbols, max_size=40).map("".join), pieces)
@example('3,"a\n\n""\n"\r\n4,"b', [1] * 40)
@example("3,a\r4,b\r", [1] * 40)
@example('3,5" nails\n4,"closed" not"\n', [1] * 40)
def test_separated_rows_are_the_same_wherever_they_are_cut(text, sizes):
    assert_same(f"id,text\n{text}".encode(), sizes, format="csv", delimiter=",", text="text")


@few
@given(st.lists(symbols, max_size=40).map("".join), pieces)
def test_separated_rows_without_quotes_or_a_header_are_the_same(text, sizes):
    assert_same(f"1,2\n{text}".encode(), sizes, format="csv", delimiter=",", names=("id", "text"), quotes=False)


@few
@given(st.lists(st.sampled_from(["a", "é", "\n", "\r\n", "\t", "__label__x ", "\ufeff"]), max_size=30), pieces)
@pytest.mark.parametrize("kind", ["lines", "fasttext"])
def test_lines_are_the_same_wherever_they_are_cut(kind, parts, sizes):
    assert_same("".join(parts).encode(), sizes, format=kind)


objects = st.fixed_dictionaries(
    {"text": st.sampled_from(["a", "é\n", ""])}, optional={"n": st.sampled_from([None, 1, 2.5, "x", [1]])}
)


@few
@given(st.lists(st.one_of(objects.map(json.dumps), st.sampled_from(["", "{", "[]"])), max_size=8))
def test_json_lines_have_the_same_places_and_errors(lines):
    data = "".join(line + "\n" for line in ['{"text": "t", "n": 1}', *lines]).encode()
    options = ReadOptions(label=False, keep_empty=True, format="jsonl", text="text", keep=False)
    whole = outcome(lambda: ByteSource.copied(io.BytesIO(data), "data"), options)
    live = outcome(lambda: LiveSource(Arrivals(Pieces(data, [7] * 60)), "data", "utf-8", 0.0), options)
    assert live == whole


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "cp1252", "shift-jis", "utf-8"])
@pytest.mark.parametrize("size", [1, 2, 3, 1000])
def test_other_encodings_are_read_while_they_come(encoding, size):
    data = '\ufeffid,text\n1,"plain"\n2,so\n'.removeprefix("" if encoding.startswith("utf") else "\ufeff")
    assert_same(data.encode(encoding), [size] * 100, encoding=encoding)


def test_byte_that_an_encoding_does_not_have_is_said_in_its_row():
    data = b"id,text\n1,fine\n2,fine\n3,not \x81\n"
    options = ReadOptions(label=False, encoding="cp1252")
    live = outcome(lambda: LiveSource(Arrivals(Pieces(data, [10] * 10)), "data", "cp1252", 0.0), options)
    assert live.startswith("data, row 4: column 'text' has byte 0x81 after 'not ', which is not cp1252.")


def test_wide_characters_are_refused_at_the_beginning():
    options = ReadOptions(label=False)
    data = "id,text\n1,a\n".encode("utf-16")
    live = outcome(lambda: LiveSource(Arrivals(Pieces(data, [])), "data", "utf-8", 0.0), options)
    assert live.startswith("data: the file is not UTF-8; it begins with the byte-order mark of utf-16.")


def test_row_of_an_error_counts_the_parts_before_it_and_its_line_their_line_ends():
    data = b'id,text\n1,"two\nlines"\n2,b\n3,c,d\n'
    options = ReadOptions(label=False)
    live = outcome(lambda: LiveSource(Arrivals(Pieces(data, [8, 14, 4])), "data", "utf-8", 0.0), options)
    assert live.startswith("data, row 4 (line 5): 3 fields where the first row has 2: '3,c,d'.")


def test_type_of_a_column_that_was_null_at_first_is_found_later():
    data = b'{"text": "a", "n": null}\n{"text": "b", "n": 4}\n'
    options = ReadOptions(label=False, format="jsonl")
    rows, _ = outcome(lambda: LiveSource(Arrivals(Pieces(data, [25])), "data", "utf-8", 0.0), options)
    assert rows == [("data, row 1", "a", None), ("data, row 2", "b", 4)]


def test_waiting_for_a_while_ends_without_bytes():
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as stream, os.fdopen(writing, "wb", buffering=0) as other:
        arrivals = Arrivals(stream)
        assert arrivals.wait(0.001) is None
        other.write(b"come")
        assert arrivals.wait() == b"come"
        arrivals.given_up = True
        assert arrivals.wait() == b""


@pytest.mark.parametrize("patience", [None, 0.0])
def test_pipe_that_has_a_name_is_read_like_a_file(tmp_path, patience):
    os.mkfifo(tmp_path / "pipe")
    options = ReadOptions(label=False, patience=patience)
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(b"id,text\n1,a\n",))
    writer.start()
    stream = BatchStream(reader_of_path(str(tmp_path / "pipe"), options), options)
    assert [batch.texts.to_pylist() for batch in stream] == [["a"]]
    writer.join()


def test_place_of_rows_that_is_none_is_refused():
    row_end = SeparatedRowEnd(",", quotes=True)
    row_end._place = 9
    with pytest.raises(ValueError, match="unknown place 9"):
        row_end(b"a")


def test_what_somebody_waits_for_is_given_on_as_soon_as_nothing_more_waits():
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as stream, os.fdopen(writing, "wb", buffering=0) as pipe:
        pipe.write(b"one\n")
        # Without the end of the pipe, and with endless patience, only being awaited ends a part.
        source = LiveSource(Arrivals(stream), "pipe", "utf-8", math.inf, lambda: True)
        parts = source.parts(line_end)
        assert next(parts).open()[0].read() == b"one\n"
        pipe.write(b"two\nthr")
        pipe.write(b"ee\nfour")
        assert next(parts).open()[0].read() == b"two\nthree\n"
        pipe.close()
        assert next(parts).open()[0].read() == b"four"
        assert next(parts, None) is None


def test_what_nobody_waits_for_yet_grows_until_somebody_does():
    reading, writing = os.pipe()
    asked = []

    def awaited() -> bool:
        asked.append(None)
        if len(asked) == 3:
            pipe.write(b"two\n")
        return len(asked) > 5

    with os.fdopen(reading, "rb") as stream, os.fdopen(writing, "wb", buffering=0) as pipe:
        pipe.write(b"one\n")
        source = LiveSource(Arrivals(stream), "pipe", "utf-8", math.inf, awaited)
        assert source.open()[0].read() == b"one\ntwo\n"
