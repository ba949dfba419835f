"""A text as the ids of its words: what co-occurrence and word2vec go through, several times.

The ids are ranks: 0 is the most frequent word. They stand in memory up to a limit, and beyond it in a temporary file
that is mapped into memory, so that the system keeps only as much of it there as it has room for.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Any, Literal, Self

import numpy as np
import numpy.typing as npt

from assay import _native
from assay.embeddings.sentences import Sentences
from assay.embeddings.training_progress import OnProgress, ProgressTeller
from assay.errors import DataError
from assay.features.ngrams.string_arrays import strings_from_arrays
from assay.suggest import counted
from assay.threads import count_threads
from assay.wording import setting

__all__ = ["BOUNDARY", "EncodedText", "WordNumbers", "encode_text"]

BOUNDARY = -1
"""Stands behind every sequence of ids."""

MEMORY = 1 << 28
"""Bytes of ids that are kept in memory."""

_BLOCK = 1 << 22
_DROPPED = -2

Ids = npt.NDArray[np.int32]


@dataclass(frozen=True)
class WordNumbers:
    """The words that are kept, by falling count; words that come equally often in the order of first appearance."""

    words: list[str]
    counts: npt.NDArray[np.int64]


@dataclass(frozen=True)
class EncodedText:
    """A text as ranks of words.

    Parameters
    ----------
    vocabulary
        The words.
    ids
        Their ranks in the order of the text, `BOUNDARY` behind every sequence; rarer words are left out.
    n_words
        How many words the text has, rarer ones included.
    n_distinct
        How many different words it has, rarer ones included.
    notes
        What was noticed while reading.
    """

    vocabulary: WordNumbers
    ids: Ids
    n_words: int
    n_distinct: int
    notes: tuple[str, ...]

    def renumber(self, rank: Ids) -> None:
        """Replace the ids, in place, by those of another list of words."""
        _renumber(self.ids, np.append(rank, np.int32(BOUNDARY)))

    def pieces(self, size: int) -> Iterator[Ids]:
        """Cut into pieces of `size` ids; a sequence may be cut in two."""
        for begin in range(0, len(self.ids), size):
            yield np.ascontiguousarray(self.ids[begin : begin + size])


def encode_text(
    source: Any,
    *,
    unit: Literal["document", "sentence"],
    punctuation: bool,
    lowercase: bool,
    min_count: int,
    max_words: int | None,
    known: Sequence[str] = (),
    n_jobs: int | None = None,
    on_progress: OnProgress | None = None,
    **reading: Any,
) -> EncodedText:
    """Read a source once; see `Sentences` for `source` and `reading`, and `assay.embeddings.Word2Vec` for the others.

    Words that are `known` already are kept however rare they are.
    """
    sentences = Sentences(source, **reading)
    reader = _native.WordReader(
        sentences.analysis(lowercase=lowercase).native, by_sentence=unit == "sentence", keep_punctuation=punctuation
    )
    teller = ProgressTeller(on_progress, "reading")
    n_words = 0
    with _Spool() as spool:
        for batch in sentences:
            ids = reader.read(batch.documents, count_threads(n_jobs))
            n_words += int(np.count_nonzero(ids != BOUNDARY))
            spool.append(ids)
            teller.tell(n_words, batch.share_done)
        first_ids = spool.finish()
    if not n_words:
        raise DataError("The text has no words. Give at least one text with a letter or a digit in it.")
    counts = reader.counts()
    kept = _choose(reader, counts, min_count, max_words, known)
    rank = np.full(len(counts) + 1, _DROPPED, np.int32)
    rank[kept] = np.arange(len(kept), dtype=np.int32)
    rank[BOUNDARY] = BOUNDARY
    vocabulary = WordNumbers(strings_from_arrays(*reader.words(kept.astype(np.int32))), counts[kept])
    return EncodedText(vocabulary, _renumber(first_ids, rank), n_words, len(counts), tuple(sentences.notes))


def _choose(
    reader: Any, counts: npt.NDArray[np.int64], min_count: int, max_words: int | None, known: Sequence[str]
) -> npt.NDArray[np.intp]:
    """The words that are kept, as first ids by falling count."""
    held = np.zeros(len(counts), bool)
    if known:
        names = strings_from_arrays(*reader.words(np.arange(len(counts), dtype=np.int32)))
        known_words = set(known)
        held[:] = [name in known_words for name in names]
    order = np.argsort(-counts, kind="stable")
    new = order[(counts >= min_count)[order] & ~held[order]]
    if max_words is not None:
        new = new[: max(0, max_words - len(known))]
    kept = held.copy()
    kept[new] = True
    if not kept.any():
        raise DataError(
            f"No word of the text comes {counted(min_count, 'time', 'times')} or more, as "
            f"{setting('min_count', min_count)} asks for: of "
            f"{counted(len(counts), 'different word', 'different words')} the most frequent comes "
            f"{counted(int(counts.max()), 'time', 'times')}. Lower it, or give more text."
        )
    return order[kept[order]]


def _renumber(ids: Ids, rank: Ids) -> Ids:
    """Replace ids, in place, and leave out those that are dropped; the last of `rank` is for the boundary, -1."""
    end = 0
    for begin in range(0, len(ids), _BLOCK):
        ranks = rank[ids[begin : begin + _BLOCK]]
        ranks = ranks[ranks != _DROPPED]
        ids[end : end + len(ranks)] = ranks
        end += len(ranks)
    return ids[:end]


class _Spool:
    """Ids as they come, first in memory, then in a file."""

    def __init__(self) -> None:
        self._parts: list[Ids] = []
        self._bytes = 0
        self._file: IO[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def append(self, ids: Ids) -> None:
        self._parts.append(ids)
        self._bytes += ids.nbytes
        if self._bytes > MEMORY:
            self._flush()

    def finish(self) -> Ids:
        """All of them, in memory or mapped into it; the file goes away with the map."""
        if self._file is None:
            return np.concatenate(self._parts) if self._parts else np.empty(0, np.int32)
        self._flush()
        return np.memmap(self._file, np.int32, "r+")

    def _flush(self) -> None:
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="assay-")  # noqa: SIM115  (closed with the spool)
        for part in self._parts:
            self._file.write(part.data)
        self._parts = []
        self._bytes = 0
