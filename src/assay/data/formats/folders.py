"""A folder with a sub-folder for each class and a file for each document."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from assay.data.arrays import binary_array, string_array
from assay.data.bytes.encoding import to_utf8
from assay.data.bytes.encoding_detection import find_encoding
from assay.data.bytes.row_length import LONGEST_ROW, too_long
from assay.data.bytes.streams import ByteSource, TextStream, unreadable
from assay.data.corpus.origin import Origin
from assay.data.formats.pieces import FileReader, Piece, Wanted
from assay.data.formats.shared_files import SharedFiles
from assay.data.options import ReadOptions
from assay.errors import DataError
from assay.file_access import is_file, is_folder
from assay.suggest import counted, quote, quoted
from assay.wording import setting

__all__ = ["FolderReader"]

_PIECE_BYTES = 1 << 23


class FolderReader(FileReader):
    """Reads every file below a sub-folder as a text of that class, in the order of the names.

    Hidden files and folders (``.DS_Store``) are left out and counted.  Without labels, the files of the
    folder itself are the texts.  Where texts stand in several sub-folders, under the same name and with the same bytes,
    a text has a set of labels; see `assay.data.formats.shared_files`.
    """

    holds_raw_text = True
    has_fixed_columns = True

    def __init__(self, folder: Path, name: str, options: ReadOptions) -> None:
        super().__init__(name, 0)
        self._folder = folder
        self._options = options
        self._labelled = options.label is not False
        self._others: Counter[str] = Counter()  # files that are not UTF-8, by what they are
        self._files = list(self._find())
        self.size = sum(path.stat().st_size for path, _ in self._files)
        self._why_lists: str | None = None
        self._labels: dict[Path, list[str]] = {}  # of each text, where it may have several
        if self._labelled and options.labels_separator is not False:
            self._join_shared()

    def sample(self) -> pa.Table:
        """Return the columns; the names of files and folders need no guessing."""
        labels = self._label_column(self._files[:1000])
        nothing = pa.nulls(len(labels), pa.large_string())
        columns = {"text": nothing} | ({"label": labels} if self._labelled else {})
        return pa.table(columns | {"path": nothing})

    def pieces(self, wanted: Wanted) -> Iterator[Piece]:
        """Go through the files, some at a time."""
        texts: list[bytes] = []
        begin = position = size = 0
        for end, (path, _) in enumerate(self._files, start=1):
            texts.append(self._text(path))
            size += len(texts[-1])
            position += path.stat().st_size
            if size > _PIECE_BYTES or end == len(self._files):
                yield self._piece(texts, begin, end, position, wanted)
                texts, begin, size = [], end, 0
        for encoding, count in self._others.items():
            self.notes.append(
                f"{self.name}: {counted(count, 'file is', 'files are')} not UTF-8; read as {encoding} (guessed; "
                f"{setting('encoding')} says otherwise)"
            )

    def _piece(self, texts: list[bytes], begin: int, end: int, position: int, wanted: Wanted) -> Piece:
        files = self._files[begin:end]
        names = [self._called(path) for path, _ in files]
        columns = {
            "text": binary_array(texts),
            "label": self._label_column(files),
            "path": string_array([path.relative_to(self._folder).as_posix() for path, _ in files]),
        }
        return Piece(
            pa.RecordBatch.from_arrays([columns[name] for name in wanted], names=list(wanted)),
            Origin(names, range(len(names)), [0] * len(names)),
            Origin.counted(self.name, 0),
            position,
        )

    def why_lists(self) -> str | None:
        """Say which texts stand in several sub-folders."""
        return self._why_lists

    def _join_shared(self) -> None:
        shared = SharedFiles.of([(path, label, self._folder / label) for path, label in self._files])
        if shared.is_strong:
            self._labels = shared.labels
            self._files = [(path, label) for path, label in self._files if path in self._labels]
            self._why_lists = (
                f"{self.name}: {counted(shared.n_shared, 'text stands', 'texts stand')} in several sub-folders, such "
                f"as {quoted(shared.example)}, under the same name; a text has the labels of all (guessed; "
                f"{setting('labels_separator', False)} takes each file for a text of its own)"
            )

    def _label_column(self, files: list[tuple[Path, str]]) -> pa.Array:
        if not self._labels:
            return string_array([label for _, label in files])
        return pa.array([self._labels[path] for path, _ in files], pa.large_list(pa.large_string()))

    def _text(self, path: Path) -> bytes:
        try:
            source = ByteSource(path, self._called(path))
            encoding = self._encoding_of(source)
            if source.packing() or source.size > LONGEST_ROW:
                text = TextStream(source, encoding).read_up_to(LONGEST_ROW + 1)
                if len(text) > LONGEST_ROW:
                    raise too_long(source.name)
                return text
            return to_utf8(path.read_bytes(), encoding, source.name)
        except OSError as error:
            raise unreadable(self._called(path), error) from error

    def _encoding_of(self, source: ByteSource) -> str:
        if self._options.known_encoding is not None:
            return self._options.known_encoding
        found = find_encoding(source).name
        if found != "utf-8":
            self._others[found] += 1
        return found

    def _called(self, path: Path) -> str:
        return f"{self.name}/{path.relative_to(self._folder).as_posix()}"

    def _find(self) -> Iterator[tuple[Path, str]]:
        inside = sorted(self._folder.iterdir())
        seen = [path for path in inside if not path.name.startswith(".")]
        folders = [path for path in seen if is_folder(path)]
        loose = [path for path in seen if is_file(path)]
        n_hidden = len(inside) - len(seen)
        if self._labelled and not folders:
            raise self._without_classes(loose)
        if self._labelled and loose:
            self._note(
                f"{counted(len(loose), 'file', 'files')} beside the sub-folders {'is' if len(loose) == 1 else 'are'} "
                "left out",
                loose,
            )
        found = 0
        for folder in folders if self._labelled else [self._folder]:
            kept, hidden = _files_below(folder)
            n_hidden += hidden if self._labelled else 0
            found += len(kept)
            if not kept:
                self.notes.append(f"{self.name}: the sub-folder {quote(folder.name)} holds no files")
            for path in kept:
                yield path, folder.name
        if not found:
            raise DataError(
                f"{self.name}: the folder holds no files. Put one sub-folder for each class in it, with one file for "
                "each text."
            )
        if n_hidden:
            self.notes.append(f"{self.name}: {n_hidden} hidden files and folders are left out")

    def _note(self, what: str, paths: list[Path]) -> None:
        self.notes.append(f"{self.name}: {what}: {quoted((path.name for path in paths), 3)}")

    def _without_classes(self, loose: list[Path]) -> DataError:
        if not loose:
            return DataError(
                f"{self.name}: the folder holds no files. Put one sub-folder for each class in it, with one file for "
                "each text."
            )
        kind = loose[0].suffix or loose[0].name
        return DataError(
            f"{self.name}: the folder has no sub-folders, one for each class; it holds "
            f"{counted(len(loose), 'file', 'files')} such as {quote(loose[0].name)}. If they are tables, give the "
            f"files: {quote(self.name + '/*' + kind)}. If each is a text without a "
            f"label, use {setting('label', False)}."
        )


def _files_below(folder: Path) -> tuple[list[Path], int]:
    """All files below a folder that are not hidden, and how many files and folders there are hidden."""

    def refuse(error: OSError) -> None:
        raise error

    kept, n_hidden = [], 0
    for place, folders, names in os.walk(folder, onerror=refuse):
        seen = [name for name in names if not name.startswith(".")]
        open_folders = [name for name in folders if not name.startswith(".")]
        n_hidden += len(names) - len(seen) + len(folders) - len(open_folders)
        folders[:] = open_folders  # which are the ones that the walk goes on to
        kept += [path for name in seen if is_file(path := Path(place, name))]
    return sorted(kept), n_hidden
