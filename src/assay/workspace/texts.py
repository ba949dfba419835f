"""The texts of a workspace: each once, by the digest of what it says, with the label that its data gives it.

Copies of a text are one text here, on purpose: one decision serves all of them, in whatever file they stand, and stays
with them when files are moved, sorted or cut.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from assay.data.corpus.corpus import Corpus
from assay.data.corpus.origin import Origin
from assay.suggest import counted
from assay.workspace.records import Label

__all__ = ["DIGITS", "Texts", "read_label"]

DIGITS = 32  # of a digest, in hexadecimal: 128 bits
_WORDS = np.dtype([("high", ">u8"), ("low", ">u8")])


@dataclass(frozen=True)
class Texts:
    """All different texts of some corpora, in the order of their first places.

    Attributes
    ----------
    corpus
        The texts, without labels; row numbers below are rows of it.
    digests
        (n,) pairs of whole numbers, a text's each: what `id` writes.
    labels
        The label, or set of labels, that the data gives each text; None for none.
    rows
        How many rows of data they come from.
    contradictions
        Texts that the data gives two labels: where they stand, and what they are. The first counts.
    """

    corpus: Corpus
    digests: NDArray[np.void]
    labels: list[Label | None]
    rows: int
    contradictions: tuple[tuple[str, Label, Label], ...]

    @classmethod
    def of(cls, corpora: Sequence[Corpus], source: str) -> Texts:
        """Of what was read, file by file."""
        chunks = [chunk for corpus in corpora for chunk in corpus.texts.chunks]
        texts = pa.chunked_array(chunks, pa.large_string())
        digests = _digests(texts)
        _, first, number = np.unique(digests, return_index=True, return_inverse=True)
        order = np.argsort(first)  # of the different texts, by where they come up first
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        kept = first[order]
        origin = Origin.joined([corpus.origin for corpus in corpora])
        notes = tuple(note for corpus in corpora for note in corpus.notes)
        whole = Corpus.assembled(
            texts, None, (), {}, source=source, notes=notes, incidents=[i for c in corpora for i in c.incidents],
            origin=origin,
        )  # fmt: skip
        given = [label for corpus in corpora for label in labels_given(corpus)]
        labels, contradictions = _of_each(given, rank[number.ravel()], len(kept), origin)
        distinct = whole if len(kept) == len(texts) else whole.select(kept)
        return cls(distinct, digests[kept], labels, len(texts), contradictions)

    def __len__(self) -> int:
        return len(self.corpus)

    def id(self, row: int) -> str:
        """The digest of a text, as lines of the journal name it."""
        return f"sha256:{self.digests[row].tobytes().hex()}"

    def ids(self, rows: Sequence[int] | NDArray[np.int64]) -> list[str]:
        """The digests of some texts."""
        return [f"sha256:{piece.tobytes().hex()}" for piece in self.digests[np.asarray(rows, np.int64)]]

    def rows_of(self, ids: Sequence[str]) -> NDArray[np.int64]:
        """The rows of many texts by their digests; -1 for those that are not among these."""
        if not len(self) or not ids:
            return np.full(len(ids), -1)
        wanted = np.frombuffer(bytes.fromhex("".join(id.removeprefix("sha256:") for id in ids)), _WORDS)
        at = np.searchsorted(self._sorted_high, wanted["high"].astype(np.uint64))
        found = self._order[np.minimum(at, len(self) - 1)]
        found = np.where(self.digests[found] == wanted, found, -1)
        for place in np.flatnonzero(found < 0).tolist():  # also one of two digests that begin alike
            row = self.row(ids[place])
            found[place] = -1 if row is None else row
        return found

    def row(self, id: str) -> int | None:
        """The row of a text; None where it is not among these. Of an id, the first 16 digits are enough."""
        digits = id.removeprefix("sha256:").lower()
        if len(digits) not in (16, DIGITS) or not set(digits) <= set("0123456789abcdef"):
            return None
        high = np.uint64(int(digits[:16], 16))
        begin, end = (int(np.searchsorted(self._sorted_high, high, side)) for side in ("left", "right"))
        candidates = self._order[begin:end]
        if len(digits) == DIGITS:
            low = int(digits[16:], 16)
            candidates = candidates[self.digests["low"][candidates] == low]
        return int(candidates[0]) if len(candidates) == 1 else None

    @property
    def notes(self) -> list[str]:
        """What is to be known of copies and contradictions, in sentences."""
        notes = []
        if self.contradictions:
            place, one, other = self.contradictions[0]
            notes.append(
                f"{counted(len(self.contradictions), 'text has', 'texts have')} two labels in the data, as at {place} "
                f"({read_label(one)} and {read_label(other)}); the first counts until somebody decides"
            )
        return notes

    @cached_property
    def _order(self) -> NDArray[np.int64]:
        return np.argsort(self.digests["high"].astype(np.uint64), kind="stable")

    @cached_property
    def _sorted_high(self) -> NDArray[np.uint64]:
        return self.digests["high"].astype(np.uint64)[self._order]


def read_label(label: Label | None) -> str:
    """A label as a person reads it; several with commas between them.

    Examples
    --------
    >>> read_label("spam"), read_label(("city", "sport")), read_label(()), read_label(None)
    ('spam', 'city, sport', 'no label', '')
    """
    if label is None or isinstance(label, str):
        return label or ""
    return ", ".join(label) or "no label"


def labels_given(corpus: Corpus) -> Iterator[Label | None]:
    """What the data says of each row; an empty label, or an empty set, is none."""
    if corpus.labels is None:
        return iter([None] * len(corpus))
    return (label or None for _, label in corpus) if corpus.task == "labels" else _sets(corpus)


def _sets(corpus: Corpus) -> Iterator[Label | None]:
    return (names or None for names in corpus.label_sets.names(corpus.label_names))


def _digests(texts: pa.ChunkedArray) -> NDArray[np.void]:
    size = DIGITS // 2
    found = bytearray(size * len(texts))
    at = 0
    for chunk in texts.iterchunks():
        for text in chunk.cast(pa.large_binary()).to_pylist():
            found[at : at + size] = hashlib.sha256(text).digest()[:size]
            at += size
    return np.frombuffer(bytes(found), _WORDS)


def _of_each(
    given: Sequence[Label | None], number: NDArray[np.int64], n: int, origin: Origin
) -> tuple[list[Label | None], tuple[tuple[str, Label, Label], ...]]:
    """The first label of each text, and the texts that have another one elsewhere."""
    labels: list[Label | None] = [None] * n
    others: dict[int, tuple[str, Label, Label]] = {}
    for row, (text, label) in enumerate(zip(number.tolist(), given, strict=True)):
        if label is None:
            continue
        known = labels[text]
        if known is None:
            labels[text] = label
        elif set(known if isinstance(known, tuple) else (known,)) != set(
            label if isinstance(label, tuple) else (label,)
        ):
            others.setdefault(text, (origin.place(row), known, label))
    return labels, tuple(others.values())
