"""Bytes from anywhere, unpacked and turned into UTF-8 as they stream."""

from __future__ import annotations

import codecs
import os
import tempfile
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, Protocol

import pyarrow as pa

from assay.data.bytes.encoding import FoundEncoding, transcoder
from assay.data.bytes.row_length import LONGEST_ROW, too_long
from assay.data.bytes.suffixes import PACKING_OF_SUFFIX
from assay.errors import AssayError, DataError, NotPermittedError
from assay.suggest import excerpt
from assay.temporary_files import forget, remember
from assay.wording import setting

__all__ = ["MARK_OF_PACKING", "ByteSource", "RowEnd", "TextStream", "unreadable"]

MARK_OF_PACKING = {"gzip": b"\x1f\x8b", "zstd": b"\x28\xb5\x2f\xfd", "bz2": b"BZh"}
_WIDE_BOMS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


RowEnd = Callable[[bytes], int]
"""Called with block after block of a text: where the last row of the block ends, -1 where none does."""


class ReadableBytes(Protocol):
    """What can be copied: anything that gives bytes, and at its end none."""

    def read(self, size: int = -1, /) -> bytes:
        """Return some bytes."""


class ByteSource:
    """Bytes that can be read more than once.

    What cannot be read twice (standard input, a pipe, an open file) is first copied to a temporary file, so
    that memory stays bounded and an error can be looked for in a second reading; or it is read in parts while it comes
    (`assay.data.bytes.live`).

    Parameters
    ----------
    path
        The file.
    name
        What messages call it.

    Attributes
    ----------
    size
        Bytes; 0 where that is not known.
    is_utf8
        Whether what is read from here is UTF-8 already, whatever encoding the bytes came in.
    is_coming
        Whether there may be more than can be looked at up to now.
    found
        What the bytes came in, where they are UTF-8 by now.
    offset, lines_before
        Where a part of something longer begins.
    """

    is_utf8 = False
    is_coming = False
    found: FoundEncoding | None = None
    offset = 0
    lines_before = 0

    def __init__(self, path: Path, name: str) -> None:
        self.path = path
        self.name = name
        self.size = path.stat().st_size

    @classmethod
    def copied(cls, stream: ReadableBytes | IO[bytes], name: str) -> ByteSource:
        """Copy what is left of a stream to a temporary file, which goes away with this object.

        A line without end is refused before it fills the disk; in what is packed, line ends come by themselves.
        """
        with tempfile.NamedTemporaryFile(prefix="assay-", delete=False) as spool:
            path = remember(spool.name)
            try:
                since_line_end = 0
                while block := stream.read(1 << 20):
                    spool.write(block)
                    at = block.rfind(b"\n")
                    since_line_end = since_line_end + len(block) if at < 0 else len(block) - at
                    if since_line_end > LONGEST_ROW:
                        raise too_long(name)
            except BaseException:
                path.unlink()
                raise
        source = cls(path, name)
        weakref.finalize(source, _remove, path)
        return source

    def packing(self) -> str | None:
        """How the bytes are compressed, from their beginning; a name that says otherwise is an error."""
        with self._file() as file:
            head = file.read(8)
        found = next((packing for packing, mark in MARK_OF_PACKING.items() if head.startswith(mark)), None)
        promised = PACKING_OF_SUFFIX.get(Path(self.name).suffix.lower())
        if promised and found != promised and head:
            raise DataError(
                f"{self.name}: the name says {promised}, but the bytes do not: they begin with "
                f"{excerpt(head.decode('latin-1'))}. Rename the file to what it is, or fetch it again."
            )
        return found

    def open(self) -> tuple[pa.NativeFile, pa.NativeFile]:
        """Return the unpacked stream and the file under it, whose position tells the progress."""
        packing = self.packing()
        file = self._file()
        return (pa.CompressedInputStream(file, packing) if packing else file), file

    def _file(self) -> pa.NativeFile:
        try:
            return pa.OSFile(os.fsencode(self.path))
        except OSError as error:
            raise unreadable(self.name, error) from error

    def open_whole(self) -> pa.NativeFile:
        """Open for random access; compressed bytes are unpacked into memory."""
        stream, file = self.open()
        if stream is file:
            return file
        sink = pa.BufferOutputStream()
        try:
            while block := stream.read_buffer(1 << 22):
                sink.write(block)
        except OSError as error:
            raise self.damaged(error) from error
        return pa.BufferReader(sink.getvalue())

    def parts(self, row_end: RowEnd) -> Iterator[ByteSource]:
        """Give everything in parts that end where a row ends; a file is one part."""
        yield self

    def wait_for_more(self) -> bool:
        """Wait until there is more to look at than up to now; a file is all there from the beginning."""
        return False

    def give_up(self) -> None:
        """Let whoever waits for bytes in another thread go; nobody waits for a file."""

    def head(self, size: int = 4096) -> bytes:
        """Return the first bytes, unpacked."""
        stream, _ = self.open()
        return bytes(read_fully(self, stream, size))

    def damaged(self, error: Exception) -> DataError:
        """What to say when unpacking fails."""
        how = "ends too early" if "runcated" in str(error) else "is damaged"
        return DataError(
            f"{self.name}: the compressed file {how} ({error}). It was probably not copied or downloaded completely: "
            "fetch it again, or test it with 'gzip -t', 'zstd -t' or 'bzip2 -t'."
        )


