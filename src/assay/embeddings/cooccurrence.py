"""Who stands near whom: counts of pairs of words in a window, and their positive pointwise mutual information."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

from assay import _native
from assay.embeddings.encoded_text import encode_text
from assay.embeddings.settings import MOST_REACH, check_number, check_whole
from assay.embeddings.training_progress import OnProgress, ProgressTeller
from assay.errors import NotFittedError
from assay.suggest import check_choice
from assay.temporary_files import remember
from assay.threads import count_threads
from assay.wording import parameter

__all__ = ["Cooccurrence"]

_PIECE = 1 << 20
_BYTES_A_PENDING_PAIR = 16  # its key, and as much again while they are sorted
_BYTES_A_COUNTED_PAIR = 16
_LEAST_MEMORY = 32 << 20
_LEAST_CAPACITY = 1 << 16  # pairs


class Cooccurrence:
    """How often each word stands at most `window` positions from each other.

    The matrix is symmetric: a pair of words is counted in both of its places, and a word beside itself twice, once
    from each side. Words that are left out (rare ones, punctuation) take up no position.

    Parameters
    ----------
    window
        How far the window reaches to each side.
    unit
        ``"document"``: windows reach over the sentences of a text; ``"sentence"``: they end with a sentence.
    punctuation
        Whether marks of punctuation are words too; otherwise they are passed over.
    lowercase
        Whether words that differ only in case are the same.
    min_count
        How often a word must come to be kept.
    max_words
        How many words to keep at most, the most frequent ones; None for all.
    min_pair_count
        Pairs that are met less often are left out of the matrix.
    memory
        About how many bytes the counting may take beside the matrix itself, at least 32 MB. What does not fit is
        kept in a temporary folder until the end, which `notes_` then says.
    n_jobs
        Threads; None for one a core. The result does not depend on it.
    on_progress
        Called now and then with a `TrainingProgress`.

    Attributes
    ----------
    words_
        The words, by falling count.
    counts_
        How often each comes.
    matrix_
        The counts of pairs: rows and columns in the order of `words_`.
    n_words_, n_distinct_
        How many words the text has, and how many different ones, rare ones included.
    notes_
        What was noticed on the way, in sentences.

    Examples
    --------
    >>> counts = Cooccurrence(window=1, min_count=1).fit(["Bread and butter and jam."])
    >>> counts.words_
    ['and', 'bread', 'butter', 'jam']
    >>> counts.matrix_.toarray()[0].tolist()
    [0, 1, 2, 1]
    >>> counts.ppmi(smoothing=1).toarray()[0].round(2)
    array([0.  , 0.69, 0.69, 0.69], dtype=float32)

    References
    ----------
    Levy, Goldberg & Dagan (2015) for shift and smoothing. Readable version with its trace:
    `assay.textbook.cooccurrence`.
    """

    words_: list[str]
    counts_: npt.NDArray[np.int64]
    matrix_: csr_matrix
    n_words_: int
    n_distinct_: int
    notes_: tuple[str, ...]

    def __init__(
        self,
        window: int = 5,
        *,
        unit: Literal["document", "sentence"] = "document",
        punctuation: bool = False,
        lowercase: bool = True,
        min_count: int = 5,
        max_words: int | None = None,
        min_pair_count: int = 1,
        memory: int = 1 << 30,
        n_jobs: int | None = None,
        on_progress: OnProgress | None = None,
    ) -> None:
        self.window = window
        self.unit = unit
        self.punctuation = punctuation
        self.lowercase = lowercase
        self.min_count = min_count
        self.max_words = max_words
        self.min_pair_count = min_pair_count
        self.memory = memory
        self.n_jobs = n_jobs
        self.on_progress = on_progress

    def fit(self, source: Any, **reading: Any) -> Self:
        """Count a text.

        Parameters
        ----------
        source
            Whatever `assay.read` takes (labels are not looked at), an iterator of texts, or a list or iterator of
            token lists, whose tokens are taken as they are.
        reading
            Settings of `assay.read` for files: `text`, `format`, `encoding`, `errors`, `delimiter`, `quotes`, `names`,
            `sheet`.
        """
        self._check_settings()
        encoded = encode_text(
            source,
            unit=self.unit,
            punctuation=self.punctuation,
            lowercase=self.lowercase,
            min_count=self.min_count,
            max_words=self.max_words,
            n_jobs=self.n_jobs,
            on_progress=self.on_progress,
            **reading,
        )
        words, counts = encoded.vocabulary.words, encoded.vocabulary.counts
        threads = count_threads(self.n_jobs)
        teller = ProgressTeller(self.on_progress, "counting")
        # Half of the memory for pairs as they come, half for those that are counted.
        capacity = max(_LEAST_CAPACITY, self.memory // 2 // threads // _BYTES_A_PENDING_PAIR)
        with _Runs(len(words), self.memory // 2) as runs:
            counter = _native.PairCounter(len(words), int(self.window), capacity, threads)
            for begin in range(0, len(encoded.ids), _PIECE):
                before = min(begin, int(self.window))  # a window may begin in the piece before
                piece = np.ascontiguousarray(encoded.ids[begin - before : begin + _PIECE])
                for run in counter.add(piece, before):
                    runs.append(run)
                share = min(1.0, (begin + _PIECE) / len(encoded.ids))
                teller.tell(round(share * encoded.n_words), share)
            for run in counter.finish():
                runs.append(run)
            least = int(self.min_pair_count)
            row_begin, columns, values = _native.merge_pairs(runs.everything(), len(words), least, threads)
            notes = runs.notes()
        self.matrix_ = csr_matrix((values, columns, row_begin), shape=(len(words), len(words)))
        self.matrix_.has_sorted_indices = True
        self.words_, self.counts_ = words, counts
        self.n_words_, self.n_distinct_ = encoded.n_words, encoded.n_distinct
        self.notes_ = (*encoded.notes, *notes)
        return self

    def ppmi(self, *, shift: float = 1.0, smoothing: float = 0.75) -> csr_matrix:
        """Give max(0, ln(P(w, c) / P(w) P(c)) - ln shift) for every pair, as a sparse matrix of float32.

        Parameters
        ----------
        shift
            k of the shifted PPMI: what skip-gram with k negatives factorises. 1 shifts nothing.
        smoothing
            P(c) ∝ count(c)^smoothing: rare contexts get less than their share of attention. 1 smooths nothing.
        """
        check_number("ppmi", "shift", shift, least=1)
        check_number("ppmi", "smoothing", smoothing, least=0, most=1)
        if not hasattr(self, "matrix_"):
            raise NotFittedError("This Cooccurrence has not counted anything yet. Call fit with a text first.")
        return _ppmi(self.matrix_, shift, smoothing)

    def _check_settings(self) -> None:
        check_whole("Cooccurrence", "window", self.window, least=1, most=MOST_REACH)
        for name in ("min_count", "min_pair_count"):
            check_whole("Cooccurrence", name, getattr(self, name), least=1)
        check_choice(parameter("unit", of="Cooccurrence"), self.unit, ("document", "sentence"))
        if self.max_words is not None:
            check_whole("Cooccurrence", "max_words", self.max_words, least=1)
        check_whole("Cooccurrence", "memory", self.memory, least=_LEAST_MEMORY)


def _ppmi(counts: csr_matrix, shift: float, smoothing: float) -> csr_matrix:
    of_word = np.asarray(counts.sum(axis=1), dtype=np.float64).ravel()
    smoothed = of_word**smoothing
    with np.errstate(divide="ignore"):  # a word that stands alone has no pair in which it could matter
        log_word, log_context, log_total = np.log(of_word), np.log(smoothed), np.log(smoothed.sum())
    values = np.log(counts.data) + (log_total - np.log(shift))
    values -= np.repeat(log_word, np.diff(counts.indptr))
    values -= log_context[counts.indices]
    positive = np.maximum(values, 0).astype(np.float32)
    result = csr_matrix((positive, counts.indices, counts.indptr), shape=counts.shape, copy=True)
    result.eliminate_zeros()
    return result


class _Runs:
    """Sorted runs of counted pairs, in memory up to a limit, beyond it in a temporary folder."""

    def __init__(self, n_words: int, memory: int) -> None:
        self._n_words = n_words
        self._memory = memory
        self._held: list[tuple[Any, Any]] = []
        self._mapped: list[tuple[Any, Any]] = []
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._bytes_on_disk = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._mapped = []
        if self._folder is not None:
            self._folder.cleanup()

    def append(self, run: tuple[Any, Any]) -> None:
        self._held.append(run)
        if self._size() <= self._memory:
            return
        self._held = [_native.merge_pair_runs(self._held, self._n_words)]
        if self._size() > self._memory // 2:
            self._spill(self._held.pop())

    def everything(self) -> list[tuple[Any, Any]]:
        return self._mapped + self._held

    def notes(self) -> list[str]:
        if not self._mapped:
            return []
        megabytes = self._bytes_on_disk / 1e6
        return [
            f"{megabytes:,.0f} MB of counted pairs were kept in a temporary folder, as memory={self._memory * 2:,} was "
            "not enough for them."
        ]

    def _size(self) -> int:
        return sum(len(keys) for keys, _ in self._held) * _BYTES_A_COUNTED_PAIR

    def _spill(self, run: tuple[Any, Any]) -> None:
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="assay-")
            remember(self._folder.name)
        number = len(self._mapped)
        mapped = []
        for name, values in zip(("keys", "counts"), run, strict=True):
            path = Path(self._folder.name) / f"{number}-{name}"
            values.tofile(path)
            self._bytes_on_disk += values.nbytes
            mapped.append(np.memmap(path, values.dtype, "r"))
        self._mapped.append((mapped[0], mapped[1]))
