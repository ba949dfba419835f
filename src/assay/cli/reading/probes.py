"""Reading sentences from elsewhere for an audit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.cli.options.reading import ReadingOptions
from assay.cli.reading.data import read_data
from assay.errors import ParameterError

if TYPE_CHECKING:
    from assay.audit import Probe
    from assay.cli.options.probes import ProbeOptions
    from assay.cli.options.screen import Screen

__all__ = ["read_probes"]


def read_probes(options: ProbeOptions, lists: list[str] | None, screen: Screen) -> list[Probe]:
    """The probes in a file, by its columns or by the terms of `lists`; none where there is no file."""
    from assay.audit import built_in_lists, load_list, probe_from_columns, probes_from_terms

    group, unit, text = options.probe_group, options.probe_unit or [], options.probe_text
    if options.probe is None:
        if group or unit or options.probe_term or text or options.probe_positive:
            raise ParameterError("--probe-group and its like describe a file of sentences. Name it with --probe FILE.")
        return []
    if group is not None and not unit:
        raise ParameterError(
            f"--probe-group {group} needs --probe-unit COLUMN: which sentences differ in the group only."
        )
    reading = ReadingOptions(text=text, unlabelled=not options.probe_positive)
    corpus = read_data([options.probe], reading, screen)
    if group is not None:
        return [probe_from_columns(corpus, group, unit, options.probe_term)]
    return probes_from_terms(corpus, [load_list(name) for name in lists or built_in_lists()])