def unreadable(name: str, error: OSError) -> AssayError:
    """What to say when the system does not give a file."""
    if isinstance(error, PermissionError):
        return error if isinstance(error, NotPermittedError) else NotPermittedError.of(error.filename or name)
    why = os.strerror(error.errno) if error.errno else error
    return DataError(f"{name}: the file cannot be read: {why}.")


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)
    forget(path)


def read_fully(source: ByteSource, stream: pa.NativeFile, size: int) -> pa.Buffer:
    """Read `size` bytes, fewer only at the end."""
    try:
        return stream.read_buffer(size)
    except OSError as error:
        raise source.damaged(error) from error


class TextStream:
    """The UTF-8 of a source, as a file that only goes forward.

    Parameters
    ----------
    source
        Where the bytes are.
    encoding
        What they are written in.
    tail
        Called at the end with the last byte; what it returns is read as if it stood at the end of the file.
    valid
        Replace what is not UTF-8 (to look for an error elsewhere in the row).
    """

    closed = False

    def __init__(
        self,
        source: ByteSource,
        encoding: str,
        *,
        tail: Callable[[bytes], bytes] | None = None,
        valid: bool = False,
    ) -> None:
        self.name = source.name
        self._source = source
        self._encoding = encoding
        self._stream, self._file = source.open()
        self._convert = None if source.is_utf8 else transcoder(encoding, source.name)
        if encoding == "utf-8" and not source.offset:
            self._refuse_wide_characters()
        if valid:
            self._convert = _replacing(self._convert)
        self._tail = tail
        self._ahead: Any = None
        self._position = source.offset
        self._limit = self._file.size() + 1

    def again(self) -> TextStream:
        """The same text from its beginning."""
        return TextStream(self._source, self._encoding)

    def position(self) -> int:
        """How many bytes of the file have been taken, for the progress."""
        return self._position

    def read(self, size: int = -1) -> Any:
        """Return about `size` bytes, none at the end."""
        block = self._next(size) if self._ahead is None else self._ahead
        self._ahead = self._next(size) if len(block) else block
        if len(self._ahead) == 0 and self._tail is not None:
            # In one block with what stands before it: a parser takes a row from two blocks, not from three.
            block, self._tail = bytes(block) + self._tail(bytes(block[-1:])), None
        return block

    @property
    def at_end(self) -> bool:
        """Whether the last block has been read."""
        return self._ahead is not None and len(self._ahead) == 0

    def _next(self, size: int) -> Any:
        while True:
            block = self._unpack(size)
            self._position = self._source.offset + self._file.tell()
            data = block if self._convert is None else self._convert(block, len(block) == 0)
            if len(data) or not len(block):
                return data

    def _unpack(self, size: int) -> Any:
        if self._stream is self._file:
            return read_fully(self._source, self._stream, min(size, self._limit))
        parts = []
        while size > 0 and len(part := read_fully(self._source, self._stream, min(size, 1 << 22))):
            parts.append(part)
            size -= len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def read_up_to(self, size: int) -> bytes:
        """Read until there are at least `size` bytes, or the end."""
        parts = []
        while size > 0 and (block := self.read(size)):
            parts.append(bytes(block))
            size -= len(block)
        return b"".join(parts)

    def readable(self) -> bool:  # noqa: D102  (this and the next three: what pyarrow asks of a file)
        return True

    def writable(self) -> bool:  # noqa: D102
        return False

    def seekable(self) -> bool:  # noqa: D102
        return False

    def close(self) -> None:  # noqa: D102
        self._stream.close()
        self._file.close()
        self.closed = True

    def _refuse_wide_characters(self) -> None:
        head = self._source.head(64)
        for mark, encoding in _WIDE_BOMS.items():
            if head.startswith(mark):
                raise self._not_utf8(f"it begins with the byte-order mark of {encoding}", encoding)
        even, odd = head[0::2], head[1::2]
        if len(head) > 7 and not any(odd) and all(even):
            raise self._not_utf8("every second byte is 0", "utf-16-le")
        if len(head) > 7 and not any(even) and all(odd):
            raise self._not_utf8("every second byte is 0", "utf-16-be")

    def _not_utf8(self, why: str, encoding: str) -> DataError:
        return DataError(f"{self._source.name}: the file is not UTF-8; {why}. Use {setting('encoding', encoding)}.")


def _replacing(convert: Callable[[bytes, bool], bytes] | None) -> Callable[[bytes, bool], bytes]:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def replace(data: bytes, final: bool) -> bytes:
        return decoder.decode(data if convert is None else convert(data, final), final).encode()

    return replace
