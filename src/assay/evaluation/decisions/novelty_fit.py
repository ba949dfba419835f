"""Learning what is new: classes are left out of the training texts, and known by how they differ from the others.

In each of some rounds a fold of the texts and a group of the classes are left out, and a model is trained on the rest.
Texts of the fold whose class the model knows are *own* texts, texts of the group's classes are *new* ones. A logistic
regression on two numbers, what of a text is known and how sure the model is, tells them apart; both kinds count alike.

Two classes cannot do without one. Then what is known of the own texts decides alone: a text of which as little is known
as of one in a hundred of them has the novelty 1/2, one in the middle of them 1/20.

Beside it is kept what of a training text is unknown to all the others. An n-gram of it is known to them if it is in two
texts or more: this needs no further training. New texts are held against it (`assay.drift`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.arrays import integer_array
from assay.data.profile.scripts import has_words
from assay.evaluation.decisions.calibration_fit import fit_temperature
from assay.features.documents import as_documents
from assay.learners.solvers.labelled_rows import LabelledRows
from assay.learners.solvers.logistic import fit_logistic
from assay.learners.solvers.logistic_settings import LogisticSettings
from assay.prediction.known_ngrams import KnownNgrams, known_shares, read_ngrams
from assay.prediction.novelty import QUANTILES, Novelty, reading_of, sureness_of
from assay.prediction.probabilities import Floats

__all__ = ["ScoreFold", "fit_novelty"]

Rows = NDArray[np.int64]

ScoreFold = Callable[[Rows, Rows, NDArray[np.int32]], Floats]
"""Of rows to train on, rows to score and the classes of the former, from 0 on: scores (n, n_classes)."""

_ROUNDS = 5
_MOST_TEXTS = 4000  # that models are trained on in a round
_MOST_COLUMNS = 2**22
_ROOM = 16  # columns for each n-gram: one in sixteen new ones, at most, is taken for a known one
_BYTES_AT_ONCE = 1 << 25
_USUAL, _ODD = 0.5, 0.99  # quantiles of the own texts that have the novelty 1/20 and 1/2 where no class was left out


def fit_novelty(
    texts: Any,
    classes: NDArray[np.int32],
    fold_of: NDArray[np.int64],
    score: ScoreFold | None,
    together: NDArray[np.int64],
    *,
    seed: int,
    threads: int,
) -> Novelty:
    """Learn to tell texts of unknown classes from texts of known ones.

    Parameters
    ----------
    texts
        Training texts, in an Arrow array.
    classes
        Of each text.
    fold_of
        Of each text; copies are in the same fold.
    score
        Trains on some of the texts and scores others; None to go by what is known of a text alone.
    together
        For each text the first of its copies.
    seed
        Chooses the classes that are left out together, and a sample of many texts.
    threads
        For reading.
    """
    random = np.random.default_rng(seed)
    n_classes = int(classes.max(initial=0)) + 1
    rounds = int(min(_ROUNDS, fold_of.max(initial=0) + 1))
    group_of = np.full(n_classes, -1)
    if score is not None and n_classes > 2:
        rounds = min(rounds, n_classes)
        group_of = random.permutation(n_classes) % rounds
    group = group_of[classes]
    sample = np.sort(random.permutation(classes.size)[:_MOST_TEXTS])
    outside = np.stack([(fold_of != k) & (group != k) for k in range(rounds)])  # (rounds, n) texts to learn from
    counted = _Counted.of(texts, outside, threads)
    sampled = as_documents(texts.take(integer_array(sample)))
    rows = read_ngrams(sampled, counted.known.analysis, counted.known.codes.size, threads)
    shares = np.stack([known_shares(rows, counted.inside[k], int(outside[k].sum())) for k in range(rounds)])
    own = [sample_of(sample, (fold_of == k) & (group != k)) for k in range(rounds)]
    of_own = np.concatenate([shares[k][inside] for k, inside in enumerate(own)])
    found = None
    if (group >= 0).any() and score is not None:
        found = _by_classes(counted.known, score, classes, sample, outside, own, group, shares)
    once = together == np.arange(classes.size)
    unknown = 1 - known_shares(rows, np.maximum(counted.every - 1, 0), classes.size - 1)[once[sample]]
    return replace(
        found or _by_known_alone(counted.known, of_own),
        usual=float(of_own.mean()),
        unknown=_quantiles(unknown),
        different=int(once.sum()),
    )


def sample_of(sample: Rows, rows: NDArray[np.bool_]) -> Rows:
    """Where the rows are in the sample."""
    return np.flatnonzero(rows[sample])


@dataclass(frozen=True, eq=False)
class _Counted:
    """The n-grams of all texts, and in how many texts to learn from they are in each round."""

    known: KnownNgrams
    every: NDArray[np.int32]  # (columns), of all texts
    inside: NDArray[np.int32]  # (rounds, columns)

    @classmethod
    def of(cls, texts: Any, outside: NDArray[np.bool_], threads: int) -> _Counted:
        analysis = reading_of("words" if has_words(texts) else "characters")
        width = int(min(2 ** np.ceil(np.log2(max(texts.nbytes, 2**10))), _MOST_COLUMNS))
        counts = np.zeros((len(outside) + 1, width), np.int32)
        at_once = max(1, int(len(texts) * _BYTES_AT_ONCE / max(texts.nbytes, 1)))
        for first in range(0, len(texts), at_once):
            rows = read_ngrams(as_documents(texts.slice(first, at_once)), analysis, width, threads)
            counts[-1] += np.bincount(rows.columns, minlength=width).astype(np.int32)
            for k, learned in enumerate(outside):
                mine = learned[first : first + at_once][rows.text_of]
                counts[k] += np.bincount(rows.columns[mine], minlength=width).astype(np.int32)
        occupied = int(np.count_nonzero(counts[-1]))
        n_columns = int(min(width, 2 ** np.ceil(np.log2(max(_ROOM * occupied, 1)))))
        # Columns are hashes modulo a power of two: those of a smaller one are sums of those of a larger one.
        counts = counts.reshape(len(counts), -1, n_columns).sum(axis=1, dtype=np.int32)
        return cls(KnownNgrams.of_counts(analysis, len(texts), counts[-1]), counts[-1], counts[:-1])


def _by_classes(
    known: KnownNgrams,
    score: ScoreFold,
    classes: NDArray[np.int32],
    sample: Rows,
    outside: NDArray[np.bool_],
    own: list[Rows],
    group: Rows,
    shares: Floats,
) -> Novelty | None:
    """By the logistic regression; None where it finds that what is unknown is no sign of what is new."""
    tables, new, scales = [], [], []
    for k, mine in enumerate(own):
        train = sample[outside[k][sample]]
        foreign = sample_of(sample, group == k)
        names, numbers = np.unique(classes[train], return_inverse=True)
        if names.size < 2 or not mine.size or not foreign.size:
            continue
        scores = score(train, sample[np.r_[mine, foreign]], numbers.astype(np.int32))
        truth = classes[sample[mine]]
        learned = np.isin(truth, names)
        if learned.any():
            scales.append(1 / fit_temperature(scores[: mine.size][learned], np.searchsorted(names, truth[learned])))
        tables.append((shares[k][np.r_[mine, foreign]], scores))
        new.append(np.arange(mine.size + foreign.size) >= mine.size)
    if not scales:
        return None
    scale = float(np.exp(np.mean(np.log(scales))))
    is_new = np.concatenate(new)
    share = np.concatenate([part for part, _ in tables])
    sureness = np.concatenate([sureness_of(scores, scale) for _, scores in tables])
    intercept, of_known, of_sureness = _logistic(np.sqrt(share), sureness, is_new)
    if of_known >= 0:
        return None
    made = Novelty(known, intercept, of_known, of_sureness, scale)
    novelty = made.of_parts(share, sureness)
    return replace(made, own=_quantiles(novelty[~is_new]), left_out=_quantiles(novelty[is_new]))


def _logistic(known: Floats, sureness: Floats, is_new: NDArray[np.bool_]) -> tuple[float, float, float]:
    """Intercept and slopes that tell new texts from own ones, both counting alike; sureness never speaks for new."""
    table = np.column_stack([known, sureness])
    middle, spread = table.mean(axis=0), np.maximum(table.std(axis=0), 1e-9)
    intercept, slopes = _separated((table - middle) / spread, is_new)
    if slopes[1] > 0:
        intercept, alone = _separated((table[:, :1] - middle[0]) / spread[0], is_new)
        slopes = np.append(alone, 0.0)
    slopes = slopes / spread
    return float(intercept - slopes @ middle), float(slopes[0]), float(slopes[1])


def _separated(table: Floats, is_new: NDArray[np.bool_]) -> tuple[float, Floats]:
    """Intercept and slopes of a logistic regression."""
    rows = LabelledRows(np.ascontiguousarray(table), is_new.astype(np.int32), (False, True), class_weight="balanced")
    found = fit_logistic(rows, LogisticSettings())
    return float(found.intercept[0]), found.weights[:, 0]


def _by_known_alone(known: KnownNgrams, own: Floats) -> Novelty:
    roots = np.sqrt(own)
    usual, odd = np.quantile(roots, [1 - _USUAL, 1 - _ODD])
    slope = float(np.log(19) / max(usual - odd, 0.01))  # log-odds of 19/20 between the two
    made = Novelty(known, slope * float(odd), -slope)
    return replace(made, own=_quantiles(made.of_parts(own, np.zeros_like(own))))


def _quantiles(novelty: Floats) -> Floats:
    return np.asarray(np.quantile(novelty, QUANTILES))
