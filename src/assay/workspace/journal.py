"""A file of JSON lines that only grows: what `append` returned from is on the disk, and two writers lose nothing.

Lines are added by one call of the system, to the end, under a lock (flock) that ends with the process, and are synced
before anything goes on. A process that ends in between leaves at most a last piece that is no whole line: it is set
aside in a file of its own, and said, before the next line is written. Entries that belong together (``"lines": n`` in
the first says how many follow it, each with the ``id`` of the first as ``of``) count only when all of them are there.
"""

from __future__ import annotations

import json
import os
import stat
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from assay.atomic_file import write_atomically
from assay.errors import AssayError, DataError, NotPermittedError
from assay.suggest import counted, excerpt

try:
    import fcntl
except ImportError:  # Windows: lines are added whole all the same, but two writers do not wait for each other
    fcntl = None  # type: ignore[assignment]

__all__ = ["Entry", "Journal"]

_LONGEST_WAIT = 30.0  # seconds for a lock that others hold for a few milliseconds
_BINARY = getattr(os, "O_BINARY", 0)  # Windows
_AT_ONCE = getattr(os, "O_NONBLOCK", 0)  # to open a pipe would wait for whoever writes into it
_WITNESS = 256  # bytes before what was read last: are they still the same?


class Entry(NamedTuple):
    """One line."""

    line: int
    """Its number in the file, from 1."""
    value: dict[str, Any]


