"""What is known of the texts of before: from the model's file, and from texts that are given beside the new ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import DataError
from assay.evaluation.protocols.seen_texts import seen_texts
from assay.modelfile.held_out_answers import HeldOutAnswers
from assay.prediction.probabilities import Floats

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["ENOUGH", "Answers", "Before", "answers_of", "before_of", "sampled"]

ENOUGH = 100  # texts of before that the model has not seen, to hold its answers against


@dataclass(frozen=True, eq=False)
class Answers:
    """What a model says of texts: the number of the label that each is given, -1 for none, and its probability."""

    given: NDArray[np.int64]
    sureness: Floats | None

    def counts(self, n_labels: int) -> NDArray[np.int64]:
        """How many texts were given each label."""
        return np.bincount(self.given[self.given >= 0], minlength=n_labels)


@dataclass(frozen=True, eq=False)
class Before:
    """What new answers are held against.

    Attributes
    ----------
    said
        Where it is from, in a few words.
    given
        Texts that were given each label.
    sureness
        Probabilities of the labels given, or their quantiles; None where there are none.
    held_out
        Answers beside the truth; None where no truth is known.
    """

    said: str
    given: NDArray[np.int64]
    sureness: Floats | None
    held_out: HeldOutAnswers | None

    @property
    def texts(self) -> int:
        """That were answered."""
        return int(self.given.sum())


def answers_of(model: Any, texts: Any) -> Answers:
    """Let a model answer texts, an Arrow array; of classifiers that give one label a text."""
    decision = model.decision
    scores = model.decision_function(texts)
    given = np.asarray(decision.classes(scores), dtype=np.int64)
    if not decision.has_probabilities:
        return Answers(given, None)
    answered = np.flatnonzero(given >= 0)
    return Answers(given, decision.probabilities(scores)[answered, given[answered]])


def before_of(model: Any, reference: Corpus | None) -> tuple[Before | None, str]:
    """What the answers to new texts are held against; or None, and why there is nothing.

    Texts of before that the model was not trained on tell it best, and where there are fewer than `ENOUGH`, the answers
    to held-out texts that the model's file keeps.
    """
    n_labels = len(model.labels)
    reason = (
        "the model's file does not say how held-out texts were answered: models that 'assay train' makes by "
        "cross-validation do, and texts of before that it was not trained on can be given beside the new ones"
    )
    if reference is not None:
        unseen = _unseen(model, reference)
        if len(unseen) >= ENOUGH:
            said = answers_of(model, unseen.texts)
            known = None if unseen.labels is None else _truth(unseen, model.labels)
            held_out = None
            if known is not None:
                usable = (known >= 0) & (said.given >= 0)
                held_out = HeldOutAnswers.of(known[usable], said.given[usable], None) if usable.any() else None
            name = f"{len(unseen):,} texts of before that the model was not trained on"
            return Before(name, said.counts(n_labels), said.sureness, held_out), ""
        reason = (
            f"of the texts of before {len(unseen):,} are new to the model, and {ENOUGH} are needed; its file does not "
            "say how held-out texts were answered"
        )
    kept = HeldOutAnswers.from_attachment(getattr(getattr(model, "record", None), "held_out", None), n_labels)
    if kept is None:
        return None, reason
    given = kept.confusion(n_labels).sum(axis=0)
    sureness = kept.sureness if kept.sureness.size else None
    return Before(f"{kept.texts:,} training texts, each held out once", given, sureness, kept), ""


def _unseen(model: Any, reference: Corpus) -> Corpus:
    """Those that the model does not know from its training."""
    seen = seen_texts(model, reference)
    return reference if seen is None else reference.select(~seen.near)


def _truth(corpus: Corpus, labels: tuple[str, ...]) -> NDArray[np.int64] | None:
    """The class of each text among the model's labels; -1 for labels that it does not know."""
    if corpus.task != "labels":
        raise DataError(
            f"{corpus.source}: its texts have sets of labels, and this model gives one label a text. If what is "
            "written there is one label, read it with labels_separator=False."
        )
    number = {label: k for k, label in enumerate(labels)}
    place = np.array([number.get(name, -1) for name in corpus.label_names], dtype=np.int64)
    return place[corpus.classes]


def sampled(corpus: Corpus, most: int, seed: int) -> Corpus:
    """At most so many texts, one of each group of copies and near-copies, in their order."""
    first = corpus.near_copies.first
    alone = np.flatnonzero(first == np.arange(len(corpus)))
    kept = np.sort(np.random.default_rng(seed).permutation(alone)[:most])
    return corpus if kept.size == len(corpus) else corpus.select(kept)
