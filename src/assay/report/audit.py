"""An audit as a page: the verdicts first, the gravest at the top, then what was measured."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from assay.atomic_file import write_atomically
from assay.report.findings import render_findings

if TYPE_CHECKING:
    from assay.audit.result import Audit

__all__ = ["render_audit", "write_audit"]


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
    n = len(audit.concerns)
    headline = (f"There {'is' if n == 1 else 'are'} ", f"{n} concern{'s' * (n > 1)}", "")
    return render_findings(
        audit.findings,
        audit.tables(),
        kind="audit",
        model=model,
        asked="What should be looked at before others rely on this model?",
        headline=headline if n else ("", "No concern", " was found"),
        plain=f"In all: {audit.summary}. A concern is a difference that is both clear and large. What was not looked "
        "for, an audit cannot find: whether the model may be used for a purpose, people decide.",
        level=audit.level,
    )
