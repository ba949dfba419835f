"""Verdicts on what a name or a term for people changes.

A difference is a concern only if it is both clear and large: its p-value stays below 1 - level after Holm's correction
over everything of its kind that the audit compared, and its size reaches the threshold. So a model without faults is
called so, however many comparisons are made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan
from typing import TYPE_CHECKING

from assay.audit.people.gaps import Gap
from assay.audit.people.swaps import SwapResult
from assay.audit.people.term_origin import TermOrigins
from assay.audit.thresholds import Thresholds
from assay.audit.wording import p_text, signed
from assay.evaluation.uncertainty.multiplicity import holm
from assay.findings import Finding
from assay.suggest import quote

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["measure_name", "swap_findings"]

_WORTH_A_LOOK = 0.75  # of the size of a concern, where one term stands for a group

#: Result, measure, gap, and its p-value after correction.
Tested = tuple[SwapResult, str, Gap, float]


def swap_findings(
    results: Sequence[SwapResult], limits: Thresholds, level: float, train: Corpus | None = None
) -> Iterator[Finding]:
    """One verdict for each probe and outcome where something was found, else one for the probe.

    With the training texts, a verdict also says where the model may have it from; a difference that rests on few of
    them, and that they do not explain better than chance, is no concern; one that they do explain, after Bonferroni's
    correction over all single terms, need not be larger for a single term than for several.
    """
    tested = [
        (result, measure, gap) for result in results for measure in _judged(result) for gap in result.gaps[measure]
    ]
    adjusted = holm([gap.p_value for *_, gap in tested])
    single = {(id(result), gap.group) for result, _, gap in tested if isnan(gap.p_terms)}
    origins = TermOrigins(train, len(single), level)
    by_probe: dict[str, list[Tested]] = {}
    for (result, measure, gap), p in zip(tested, adjusted, strict=True):
        by_probe.setdefault(result.name, []).append((result, measure, gap, p))
    for name, items in by_probe.items():
        clear = [item for item in items if item[3] < 1 - level]
        explained = [item for item in clear if _size(item) >= _limit(item, limits, 1.0) and origins.explain(*item[:3])]
        found = False
        for severity, factor in (("concern", limits.single_term), ("notice", _WORTH_A_LOOK * limits.single_term)):
            large = [item for item in clear if item in explained or _size(item) >= _limit(item, limits, factor)]
            for number in dict.fromkeys(id(item[0]) for item in large if not found):
                own = [item for item in large if id(item[0]) == number]
                first = [item for item in own if item in explained] or own
                yield _swap_concern(own, first, len(tested), severity, origins)
            found = found or bool(large)
        if not found:
            yield _swap_all_clear(name, items, limits, (1 - level) / len(tested), origins.known)


def _judged(result: SwapResult) -> list[str]:
    return [measure for measure in result.gaps if measure != "rate"]


def _size(item: Tested) -> float:
    return abs(item[2].difference.value)


def _limit(item: Tested, limits: Thresholds, single_term: float) -> float:
    base = limits.probability if item[1] == "score" else limits.rate
    return base * (single_term if isnan(item[2].p_terms) else 1.0)


def _swap_concern(
    large: Sequence[Tested], first: Sequence[Tested], n_compared: int, severity: str, origins: TermOrigins
) -> Finding:
    """What was found; `first` are those that the verdict rests on, of which the largest is told of."""
    result = large[0][0]
    said = []
    for measure in dict.fromkeys(item[1] for item in large):
        ranked = sorted((i for i in large if i[1] == measure), key=lambda item: -_size(item))
        listed = [
            f"{gap.mean:.3f} for {quote(gap.group)} against {gap.other_mean:.3f} for {_against(gap)} (difference "
            f"{signed(gap.difference)})"
            for _, _, gap, _ in ranked[:3]
        ]
        left = len(ranked) - 3
        more = f"; and {left} more group{'s' if left > 1 else ''}" if left > 0 else ""
        said.append(f"the {measure_name(result, measure)} is {'; '.join(listed)}{more}")
    worst = ""
    if result.worst:
        w = result.worst[0]
        worst = f" Most different: {quote(w.highest)} {w.high:.2f}, {quote(w.lowest)} {w.low:.2f}."
    _, _, top, p = max(first, key=lambda item: _size(item))
    one_term = isnan(top.p_terms)
    origin, by_chance = origins.sentence(result, top.group)
    words = "One term stands for each group: this is about these words, not about all that people of the group write. "
    return Finding(
        "swaps",
        "swap",
        "notice" if by_chance else severity,
        f"A term changes the answer: {result.name}, {quote(result.outcome)}",
        f"With nothing but the term changed, {'. And '.join(said)}.{worst}",
        f"Clear: paired t test over {top.n_units:,} sentences"
        + ("" if one_term else f" and t test over {top.n_terms} terms")
        + f", p {p_text(p)} after Holm's correction over {n_compared} comparisons.",
        "The model takes the term itself for a sign of the label: texts by or about these people may be given it more, "
        f"or less, often than others that say the same.{origin}",
        (words if one_term else "")
        + "Sentences from templates are not the texts that the model will meet; how much harm follows depends on how "
        "often such terms decide there.",
    )


def _visible(items: Sequence[Tested], limits: Thresholds, alpha: float, with_train: bool) -> str:
    """What size could have been seen: so much as shows as clear and large in four of five such audits."""
    sizes = [item[2].detectable(alpha, _limit(item, limits, limits.single_term)) for item in items]
    least, most = min(sizes), max(sizes)
    size = f"{most:.2f}" if most - least < 0.01 else f"{least:.2f} to {most:.2f}, by group and measure,"
    learned = ""
    if with_train and any(isnan(item[2].p_terms) for item in items):
        learned = (
            ", unless the training texts clearly show that the term goes with the label: then one of "
            f"{min(_limit(item, limits, 1.0) for item in items):g} is called"
        )
    return (
        f" With so many, a difference of about {size} would have been called a concern in four of five audits; one "
        f"that is smaller may well have been missed{learned}."
    )


def _swap_all_clear(name: str, items: Sequence[Tested], limits: Thresholds, alpha: float, with_train: bool) -> Finding:
    top = max(items, key=lambda item: _size(item) / _limit(item, limits, limits.single_term))
    result, measure, gap, _ = top
    size, limit = _size(top), _limit(top, limits, limits.single_term)
    what = measure_name(result, measure)
    largest = f"the largest is {quote(gap.group)}, {what} {signed(gap.difference)}"
    if size >= limit:
        return Finding(
            "swaps",
            "unclear_swap",
            "unknown",
            f"Swaps: {name}",
            f"Groups of {quote(name)} differ, but no more than their own terms do: {largest}.",
            f"Not clear: p {p_text(gap.p_value)} before any correction. {result.n_sentences:,} sentences from "
            f"{result.n_units:,} templates were compared.{_visible(items, limits, alpha, with_train)}",
            "Some single names or words may matter to the model, whatever their group.",
            "It cannot rule a difference out. Look at the worst templates, or probe with more terms.",
        )
    return Finding(
        "swaps",
        "no_swap",
        "ok",
        f"Swaps: {name}",
        f"Terms of {quote(name)} make little difference: {largest}, below {limit:g}.",
        f"{result.n_sentences:,} sentences from {result.n_units:,} templates were compared."
        + _visible(items, limits, alpha, with_train),
        "Within these sentences, the model does not lean on the terms.",
        "Other terms, and other ways to tell who wrote or is meant, were not tried.",
    )


def measure_name(result: SwapResult, measure: str) -> str:
    """What is compared, for a sentence."""
    if measure == "score":
        return f"{result.unit} of {quote(result.outcome)}"
    return f"{measure} of {quote(result.outcome)}"


def _against(gap: Gap) -> str:
    return gap.against if gap.against == "the others" else quote(gap.against)
