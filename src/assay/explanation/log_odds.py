"""Which n-grams tell a class from the rest: the log-odds ratio of their document frequencies.

Of the n documents of a class a contain the n-gram, of the m others b do. With half a document added to each
of the four cells (Haldane and Anscombe), so that no logarithm is infinite,

    log-odds ratio  λ = log (a + ½)/(n − a + ½) − log (b + ½)/(m − b + ½)
    its variance    σ² = 1/(a + ½) + 1/(n − a + ½) + 1/(b + ½) + 1/(m − b + ½)

and the score is z = λ/σ: by how many standard errors the n-gram's log-odds in the class exceed those
elsewhere. λ alone would put n-grams first that were seen once.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.arguments import in_our_words

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["TellingNgram", "log_odds", "telling_ngrams"]


@dataclass(frozen=True)
class TellingNgram:
    """An n-gram that is more frequent in one class than in the others.

    Attributes
    ----------
    ngram
        Its words, separated by spaces.
    score
        z: standard errors by which its log-odds in the class exceed those elsewhere.
    inside, outside
        How many documents of the class, and of the others, contain it.
    """

    ngram: str
    score: float
    inside: int
    outside: int


@in_our_words
def telling_ngrams(
    corpus: Corpus,
    *,
    ngram_range: tuple[int, int] = (1, 2),
    min_df: int = 3,
    max_df: float = 1.0,
    top: int = 5,
    leave_out: Collection[str] = (),
    characters: bool = False,
) -> dict[str, list[TellingNgram]]:
    """Find the `top` most telling n-grams of each class, best first; classes in order of first appearance.

    An n-gram that contains, or is contained in, a better one of the same class is left out.

    Parameters
    ----------
    corpus
        Labelled texts.
    ngram_range
        Shortest and longest n-gram, in words.
    min_df
        In how many texts an n-gram has to occur to be considered.
    max_df
        In which share of all texts it may occur at most.
    top
        How many to name for each class; fewer where fewer are more frequent than elsewhere.
    leave_out
        Words that no n-gram may begin or end with.
    characters
        Take n-grams of characters inside stretches of letters: for scripts without blanks between words.

    References
    ----------
    Haldane (1956), *The estimation and significance of the logarithm of a ratio of frequencies*;
    Monroe, Colaresi & Quinn (2008), *Fightin' Words*, section 3.

    Examples
    --------
    >>> import assay
    >>> corpus = assay.read((["good film", "good book", "bad film", "bad book"], ["+", "+", "-", "-"]))
    >>> found = telling_ngrams(corpus, min_df=1)
    >>> [item.ngram for item in found["+"]]
    ['good']
    """
    from assay.features import CountVectorizer

    vectorizer = CountVectorizer(
        ngram_range=ngram_range, min_df=min_df, binary=True, analyzer="char" if characters else "word"
    )
    X = vectorizer.fit_transform(corpus)
    names: list[str] = vectorizer.get_feature_names_out().tolist()
    ends = [name.split(" ") for name in names] if leave_out else []
    usable = np.array([not (words[0] in leave_out or words[-1] in leave_out) for words in ends] or [True] * len(names))
    if characters:
        usable &= np.array([_of_letters(name) for name in names], bool)
    found = {}
    for index, label in enumerate(corpus.label_names):
        member = corpus.classes == index
        n = int(member.sum())
        inside, outside = frequencies(X, member), frequencies(X, ~member)
        scores = log_odds(inside, n, outside, len(corpus) - n)
        rare = usable & (inside + outside <= max_df * len(corpus))
        ranking = (int(i) for i in np.argsort(-scores, kind="stable") if scores[i] > 0 and rare[i])
        found[label] = [
            TellingNgram(names[i], float(scores[i]), int(inside[i]), int(outside[i]))
            for i in distinct(ranking, names, top, between="" if characters else " ")
        ]
    return found


def _of_letters(ngram: str) -> bool:
    """Whether an n-gram of characters is letters and their marks, and begins with a letter."""
    return ngram[0].isalpha() and all(unicodedata.category(character)[0] in "LM" for character in ngram)


def frequencies(X: Any, rows: NDArray[np.bool_]) -> NDArray[np.int64]:
    """In how many of `rows` each column occurs."""
    return np.asarray(X[rows].sum(axis=0), dtype=np.int64).ravel()


def log_odds(inside: NDArray[np.int64], n: int, outside: NDArray[np.int64], m: int) -> NDArray[np.float64]:
    """z-scores of the log-odds ratio, from document frequencies among `n` documents and `m` others.

    Examples
    --------
    >>> log_odds(np.array([2, 1]), 2, np.array([0, 1]), 2).round(3)
    array([1.469, 0.   ])
    """
    cells = [inside + 0.5, n - inside + 0.5, outside + 0.5, m - outside + 0.5]
    ratio = np.log(cells[0] / cells[1]) - np.log(cells[2] / cells[3])
    z: NDArray[np.float64] = ratio / np.sqrt(sum(1 / cell for cell in cells))
    return z


def distinct(ranking: Iterable[int], names: Sequence[str], top: int, between: str = " ") -> list[int]:
    """The first `top` of `ranking` of which none contains another; `between` stands between the units of a name."""
    kept: list[int] = []
    for i in ranking:
        padded = f"{between}{names[i]}{between}"
        if not any(padded in (other := f"{between}{names[j]}{between}") or other in padded for j in kept):
            kept.append(i)
        if len(kept) == top:
            break
    return kept
