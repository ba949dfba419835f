"""The list of likely label errors as a file for a person to correct."""

from __future__ import annotations

import codecs
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.audit.label_errors import LabelErrors

__all__ = ["write_label_errors"]


def write_label_errors(errors: LabelErrors | None, path: Path, *, safe_cells: bool = False) -> int:
    """Write all suspects, the likeliest first, with the columns of `assay.data.corrections`; returns how many.

    CSV begins with the mark by which Excel knows UTF-8.
    """
    from assay.data.arrays import string_array
    from assay.data.corrections import COLUMNS, text_digest
    from assay.streaming.outputs import choose_format, chosen_writer, open_output

    suspects = () if errors is None else errors.suspects
    rows = [(s.file, str(s.file_row or ""), s.text, s.label, s.suggested, "", text_digest(s.text)) for s in suspects]
    kind = choose_format(path, None, "csv")
    with open_output(path, kind) as sink:
        if kind in ("csv", "tsv"):
            sink.write(codecs.BOM_UTF8)
        writer = chosen_writer(sink, kind, safe_cells=safe_cells)
        writer.write({name: string_array([row[k] for row in rows]) for k, name in enumerate(COLUMNS)})
        writer.close()
    return len(rows)
