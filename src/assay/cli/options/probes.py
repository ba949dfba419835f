"""Sentences from elsewhere that an audit tries: where they are, and what their columns mean."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated

from assay.cli.options.option import option

__all__ = ["PANEL", "PROBES", "ProbeOptions"]

PANEL = "Probes"
about_probes = partial(option, panel=PANEL)


@dataclass(frozen=True)
class ProbeOptions:
    """A file of sentences and its columns."""

    probe: Annotated[str | None, about_probes("--probe", metavar="FILE", help="Sentences from elsewhere.")] = None
    probe_group: Annotated[
        str | None,
        about_probes(
            "--probe-group",
            metavar="COLUMN",
            help="Column with their group; without it, terms of the lists are looked for in the sentences.",
        ),
    ] = None
    probe_unit: Annotated[
        list[str] | None,
        about_probes(
            "--probe-unit",
            metavar="COLUMN",
            help="Column that is the same in sentences that differ in the group only, such as the template.",
        ),
    ] = None
    probe_term: Annotated[
        str | None, about_probes("--probe-term", metavar="COLUMN", help="Column with the name or term itself.")
    ] = None
    probe_text: Annotated[
        str | None, about_probes("--probe-text", metavar="COLUMN", help="Column with the sentences.")
    ] = None
    probe_positive: Annotated[
        list[str] | None,
        about_probes(
            "--probe-positive",
            metavar="LABEL",
            help="Label of the sentences that truly are the target: measures false-positive rates.",
        ),
    ] = None


PROBES = ProbeOptions()
