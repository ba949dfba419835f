"""How to do it again, and what to do next."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

from assay.report.wording import seconds

if TYPE_CHECKING:
    from assay.training.run import TrainingRun

__all__ = ["RepeatSection", "repeat_section"]


@dataclass(frozen=True)
class RepeatSection:
    """What the section shows."""

    repeat: str
    following: tuple[tuple[str, str], ...]  # what a command does, and the command
    facts: tuple[tuple[str, str], ...]
    settings: str


def repeat_section(run: TrainingRun, model: str, settings: str) -> RepeatSection:
    """Commands for a model and a settings file of these names."""
    source = shlex.quote(PurePath(run.train.source).name)
    name = shlex.quote(model)
    again = shlex.quote(f"{PurePath(model).stem}-again.assay")  # nothing is written over
    provenance = run.model.provenance
    data, versions = provenance.get("data", {}), provenance.get("versions", {})
    facts = [
        ("Training texts", f"{len(run.train):,}, SHA-256 {str(data.get('sha256', ''))[:16]}…"),
        ("Seed", str(run.settings.seed)),
        ("Took", ", ".join(f"{stage} {seconds(time)}" for stage, time in run.seconds.items())),
        ("Made with", ", ".join(f"{part} {version}" for part, version in sorted(versions.items()))),
        ("Made on", str(provenance.get("created", ""))[:10]),
    ]
    return RepeatSection(
        f"assay train {source} --settings {shlex.quote(settings)} -o {again}",
        (
            ("Label new texts", f"assay predict {name} new.csv -o labelled.csv"),
            ("Ask why a text gets its label", f'assay explain {name} "a text"'),
            ("Measure it on other labelled texts", f"assay evaluate {name} other.csv"),
            ("Look for harm and weak spots", f"assay audit {name} other.csv"),
            ("Write the document to give with it", f"assay card {name}"),
        ),
        tuple((what, value) for what, value in facts if value),
        json.dumps([member.recipe.to_dict() for member in run.members], indent=2, ensure_ascii=False),
    )
