"""What a cluster is about: the n-grams that tell it from the others, and the documents nearest to its centre."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.arguments import in_our_words
from assay.data.arrays import integer_array
from assay.data.corpus.corpus import Corpus
from assay.explanation.log_odds import TellingNgram, telling_ngrams

__all__ = ["Cluster", "describe_clusters"]


@dataclass(frozen=True)
class Cluster:
    """One cluster, described.

    Attributes
    ----------
    number
        From 0.
    size
        Documents in it.
    telling
        N-grams that are more frequent in it than elsewhere, by the log-odds of their document frequencies.
    typical
        Rows of the documents that are nearest to its centre, nearest first.
    distances
        Their distances.
    labels
        Where the documents have labels, how many of its documents have each, the most frequent first.
    """

    number: int
    size: int
    telling: tuple[TellingNgram, ...]
    typical: tuple[int, ...]
    distances: tuple[float, ...]
    labels: tuple[tuple[str, int], ...] = ()

    @property
    def name(self) -> str:
        """Its three most telling n-grams."""
        return ", ".join(item.ngram for item in self.telling[:3]) or f"cluster {self.number}"


@in_our_words
def describe_clusters(
    corpus: Corpus,
    clusters: npt.ArrayLike,
    distances: npt.ArrayLike,
    *,
    words: int = 8,
    documents: int = 3,
    leave_out: Collection[str] = (),
    characters: bool = False,
) -> tuple[Cluster, ...]:
    """Describe each cluster by its words and documents.

    Parameters
    ----------
    corpus
        The texts.
    clusters
        Cluster of each, from 0; -1 for texts that are in none.
    distances
        Distance of each to the centre of its cluster.
    words, documents
        How many to name; fewer where there are fewer. A text that another repeats word by word is named once.
    leave_out
        Words that name nothing.
    characters
        Name by two to four characters in the place of words: for scripts without blanks between words.

    Examples
    --------
    >>> corpus = Corpus(["good film", "good book", "bad film", "bad song"])
    >>> found = describe_clusters(corpus, [0, 0, 1, 1], [0.1, 0.2, 0.1, 0.1])
    >>> [(cluster.telling[0].ngram, cluster.typical) for cluster in found]
    [('good', (0, 1)), ('bad', (2, 3))]
    """
    numbers, apart = np.asarray(clusters), np.asarray(distances, dtype=np.float64)
    assigned = np.flatnonzero(numbers >= 0)
    named = Corpus(corpus.texts.take(integer_array(assigned)), [str(number) for number in numbers[assigned].tolist()])
    # The least frequent n-grams are noise, and those of most texts say nothing; but a handful may have no others.
    rarest, commonest = (1, 1.0) if len(assigned) < 50 else (3, 0.5)
    size = (2, 4) if characters else (1, 2)
    telling = telling_ngrams(
        named,
        ngram_range=size,
        min_df=rarest,
        max_df=commonest,
        top=words,
        leave_out=() if characters else leave_out,
        characters=characters,
    )
    found = []
    for number in range(int(numbers.max()) + 1):
        rows = np.flatnonzero(numbers == number)
        nearest = _different(corpus, rows[np.argsort(apart[rows], kind="stable")], documents)
        found.append(
            Cluster(
                number,
                len(rows),
                tuple(item for item in telling.get(str(number), ()) if item.inside),
                tuple(nearest),
                tuple(float(apart[row]) for row in nearest),
                _labels(corpus, rows),
            )
        )
    return tuple(found)


def _different(corpus: Corpus, rows: Sequence[int] | npt.NDArray[Any], n: int) -> list[int]:
    """The first n rows with different texts."""
    seen: dict[str, int] = {}
    for row in rows:
        seen.setdefault(corpus[int(row)].text, int(row))
        if len(seen) == n:
            break
    return list(seen.values())


def _labels(corpus: Corpus, rows: npt.NDArray[np.intp]) -> tuple[tuple[str, int], ...]:
    if corpus.labels is None:
        return ()
    counts = Counter(corpus.classes[rows].tolist())
    return tuple((corpus.label_names[index], n) for index, n in sorted(counts.items(), key=lambda item: -item[1]))
