"""The quantitative part of a card: an evaluation's metrics and an audit's findings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from assay.card.document import Block, Bullets, Grid, Paragraph, Section
from assay.data.corpus.spellings import shown_labels
from assay.evaluation.presenting.forecast_words import forecast_sentence
from assay.evaluation.presenting.headline import Circumstances
from assay.modelfile.cross_validated import CrossValidated
from assay.suggest import counted

__all__ = ["audit_sections", "class_rows", "of_sets", "result_sections"]

_SHOWN_CLASSES = 30
_AVERAGES = ("micro_", "weighted_")
_SEVERITIES = {"concern": "Concern", "notice": "To look at", "unknown": "Not known", "ok": "Nothing found"}


def result_sections(evaluation: Mapping[str, Any] | None, provenance: Mapping[str, Any]) -> Iterator[Section]:
    """Quantitative analyses: in the cross-validation of the training, overall and by class."""
    crossed = [*_cross_validated(provenance)]
    if evaluation is None:
        missing = Paragraph("No evaluation was given when this card was made.")
        yield Section("Quantitative analyses", [missing, *crossed, *_more_examples(provenance)])
        return
    left_out = _AVERAGES[1:] if of_sets(evaluation) else _AVERAGES
    metrics = {name: value for name, value in evaluation["metrics"].items() if not name.startswith(left_out)}
    rows = [(name, estimate_text(value)) for name, value in metrics.items()]
    yield Section("Quantitative analyses", crossed)
    overall = Grid(("metric", f"value [{evaluation['level']:.0%} interval]"), rows)
    yield Section("Overall", [*_beside_constant(evaluation), overall], 3)
    every = class_rows(evaluation)
    classes = every[:_SHOWN_CLASSES]
    if classes:
        kinds = [kind for kind in classes[0]["metrics"] if "_" not in kind]
        counts = ["documents", "predicted"] if of_sets(evaluation) else ["documents"]
        kinds += [kind for kind in ("calibration_error",) if of_sets(evaluation) and kind in classes[0]["metrics"]]
        body = [
            (name, *(f"{row[part]:,}" for part in counts), *(estimate_text(row["metrics"][kind]) for kind in kinds))
            for name, row in zip(shown_labels(row["label"] for row in every), classes, strict=False)
        ]
        heads = ("label", *("texts", "given")[: len(counts)], *(kind.replace("_", " ") for kind in kinds))
        yield Section("By label" if of_sets(evaluation) else "By class", [Grid(heads, body)], 3)


def of_sets(evaluation: Mapping[str, Any]) -> bool:
    """Whether an evaluation is of texts with sets of labels."""
    return bool(evaluation.get("task") == "label-sets")


def class_rows(evaluation: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """What an evaluation says of each class, or of each label of the sets."""
    return list(evaluation["labels"] if of_sets(evaluation) else evaluation.get("classes", []))


def _beside_constant(evaluation: Mapping[str, Any]) -> Iterator[Block]:
    """What the best constant answers have: no figure of label sets should stand without it."""
    verdict = evaluation.get("verdict") or {}
    if not of_sets(evaluation) or "constant_micro_f1" not in verdict:
        return
    constant, commonest = (
        ", ".join(shown_labels(verdict[name])[:_SHOWN_CLASSES]) or "no label" for name in ("constant", "commonest_set")
    )
    yield Paragraph(
        f"To compare with: giving every text the labels {constant} has a micro_f1 of "
        f"{verdict['constant_micro_f1']:.3f}, the most that any constant answer has; always giving "
        f"{commonest} is exactly right for {verdict['commonest_exact']:.1%} of the texts."
    )


def _cross_validated(provenance: Mapping[str, Any]) -> Iterator[Block]:
    told = CrossValidated.told_in(provenance)
    if told is not None and told.figure is not None:
        yield Paragraph(
            f"In cross-validation of the {counted(told.texts, 'training text', 'training texts')}, each judged by a "
            f"model that had not seen it: {told.figure}. This figure was used to choose the "
            "model; a test on other texts says more."
        )


def _more_examples(provenance: Mapping[str, Any]) -> Iterator[Block]:
    """Of classes of which less than half was found: a verdict on a test says it where there is one."""
    known = Circumstances.told_in(provenance)
    if known.more:
        yield Paragraph("Less than half was found there of:")
        yield Bullets([(label, forecast_sentence(forecast)) for label, forecast in known.more.items()])


def audit_sections(audit: Mapping[str, Any] | None) -> Iterator[Section]:
    """Performance across groups and conditions, and what the audit found."""
    if audit is None:
        return
    for group in audit.get("groups", []):
        kinds = list(group["rows"][0]["metrics"]) if group["rows"] else []
        shown = [kind for kind in kinds if ":" not in kind][:4] or kinds[:4]
        body = [
            (str(row["group"]), f"{row['n']:,}", *(estimate_text(row["metrics"][kind]) for kind in shown))
            for row in group["rows"]
        ]
        yield Section(f"By {group['column']}", [Grid((group["column"], "texts", *shown), body)], 3)
    if audit.get("robustness"):
        body = [
            (row["name"], f"{row['n']:,}", estimate_text(row["changed"]), _optional(row.get("accuracy")))
            for row in audit["robustness"]
        ]
        yield Section("Under changes of the text", [Grid(("change", "texts", "answers changed", "accuracy"), body)], 3)
    yield Section("What the audit found", [*_findings(audit)], 3)


def _findings(audit: Mapping[str, Any]) -> Iterator[Block]:
    findings = audit.get("findings", [])
    if not findings:
        yield Paragraph("Nothing was looked at.")
    for severity, name in _SEVERITIES.items():
        of_kind = [finding for finding in findings if finding["severity"] == severity]
        if not of_kind:
            continue
        yield Paragraph(f"{name} ({len(of_kind)}):")
        if severity == "ok":
            yield Bullets([finding["seen"] for finding in of_kind])
        else:
            yield Bullets(
                [
                    (
                        finding["title"],
                        " ".join(finding[part] for part in ("seen", "sure", "could_mean", "cannot_show")),
                    )
                    for finding in of_kind
                ]
            )


def estimate_text(estimate: Mapping[str, Any] | None) -> str:
    """``0.912 [0.894, 0.928]`` of an estimate's dictionary, or why there is none."""
    if estimate is None or estimate["value"] is None:
        return "undefined"
    if estimate["low"] is None:
        return f"{estimate['value']:.3f}"
    return f"{estimate['value']:.3f} [{estimate['low']:.3f}, {estimate['high']:.3f}]"


def _optional(estimate: Mapping[str, Any] | None) -> str:
    return "" if estimate is None else estimate_text(estimate)
