"""The first screen where texts have sets of labels: never without what giving every text the same labels would do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from assay.data.corpus.spellings import shown_labels
from assay.evaluation.presenting.percentages import percent
from assay.evaluation.protocols.set_evaluation import SetEvaluation
from assay.evaluation.uncertainty.estimate import Estimate
from assay.report.sections.facts import FEW_TEXTS, Fact, Gauge, note_facts
from assay.report.sections.measured import Measured
from assay.suggest import counted

if TYPE_CHECKING:
    from assay.evaluation.uncertainty.set_verdict import SetVerdict

__all__ = ["set_facts", "set_gauges"]

NAMED = 3


def set_gauges(evaluation: SetEvaluation) -> Iterator[Gauge]:
    """Micro F1, macro F1 and the share that is exactly right, beside the best constant answer to each."""
    own, verdict = _on_unseen(evaluation), evaluation.verdict
    yield Gauge("Micro F1", own["micro_f1"])
    yield Gauge(f"… always giving {_constant(verdict.constant)}", Estimate(verdict.constant_micro_f1), base=True)
    if own["macro_f1"].defined:
        yield Gauge("Macro F1", own["macro_f1"])
    yield Gauge("Exactly right", own["subset_accuracy"])
    yield Gauge(f"… always giving {_constant(verdict.commonest_set)}", Estimate(verdict.commonest_exact), base=True)


def set_facts(on: Measured, evaluation: SetEvaluation, notes: Sequence[str] = ()) -> Iterator[Fact]:
    """What a reader should know of an evaluation."""
    verdict = evaluation.verdict
    yield _beside_constant(verdict)
    yield from _about_labels(on, evaluation)
    if evaluation.outcomes.probabilities is not None and verdict.trustworthy:
        off = round(100 * evaluation["calibration_error"].value)
        yield Fact(
            "How far to trust its probabilities", f"They are off by {counted(off, 'point', 'points')} on average."
        )
    n = verdict.n_documents
    if n < FEW_TEXTS:
        found = _on_unseen(evaluation)["micro_f1"]
        width = f"the interval of micro F1, {found.cell()}, is wide" if found.low == found.low else "no interval of it"
        yield Fact(
            "How sure this is",
            f"{counted(n, 'text is', 'texts are')} few to measure on: {width}. More labelled texts make it narrower.",
            caution=True,
        )
    yield from note_facts((*notes, *evaluation.notes))


def _beside_constant(verdict: SetVerdict) -> Fact:
    text = (
        f"Giving every text {_constant(verdict.constant)} has a micro F1 of {verdict.constant_micro_f1:.3f}, the most "
        "that any constant answer has. "
    )
    if verdict.kind in ("useful", "silent"):
        return Fact("Against guessing", text + "The model is better, and chance is no explanation for it.")
    return Fact("Against guessing", text + "It cannot be said that the model is better than that.", caution=True)


def _about_labels(on: Measured, evaluation: SetEvaluation) -> Iterator[Fact]:
    names = dict(zip(evaluation.labels, on.labels, strict=True))
    counts = evaluation.counts
    present = [label for label in evaluation.worst_first if counts.documents[evaluation.labels.index(label)]]
    if len(present) > 1:
        k = evaluation.labels.index(present[0])
        have, given, hits = (int(part[k]) for part in (counts.documents, counts.predicted, counts.hits))
        right = f" It gave it to {counted(given, 'text', 'texts')}, {hits:,} of them rightly." if given else ""
        yield Fact(
            "Hardest label",
            f"Of {counted(have, 'text', 'texts')} with “{names[present[0]]}” it found {hits:,} "
            f"({percent(hits / have)}).{right}",
        )
    for pair in evaluation.confused_labels(1):
        if pair.instead:
            yield Fact(
                "Most often confused",
                f"“{names[pair.said]}” was given in place of “{names[pair.true]}” "
                f"{counted(pair.instead, 'time', 'times')}.",
                pair=(names[pair.true], names[pair.said]),
            )


def _on_unseen(evaluation: SetEvaluation) -> SetEvaluation:
    """The same on the texts that the model does not know from its training."""
    if evaluation.seen is None:
        return evaluation
    return SetEvaluation(evaluation.unseen_outcomes, evaluation.plan, level=evaluation.level)


def _constant(labels: Sequence[object]) -> str:
    if not labels:
        return "no label"
    if len(labels) > NAMED:
        return f"the same {len(labels):,} labels"
    return " and ".join(f"“{name}”" for name in shown_labels(labels))
