"""How data is read, as a command was told it and as a settings file keeps it: by the names of options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from assay.errors import ParameterError
from assay.wording import setting

__all__ = ["read_settings_of"]

_TABS = {"tab": "\t", r"\t": "\t"}
_SAME = (
    *("text", "format", "encoding", "sheet", "merge_labels", "dedupe", "skip_unlabelled", "skip_empty"),
    *("label", "errors"),
)


def read_settings_of(options: Mapping[str, Any]) -> dict[str, Any]:
    r"""The settings of `assay.read`, by their names there; what is not given is as without any option.

    Examples
    --------
    >>> told = read_settings_of({"delimiter": "tab", "names": "text,label", "no_quotes": True})
    >>> {name: told[name] for name in ("delimiter", "names", "quotes", "label", "errors")}
    {'delimiter': '\t', 'names': ['text', 'label'], 'quotes': False, 'label': None, 'errors': 'strict'}
    """
    usual = {"errors": "strict", "merge_labels": False, "dedupe": False, "skip_unlabelled": False, "skip_empty": False}
    same = {name: options.get(name, usual.get(name)) for name in _SAME}
    delimiter, columns, names = (options.get(name) for name in ("delimiter", "label_columns", "names"))
    return same | {
        "label": False if options.get("unlabelled") else options.get("label"),
        "labels_separator": _separator(options),
        "label_columns": columns.split(",") if columns else None,
        "delimiter": _TABS.get(delimiter or "", delimiter),
        "quotes": not options.get("no_quotes"),
        "names": names.split(",") if names else None,
    }


def _separator(options: Mapping[str, Any]) -> str | Literal[False] | None:
    separator, one_label = options.get("labels_separator"), options.get("one_label")
    if one_label and separator is not None:
        raise ParameterError(
            f"{setting('labels_separator', separator)} says that a cell holds several labels, and "
            f"{setting('labels_separator', False)} that it holds one. Leave one of the two out."
        )
    return False if one_label else _TABS.get(separator or "", separator)
