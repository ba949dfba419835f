"""Where a model may have learned that a term is a sign of a label: in the texts that it was trained on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assay.audit.scoring import given_any
from assay.evaluation.uncertainty.shares import fisher_p_value

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["TermEvidence", "term_evidence"]


@dataclass(frozen=True)
class TermEvidence:
    """Training texts with a term.

    Attributes
    ----------
    n
        Texts with the term.
    share, overall
        Share of the outcome among them, and among all texts.
    p_value
        Fisher's exact test of no association.
    """

    n: int
    share: float
    overall: float
    p_value: float


def term_evidence(train: Corpus, terms: Sequence[str], labels: Sequence[str]) -> TermEvidence:
    """How often texts with one of the terms have one of the labels.

    Examples
    --------
    >>> from assay.data.corpus.corpus import Corpus
    >>> corpus = Corpus(["a gay man", "Gay!", "gaily", "fine"] * 10, ["bad", "bad", "good", "good"] * 10)
    >>> found = term_evidence(corpus, ["gay"], ["bad"])
    >>> found.n, found.share, found.overall
    (20, 1.0, 0.5)
    """
    words = "|".join(map(re.escape, sorted(terms, key=len, reverse=True)))
    find = re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE).search
    has_term = np.fromiter((find(text) is not None for text in train.texts.to_pylist()), bool, len(train))
    is_outcome = given_any(train.label_sets, [k for k, name in enumerate(train.label_names) if name in labels])
    n, hits, total = int(has_term.sum()), int((has_term & is_outcome).sum()), int(is_outcome.sum())
    p = fisher_p_value(hits, n, total - hits, len(train) - n) if 0 < n < len(train) else 1.0
    return TermEvidence(n, hits / n if n else float("nan"), total / len(train), p)
