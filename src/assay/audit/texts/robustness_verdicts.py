"""Verdicts on what changes of the text do.

A difference is a concern only if it is both clear and large: its p-value stays below 1 - level after Holm's correction
over everything of its kind that the audit compared, and its size reaches the threshold. So a model without faults is
called so, however many comparisons are made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan

from assay.audit.texts.robustness import RobustnessResult
from assay.audit.thresholds import Thresholds
from assay.audit.wording import p_text
from assay.evaluation.uncertainty.multiplicity import holm
from assay.findings import Finding
from assay.suggest import counted

__all__ = ["robustness_findings"]


def robustness_findings(results: Sequence[RobustnessResult], limits: Thresholds, level: float) -> Iterator[Finding]:
    """One verdict for each kind of change."""
    adjusted = holm([1.0 if isnan(result.p_value) else result.p_value for result in results])
    kinds = dict.fromkeys(result.kind for result in results)
    for kind in kinds:
        yield _robustness_verdict(
            kind, [(r, p) for r, p in zip(results, adjusted, strict=True) if r.kind == kind], limits, level
        )


def _robustness_verdict(
    kind: str, items: Sequence[tuple[RobustnessResult, float]], limits: Thresholds, level: float
) -> Finding:
    def loss(result: RobustnessResult) -> float:
        if result.accuracy is None or result.accuracy_before is None:
            return 0.0
        return result.accuracy_before.value - result.accuracy.value

    told = "; ".join(_told(result) for result, _ in items)
    lossy = [(r, p) for r, p in items if loss(r) >= limits.accuracy_loss and p < 1 - level]
    moody = [r for r, _ in items if r.changed.low >= limits.changed]
    caution = (
        "Half of a text may truly be about something else; and t" if kind == "length" else "T"
    ) + "hese changes are made by a machine: people's own slips and styles differ."
    if lossy:
        result, p = max(lossy, key=lambda item: loss(item[0]))
        return Finding(
            "robustness",
            kind,
            "concern" if kind != "length" else "notice",
            f"Sensitive to {kind}",
            f"{told}.",
            f"Clear: with {result.name}, {_measure(result)} falls by {loss(result):.3f} on "
            f"{counted(result.n, 'text', 'texts')} (McNemar's exact test, p {p_text(p)} after Holm's correction).",
            "People who write differently (in haste, on a phone, in a second language) may be served worse; and the "
            "model can be led astray on purpose.",
            caution,
        )
    if moody:
        return Finding(
            "robustness",
            kind,
            "notice",
            f"Sensitive to {kind}",
            f"{told}.",
            f"More than {limits.changed:.0%} of the answers change; "
            + (
                f"{_measure(items[0][0])} does not fall clearly."
                if items[0][0].accuracy is not None
                else "without labels, it is not known whether for the worse."
            ),
            "Answers near the border are decided by trifles.",
            caution,
        )
    return Finding(
        "robustness",
        kind,
        "ok",
        f"Robust to {kind}",
        f"{told}.",
        f"Intervals of these shares reach {max(r.changed.high for r, _ in items):.3f} at most.",
        "Small changes of this kind hardly matter.",
        caution,
    )


def _told(result: RobustnessResult) -> str:
    said = f"{result.name}: {result.changed.value:.1%} of {counted(result.n, 'answer changes', 'answers change')}"
    if result.accuracy is not None and result.accuracy_before is not None:
        said += f", {result.measure} {result.accuracy_before.value:.3f} → {result.accuracy.value:.3f}"
    return said


def _measure(result: RobustnessResult) -> str:
    """What falls, in a sentence."""
    return "accuracy" if result.measure == "accuracy" else f"the share that is {result.measure}"
