"""Reading sentences from elsewhere for an audit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.cli.reading.data import read_data
from assay.errors import ParameterError

if TYPE_CHECKING:
    from assay.audit import Probe

__all__ = ["read_probes"]


def read_probes(
    path: str | None,
    group: str | None,
    unit: list[str],
    term: str | None,
    text: str | None,
    lists: list[str] | None,
    *,
    labelled: bool,
    quiet: bool,
) -> list[Probe]:
    """The probes in a file; none where there is no file."""
    from assay.audit import built_in_lists, load_list, probe_from_columns, probes_from_terms

    if path is None:
        if group or unit or term or text or labelled:
            raise ParameterError("--probe-group and its like describe a file of sentences. Name it with --probe FILE.")
        return []
    if group is not None and not unit:
        raise ParameterError(
            f"--probe-group {group} needs --probe-unit COLUMN: which sentences differ in the group only."
        )
    corpus = read_data([path], text=text, label=None if labelled else False, quiet=quiet)
    if group is not None:
        return [probe_from_columns(corpus, group, unit, term)]
    return probes_from_terms(corpus, [load_list(name) for name in lists or built_in_lists()])
