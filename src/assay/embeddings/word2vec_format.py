"""The files of word2vec, in which gensim and fastText (``.vec``) write too.

Both forms begin with a line ``<number of words> <dimensions>``. In the text form each line is a word and its numbers,
divided by spaces; in the binary form each word is followed by a space and its numbers as little-endian float32. Words
are UTF-8, without white space. Files that gzip packed are read as they are.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from string import whitespace
from typing import IO, Any, cast

import numpy as np
import numpy.typing as npt

from assay.atomic_file import open_atomically
from assay.embeddings.settings import check_whole
from assay.embeddings.word_vectors import WordVectors
from assay.errors import DataError, ParameterError
from assay.suggest import counted, excerpt, quote

__all__ = ["read_word2vec", "write_word2vec"]

Entry = tuple[bytes, npt.NDArray[np.float32], str]

_GZIP = b"\x1f\x8b"
_CHUNK = 1 << 20
_LONGEST_WORD = 1 << 16  # bytes; a longer one is no word
_MOST_DIMENSIONS = 1 << 20


def read_word2vec(path: str | os.PathLike[str], *, binary: bool | None = None, limit: int | None = None) -> WordVectors:
    r"""Read a file in the text or binary format of word2vec.

    Parameters
    ----------
    path
        Where it is; gzip is recognised.
    binary
        Which form; None looks.
    limit
        Reads only so many words, which by custom are the most frequent.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "two.vec").write_text("2 3\nking 1 0.5 0\nqueen 0.9 0.5 0.1\n")
    ...     read_word2vec(f"{folder}/two.vec")["king"].tolist()
    [1.0, 0.5, 0.0]
    """
    if limit is not None:
        check_whole("read_word2vec", "limit", limit, least=1)
    name = os.fspath(path)
    try:
        with _opened(name) as file:
            stream = _Stream(file, name)
            n_words, n_dimensions = _header(stream)
            form = _looks_binary(stream, n_dimensions) if binary is None else binary
            wanted = n_words if limit is None else min(limit, n_words)
            entries = (_binary_entries if form else _text_entries)(stream, wanted, n_dimensions)
            words, matrix = _collected(entries, name, n_dimensions)
            if len(words) < wanted:
                raise DataError(
                    f"{name}: the first line promises {counted(n_words, 'word', 'words')}, but the file ends after "
                    f"{len(words):,}. It was cut short, or its first line is wrong."
                )
            if limit is None:
                _refuse_rest(stream, n_words)
    except FileNotFoundError:
        raise DataError(f"{name}: no such file.") from None
    except (EOFError, gzip.BadGzipFile) as error:
        raise DataError(f"{name}: the gzip file is damaged or cut short ({error}).") from None
    return WordVectors(words, matrix)


def write_word2vec(vectors: WordVectors, path: str | os.PathLike[str], *, binary: bool = False) -> None:
    """Write the text or binary format of word2vec; a name that ends in ``.gz`` is packed.

    Numbers in the text form have nine digits, from which the same float32 are read again.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_word2vec(WordVectors(["a", "b"], [[1, 0.1], [0, 2]]), f"{folder}/two.vec")
    ...     print(Path(folder, "two.vec").read_text(), end="")
    2 2
    a 1 0.100000001
    b 0 2
    """
    for word in vectors.words:
        if not word or any(space in word for space in whitespace) or not _is_utf8(word):
            raise ParameterError(
                f"The word {quote(word)} cannot be written in the format of word2vec, whose words are UTF-8 without "
                "white space. Leave it out, put '_' for the space, or use `save`."
            )
    with ExitStack() as files:
        file: Any = files.enter_context(open_atomically(path))
        if Path(path).suffix == ".gz":
            file = files.enter_context(gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0))
        file.write(f"{len(vectors)} {vectors.n_dimensions}\n".encode())
        numbers = vectors.matrix.astype("<f4")
        line = " ".join(["%.9g"] * vectors.n_dimensions)
        for word, row in zip(vectors.words, numbers, strict=True):
            rest = row.tobytes() if binary else (line % tuple(row.tolist())).encode() + b"\n"
            file.write(word.encode() + b" " + rest)


class _Stream:
    """A file that is read a piece at a time, with what has been read and not yet used."""

    def __init__(self, file: IO[bytes], name: str) -> None:
        self.name = name
        self._file = file
        self._left = b""
        self._begin = 0

    def ahead(self, size: int) -> bytes:
        """The next so many bytes, fewer at the end; they stay where they are."""
        while len(self._left) - self._begin < size:
            more = self._file.read(max(_CHUNK, size))
            if not more:
                break
            self._left = self._left[self._begin :] + more
            self._begin = 0
        return self._left[self._begin : self._begin + size]

    def take(self, size: int) -> bytes:
        """The next so many bytes, fewer at the end."""
        found = self.ahead(size)
        self._begin += len(found)
        return found

    def until(self, mark: bytes, most: int) -> bytes | None:
        """What stands before the next mark, which is passed over; None if it is not among the next so many bytes."""
        place = self._left.find(mark, self._begin, self._begin + most)
        if place < 0:
            self.ahead(most)
            place = self._left.find(mark, self._begin, self._begin + most)
            if place < 0:
                return None
        found = self._left[self._begin : place]
        self._begin = place + len(mark)
        return found


@contextmanager
def _opened(name: str) -> Iterator[IO[bytes]]:
    if Path(name).is_dir():
        raise DataError(f"{name}: this is a folder. Give the name of a file in it.")
    with Path(name).open("rb") as file:
        packed = file.read(2) == _GZIP
        file.seek(0)
        if not packed:
            yield file
            return
        with gzip.GzipFile(fileobj=file) as unpacked:
            yield cast(IO[bytes], unpacked)


def _header(stream: _Stream) -> tuple[int, int]:
    line = stream.until(b"\n", 1000)
    fields = (line or stream.ahead(1000)).split()
    numbers = [int(field) for field in fields if field.isdigit() and len(field) <= 12]
    if (
        line is None
        or len(fields) != 2
        or len(numbers) != 2
        or not 1 <= numbers[1] <= _MOST_DIMENSIONS
        or not numbers[0]
    ):
        raise DataError(
            f"{stream.name}, line 1: expected the number of words and of dimensions, such as '400000 100', but found "
            f"{_shown(line if line is not None else stream.ahead(60))}. Is this a file of word vectors? Those of GloVe "
            "lack this line: put it before the first."
        )
    return numbers[0], numbers[1]


def _looks_binary(stream: _Stream, n_dimensions: int) -> bool:
    """Whether what follows the first line is no line of numbers."""
    line, newline, _ = stream.ahead(_LONGEST_WORD + 64 * n_dimensions).partition(b"\n")
    if not newline and b"\0" not in line:
        return _numbers(line) is None and len(line) >= 4 * n_dimensions
    return _numbers(line) is None and any(byte < 9 or 13 < byte < 32 or byte > 126 for byte in line.partition(b" ")[2])


def _text_entries(stream: _Stream, wanted: int, n_dimensions: int) -> Iterator[Entry]:
    longest = _LONGEST_WORD + 64 * n_dimensions
    for i in range(wanted):
        where = f"line {i + 2}"
        line = stream.until(b"\n", longest)
        if line is None:  # the last line need not end
            line = stream.take(longest)
            if not line.strip():
                return
            if len(line) == longest:
                raise DataError(f"{stream.name}, {where}: the line is longer than {longest:,} bytes.")
        word, _, rest = line.rstrip(b" \r\t").partition(b" ")
        values = _numbers(rest)
        if values is None or len(values) != n_dimensions:
            found = "something that is no number" if values is None else counted(len(values), "number", "numbers")
            raise DataError(
                f"{stream.name}, {where}: after the word {_shown(word)} there must be {n_dimensions} numbers, as the "
                f"first line of the file says. Found {found}: {_shown(rest)}."
            )
        yield word, values, where


def _binary_entries(stream: _Stream, wanted: int, n_dimensions: int) -> Iterator[Entry]:
    for i in range(wanted):
        where = f"word {i + 1}"
        word = stream.until(b" ", _LONGEST_WORD)
        if word is None:
            if len(stream.ahead(_LONGEST_WORD)) < _LONGEST_WORD:
                return
            raise DataError(
                f"{stream.name}, {where}: no space within {_LONGEST_WORD:,} bytes, so that no word ends. The number of "
                "dimensions in the first line may be wrong, or this is the text form: give binary=False."
            )
        values = stream.take(4 * n_dimensions)
        if len(values) < 4 * n_dimensions:
            return
        yield word.lstrip(b"\n"), np.frombuffer(values, dtype="<f4"), where  # word2vec ends each vector with a line end


def _numbers(text: bytes) -> npt.NDArray[np.float32] | None:
    try:
        with np.errstate(over="ignore"):  # what is too large becomes infinity, and is refused as such
            return np.array([float(field) for field in text.split()], dtype=np.float32)
    except ValueError:
        return None


def _collected(entries: Iterator[Entry], name: str, n_dimensions: int) -> tuple[list[str], npt.NDArray[np.float32]]:
    """All words and their vectors; memory grows with what is there, not with what the first line promises."""
    first: dict[str, str] = {}
    rows = np.empty((1024, n_dimensions), dtype=np.float32)
    for i, (encoded, values, where) in enumerate(entries):
        try:
            word = encoded.decode()
        except UnicodeDecodeError as error:
            raise DataError(
                f"{name}, {where}: the word {quote(encoded[:60])} is not UTF-8 ({error.reason}). Convert the file to "
                "UTF-8, or see whether the number of dimensions in its first line is right."
            ) from None
        if word in first:
            raise DataError(
                f"{name}, {where}: the word {excerpt(word)} is there a second time (first: {first[word]}). Remove one "
                "of the two."
            )
        if not np.isfinite(values).all():
            raise DataError(
                f"{name}, {where}: the vector of {excerpt(word)} holds NaN or infinity. Leave the word out."
            )
        if i == len(rows):
            rows = np.concatenate([rows, np.empty_like(rows)])
        first[word] = where
        rows[i] = values
    return list(first), rows[: len(first)].copy()


def _refuse_rest(stream: _Stream, n_words: int) -> None:
    rest = stream.ahead(1000).strip()
    if rest:
        raise DataError(
            f"{stream.name}: the first line promises {counted(n_words, 'word', 'words')}, but more follow, beginning "
            f"with {_shown(rest)}. Correct the first line, or read a part of the file with limit={n_words}."
        )


def _is_utf8(word: str) -> bool:
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True


def _shown(content: bytes) -> str:
    return excerpt(content[:200].decode("utf-8", "backslashreplace"))
