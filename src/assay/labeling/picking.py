"""The choice: how the reasons for picking a text share the picks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.labeling.candidates import Candidates
from assay.labeling.cold_start import typical_texts
from assay.labeling.judgement import Judgement
from assay.labeling.known import KnownLabels
from assay.labeling.picks import Label, Pick, Picks, Reason
from assay.labeling.quick_model import QuickModel
from assay.labeling.quotas import in_turns, quota
from assay.labeling.rare import rare_finds
from assay.labeling.spread import spread_picks
from assay.labeling.suspects import find_suspects
from assay.suggest import all_of, counted, quote

if TYPE_CHECKING:
    from assay.labeling.pool import TextPool

__all__ = ["Picking"]

# Decision 0077 says how these were chosen.
SUSPECTS = 0.1  # of the picks, at most
RARE = 0.2
EXPLORED = 2.0  # examples a label until which picks are drawn from all texts; then their share falls
MOST_ALIKE = 0.3  # cosine of two texts of a round


@dataclass(eq=False)
class Picking:
    """One round.

    Attributes
    ----------
    pool
        The texts.
    known
        Labels so far.
    judgement
        What a model says of every text; None where there is none yet.
    candidates
        What may be picked.
    quick, table
        A model of the labels so far, and the probabilities that it gives; None where nothing can be learned.
    examples
        How many a label has, on average, of what the model has learned from.
    skipped
        Texts that are not to be picked, also where they are labelled.
    """

    pool: TextPool
    known: KnownLabels
    judgement: Judgement | None
    quick: QuickModel | None
    table: NDArray[np.float64] | None
    candidates: Candidates
    examples: float
    skipped: NDArray[np.bool_]

    @classmethod
    def of(cls, pool: TextPool, labels: Any, model: Any, skip: Iterable[int]) -> Picking:
        """Look at what is there: the labels, what a model says, and what is left."""
        known = KnownLabels.of(labels, len(pool))
        skipped = np.zeros(len(pool), bool)
        skipped[pool.checked_rows(skip)] = True
        gone = known.is_labelled | skipped
        candidates = Candidates.of(pool.corpus.near_copies.first, pool.places, pool.aside, gone, pool.features.is_empty)
        taught = known.where(~pool.aside)
        quick = pool.learn(taught) if taught.can_teach else None
        judgement = pool.judged(model, known) if model is not None else None
        table = None if quick is None else quick.probabilities(pool.features.rows, pool.threads)
        if judgement is None and quick is not None and table is not None:
            judgement = Judgement(quick.names, quick.task, table)
        examples = 0.0 if judgement is None else max(len(taught), _trained_on(model)) / len(judgement.names)
        return cls(pool, known, judgement, quick, table, candidates, examples, skipped)

    def picks(self, n: int) -> Picks:
        """At most n picks of all reasons, evenly mixed."""
        before = len(self.known)
        groups = [self._by_chance(quota(self.pool.share, n, before))]
        groups.append(self._suspects(quota(SUSPECTS, n, before)))
        left = n - len(groups[0]) - len(groups[1])
        groups.append(self._rare(min(quota(RARE, n, before), left)))
        left -= len(groups[2])
        groups.append(self._by_need(left))
        left -= len(groups[3])
        if left and (more := self._by_chance(left)):  # nothing else is left
            groups[0] += more
        return Picks(tuple(in_turns(groups[::-1])), tuple(self._notes(n, groups)), len(self.pool), before)

    # -- the reasons ---------------------------------------------------------------------------------------------------

    def _by_chance(self, n: int) -> list[Pick]:
        sentence = "drawn by chance, to measure with"
        return [self._pick(row, "random", 1.0, sentence) for row in self.candidates.draw(n)]

    def _suspects(self, n: int) -> list[Pick]:
        if n < 1:
            return []
        learned = self.known.where(~self.pool.aside & ~self.skipped)
        found = find_suspects(self.pool.features.rows, learned, seed=self.pool.seed, threads=self.pool.threads)
        return [
            self._pick(s.row, "suspect", s.margin, s.sentence, suggestion=s.suggestion, label=s.label)
            for s in found[:n]
        ]

    def _rare(self, n: int) -> list[Pick]:
        if n < 1 or self.quick is None or self.table is None:
            return []
        pool, learned = self.pool, self.known.where(~self.pool.aside)
        free = self.candidates.chosen_by_need
        texts, own = pool.corpus.texts, (self.quick, self.table)
        found = rare_finds(pool.features, texts, learned, *own, free, n, threads=pool.threads)
        self.candidates.take([find.row for find in found])
        return [self._pick(find.row, find.why, find.score, find.sentence) for find in found]

    def _by_need(self, n: int) -> list[Pick]:
        """What a model is unsure of, or without a model, what is typical."""
        if n < 1:
            return []
        rows = np.flatnonzero(self.candidates.chosen_by_need)
        if self.judgement is None:
            pool = self.pool
            found = typical_texts(pool.features, pool.corpus.texts, rows, n, seed=pool.seed, threads=pool.threads)
            self.candidates.take([text.row for text in found])
            return [self._pick(text.row, "cold-start", text.score, text.sentence) for text in found]
        judgement = self.judgement
        drawn = self._explored(rows, n)
        rows, n = np.setdiff1d(rows, drawn), n - len(drawn)
        worth = np.zeros(len(self.pool))
        worth[rows] = np.maximum(judgement.uncertainty[rows], 1e-9)  # the surest are taken, too, where no others are
        taken = spread_picks(self.pool.features.rows, worth, n, MOST_ALIKE)
        self.candidates.take(taken)
        surest = np.sort(worth[rows])[::-1][: len(taken)]
        sentence = "drawn from all texts, while labels have few examples"
        picks = [self._pick(row, "cold-start", float(judgement.uncertainty[row]), sentence) for row in drawn]
        for row in taken:
            by_rank = worth[row] >= surest[-1]  # or others, which the model doubts more about, were like one here
            why: Reason = "uncertain" if by_rank else "diverse"
            also = "" if by_rank else "unlike the others here, and "
            picks.append(self._pick(row, why, float(judgement.uncertainty[row]), also + judgement.sentence(row)))
        return in_turns([picks[len(drawn) :], picks[: len(drawn)]])

    def _explored(self, rows: NDArray[np.intp], n: int) -> list[int]:
        """Texts by chance among all: as long as a model knows few examples of a label, its doubts lead astray.

        It then doubts most about texts that have hardly a word that it knows. All picks are drawn up to two examples a
        label, on average, and a tenth of them at twenty.
        """
        n_drawn = round(n * min(1.0, EXPLORED / max(self.examples, 1.0)))
        random = np.random.default_rng([self.pool.seed, 8, len(self.known)])
        drawn: list[int] = random.choice(rows, min(n_drawn, len(rows)), replace=False).tolist()
        self.candidates.take(drawn)
        return drawn

    def _pick(
        self,
        row: int,
        why: Reason,
        score: float,
        sentence: str,
        *,
        suggestion: Label | None = None,
        label: Label | None = None,
    ) -> Pick:
        if suggestion is None and self.judgement is not None and why != "random":
            suggestion = self.judgement.suggestion(row)
        return Pick(row, self.pool.corpus.texts[row].as_py(), why, score, suggestion, label, sentence)

    # -- what to say of them -------------------------------------------------------------------------------------------

    def _notes(self, n: int, groups: list[list[Pick]]) -> list[str]:
        notes = []
        n_picked = sum(map(len, groups))
        if len(self.known) == len(self.pool):
            notes.append(f"{all_of(len(self.pool), 'text is', 'texts are')} labelled already")
        elif n_picked < n:
            notes.append(
                f"{counted(n_picked, 'text', 'texts')} picked, of {n:,} asked for: the others are labelled, skipped, "
                "empty, or copies and near-copies of texts that are picked or labelled"
            )
        if self.judgement is None and len(self.known):
            only = f", {quote(self.known.names[0])}" if self.known.names else ""
            notes.append(f"there is one label only{only}: until there are two, typical texts are picked")
        return notes


def _trained_on(model: Any) -> int:
    """Texts that a model was trained on, as far as it tells."""
    data = {} if model is None else getattr(model, "provenance", {}).get("data", {})
    rows = data.get("rows", 0)
    return rows if isinstance(rows, int) else 0
