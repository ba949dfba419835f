"""Cells that a spreadsheet shows and never runs.

A spreadsheet takes a cell that begins with ``=``, ``+``, ``-`` or ``@`` for a formula, also in a CSV file, and a
formula in a text from a stranger may send what is in other cells elsewhere. An apostrophe before it makes it text. One
is put before the wide forms of these signs too, which some spreadsheets take for them, and before a tab or the end of a
line, which some leave out. This changes the texts, so it is only done where it is asked for.

References
----------
OWASP, CSV Injection.
"""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from assay.errors import ParameterError
from assay.streaming.writers import Columns, Writer
from assay.wording import setting

__all__ = ["SafeCellsWriter", "require_cells", "safe_values"]

_FOR_SPREADSHEETS = ("csv", "tsv", "xlsx")
_BEGINS_FORMULA = r"^([=+\-@\t\r\n\x{FF1D}\x{FF0B}\x{FF0D}\x{FF20}])"


def require_cells(kind: str) -> None:
    """Complain about a format without cells."""
    if kind not in _FOR_SPREADSHEETS:
        raise ParameterError(
            f"{setting('safe_cells', True)} is for what spreadsheets open (csv, tsv, xlsx), and the output is "
            f"{kind}. Leave it out, or choose one of these formats."
        )


class SafeCellsWriter(Writer):
    """Hands rows on to the writer of a format, with an apostrophe before what would be a formula.

    Parameters
    ----------
    writer, kind
        The writer, and the name of its format.
    """

    def __init__(self, writer: Writer, kind: str) -> None:
        require_cells(kind)
        self._writer = writer
        self.notes = writer.notes

    def write(self, columns: Columns) -> None:
        """Write some rows."""
        names = safe_values(pa.array(list(columns), pa.large_string())).to_pylist()
        self._writer.write({name: safe_values(values) for name, values in zip(names, columns.values(), strict=True)})

    def close(self) -> None:
        """Write what belongs at the end."""
        self._writer.close()


def safe_values(values: pa.Array) -> pa.Array:
    """Put an apostrophe before texts that begin like a formula; numbers stay as they are.

    Examples
    --------
    >>> safe_values(pa.array(["=1+1", "fine", "-2", None])).to_pylist()
    ["'=1+1", 'fine', "'-2", None]
    """
    if pa.types.is_dictionary(values.type):
        return pa.DictionaryArray.from_arrays(values.indices, safe_values(values.dictionary))
    if not (pa.types.is_string(values.type) or pa.types.is_large_string(values.type)):
        return values
    return pc.replace_substring_regex(values, _BEGINS_FORMULA, r"'\1")
