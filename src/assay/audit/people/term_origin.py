"""Whether the training texts explain what a term changes: a difference that they show needs to be less large."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from assay.audit.people.gaps import Gap
from assay.audit.people.swaps import SwapResult
from assay.audit.people.term_evidence import TermEvidence, term_evidence
from assay.audit.wording import p_text
from assay.suggest import counted, quote

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["TermOrigins"]

_BY_CHANCE = 0.01  # p-value from which on the training texts show no association of a term
_ENOUGH = 100  # texts with a term, from which on its weight is hardly chance


class TermOrigins:
    """What the training texts say of terms, each looked up once.

    Parameters
    ----------
    train
        None, or texts without labels: they say nothing.
    n_single
        Groups that one term stands for, over all probes and outcomes: what is called is corrected for their number.
    level
        1 - level is the chance of one false call among all of them.
    """

    def __init__(self, train: Corpus | None, n_single: int, level: float) -> None:
        self._train = None if train is None or train.labels is None else train
        self._alpha = (1 - level) / max(n_single, 1)
        self._found: dict[tuple[int, str], TermEvidence] = {}

    @property
    def known(self) -> bool:
        """Whether there are labelled training texts."""
        return self._train is not None

    def _evidence(self, result: SwapResult, group: str) -> TermEvidence | None:
        terms = result.terms.get(group)
        if self._train is None or not terms:
            return None
        key = id(result), group
        if key not in self._found:
            self._found[key] = term_evidence(self._train, terms, result.labels)
        return self._found[key]

    def explain(self, result: SwapResult, measure: str, gap: Gap) -> bool:
        """Whether one term stands for the group, and goes with the label in the training texts as in the answers.

        The weight of a single word is partly chance, and sentences cannot tell: the model answers every one of them by
        the same weight. The texts that it was learned from can.
        """
        found = self._evidence(result, gap.group) if isnan(gap.p_terms) else None
        if found is None or not found.n:
            return False
        rises = (gap.difference.value > 0) != (measure == "false negative rate")
        return found.p_value < self._alpha and (found.share > found.overall) == rises

    def sentence(self, result: SwapResult, group: str) -> tuple[str, bool]:
        """Where the model may have it from, and whether that is no more than chance."""
        found = self._evidence(result, group)
        if found is None:
            return "", False
        if not found.n:
            return (
                f" No training text has a term of {quote(group)}: words that look alike, or their absence, make it.",
                True,
            )
        said = (
            f" In the training texts, terms of {quote(group)} stand in {counted(found.n, 'text', 'texts')}: "
            f"{found.share:.0%} are {quote(result.outcome)}, against {found.overall:.0%} of all (Fisher's exact test, "
            f"p {p_text(found.p_value)})"
        )
        if found.p_value < _BY_CHANCE:
            return said + "; the model may have learned it there.", False
        if found.n >= _ENOUGH:
            return said + "; by itself the term is no sign there, so its weight comes from the words around it.", False
        return said + "; that is no more than chance, so the weight of the term may be chance as well.", True
