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

from assay.errors import ParameterError
from assay.streaming.writers import Columns
from assay.wording import setting

__all__ = ["require_cells", "safe_columns", "safe_values"]

_FOR_SPREADSHEETS = ("csv", "tsv", "xlsx")
_BEGINS_FORMULA = r"^([=+\-@\t\r\n\x{FF1D}\x{FF0B}\x{FF0D}\x{FF20}])"


def require_cells(kind: str) -> None:
    """Complain about a format without cells."""
    if kind not in _FOR_SPREADSHEETS:
        raise ParameterError(
            f"{setting('safe_cells', True)} is for what spreadsheets open (csv, tsv, xlsx), and the output is "
            f"{kind}. Leave it out, or choose one of these formats."
        )


def safe_columns(columns: Columns) -> Columns:
    """Columns, and their names, with an apostrophe before what would be a formula."""
    names = safe_values(pa.array(list(columns), pa.large_string())).to_pylist()
    return {name: safe_values(values) for name, values in zip(names, columns.values(), strict=True)}


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
    import pyarrow.compute as pc

    return pc.replace_substring_regex(values, _BEGINS_FORMULA, r"'\1")
