"""Texts to label next as a file that a person fills."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus
    from assay.labeling.picks import Label, Picks

__all__ = ["COLUMNS", "write_picks"]

COLUMNS = ("id", "file", "row", "text", "why", "suggestion", "current_label", "label")


def write_picks(picks: Picks, corpus: Corpus, path: Path, *, safe_cells: bool = False) -> None:
    """Write the picks, with an empty column ``label`` to fill.

    The id is the digest of the text, which copies share; the labels of a set have the first sign between them that
    stands in none of them. CSV begins with the mark by which Excel knows UTF-8.
    """
    from assay.data.arrays import string_array
    from assay.data.bytes.encoding import UTF8
    from assay.data.reading.corrections import text_digest
    from assay.streaming.outputs import choose_format, open_rows
    from assay.streaming.written_sets import separator_for

    labels = {name for pick in picks for label in (pick.suggestion, pick.label) for name in _names(label)}
    sign = separator_for(sorted(labels))
    files, rows = corpus.origin.files_of_rows(), corpus.origin.rows(picks.rows).tolist()
    written = [
        (
            text_digest(pick.text), files[pick.row], str(row or ""), pick.text, pick.why,
            sign.join(_names(pick.suggestion)), sign.join(_names(pick.label)), "",
        )
        for pick, row in zip(picks, rows, strict=True)
    ]  # fmt: skip
    kind = choose_format(path, None, "csv")
    encoding = UTF8._replace(has_mark=kind in ("csv", "tsv"))
    with open_rows(path, kind, encoding, safe_cells=safe_cells) as out:
        out.write({name: string_array([row[k] for row in written]) for k, name in enumerate(COLUMNS)})


def _names(label: Label | None) -> tuple[str, ...]:
    return () if label is None else (label,) if isinstance(label, str) else label
