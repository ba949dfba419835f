"""The list of likely label errors as a file for a person to correct."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.audit.labels.label_errors import LabelErrors
    from assay.audit.result import Audit
    from assay.cli.options.reading import ReadingOptions

__all__ = ["list_label_errors", "write_suspects"]


def list_label_errors(
    audit: Audit, path: Path, data: Sequence[str], reading: ReadingOptions, model: Path, *, safe_cells: bool = False
) -> str:
    """Write the list, unless nothing was looked for; returns what to say of it, with the command that takes it.

    Parameters
    ----------
    audit
        What was found.
    path
        The list.
    data, reading
        The texts that it is about, and the options that say how they are read.
    model
        What the new model is named after.
    safe_cells
        Whether apostrophes stand before what a spreadsheet would take for a formula.
    """
    from assay.cli.options.reading import no_option
    from assay.suggest import counted

    if audit.label_errors is None:
        why = [finding.seen for finding in audit.findings if finding.kind == "label_errors_unknown"]
        return f"Likely label errors: {' '.join(why) or 'they were not looked for.'} {path} was not written."
    written = write_suspects(audit.label_errors, path, safe_cells=safe_cells)
    if not written:
        return f"0 likely label errors → {path}: there is nothing to correct."
    words = ["assay", "train", *map(no_option, data), "--corrections", no_option(str(path)), *reading.words()]
    words += ["-o", no_option(str(model.with_name(f"{model.stem}.corrected.assay")))]
    write = (
        "Write into its column correct_label, as in likely_label, whether the text has the label"
        if audit.label_errors.of_sets
        else "Write the right labels into its column correct_label"
    )
    return (
        f"{counted(written, 'likely label error', 'likely label errors')} → {path}. {write}, '-' to leave a text out; "
        f"then: {shlex.join(words)}"
    )


def write_suspects(errors: LabelErrors, path: Path, *, safe_cells: bool = False) -> int:
    """Write all suspects, the likeliest first, with the columns of `assay.data.reading.corrections`; returns how many.

    CSV begins with the mark by which Excel knows UTF-8.
    """
    from assay.data.arrays import string_array
    from assay.data.bytes.encoding import UTF8
    from assay.data.reading.corrections import COLUMNS, text_digest
    from assay.streaming.outputs import choose_format, open_rows

    rows = [(s.file, str(s.row or ""), s.text, s.label, s.suggested, "", text_digest(s.text)) for s in errors.suspects]
    kind = choose_format(path, None, "csv")
    encoding = UTF8._replace(has_mark=kind in ("csv", "tsv"))
    with open_rows(path, kind, encoding, safe_cells=safe_cells) as out:
        out.write({name: string_array([row[k] for row in rows]) for k, name in enumerate(COLUMNS)})
    return len(rows)
