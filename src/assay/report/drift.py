"""Drift as a page: the verdicts first, then what was measured."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from assay.atomic_file import write_atomically
from assay.findings import summary_of
from assay.report.findings import render_findings

if TYPE_CHECKING:
    from assay.drift import Drift

__all__ = ["render_drift", "write_drift"]


def write_drift(drift: Drift, path: str | os.PathLike[str], *, model: str) -> None:
    """Write what was found of drift to one file that needs no other and no network.

    Parameters
    ----------
    drift
        Made by `assay.drift.measure_drift`.
    path
        The file.
    model
        What the page calls the model.
    """
    write_atomically(path, render_drift(drift, model=model).encode("utf-8", "replace"))


def render_drift(drift: Drift, *, model: str) -> str:
    """The same as a string."""
    texts = f"{drift.n_new:,} new texts" + (f", {drift.n_old:,} of before" if drift.n_old else "")
    answers = f" Answers were held against those to {drift.against}." if drift.against else ""
    noted = "".join(f" {note[:1].upper()}{note[1:]}." for note in drift.notes)
    return render_findings(
        drift.findings,
        drift.tables(),
        kind="drift",
        model=model,
        asked="Are new texts still like those that this model was trained on?",
        headline=("The new texts ", "have drifted", "") if drift.drifted else ("", drift.verdict.removesuffix("."), ""),
        plain=f"{texts}: {summary_of(drift.findings)}. A concern is a change that is both clear and large."
        f"{answers}{noted}",
        level=drift.level,
    )
