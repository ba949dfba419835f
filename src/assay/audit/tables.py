"""What an audit measured, as tables."""

from __future__ import annotations

from collections.abc import Sequence

from assay.audit.labels.label_errors import LabelErrors
from assay.audit.people.groups import GroupResult
from assay.audit.people.swaps import SwapResult
from assay.audit.texts.robustness import RobustnessResult
from assay.audit.wording import p_cell, signed
from assay.data.corpus.spellings import shown_labels
from assay.suggest import quote
from assay.tables import Table, shorten

__all__ = ["group_tables", "robustness_table", "suspect_table", "swap_tables", "worst_table"]

_SHOWN_GAPS = 25
_SHOWN_WORST = 8
_SHOWN_SUSPECTS = 10
_OVERALL = ("accuracy", "micro_f1", "subset_accuracy", "macro_f1", "balanced_accuracy", "roc_auc", "calibration_error")


def group_tables(result: GroupResult) -> list[Table]:
    """Overall metrics by group; then the rates, with their differences from all other texts."""
    shown = [name for name in _OVERALL if name in result.rows[0].metrics]
    overall = [
        (row.group, f"{row.n:,}", *(row.metrics[name].cell() if name in row.metrics else "" for name in shown))
        for row in result.rows
    ]
    rates = [
        (
            f"{rate} / {row.group}",
            f"{d.n:,}",
            d.value.cell(),
            d.others.cell(),
            signed(d.difference),
            p_cell(d.p_value),
        )
        for rate in result.rates
        for row in result.rows
        for d in [row.differences[rate]]
    ]
    return [
        Table(f"By {result.column}", (result.column, "texts", *shown), overall),
        Table(
            f"By {result.column}: rates against all other texts",
            ("rate / group", "texts", "group", "others", "difference", "p"),
            rates,
        ),
    ]


def swap_tables(results: Sequence[SwapResult]) -> list[Table]:
    """The largest gaps between groups of sentences, a table for each outcome."""
    gaps = [(result, gap) for result in results for gap in result.gaps["score"]]
    ranked = sorted(gaps, key=lambda item: -abs(item[1].difference.value))[:_SHOWN_GAPS]
    rates = {(id(r), g.group): g for r in results for g in r.gaps["rate"]}
    many_lists = len({result.name for result in results}) > 1
    rows: dict[str, list[tuple[str, ...]]] = {}
    for result, gap in ranked:
        predicted = rates[id(result), gap.group]
        rows.setdefault(result.outcome, []).append(
            (
                f"{result.name}: {gap.group}" if many_lists else gap.group,
                f"{gap.mean:.3f}",
                signed(gap.difference),
                f"{predicted.mean:.1%}",
                f"{predicted.other_mean:.1%}",
            )
        )
    heads = ("terms", "mean", "difference to others", "predicted", "others")
    return [
        Table(f"Swaps: {results[0].unit} of {quote(outcome)} with nothing but the term changed", heads, found)
        for outcome, found in rows.items()
    ]


def worst_table(results: Sequence[SwapResult]) -> Table:
    """The templates that the model treats most differently."""
    worst = sorted((w for result in results for w in result.worst), key=lambda w: w.low - w.high)[:_SHOWN_WORST]
    rows = []
    for number, w in enumerate(worst, 1):
        rows += [(f"{number}. {w.highest}", f"{w.high:.3f}"), (f"{' ' * len(str(number))}  {w.lowest}", f"{w.low:.3f}")]
    return Table("The worst templates, each where it scores most and least", ("sentence", results[0].unit), rows)


def robustness_table(results: Sequence[RobustnessResult]) -> Table:
    """What each change of the text does."""
    rows = [
        (
            result.name,
            f"{result.n:,}",
            result.changed.cell(),
            "" if result.accuracy_before is None else f"{result.accuracy_before.value:.3f}",
            "" if result.accuracy is None else f"{result.accuracy.value:.3f}",
            p_cell(result.p_value),
        )
        for result in results
    ]
    return Table("Robustness", ("change", "texts", "answers changed", results[0].measure, "then", "p"), rows)


def suspect_table(errors: LabelErrors) -> Table:
    """The likeliest label errors."""
    shown = errors.suspects[:_SHOWN_SUSPECTS]
    files = {s.place.rpartition(", ")[0] for s in shown}
    source = files.pop() if len(files) == 1 else ""  # said once, not on every line
    labels = sorted({label for s in errors.suspects for label in (s.label, s.suggested)})
    names = dict(zip(labels, shown_labels(labels), strict=True))
    rows = [
        (
            shorten(s.text, 40),
            s.place.removeprefix(f"{source}, "),
            names[s.label],
            names[s.suggested],
            f"{s.margin:.2f}",
        )
        for s in shown
    ]
    title = f"Likely label errors of {source}" if source else "Likely label errors"
    return Table(title, ("text", "place", "label", "looks like", "margin"), rows)
