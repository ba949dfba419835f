"""Verdicts on drift: a test that rejects at the level that all of them hold together, and a change that is large."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.drift.answers import LabelTest, SurenessTest
from assay.drift.domain import DomainTest
from assay.drift.risen import RisenTest
from assay.drift.unknown import UnknownTest
from assay.evaluation.presenting.percentages import percent
from assay.findings import Finding
from assay.suggest import quote

__all__ = ["DriftLimits", "judge"]


@dataclass(frozen=True)
class DriftLimits:
    """How large a change must be to be a concern, beside being clear.

    Attributes
    ----------
    novel
        Share of new texts beyond what chance puts there.
    labels
        Share of texts whose label would have to change.
    sureness
        How far the mean probability of the given label falls.
    """

    novel: float = 0.02
    labels: float = 0.05
    sureness: float = 0.03


def judge(
    domain: DomainTest | RisenTest | str,
    unknown: UnknownTest | str,
    labels: LabelTest | str,
    sureness: SurenessTest | str,
    names: Sequence[str],
    *,
    level: float,
    limits: DriftLimits,
) -> list[Finding]:
    """A finding for each test, or for the reason why it was not made.

    Holm's method keeps the chance of any false alarm below 1 - `level`.
    """
    from assay.evaluation.uncertainty.multiplicity import holm

    made = [test for test in (domain, unknown, labels, sureness) if not isinstance(test, str)]
    adjusted = dict(zip(map(id, made), holm([test.p_value for test in made]), strict=True))

    def clear(test: object) -> bool:
        return adjusted[id(test)] < 1 - level

    def sure(test: DomainTest | RisenTest | UnknownTest | LabelTest | SurenessTest) -> str:
        many = f", {adjusted[id(test)]:.3g} with Holm's correction for {len(made)} tests" if len(made) > 1 else ""
        return f"p = {test.p_value:.3g}{many}."

    verdicts: list[Finding] = []
    for test, kind, title in (
        (domain, "domain", "Words"),
        (unknown, "unknown", "What is unknown"),
        (labels, "labels", "Labels given"),
        (sureness, "sureness", "How sure the model is"),
    ):
        if isinstance(test, str):
            verdicts.append(_not_made(kind, title, test))
        elif isinstance(test, DomainTest):
            verdicts.append(_domain(test, clear(test), sure(test)))
        elif isinstance(test, RisenTest):
            verdicts.append(_risen(test, clear(test), sure(test)))
        elif isinstance(test, UnknownTest):
            verdicts.append(_unknown(test, clear(test), sure(test), limits))
        elif isinstance(test, LabelTest):
            verdicts.append(_labels(test, clear(test), sure(test), names, limits))
        else:
            verdicts.append(_sureness(test, clear(test), sure(test), limits))
    return verdicts


def _severity(clear: bool, large: bool) -> str:
    return "concern" if clear and large else "notice" if clear else "ok"


def _not_made(kind: str, title: str, reason: str) -> Finding:
    part = "texts" if kind in ("domain", "unknown") else "answers"
    return Finding(
        part,
        kind,
        "unknown",
        f"{title}: not compared",
        f"It was not looked for: {reason}.",
        "Nothing can be said.",
        "There may be a change.",
        "This is no sign that all is as before.",
    )


def _domain(test: DomainTest, clear: bool, sure: str) -> Finding:
    seen = (
        f"Of a new and an old text, their words show in {percent(test.area)} of cases which is the new one; texts of "
        f"one source: {percent(test.low)} to {percent(test.high)}"
    )
    return Finding(
        "texts",
        "domain",
        _severity(clear, True),
        "The words of the new texts differ" if clear else "The words of the new texts are as before",
        f"{seen} ({test.n_old:,} old texts and {test.n_new:,} new ones).",
        sure,
        "Other topics, another source, another time, other writers; the words below say which.",
        "Whether the model errs more: it may not look at these words at all.",
    )


def _risen(test: RisenTest, clear: bool, sure: str) -> Finding:
    how_many = "none is" if not test.risen else "1 is" if test.risen == 1 else f"{test.risen:,} are"
    return Finding(
        "texts",
        "domain",
        _severity(clear, True),
        "Some words are far more frequent in the new texts" if clear else "No words are clearly more frequent",
        f"Of {test.looked_at:,} words and pairs of words, {how_many} in a clearly greater share of the {test.n_new:,} "
        f"new texts than of the {test.n_before:,} training texts, by the counts in the model's file.",
        sure,
        "Other topics, another source, another time, other writers; the words below say which.",
        "Words that have become rarer, and many small changes: texts of before show those.",
    )


def _unknown(test: UnknownTest, clear: bool, sure: str, limits: DriftLimits) -> Finding:
    wide, narrow = test.novel
    excess = max(wide.value - 0.1, narrow.value - 0.01)
    return Finding(
        "texts",
        "unknown",
        _severity(clear, excess >= limits.novel),
        "More of the new texts are from elsewhere" if clear else "No more texts from elsewhere than before",
        f"{percent(wide.value)} of the {test.n_new:,} new texts are as novel as one in ten of the texts of before was "
        f"(10%), and {percent(narrow.value)} as one in a hundred (1%).",
        sure,
        "Texts of classes, languages or sources that the model does not know: it gives them a label all the same.",
        "Texts from elsewhere that use the same words.",
    )


def _labels(test: LabelTest, clear: bool, sure: str, names: Sequence[str], limits: DriftLimits) -> Finding:
    moved = test.new - test.before
    k = int(abs(moved).argmax())
    return Finding(
        "answers",
        "labels",
        _severity(clear, test.distance >= limits.labels),
        "Labels are given in other shares" if clear else "Labels are given in the same shares",
        f"{percent(test.distance)} of the texts would have to be given another label for the shares of before. Most of "
        f"all {quote(names[k])}: {percent(test.before[k])} before, {percent(test.new[k])} now.",
        sure,
        "What people write about has changed, or the model errs in another way.",
        "Which of the two: look at some texts of that label.",
    )


def _sureness(test: SurenessTest, clear: bool, sure: str, limits: DriftLimits) -> Finding:
    return Finding(
        "answers",
        "sureness",
        _severity(clear, test.before - test.new >= limits.sureness),
        "The model is less sure of its answers" if clear else "The model is as sure of its answers as before",
        f"The label given has a probability of {percent(test.new)} on average; before, {percent(test.before)}.",
        sure,
        "Where it is less sure, it probably errs more.",
        "Errors of which it is sure.",
    )
