"""From a training to its report: every section gathers what it says, and a template writes it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay import page
from assay.atomic_file import write_atomically
from assay.evaluation.presenting.percentages import percent
from assay.report import wording
from assay.report.sections.answer import answer
from assay.report.sections.candidates import candidates_section
from assay.report.sections.curves import curves_section
from assay.report.sections.data import data_section
from assay.report.sections.documents import documents_section
from assay.report.sections.elsewhere import elsewhere_section
from assay.report.sections.features import features_section
from assay.report.sections.measured import measured
from assay.report.sections.repeat import repeat_section
from assay.report.sections.results import results_section
from assay.suggest import counted

if TYPE_CHECKING:
    from jinja2 import Environment

    from assay.training.run import TrainingRun

__all__ = ["render_report", "write_report"]

TEMPLATES = Path(__file__).with_name("templates")


def write_report(
    run: TrainingRun,
    path: str | os.PathLike[str],
    *,
    model: str = "model.assay",
    settings: str = "settings.toml",
) -> None:
    """Write the report of a run to one file that needs no other and no network.

    Parameters
    ----------
    run
        A finished training.
    path
        The file, by custom ``report.html``.
    model, settings
        Names of the model and the settings file, for the commands that the report recommends.

    Examples
    --------
    >>> import assay, tempfile
    >>> from assay.training import TrainingSettings, run_training
    >>> texts = ["loved it", "so dull", "great fun", "a dull mess", "loved the fun", "dull, dull"] * 4
    >>> settings = TrainingSettings.chosen(learner="svm", ngrams="1-2", holdout=0.25)
    >>> run = run_training((texts, ["pos", "neg"] * 12), settings)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_report(run, f"{folder}/report.html")
    ...     Path(f"{folder}/report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    True
    """
    write_atomically(path, render_report(run, model=model, settings=settings).encode("utf-8", "replace"))


def render_report(run: TrainingRun, *, model: str = "model.assay", settings: str = "settings.toml") -> str:
    """The same as a string."""
    on = measured(run)
    sections: dict[str, Any] = {
        "answer": answer(run, on),
        "data": data_section(run),
        "candidates": candidates_section(run),
        "results": None if on is None else results_section(on, run.model),
        "curves": curves_section(run),
        "elsewhere": elsewhere_section(run),
        "features": features_section(run, on),
        "documents": None if on is None else documents_section(run.model, on),
        "repeat": repeat_section(run, model, settings),
        "links": None,
        "unit": "class" if run.task == "labels" else "label",
        "units": "classes" if run.task == "labels" else "labels",
    }
    return environment().get_template("report.html").render(sections, model=model)


def environment() -> Environment:
    """The templates of the reports, in the frame of all pages."""
    filters = {name: getattr(wording, name) for name in ("seconds", "value", "within")}
    return page.environment(TEMPLATES, counted=counted, percent=percent, **filters)
