"""Whether there is a model to audit at all: one that says the same of every text changes no answer for anybody."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from assay.audit.scoring import ProbedModel
from assay.evaluation.uncertainty.set_verdict import SetVerdict
from assay.findings import Finding
from assay.label_sets import LabelSets

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus
    from assay.evaluation.presenting.headline import Headline
    from assay.evaluation.uncertainty.verdict import Verdict

__all__ = ["worth_findings"]


def worth_findings(scorer: ProbedModel, corpus: Corpus) -> Iterator[Finding]:
    """A finding where the model does no better on labelled texts than guessing, or never finds some class; else none.

    Where there are too few texts to show that it is better, that is said, and no more.
    """
    verdict, said = _judged(scorer, corpus)
    if said is None:
        return
    unsure = verdict.kind == "guessing" and _is_ahead(verdict)
    yield Finding(
        "data",
        "no_better_than_guessing" if verdict.kind != "silent" else "class_never_said",
        "unknown" if unsure else "notice" if verdict.kind == "silent" else "concern",
        "What the model is worth",
        f"{said.sentence} {said.reason}",
        "By a test of the texts left out one by one: against the best answer that is the same for every text."
        if isinstance(verdict, SetVerdict)
        else "By exact tests: against always saying the commonest class, and of each class against chance.",
        "What is fine below may be so because the model hardly answers to the texts at all.",
        "How a model that has learned something would treat the same people and texts.",
    )


def _judged(scorer: ProbedModel, corpus: Corpus) -> tuple[Verdict | SetVerdict, Headline | None]:
    """The verdict on what the model says of the texts, and its words where something is amiss."""
    from assay.evaluation.metrics.outcomes import from_labels
    from assay.evaluation.metrics.set_reading import sets_from_labels
    from assay.evaluation.presenting.headline import headline
    from assay.evaluation.presenting.set_headline import set_headline
    from assay.evaluation.uncertainty.set_verdict import judge_sets
    from assay.evaluation.uncertainty.verdict import judge

    predicted, _ = scorer.table(corpus.texts)
    amiss = ("constant", "guessing", "silent", "nothing")
    names = tuple(dict.fromkeys([*scorer.labels, *corpus.label_names]))
    if isinstance(predicted, LabelSets):
        truth, said = corpus.label_sets.names(corpus.label_names), predicted.names(scorer.labels)
        of_sets = judge_sets(sets_from_labels(truth, said, labels=names))
        return of_sets, set_headline(of_sets) if of_sets.kind in amiss else None
    answered = np.flatnonzero(predicted >= 0)
    single = judge(
        from_labels(
            [corpus.label_names[k] for k in corpus.classes[answered]],
            [scorer.labels[k] for k in predicted[answered]],
            labels=names,
            allow_one_class=True,
        )
    )
    return single, headline(single) if single.kind in amiss else None


def _is_ahead(verdict: Verdict | SetVerdict) -> bool:
    """Whether it did better than always saying the same, if not beyond chance."""
    if isinstance(verdict, SetVerdict):
        return verdict.micro_f1 > verdict.constant_micro_f1
    return verdict.accuracy > verdict.always
