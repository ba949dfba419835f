"""An `Evaluation` as a dictionary, as pandas tables, and as tables to read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.data.corpus.spellings import shown_labels
from assay.errors import ParameterError
from assay.evaluation.metrics.outcomes import choices
from assay.evaluation.presenting.error_analysis import pairs_table
from assay.evaluation.presenting.headline import verdict_dict
from assay.evaluation.uncertainty.estimate import Estimate
from assay.optional import require
from assay.suggest import counted
from assay.tables import Page, Table, shorten

if TYPE_CHECKING:
    import pandas as pd

    from assay.evaluation.protocols.evaluation import Evaluation

__all__ = ["evaluation_dict", "evaluation_frame", "evaluation_page"]

WIDEST_MATRIX = 12
COVERAGE_THRESHOLDS = (0.5, 0.8, 0.9, 0.95, 0.99)


def evaluation_dict(evaluation: Evaluation) -> dict[str, Any]:
    """JSON-ready form of an evaluation."""
    matrix = evaluation.confusion
    classes = [
        {
            "label": label,
            "documents": int(matrix.documents[k]),
            "predicted": int(matrix.predicted[k]),
            "metrics": {name: estimate.to_dict() for name, estimate in evaluation.classes[label].items()},
        }
        for k, label in enumerate(evaluation.labels)
    ]
    return {
        "kind": "evaluation",
        "version": 1,
        "n_documents": evaluation.n_documents,
        "verdict": verdict_dict(evaluation.verdict, evaluation.headline),
        "level": evaluation.level,
        "interval": evaluation.interval,
        "n_resamples": evaluation.plan.n_resamples,
        "seed": evaluation.plan.seed,
        "stratified": evaluation.plan.stratified,
        "metrics": {name: estimate.to_dict() for name, estimate in evaluation.metrics.items()},
        "classes": classes,
        "confusion": matrix.to_dict(),
        "reliability": _reliability_rows(evaluation),
        "coverage": _coverage_rows(evaluation),
        "seen": None if evaluation.seen is None else _seen(evaluation),
        "notes": list(evaluation.notes),
    }


def evaluation_frame(evaluation: Evaluation, what: str) -> pd.DataFrame:
    """Metrics, classes or the confusion matrix as a pandas DataFrame."""
    known = ("metrics", "classes", "confusion")
    if what not in known:
        raise ParameterError(f"to_frame() makes a table of {choices(what, known)}. Got {what!r} instead.")
    pandas: Any = require("pandas", "Tables made by to_frame()")
    if what == "confusion":
        frame = pandas.DataFrame(evaluation.confusion.counts, evaluation.labels, evaluation.labels)
        return frame.rename_axis(index="truth", columns="predicted")
    if what == "metrics":
        rows: list[dict[str, Any]] = [{"metric": name, **_columns(e)} for name, e in evaluation.metrics.items()]
    else:
        rows = [
            {"label": label, "metric": name, **_columns(e)}
            for label, metrics in evaluation.classes.items()
            for name, e in metrics.items()
        ]
    return pandas.DataFrame(rows)


def evaluation_page(evaluation: Evaluation) -> Page:
    """Heading, tables and notes for print and for notebooks; what is amiss comes first."""
    documents = counted(evaluation.n_documents, "document", "documents")
    classes = counted(len(evaluation.labels), "class", "classes")
    heading = f"Evaluation on {documents} of {classes}, with {evaluation.level:.0%} intervals"
    tables = [_overall_table(evaluation), _class_table(evaluation)]
    if len(evaluation.labels) <= WIDEST_MATRIX:
        tables.append(_confusion_table(evaluation))
    else:
        tables.append(pairs_table(evaluation.confused_pairs(10)))
    said = evaluation.headline
    if said is None:
        return heading, tables, evaluation.notes
    return f"{heading}. {said.sentence}", tables, (said.reason, *said.advice, *evaluation.notes)


def _seen(evaluation: Evaluation) -> dict[str, Any]:
    assert evaluation.seen is not None
    unseen = {name: estimate.to_dict() for name, estimate in evaluation.unseen.items()}
    return {**evaluation.seen.to_dict(), "metrics_without": unseen}


def _columns(estimate: Estimate) -> dict[str, float | str]:
    return {name: getattr(estimate, name) for name in ("value", "low", "high", "method", "reason")}


def _reliability_rows(evaluation: Evaluation) -> list[dict[str, Any]] | None:
    if evaluation.outcomes.probabilities is None:
        return None
    return [
        {
            "low": b.low,
            "high": b.high,
            "documents": b.n_documents,
            "confidence": b.confidence,
            "accuracy": b.frequency.to_dict(),
        }
        for b in evaluation.reliability().bins
    ]


def _coverage_rows(evaluation: Evaluation) -> list[dict[str, Any]] | None:
    if evaluation.outcomes.probabilities is None:
        return None
    return [
        {
            "threshold": row.threshold,
            "documents": row.n_documents,
            "coverage": row.coverage.to_dict(),
            "accuracy": row.accuracy.to_dict(),
        }
        for row in map(evaluation.coverage, COVERAGE_THRESHOLDS)
    ]


def _overall_table(evaluation: Evaluation) -> Table:
    averages = ("macro_", "micro_", "weighted_")
    rows = [(name, estimate.cell()) for name, estimate in evaluation.metrics.items() if not name.startswith(averages)]
    return Table("Overall", ("metric", "value"), rows)


def _class_table(evaluation: Evaluation) -> Table:
    kinds = [name for name in next(iter(evaluation.classes.values())) if "_" not in name]
    documents = evaluation.confusion.documents
    rows = [
        (name, f"{documents[k]:,}", *(evaluation.classes[label][kind].cell() for kind in kinds))
        for k, (name, label) in enumerate(zip(shown_labels(evaluation.labels), evaluation.labels, strict=True))
    ]
    for average in ("macro", "micro", "weighted"):
        cells = [evaluation.metrics[f"{average}_{kind}"].cell() for kind in kinds]
        rows.append((f"({average} average)", f"{evaluation.n_documents:,}", *cells))
    return Table("By class", ("class", "documents", *kinds), rows)


def _confusion_table(evaluation: Evaluation) -> Table:
    names = shown_labels(evaluation.labels)
    rows = [
        (name, *(f"{count:,}" for count in counts))
        for name, counts in zip(names, evaluation.confusion.counts.tolist(), strict=True)
    ]
    return Table("Confusion: truth down, predictions across", ("", *(shorten(name, 24) for name in names)), rows)
