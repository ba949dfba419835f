"""How well the similarity of vectors agrees with what people say about pairs of words."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from assay.embeddings.judging import MOST_FREQUENT, known_rows, lines_of
from assay.embeddings.word_vectors import WordVectors
from assay.errors import DataError

__all__ = ["SimilarityScore", "evaluate_similarity"]


@dataclass(frozen=True)
class SimilarityScore:
    """Agreement of vectors and people.

    Attributes
    ----------
    name
        Of the file.
    spearman
        Correlation of the ranks of cosines and judgements, from -1 to 1; NaN where one of them never changes.
    pearson
        Correlation of the values themselves.
    n_pairs
        Pairs that were compared.
    n_unknown
        Pairs that were left out, because a word has no vector.
    skipped
        Numbers of the lines that are neither a pair nor a comment nor empty.
    """

    name: str
    spearman: float
    pearson: float
    n_pairs: int
    n_unknown: int
    skipped: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}: Spearman {self.spearman:.3f} ({self.n_pairs:,} pairs; {self.n_unknown:,} unknown)"


def evaluate_similarity(
    vectors: WordVectors,
    path: str | os.PathLike[str],
    *,
    restrict: int | None = MOST_FREQUENT,
    case_sensitive: bool = False,
) -> SimilarityScore:
    r"""Compare cosines with judgements, such as those of WordSim-353, SimLex-999 or MEN, as gensim does.

    Parameters
    ----------
    vectors
        Word vectors, the most frequent words first.
    path
        A file with two words and a number a line, divided by tabs (or, where there is none, by spaces); ``#`` begins a
        comment.
    restrict
        Only the first so many words count as known; None for all.
    case_sensitive
        Whether *Apple* and *apple* are different; if not, the more frequent one is meant.

    Examples
    --------
    >>> import tempfile
    >>> vectors = WordVectors(["tea", "coffee", "car"], [[1, 0.2], [1, 0], [0, 1]])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "pairs.tsv").write_text("tea\tcoffee\t9.1\ntea\tcar\t1\ncoffee\tcar\t0.5\n")
    ...     print(evaluate_similarity(vectors, f"{folder}/pairs.tsv"))
    pairs.tsv: Spearman 1.000 (3 pairs; 0 unknown)
    """
    rows = known_rows(vectors.words, restrict, case_sensitive)
    judged, first, second, skipped, n_unknown = [], [], [], [], 0
    for number, line in lines_of(path):
        if line.startswith("#") or not line.strip():
            continue
        fields = line.split("\t") if "\t" in line else line.split()
        judgement = _number(fields[2]) if len(fields) == 3 else None
        if judgement is None:
            skipped.append(number)
            continue
        one, two = (field if case_sensitive else field.upper() for field in fields[:2])
        if one not in rows or two not in rows:
            n_unknown += 1
            continue
        judged.append(judgement)
        first.append(rows[one])
        second.append(rows[two])
    if len(judged) < 2:
        found = f"{n_unknown:,} pairs have words without vectors, and {len(skipped):,} lines are no pairs" + (
            f", the first of them line {skipped[0]}" if skipped else ""
        )
        raise DataError(
            f"{path}: fewer than two pairs of words have vectors: {found}. A line is two words and a number, divided "
            "by tabs."
        )
    cosines = np.einsum("ij,ij->i", vectors.unit_rows[first], vectors.unit_rows[second])
    spearman, pearson = _correlations(np.array(judged), cosines)
    return SimilarityScore(Path(path).name, spearman, pearson, len(judged), n_unknown, tuple(skipped))


def _number(field: str) -> float | None:
    try:
        return float(field)
    except ValueError:
        return None


def _correlations(judged: np.ndarray, cosines: np.ndarray) -> tuple[float, float]:
    from scipy import stats

    if np.ptp(judged) == 0 or np.ptp(cosines) == 0:
        return float("nan"), float("nan")
    return float(stats.spearmanr(judged, cosines).statistic), float(stats.pearsonr(judged, cosines).statistic)
