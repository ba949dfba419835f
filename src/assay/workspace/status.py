"""How far a workspace is, for people and for programs."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from assay.suggest import counted
from assay.workspace.measuring import FEWEST, Measured, measured
from assay.workspace.state import names_of

if TYPE_CHECKING:
    from assay.workspace.workspace import Workspace

__all__ = ["Coder", "LabelCount", "Status", "status_of"]


@dataclass(frozen=True)
class LabelCount:
    """A label, and how many texts have it by a decision, and else by the data."""

    label: str
    decided: int
    from_data: int


@dataclass(frozen=True)
class Coder:
    """A person, how many texts they decided, and when first and last (UTC)."""

    who: str
    texts: int
    first: str
    last: str


@dataclass(frozen=True)
class Status:
    """How far a workspace is.

    Attributes
    ----------
    folder, created, task
        Which it is.
    texts, rows
        Different texts, and the rows of data that they come from.
    labels
        Each label with its texts.
    decided, from_data, unlabelled
        Texts that somebody decided, that have their label from the data, that have none.
    elsewhere
        Decisions about texts that the data does not have now.
    coders
        Who decided.
    conflicts
        Texts that people decided differently.
    kept_aside
        Texts that were shown at random and decided: the model is measured by them.
    model
        The newest model, seen from the workspace; None for none.
    since_model
        Decisions that it does not know.
    measured
        What it is worth; None without a model, or with fewer than ten texts to measure by.
    repaired
        Files with ends of the journal that were cut off, and set aside.
    notes
        What else to know, in sentences.
    next_step
        What to do next, in a sentence.
    """

    folder: str
    created: str
    task: str
    texts: int
    rows: int
    labels: tuple[LabelCount, ...]
    decided: int
    from_data: int
    unlabelled: int
    elsewhere: int
    coders: tuple[Coder, ...]
    conflicts: int
    kept_aside: int
    model: str | None
    since_model: int
    measured: Measured | None
    repaired: tuple[str, ...]
    notes: tuple[str, ...]
    next_step: str

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; `docs/reference/json.md` describes it."""
        found = None if self.measured is None else self.measured.to_dict()
        return {"kind": "workspace", "version": 1, **asdict(self), "measured": found}


def status_of(space: Workspace) -> Status:
    """Look at a workspace."""
    space.refresh()
    rows = dict(zip(space.decisions, space.known.rows_of(list(space.decisions)).tolist(), strict=True))
    here = {id: row for id, row in rows.items() if row >= 0}
    decided_rows = set(here.values())
    decided = Counter(name for id in here for name in names_of(space.decisions[id].label))
    given = [
        space.state.renamed_label(label)
        for row, label in enumerate(space.known.labels)
        if label is not None and row not in decided_rows
    ]
    from_data = Counter(name for label in given for name in names_of(label or ()))
    aside = space.measuring()
    model = space.newest_model
    worth = None
    if model is not None:
        from assay.loading import load

        worth = measured(load(model), aside)
    n = len(space.known)
    status = Status(
        folder=str(space.folder),
        created=space.settings.created,
        task=space.task,
        texts=n,
        rows=space.known.rows,
        labels=tuple(LabelCount(name, decided[name], from_data[name]) for name in space.label_names),
        decided=len(here),
        from_data=len(given),
        unlabelled=n - len(here) - len(given),
        elsewhere=len(rows) - len(here),
        coders=tuple(_coder(who, space) for who in space.coders),
        conflicts=len(space.conflicts()),
        kept_aside=0 if aside is None else len(aside),
        model=None if model is None else model.relative_to(space.folder).as_posix(),
        since_model=space.since(model),
        measured=worth,
        repaired=tuple(path.name for path in space.set_aside),
        notes=(*space.notes, *space.known.notes),
        next_step="",
    )
    return replace(status, next_step=_next_step(status))


def _coder(who: str, space: Workspace) -> Coder:
    times = sorted(decision.stamp.time for decision in space.decisions_by(who).values())
    return Coder(who, len(times), times[0], times[-1])


def _next_step(status: Status) -> str:
    label = f"'assay label {status.folder}'"
    if not status.texts:
        return f"There are no texts yet: 'assay workspace add {status.folder} DATA' adds some."
    present = [count for count in status.labels if count.decided + count.from_data]
    if len(present) < 2:
        return f"{label} asks for labels; a model needs texts of two of them at least."
    if status.model is None:
        return f"'assay train {status.folder}' trains a model on what there is; {label} asks for more."
    if status.since_model:
        new = counted(status.since_model, "decision is", "decisions are")
        return f"{new} newer than the model: 'assay train {status.folder}' trains on them, too."
    if status.kept_aside < FEWEST:
        return f"{label} asks for more labels; with {FEWEST} texts shown at random the model is measured."
    return f"{label} asks for more labels; the newest model is {status.folder}/{status.model}."
