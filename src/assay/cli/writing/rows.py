"""A table of text as a file, in the format that its name says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["write_rows"]


def write_rows(table: pa.Table, path: str) -> None:
    """Write the columns as they are; CSV begins with the mark by which Excel knows UTF-8."""
    from assay.data.arrays import string_array
    from assay.data.bytes.encoding import UTF8
    from assay.streaming.outputs import choose_format, open_rows

    kind = choose_format(Path(path), None, "csv")
    encoding = UTF8._replace(has_mark=kind in ("csv", "tsv"))
    with open_rows(Path(path), kind, encoding) as out:
        out.write({name: string_array(table.column(name).to_pylist()) for name in table.column_names})
