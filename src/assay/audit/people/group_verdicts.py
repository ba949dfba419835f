"""Verdicts on differences between groups.

A difference is a concern only if it is both clear and large: its p-value stays below 1 - level after Holm's correction
over everything of its kind that the audit compared, and its size reaches the threshold. So a model without faults is
called so, however many comparisons are made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan

from assay.audit.people.groups import GroupDifference, GroupResult
from assay.audit.thresholds import Thresholds
from assay.audit.wording import half_width, names_text, p_text, signed, value_text
from assay.evaluation.uncertainty.multiplicity import holm
from assay.findings import Finding
from assay.suggest import quote

__all__ = ["group_findings"]


_RATES = {"exactly right": "share that is exactly right"}


def group_findings(results: Sequence[GroupResult], limits: Thresholds, level: float) -> Iterator[Finding]:
    """One verdict for each column and rate."""
    tested = [
        (result, rate, row.group, row.differences[rate])
        for result in results
        for rate in result.rates
        for row in result.rows[: 1 if len(result.rows) == 2 else None]
        if not isnan(row.differences[rate].p_value)
        and min(row.differences[rate].n, row.differences[rate].n_others) >= limits.fewest
    ]
    adjusted = dict(zip(map(_key, tested), holm([d.p_value for *_, d in tested]), strict=True))
    for result in results:
        for rate in result.rates:
            own = [item for item in tested if item[0] is result and item[1] == rate]
            yield _group_verdict(result, rate, own, adjusted, limits, level)
        small = [row for row in result.rows if row.n < limits.fewest]
        if small:
            yield Finding(
                "groups",
                "small_groups",
                "unknown",
                f"Small groups of {result.column}",
                f"{names_text([f'{quote(row.group)} ({row.n})' for row in small])} of {quote(result.column)} have "
                f"fewer than {limits.fewest} texts.",
                "Nothing can be said about them.",
                "The model may treat them well or badly.",
                "Their absence from the other findings shows nothing. Collect more texts of them.",
            )


def _key(item: tuple[GroupResult, str, str, GroupDifference]) -> tuple[int, str, str]:
    return id(item[0]), item[1], item[2]


def _group_verdict(
    result: GroupResult,
    rate: str,
    own: Sequence[tuple[GroupResult, str, str, GroupDifference]],
    adjusted: dict[tuple[int, str, str], float],
    limits: Thresholds,
    level: float,
) -> Finding:
    words, _, outcome = rate.partition(":")
    what = f"{words} of {quote(outcome)}" if outcome else _RATES.get(words, words)
    title = f"{what[:1].upper()}{what[1:]} by {result.column}"
    if not own:
        return Finding(
            "groups",
            "too_few",
            "unknown",
            title,
            f"No two sides of {quote(result.column)} have {limits.fewest} texts for the {what}.",
            "Nothing can be said.",
            "The groups may be treated alike or not.",
            "This is no sign that all is well. Collect more texts.",
        )
    clear = [item for item in own if adjusted[_key(item)] < 1 - level]
    large = [item for item in clear if abs(item[3].difference.value) >= limits.rate]
    gap = result.gap(rate)
    span = ""
    if gap is not None:
        high, low = gap
        span = (
            f" It runs from {value_text(low.metrics[rate])} for {quote(low.group)} to "
            f"{value_text(high.metrics[rate])} for {quote(high.group)}, a gap of "
            f"{high.metrics[rate].value - low.metrics[rate].value:.3f}."
        )
    if large:
        worst = max(large, key=lambda item: abs(item[3].difference.value))
        listed = [
            f"{quote(group)} {d.value.value:.3f} against {d.others.value:.3f} for the others (difference "
            f"{signed(d.difference)})"
            for _, _, group, d in sorted(large, key=lambda item: -abs(item[3].difference.value))[:4]
        ]
        return Finding(
            "groups",
            "gap",
            "concern",
            title,
            f"The {what} differs: {'; '.join(listed)}.{span}",
            f"Clear: Fisher's exact test, p {p_text(adjusted[_key(worst)])} after Holm's correction over "
            f"{len(adjusted)} comparisons; {worst[3].n:,} texts of the group.",
            _group_meaning(words),
            "It cannot show why: the groups may differ in their texts, in how they were labelled, or in how many "
            "examples there were to learn from. And it holds for texts like these only.",
        )
    finest = max(half_width(item[3].difference) for item in own)
    if clear:
        seen = f"The {what} differs between groups of {quote(result.column)}, but by less than {limits.rate:g}.{span}"
    else:
        seen = f"No clear difference of the {what} between groups of {quote(result.column)}.{span}"
    return Finding(
        "groups",
        "no_gap",
        "ok" if finest <= 2 * limits.rate else "unknown",
        title,
        seen,
        f"Differences of the widest group are known to ±{finest:.3f} only."
        if finest > limits.rate
        else f"All differences are known to ±{finest:.3f} or better.",
        "If there is a difference, it is smaller than that.",
        "It cannot show that groups are treated alike in texts of another kind, or in groups that the column does not "
        "name.",
    )


def _group_meaning(rate: str) -> str:
    return {
        "accuracy": "The model may serve some groups worse than others.",
        "exactly right": "The model may serve some groups worse than others.",
        "false positive rate": "Texts of some groups may be given this label wrongly more often: where it leads to "
        "removal, refusal or suspicion, these people bear more of the mistakes.",
        "false negative rate": "Texts of some groups may be denied this label more often though it is due to them.",
    }[rate]
