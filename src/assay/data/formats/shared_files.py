"""Texts that stand in the folders of several classes: the same name in each, and the same bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

__all__ = ["SharedFiles"]

_FEWEST = 2
_LEAST_SHARE = 0.01


@dataclass(frozen=True, slots=True)
class SharedFiles:
    """Which files are copies of one text.

    Attributes
    ----------
    labels
        For the first file of each text the folders that hold it.
    example
        The folders of the first text that stands in several.
    n_shared
        How many texts stand in several.
    """

    labels: dict[Path, list[str]]
    example: tuple[str, ...]
    n_shared: int

    @property
    def is_strong(self) -> bool:
        """Whether so many texts stand in several folders that it is meant: two at least, and one of a hundred.

        One that was put into the wrong folder as well is an error in the data, and is looked for as such.
        """
        return self.n_shared >= max(_FEWEST, _LEAST_SHARE * len(self.labels))

    @classmethod
    def of(cls, files: Iterable[tuple[Path, str, Path]]) -> SharedFiles:
        """Compare files of the same name; of each its path, its label and the folder of the label."""
        named: dict[Path, list[tuple[Path, str]]] = {}
        for path, label, folder in files:
            named.setdefault(path.relative_to(folder), []).append((path, label))
        labels: dict[Path, list[str]] = {}
        for copies in named.values():
            first: dict[object, Path] = {}
            for path, label in copies:
                key = _contents(path) if len(copies) > 1 else None
                labels.setdefault(first.setdefault(key, path), []).append(label)
        several = [tuple(found) for found in labels.values() if len(found) > 1]
        return cls(labels, several[0] if several else (), len(several))


def _contents(path: Path) -> bytes:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()
