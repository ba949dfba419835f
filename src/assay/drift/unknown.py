"""Whether new texts hold more that is unknown than texts of before did.

The novelty of a text is that of `assay.prediction.Novelty`, by the model; or, beside texts of before, what of its words
a part of these does not have, the rest of them being what the new texts are held against. A few texts from elsewhere
lie in the tail: it is asked whether more of the new texts lie beyond what one in ten and one in a hundred of the
others reached, by Fisher's exact test, both together by Bonferroni's rule.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.evaluation.uncertainty.estimate import Estimate
from assay.evaluation.uncertainty.shares import share
from assay.features.documents import as_documents
from assay.prediction.known_ngrams import KnownNgrams, read_ngrams
from assay.prediction.novelty import reading_of
from assay.prediction.probabilities import Floats

__all__ = ["TAILS", "UnknownTest", "compare_novelty", "novelty_beside"]

TAILS = (0.1, 0.01)  # of the texts of before
_SHARE_LEARNED = 0.6  # of the texts of before, where they are divided
_COLUMNS = 2**20


@dataclass(frozen=True)
class UnknownTest:
    """How many new texts are novel.

    Attributes
    ----------
    n_before, n_new
        Texts that were compared.
    novel
        Share of the new texts that are as novel as one in ten of the texts of before was; and one in a hundred.
    p_value
        Of more such texts than before, one-sided.
    could_be_seen
        Share of texts from elsewhere, wholly unlike, that would have been found in four of five cases.
    """

    n_before: int
    n_new: int
    novel: tuple[Estimate, Estimate]
    p_value: float
    could_be_seen: float


def compare_novelty(before: Floats, new: Floats, n_before: int, *, level: float) -> UnknownTest:
    """Test whether novelty has grown.

    Parameters
    ----------
    before
        Novelty of texts of before, or quantiles of it.
    new
        Novelty of new texts.
    n_before
        How many texts of before there were.
    level
        Of intervals.

    Examples
    --------
    >>> rising = np.linspace(0, 1, 101)
    >>> found = compare_novelty(rising, np.r_[np.linspace(0, 1, 900), np.ones(100)], 4000, level=0.95)
    >>> found.novel[0].cell(), found.p_value < 1e-6
    ('0.190 [0.167, 0.215]', True)
    """
    from scipy.stats import hypergeom

    novel, p_values = [], []
    for tail in TAILS:
        limit = float(np.quantile(before, 1 - tail, method="higher"))
        beyond_before = round(float((before >= limit).mean()) * n_before)
        beyond = int((new >= limit).sum())
        novel.append(share(beyond, new.size, level))
        together = n_before + new.size
        p_values.append(float(hypergeom.sf(beyond - 1, together, beyond_before + beyond, new.size)))
    p_value = min(1.0, len(TAILS) * min(p_values))
    return UnknownTest(n_before, new.size, (novel[0], novel[1]), p_value, _could_be_seen(n_before, new.size))


def _could_be_seen(n_before: int, n_new: int) -> float:
    """By the normal approximation, at 5 % over both tails, in four of five cases; the smaller of the two."""
    found = []
    for tail in TAILS:
        spread = np.sqrt(tail * (1 - tail) * (1 / n_before + 1 / n_new))
        found.append((1.96 + 0.84) * spread / (1 - tail) + 1 / n_new)
    return float(min(1.0, min(found)))


def novelty_beside(old: object, new: object, *, words: bool, seed: int, threads: int) -> tuple[Floats, Floats]:
    """What of each text is unknown to a part of the old texts: of the other old texts, and of the new.

    Parameters
    ----------
    old, new
        Arrow arrays of texts.
    words
        Whether blanks divide words; otherwise characters are looked at.
    seed
        Which of the old texts are the part.
    threads
        They change no bit.
    """
    from assay.data.arrays import integer_array

    texts: object = old
    n = len(texts)  # type: ignore[arg-type]
    learned = np.zeros(n, bool)
    learned[np.random.default_rng(seed).permutation(n)[: int(n * _SHARE_LEARNED)]] = True
    analysis = reading_of("words" if words else "characters")

    def taken(rows: np.ndarray) -> object:
        return as_documents(texts.take(integer_array(np.flatnonzero(rows))))  # type: ignore[attr-defined]

    rows = read_ngrams(taken(learned), analysis, _COLUMNS, threads)
    known = KnownNgrams.of_counts(analysis, int(learned.sum()), np.bincount(rows.columns, minlength=_COLUMNS))
    return 1 - known.shares(taken(~learned), threads), 1 - known.shares(as_documents(new), threads)  # type: ignore[arg-type]