class Journal:
    """The lines of a file, and those that others add to it.

    Parameters
    ----------
    path
        The file; made when the first line is written.

    Attributes
    ----------
    notes
        What was repaired, or has to be, in sentences.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     journal = Journal(Path(folder, "labels.jsonl"))
    ...     with journal.writing() as held:
    ...         _ = held.append([{"do": "label", "label": "spam"}])
    ...     [entry.value["label"] for entry in Journal(journal.path).news()[1]]
    ['spam']
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notes: list[str] = []
        self._mutex = threading.RLock()
        self._forget()

    def _forget(self) -> None:
        self._read = 0  # bytes
        self._lines = 0
        self._witness = b""

    def news(self) -> tuple[bool, list[Entry]]:
        """The lines that were not read yet; and whether the file is another than before, so that these are all.

        A last piece that is no whole line is set aside if this user may write, and said in any case.
        """
        with self._mutex:
            try:
                handle = self._open(os.O_RDONLY)
            except FileNotFoundError:
                fresh = self._read > 0
                self._forget()
                return fresh, []
            with _locked(handle, self.path, shared=True):
                fresh, found, rest = self._take(handle)
            if rest:
                with self._repairing(rest) as held:
                    more = held.news if held is not None else []
                return fresh, found + more
            return fresh, found

    @contextmanager
    def writing(self) -> Iterator[Held]:
        """The file, locked against others as long as the block lasts: what they wrote before, and how to add to it."""
        with self._mutex:
            new = not self.path.exists()
            handle = self._open(os.O_RDWR | os.O_APPEND | os.O_CREAT)
            with _locked(handle, self.path):
                if new:
                    _sync_folder(self.path.parent)
                fresh, found, rest = self._take(handle)
                if rest:
                    self._set_aside(handle, rest)
                yield Held(self, handle, fresh, found)

    def _open(self, how: int) -> int:
        """The file, which must be one: a pipe would never end, and nothing stays in a device."""
        try:
            handle = os.open(self.path, how | _BINARY | _AT_ONCE, 0o666)
        except PermissionError:
            raise NotPermittedError.of(self.path) from None
        except IsADirectoryError:
            raise _no_file(self.path) from None
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            os.close(handle)
            raise _no_file(self.path)
        return handle

    @contextmanager
    def _repairing(self, rest: bytes) -> Iterator[Held | None]:
        """The file to be written, or None, and a note, where this user may only read it."""
        if os.access(self.path, os.W_OK) and os.access(self.path.parent, os.W_OK):
            with self.writing() as held:
                yield held
            return
        self._note(f"{self.path} ends in a line that was cut off ({_told(rest)}), and may not be written: it is left")
        yield None

    def _take(self, handle: int) -> tuple[bool, list[Entry], bytes]:
        """What is new in the file: whether all of it is, its lines, and what at the end is no whole line."""
        size = os.fstat(handle).st_size
        known = self._read
        fresh = size < known or _piece(handle, known - len(self._witness), known) != self._witness
        if fresh:
            self._forget()
        content = _piece(handle, self._read, size)
        found, used, lines = _entries(content, self._lines, self.path)
        self._step(content[:used], lines)
        return fresh, found, content[used:]

    def _step(self, content: bytes, lines: int) -> None:
        self._read += len(content)
        self._lines += lines
        self._witness = (self._witness + content)[-_WITNESS:]

    def _set_aside(self, handle: int, rest: bytes) -> None:
        """Cut off the end that is no whole line; it is kept beside the file."""
        number = 1
        while (aside := self.path.with_name(f"{self.path.name}.torn-{number}")).exists():
            number += 1
        write_atomically(aside, rest)
        os.ftruncate(handle, self._read)
        os.fsync(handle)
        self._note(
            f"{self.path} ended in a line that was cut off ({_told(rest)}): it is set aside in {aside.name}, and all "
            "lines before it are kept"
        )

    def _append(self, handle: int, entries: Sequence[Mapping[str, Any]]) -> list[Entry]:
        content = b"".join(json.dumps(entry, ensure_ascii=False).encode() + b"\n" for entry in entries)
        if self._witness and not self._witness.endswith(b"\n"):
            content = b"\n" + content  # an editor left the end of the last line out
        try:
            written = os.write(handle, content)
            if written < len(content):  # the disk is full: the second call says so
                os.write(handle, content[written:])
            _sync(handle)
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(handle, self._read)
                os.fsync(handle)
            raise AssayError(
                f"{self.path}: {counted(len(entries), 'line was', 'lines were')} not kept: {error.strerror}. All lines "
                "before are; make room or mend the disk, then give it again."
            ) from error
        first = self._lines + 1
        self._step(content, len(entries))
        return [Entry(first + place, dict(entry)) for place, entry in enumerate(entries)]

    def _note(self, sentence: str) -> None:
        if sentence not in self.notes:
            self.notes.append(sentence)


class Held:
    """A journal that nobody else writes meanwhile.

    Attributes
    ----------
    fresh, news
        As `Journal.news` gives them.
    """

    def __init__(self, journal: Journal, handle: int, fresh: bool, news: list[Entry]) -> None:
        self._journal, self._handle = journal, handle
        self.fresh, self.news = fresh, news

    def append(self, entries: Sequence[Mapping[str, Any]]) -> list[Entry]:
        """Write lines, all or none, and return when they are on the disk."""
        return self._journal._append(self._handle, entries)


def _no_file(path: Path) -> DataError:
    return DataError(
        f"{path}: this is a folder, a pipe or a device, where labels are kept in a file. Take it away, or put the file "
        "back."
    )


@contextmanager
def _locked(handle: int, path: Path, *, shared: bool = False) -> Iterator[None]:
    """Hold the lock of an open file, which is closed afterwards."""
    try:
        if fcntl is not None:
            _wait_for(handle, path, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _wait_for(handle: int, path: Path, kind: int) -> None:
    until = time.monotonic() + _LONGEST_WAIT
    while True:
        try:
            fcntl.flock(handle, kind | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > until:
                raise AssayError(
                    f"{path}: another program has held it for {_LONGEST_WAIT:.0f} seconds. End that program, or let it "
                    "go on, and try again."
                ) from None
            time.sleep(0.002)
        except OSError:  # a file system without locks: lines are added whole all the same
            return


def _piece(handle: int, begin: int, end: int) -> bytes:
    """The bytes of a file from one place to another."""
    os.lseek(handle, begin, os.SEEK_SET)
    pieces = []
    while begin < end and (piece := os.read(handle, min(end - begin, 1 << 24))):
        pieces.append(piece)
        begin += len(piece)
    return b"".join(pieces)


def _entries(content: bytes, lines_before: int, path: Path) -> tuple[list[Entry], int, int]:
    """The whole lines of some bytes; how many bytes, and how many lines, they are."""
    found: list[Entry] = []
    used = lines = 0
    together = _Together()
    while used < len(content):
        end = content.find(b"\n", used)
        line = content[used : end if end >= 0 else len(content)]
        number = lines_before + lines + 1
        value = _value(line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line)
        if value is None and end < 0:
            break
        if value is None and line.strip():
            raise DataError(
                f"{path}, line {number}: this is no line of labels: {excerpt(line.decode('utf-8', 'replace'))}. Put it "
                "right in an editor, or take the line out; the other lines do not depend on it."
            )
        if value is not None:
            together.see(value, (len(found), used, lines))
            found.append(Entry(number, value))
        used, lines = (end + 1, lines + 1) if end >= 0 else (len(content), lines + 1)
    if together.missing:
        kept, used, lines = together.began
        del found[kept:]
    return found, used, lines


class _Together:
    """Whether the entries that the last announcement (``"lines": n``) speaks of are all there.

    Attributes
    ----------
    missing
        How many are not.
    began
        What stood before the announcement.
    """

    def __init__(self) -> None:
        self.missing = 0
        self.began = (0, 0, 0)
        self._name: object = None

    def see(self, value: Mapping[str, Any], before: tuple[int, int, int]) -> None:
        """Take note of a line; `before` are the entries, bytes and lines in front of it."""
        if self.missing and self._name is not None and value.get("of") == self._name:
            self.missing -= 1
            return
        announced = value.get("lines")
        self.missing = announced if type(announced) is int and announced > 0 else 0
        self.began, self._name = before, value.get("id")


def _value(line: bytes) -> dict[str, Any] | None:
    """The object that a line holds; None where it holds none."""
    try:
        value = _DECODER.decode(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is no value of JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse)


def _told(rest: bytes) -> str:
    return f"{counted(len(rest), 'byte', 'bytes')}, {excerpt(rest[:200].decode('utf-8', 'replace'), 40)}"


def _sync(handle: int) -> None:
    if fcntl is not None and hasattr(fcntl, "F_FULLFSYNC"):  # macOS: fsync alone leaves it in the drive
        fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
    else:
        os.fsync(handle)


def _sync_folder(folder: Path) -> None:
    """Let the name of a new file be on the disk, too."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
