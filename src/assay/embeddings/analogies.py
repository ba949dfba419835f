"""How many questions of the kind *man : king = woman : ?* the vectors answer."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from assay.embeddings.judging import MOST_FREQUENT, known_rows, lines_of
from assay.embeddings.word_vectors import WordVectors
from assay.errors import DataError
from assay.suggest import excerpt

__all__ = ["AnalogyScore", "AnalogySection", "evaluate_analogies"]

_BLOCK = 1 << 26  # bytes of cosines at a time
_TRIES = 5  # answers that are looked at: an input written in another case is no answer


@dataclass(frozen=True)
class AnalogySection:
    """Answers to the questions of a section.

    Attributes
    ----------
    name
        As in the file.
    n_correct, n_questions
        Questions answered rightly, and asked.
    n_unknown
        Questions that were left out, because a word has no vector.
    """

    name: str
    n_correct: int
    n_questions: int
    n_unknown: int

    @property
    def accuracy(self) -> float:
        """Share of right answers; NaN without questions."""
        return self.n_correct / self.n_questions if self.n_questions else float("nan")


@dataclass(frozen=True)
class AnalogyScore:
    """Answers to all questions of a file.

    Attributes
    ----------
    name
        Of the file.
    sections
        In the order of the file.
    skipped
        Numbers of the lines that are neither four words nor the name of a section nor empty.
    """

    name: str
    sections: tuple[AnalogySection, ...]
    skipped: tuple[int, ...] = ()

    @property
    def total(self) -> AnalogySection:
        """All sections together."""
        sums = (sum(getattr(s, name) for s in self.sections) for name in ("n_correct", "n_questions", "n_unknown"))
        return AnalogySection("total", *sums)

    @property
    def accuracy(self) -> float:
        """Share of right answers to all questions."""
        return self.total.accuracy

    def __str__(self) -> str:
        width = max(len(section.name) for section in (*self.sections, self.total))
        return "\n".join(
            f"{s.name:<{width}}  {s.accuracy:6.1%}  {s.n_correct:,} of {s.n_questions:,} ({s.n_unknown:,} unknown)"
            for s in (*self.sections, self.total)
        )


def evaluate_analogies(
    vectors: WordVectors,
    path: str | os.PathLike[str],
    *,
    restrict: int | None = MOST_FREQUENT,
    case_sensitive: bool = False,
) -> AnalogyScore:
    r"""Ask the questions of a file such as Google's, and score the answers as gensim does.

    The answer to *a : b = c : ?* is the word nearest to b - a + c that is none of them (3CosAdd).

    Parameters
    ----------
    vectors
        Word vectors, the most frequent words first.
    path
        A file with four words a line, in sections that begin with a line ``: name``.
    restrict
        Only the first so many words are known and answered with; None for all.
    case_sensitive
        Whether *Apple* and *apple* are different; if not, the more frequent one is meant.

    Examples
    --------
    >>> import tempfile
    >>> words = ["king", "man", "woman", "queen", "tree"]
    >>> vectors = WordVectors(words, [[1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [-1, 0.5, 0.5]])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "royal.txt").write_text(": family\nman king woman queen\nman king girl princess\n")
    ...     evaluate_analogies(vectors, f"{folder}/royal.txt").sections
    (AnalogySection(name='family', n_correct=1, n_questions=1, n_unknown=1),)
    """
    rows = known_rows(vectors.words, restrict, case_sensitive)
    questions: list[list[int]] = []
    of_section: list[int] = []
    names: list[str] = []
    unknown: list[int] = []
    skipped: list[int] = []
    for number, line in lines_of(path):
        if line.startswith(": "):
            names.append(line.lstrip(": ").strip())
            unknown.append(0)
            continue
        words = line.split()
        if not words:
            continue
        if not names:
            raise DataError(
                f"{path}, line {number}: the first line must name a section, such as ': family'. Found "
                f"{excerpt(line.strip())}."
            )
        if len(words) != 4:
            skipped.append(number)
            continue
        asked = [rows.get(word if case_sensitive else word.upper(), -1) for word in words]
        if min(asked) < 0:
            unknown[-1] += 1
            continue
        questions.append(asked)
        of_section.append(len(names) - 1)
    if not names:
        raise DataError(f"{path}: there are no questions. A line is four words, in sections that begin with ': name'.")
    right = _answered(vectors, np.array(questions, dtype=np.int64).reshape(-1, 4), restrict, case_sensitive)
    section = np.array(of_section, dtype=np.int64)
    asked_of, right_of = (np.bincount(s, minlength=len(names)).tolist() for s in (section, section[right]))
    sections = tuple(map(AnalogySection, names, right_of, asked_of, unknown))
    return AnalogyScore(Path(path).name, sections, tuple(skipped))


def _answered(
    vectors: WordVectors, questions: npt.NDArray[np.int64], restrict: int | None, case_sensitive: bool
) -> npt.NDArray[np.bool_]:
    """Which questions are answered rightly."""
    units = vectors.unit_rows[:restrict]
    meaning = _meanings(vectors.words[:restrict], case_sensitive)
    right = np.zeros(len(questions), dtype=bool)
    for block in _blocks(len(questions), len(units)):
        a, b, c, expected = questions[block].T
        cosines = (units[b] + units[c] - units[a]) @ units.T
        each = np.arange(len(a))
        for given in (a, b, c):
            cosines[each, given] = -np.inf
        inputs = np.column_stack([meaning[a], meaning[b], meaning[c]])
        answer = cosines.argmax(axis=1)
        for _ in range(_TRIES - 1):
            other_case = np.flatnonzero((meaning[answer][:, None] == inputs).any(axis=1))
            if not len(other_case):
                break
            cosines[other_case, answer[other_case]] = -np.inf
            answer[other_case] = cosines[other_case].argmax(axis=1)
        right[block] = meaning[answer] == meaning[expected]
    return right


def _meanings(words: tuple[str, ...], case_sensitive: bool) -> npt.NDArray[np.int64]:
    """The same number for words that differ only in what does not count."""
    if case_sensitive:
        return np.arange(len(words))
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(word.upper(), i) for i, word in enumerate(words)], dtype=np.int64)


def _blocks(n_questions: int, n_words: int) -> Iterator[slice]:
    size = max(1, _BLOCK // (4 * n_words))
    for begin in range(0, n_questions, size):
        yield slice(begin, begin + size)
