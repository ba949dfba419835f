"""An audit as a page: the verdicts first, the gravest at the top, then what was measured."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from assay.atomic_file import write_atomically
from assay.audit.result import said_once
from assay.report.build import environment

if TYPE_CHECKING:
    from assay.audit.result import Audit

__all__ = ["render_audit", "write_audit"]

_TAGS = {"concern": ("error", "concern"), "notice": ("warning", "to look at"), "unknown": ("note", "not known")}


def write_audit(audit: Audit, path: str | os.PathLike[str], *, model: str) -> None:
    """Write an audit to one file that needs no other and no network.

    Parameters
    ----------
    audit
        Made by `assay.audit.audit`.
    path
        The file.
    model
        What the page calls the model.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import assay
    >>> from assay.audit import audit
    >>> fitted = assay.TextClassifier(learner="logistic").fit(["so good", "so bad"] * 5, ["+", "-"] * 5)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_audit(audit(fitted, swaps=["gender"]), f"{folder}/audit.html", model="films.assay")
    ...     "Swaps: gender" in Path(f"{folder}/audit.html").read_text(encoding="utf-8")
    True
    """
    write_atomically(path, render_audit(audit, model=model).encode("utf-8", "replace"))


def render_audit(audit: Audit, *, model: str) -> str:
    """The same as a string."""
    verdicts = [
        {"title": finding.title, "severity": finding.severity, "said": said}
        for finding, said in zip(audit.findings, said_once(audit.findings), strict=True)
    ]
    page: dict[str, Any] = {
        "model": model,
        "summary": audit.summary,
        "n_concerns": len(audit.concerns),
        "grave": [verdict for verdict in verdicts if verdict["severity"] != "ok"],
        "fine": [verdict for verdict in verdicts if verdict["severity"] == "ok"],
        "tags": _TAGS,
        "tables": [table for table in audit.tables() if table.rows],
        "level": audit.level,
    }
    return environment().get_template("audit.html").render(page)
