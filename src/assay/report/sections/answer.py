"""The first screen: what was asked, and the answer in plain words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

import numpy as np

from assay.data.corpus.spellings import label_counts, shown_labels, spellings_sentence
from assay.evaluation.presenting.headline import Headline
from assay.evaluation.presenting.percentages import percent, percents
from assay.evaluation.uncertainty.estimate import Estimate
from assay.report.sections.facts import FEW_TEXTS, Fact, Gauge, note_facts
from assay.report.sections.measured import Measured
from assay.report.sections.set_answer import set_facts, set_gauges
from assay.report.wording import METRIC_NAMES
from assay.suggest import counted

if TYPE_CHECKING:
    from assay.training.run import TrainingRun

__all__ = ["Answer", "advice_facts", "answer", "measured_facts"]

CONFIDENT = 0.8


@dataclass(frozen=True)
class Answer:
    """What the first screen shows."""

    source: str
    spellings: str | None  # labels that may be one class: every number after it may be of half a class
    asked: str
    headline: tuple[str, str, str]  # before the number, the number, after it
    plain: str
    gauges: tuple[Gauge, ...]
    facts: tuple[Fact, ...]
    amiss: bool = False  # whether the headline is a warning


def answer(run: TrainingRun, on: Measured | None) -> Answer:
    """The first screen of a run."""
    source = PurePath(run.train.source).name
    asked = _asked(run)
    found = spellings_sentence(label_counts(run.train))
    spellings = found and f"{found}. They were learned as different classes; assay train --merge-labels makes them one."
    if on is None:
        plain = (
            f"It learned from {counted(len(run.train), 'text', 'texts')} of {source}, and none were set aside to "
            "measure it on. Measure it before relying on it: assay evaluate MODEL DATA, with texts that it has not "
            "seen."
        )
        return Answer(
            source, spellings, asked, ("A model has been trained. How good it is, is ", "not known", "."), plain, (), ()
        )
    if on.sets is not None:
        told = on.sets.headline
        return Answer(
            source,
            spellings,
            asked,
            told.parts,
            f"{told.reason} {_how_measured(run, on)}",
            tuple(set_gauges(on.sets)),
            (*advice_facts(told), *set_facts(on, on.sets, run.notes)),
            amiss=not told.mild,
        )
    said = run.headline
    accuracy = _accuracy(run, on)
    share = percent(accuracy.value, on.digits)
    return Answer(
        source,
        spellings,
        asked,
        ("It gets ", share, " of unseen texts right.") if said is None else said.parts,
        _plainly(run, on, accuracy, said),
        tuple(_gauges(run, on)),
        (*advice_facts(said), *_facts(run, on)),
        amiss=said is not None and not said.mild,
    )


def _asked(run: TrainingRun) -> str:
    labels = shown_labels(run.labels)
    if run.task == "label-sets":
        return f"Which of {counted(len(labels), 'label', 'labels')} does a text have? It may have several, or none."
    if len(labels) == 2:
        return f"Which of the two classes “{labels[0]}” and “{labels[1]}” does a text belong to?"
    return f"Which of {len(labels)} classes does a text belong to?"


def _plainly(run: TrainingRun, on: Measured, accuracy: Estimate, said: Headline | None) -> str:
    """Below the headline: what it was measured on, and what to expect of other texts, or what is amiss."""
    if said is None:
        return _how_measured(run, on) + _expected(accuracy, on)
    return said.reason if on.evaluation.seen is not None else f"{said.reason} {_how_measured(run, on)}"


def advice_facts(said: Headline | None) -> Iterator[Fact]:
    """What to do where something is amiss."""
    if said is not None and said.advice:
        yield Fact("What to do", " ".join(said.advice), caution=True)


def _how_measured(run: TrainingRun, on: Measured) -> str:
    n = counted(on.evaluation.n_documents, "text", "texts")
    if on.evaluation.seen is not None:
        known = f"{on.evaluation.seen.counts[0]:,} of {n} that were given are, or nearly are, what it learned from"
        return f"{known}." if on.evaluation.seen.near.all() else f"{known}: measured on the others."
    if on.held_out:
        others = counted(len(run.train), "other", "others")
        return f"Measured on {n} that were set aside before the training, which saw {others}."
    how = f"Measured on all {n} by cross-validation: each was judged by a model that had not seen it."
    optimism = {} if run.cross_validation is None else run.cross_validation.optimism
    if "accuracy" not in optimism:
        return how
    points = f"{100 * optimism['accuracy']:.1f} points"
    return f"{how} {points} were taken off, which choosing the best recipe by these figures is likely to have added."


def _accuracy(run: TrainingRun, on: Measured) -> Estimate:
    """Of the test; of a cross-validation by which was chosen, without what the choice has added."""
    crossed = run.cross_validation
    if on.held_out or crossed is None or "accuracy" not in crossed.optimism:
        return on.accuracy
    return crossed["accuracy"]


def _expected(accuracy: Estimate, on: Measured) -> str:
    interval = percents(accuracy, on.digits)
    return f" For other texts of the same kind, expect {interval} ({on.evaluation.level:.0%} interval)."


def _gauges(run: TrainingRun, on: Measured) -> Iterator[Gauge]:
    evaluation = on.evaluation
    yield Gauge("Accuracy", _accuracy(run, on))
    second = run.settings.metric_name if run.settings.metric_name != "accuracy" else "macro_f1"
    if second in METRIC_NAMES:
        found = on.macro_f1 if second == "macro_f1" else evaluation[second]
        if found.defined and 0 <= found.value <= 1:
            yield Gauge(METRIC_NAMES[second][0], found)
    yield Gauge(f"Always “{run.baseline.label}”", Estimate(_base_rate(run, on)), base=True)


def _base_rate(run: TrainingRun, on: Measured) -> float:
    outcomes = on.evaluation.unseen_outcomes
    if run.baseline.label not in outcomes.labels:
        return 0.0
    return float(np.mean(outcomes.truth == outcomes.labels.index(run.baseline.label)))


def _facts(run: TrainingRun, on: Measured) -> Iterator[Fact]:
    yield _against_guessing(run, on)
    yield from measured_facts(on, run.notes)


def measured_facts(on: Measured, notes: Sequence[str] = ()) -> Iterator[Fact]:
    """What a reader should know of an evaluation, whoever made it."""
    if on.sets is not None:
        yield from set_facts(on, on.sets, notes)
        return
    yield from _about_classes(on)
    yield from _about_probabilities(on)
    evaluation = on.evaluation
    n = evaluation.unseen_outcomes.n_documents
    if n < FEW_TEXTS:
        width = percents(on.accuracy, on.digits)
        yield Fact(
            "How sure this is",
            f"{counted(n, 'text is', 'texts are')} few to measure on: the interval, {width}, is "
            "wide. More labelled "
            "texts make it narrower.",
            caution=True,
        )
    yield from note_facts((*notes, *evaluation.notes))


def _against_guessing(run: TrainingRun, on: Measured) -> Fact:
    base = percent(_base_rate(run, on), on.digits)
    text = f"Always answering “{run.baseline.label}”, the most frequent class, would be right for {base}. "
    comparison = run.comparison
    if comparison is None:
        return Fact("Against guessing", text.strip())
    if run.differs_from_guessing and comparison.difference.value > 0:
        return Fact("Against guessing", text + "The model is better, and chance is no explanation for it.")
    if run.headline is not None and run.headline.mild:
        return Fact("Against guessing", text + "The model is better at finding the other classes, not in accuracy.")
    return Fact("Against guessing", text + "It cannot be said that the model is better than that.", caution=True)


def _about_classes(on: Measured) -> Iterator[Fact]:
    evaluation = on.evaluation
    counts = evaluation.confusion.counts
    documents, right = counts.sum(axis=1), np.diag(counts)
    present = np.flatnonzero(documents > 0)
    if len(present) > 1:
        k = int(present[np.argmin(right[present] / documents[present])])
        label, share = on.labels[k], percent(right[k] / documents[k])
        yield Fact(
            "Hardest class",
            f"Of {counted(documents[k], 'text', 'texts')} of “{label}” it recognised {right[k]:,} ({share}).",
        )
    pairs = evaluation.confused_pairs(1)
    if pairs and len(evaluation.labels) > 2:
        pair = pairs[0]
        more_first = pair.first_as_second >= pair.second_as_first
        both = (pair.first, pair.second) if more_first else (pair.second, pair.first)
        first, second = (on.labels[evaluation.labels.index(label)] for label in both)
        most = max(pair.first_as_second, pair.second_as_first)
        text = (
            f"“{first}” was taken for “{second}” {counted(most, 'time', 'times')}, and the reverse {pair.total - most}."
        )
        yield Fact("Most often confused", text, pair=(first, second))


def _about_probabilities(on: Measured) -> Iterator[Fact]:
    evaluation = on.evaluation
    # Of a model that only knows the shares of the classes, what it is sure of would sound like praise.
    if evaluation.outcomes.probabilities is None or evaluation.verdict.kind in ("constant", "guessing"):
        return
    coverage = evaluation.coverage(CONFIDENT)
    if not coverage.accuracy.defined:
        return
    off = evaluation["calibration_error"].value
    yield Fact(
        "When it is sure",
        f"For {percent(coverage.coverage.value)} of the texts it is at least {CONFIDENT:.0%} sure, and right for "
        f"{percent(coverage.accuracy.value)} of those. Its probabilities are off by "
        f"{counted(round(100 * off), 'point', 'points')} on average.",
    )
