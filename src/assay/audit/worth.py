"""Whether there is a model to audit at all: one that says the same of every text changes no answer for anybody."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.audit.findings import Finding
from assay.audit.scoring import ProbedModel

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["worth_findings"]


def worth_findings(scorer: ProbedModel, corpus: Corpus) -> Iterator[Finding]:
    """A finding where the model does no better on labelled texts than guessing, or never says some class; else none.

    Where there are too few texts to show that it is better, that is said, and no more.
    """
    from assay.evaluation.metrics.outcomes import from_labels
    from assay.evaluation.presenting.headline import headline
    from assay.evaluation.uncertainty.verdict import judge

    predicted, _ = scorer.table(corpus.texts)
    truth = [corpus.label_names[k] for k in corpus.classes]
    verdict = judge(from_labels(truth, [scorer.labels[k] for k in predicted]))
    if verdict.kind not in ("constant", "guessing", "silent"):
        return
    said = headline(verdict)
    assert said is not None, "there is a headline for each of these kinds"
    unsure = verdict.kind == "guessing" and verdict.accuracy > verdict.always
    yield Finding(
        "data",
        "no_better_than_guessing" if verdict.kind != "silent" else "class_never_said",
        "unknown" if unsure else "notice" if verdict.kind == "silent" else "concern",
        "What the model is worth",
        f"{said.sentence} {said.reason}",
        "By exact tests: against always saying the commonest class, and of each class against chance.",
        "What is fine below may be so because the model hardly answers to the texts at all.",
        "How a model that has learned something would treat the same people and texts.",
    )
