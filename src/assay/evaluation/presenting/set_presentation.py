"""A `SetEvaluation` as a dictionary, as pandas tables, and as tables to read."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.data.corpus.spellings import shown_labels
from assay.errors import ParameterError
from assay.evaluation.metrics.outcomes import choices
from assay.evaluation.presenting.presentation import estimate_columns
from assay.evaluation.presenting.set_errors import confused_table, together_table
from assay.optional import require
from assay.suggest import counted, quoted
from assay.tables import Table

if TYPE_CHECKING:
    import pandas as pd

    from assay.evaluation.protocols.set_evaluation import SetEvaluation

__all__ = ["set_evaluation_dict", "set_evaluation_frame", "set_evaluation_page"]

MOST_LABELS = 40  # rows of the table to read
MOST_PAIRS = 10


def set_evaluation_dict(evaluation: SetEvaluation) -> dict[str, Any]:
    """JSON-ready form of an evaluation of label sets; labels are sorted by their F1, the worst first."""
    counts, said = evaluation.counts, evaluation.headline
    calibration, base_brier = evaluation.calibration, evaluation.base_brier
    labels = []
    for label in evaluation.worst_first:
        k = evaluation.labels.index(label)
        found = {**evaluation.by_label[label], **calibration.get(label, {})}
        labels.append(
            {
                "label": label,
                "documents": int(counts.documents[k]),
                "predicted": int(counts.predicted[k]),
                "hits": int(counts.hits[k]),
                "metrics": {name: estimate.to_dict() for name, estimate in found.items()},
                "base_brier": base_brier[label],
            }
        )
    seen = evaluation.seen
    return {
        "kind": "set_evaluation",
        "version": 1,
        "task": "label-sets",
        "n_documents": evaluation.n_documents,
        "verdict": {**evaluation.verdict.to_dict(), "headline": said.sentence, "reason": said.reason},
        "level": evaluation.level,
        "interval": evaluation.interval,
        "n_resamples": evaluation.plan.n_resamples,
        "seed": evaluation.plan.seed,
        "metrics": {name: estimate.to_dict() for name, estimate in evaluation.metrics.items()},
        "labels": labels,
        "confused_labels": [asdict(pair) for pair in evaluation.confused_labels(100)],
        "errors_together": [asdict(pair) for pair in evaluation.errors_together(100)],
        "seen": None if seen is None else seen.to_dict(),
        "notes": list(evaluation.notes),
    }


def set_evaluation_frame(evaluation: SetEvaluation, what: str) -> pd.DataFrame:
    """Metrics or labels as a pandas DataFrame."""
    known = ("metrics", "labels")
    if what not in known:
        raise ParameterError(f"to_frame() makes a table of {choices(what, known)}. Got {what!r} instead.")
    pandas: Any = require("pandas", "Tables made by to_frame()")
    if what == "metrics":
        rows: list[dict[str, Any]] = [{"metric": name, **estimate_columns(e)} for name, e in evaluation.metrics.items()]
    else:
        rows = [
            {"label": label, "metric": name, **estimate_columns(e)}
            for label in evaluation.worst_first
            for name, e in evaluation.by_label[label].items()
        ]
    return pandas.DataFrame(rows)


def set_evaluation_page(evaluation: SetEvaluation) -> tuple[str, list[Table], tuple[str, ...]]:
    """Heading, tables and notes for print and for notebooks; the verdict comes first."""
    texts = counted(evaluation.n_documents, "text", "texts")
    labels = counted(len(evaluation.labels), "label", "labels")
    said = evaluation.headline
    heading = f"Evaluation on {texts} with sets of {labels}, with {evaluation.level:.0%} intervals. {said.sentence}"
    tables = [_averages_table(evaluation), _overall_table(evaluation), _label_table(evaluation)]
    pairs, together = evaluation.confused_labels(MOST_PAIRS), evaluation.errors_together(MOST_PAIRS)
    tables += [confused_table(pairs)] if pairs else []
    tables += [together_table(together)] if together else []
    return heading, tables, (said.reason, *said.advice, *_about_probabilities(evaluation), *evaluation.notes)


def _about_probabilities(evaluation: SetEvaluation) -> list[str]:
    """For how many labels probabilities say more than the label's share of the texts, by the Brier score."""
    probabilities, present = evaluation.outcomes.probabilities, np.flatnonzero(evaluation.counts.documents)
    if probabilities is None or not present.size:
        return []
    base, names = evaluation.base_brier, shown_labels(evaluation.labels)
    worse = []
    for k in present.tolist():
        brier = float(np.mean((probabilities[:, k] - evaluation.outcomes.truth.having(k)) ** 2))
        if brier >= base[evaluation.labels[k]]:
            worse.append(names[k])
    of_all = counted(present.size, "label", "labels")
    better = present.size - len(worse)
    which = f", not for {quoted(worse, 5)}" if worse and better else ""
    how_many = "all" if not worse else "none" if not better else f"{better:,}"
    said = "say more than the label's share of the texts does (a lower Brier score)"
    return [f"Probabilities {said} for {how_many} of {of_all}{which}."]


def _averages_table(evaluation: SetEvaluation) -> Table:
    kinds = list(next(iter(evaluation.by_label.values())))
    rows = [
        (f"{average} average", *(evaluation.metrics[f"{average}_{kind}"].cell() for kind in kinds))
        for average in ("micro", "macro", "samples", "weighted")
    ]
    return Table("Averages", ("", *kinds), rows)


def _overall_table(evaluation: SetEvaluation) -> Table:
    averages = ("macro_", "micro_", "weighted_", "samples_")
    rows = [(name, estimate.cell()) for name, estimate in evaluation.metrics.items() if not name.startswith(averages)]
    return Table("Overall", ("metric", "value"), rows)


def _label_table(evaluation: SetEvaluation) -> Table:
    counts = evaluation.counts
    shown = dict(zip(evaluation.labels, shown_labels(evaluation.labels), strict=True))
    rows = []
    for label in evaluation.worst_first[:MOST_LABELS]:
        k = evaluation.labels.index(label)
        cells = [estimate.cell() for estimate in evaluation.by_label[label].values()]
        rows.append((shown[label], f"{counts.documents[k]:,}", f"{counts.predicted[k]:,}", *cells))
    kinds = list(next(iter(evaluation.by_label.values())))
    more = len(evaluation.labels) - MOST_LABELS
    title = "By label, the worst first" + (f" ({more:,} more are in to_dict())" if more > 0 else "")
    return Table(title, ("label", "texts", "given", *kinds), rows)
