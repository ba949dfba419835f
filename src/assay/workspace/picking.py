"""Which texts of a workspace a person is shown next, and why."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.workspace.learning import measuring_rows
from assay.workspace.records import Label

if TYPE_CHECKING:
    from assay.labeling.bought import LabelsBought
    from assay.labeling.picks import Picks
    from assay.workspace.workspace import Workspace

__all__ = ["Picker", "Shown", "bought_by", "choice_of"]


def choice_of(space: Workspace, n: int, who: str | None, model: Any) -> Callable[[], Picks]:
    """What chooses the next texts, with all that it has to know of the workspace: it may run beside it.

    Texts that measure teach nothing here, either; a suspect that somebody has looked at is left at peace.
    """
    pool, measured = space.pool, set(measuring_rows(space).tolist())
    labels = {row: label for row, label in enumerate(space.labels()) if label is not None and row not in measured}
    seen = [id for id, decision in space.decisions.items() if decision.why == "suspect"]
    skip = measured | (set() if who is None else space.passed(who))
    skip |= {row for row in space.known.rows_of(seen).tolist() if row >= 0}
    return lambda: pool.pick(n, labels=labels, model=model, skip=sorted(skip))


def bought_by(space: Workspace, worth: float) -> LabelsBought:
    """What the labels of a workspace have bought: first those of the data, then what people decided, by its time."""
    from assay.labeling.bought import labels_bought

    labels = {row: label for row, label in enumerate(space.labels()) if label is not None}
    rows = space.known.rows_of(list(space.decisions)).tolist()
    came = [
        (decision.stamp.time, row) for decision, row in zip(space.decisions.values(), rows, strict=True) if row >= 0
    ]
    decided = [row for _, row in sorted(came)]
    order = [*sorted(set(labels) - set(decided)), *decided]
    return labels_bought(space.pool, labels, order=order, measured=measuring_rows(space).tolist(), worth=worth)


@dataclass(frozen=True)
class Shown:
    """A text to show.

    Attributes
    ----------
    row
        Of the workspace.
    why
        See `assay.workspace.WHYS`.
    sentence
        The reason, for a person; empty where there is nothing to say.
    suggestion
        The label that is likely; None where nobody knows, or where it would sway what is measured.
    """

    row: int
    why: str
    sentence: str = ""
    suggestion: Label | None = None


class Picker:
    """Gives one text after the other, chosen anew after so many labels.

    Parameters
    ----------
    space
        The workspace.
    who
        Who is asked: what they passed over does not come again.
    every
        After so many labels texts are chosen anew, in the background; 0 for never.
    n
        How many are chosen at a time.
    """

    def __init__(self, space: Workspace, who: str, *, every: int = 10, n: int = 20) -> None:
        self._space, self._who, self._every, self._n = space, who, every, n
        self._waiting: list[Shown] = []
        self._again: list[Shown] = []
        self._seen: set[int] = set()
        self._since = 0
        self._coming: tuple[threading.Thread, list[list[Shown]]] | None = None

    def next(self) -> Shown | None:
        """The text to show now; None where there is none left."""
        self._take_what_came()
        if self._again:
            return self._again.pop()
        while True:
            while self._waiting:
                shown = self._waiting.pop(0)
                decided = self._space.known.id(shown.row) in self._space.decisions
                if shown.row not in self._seen and (shown.why == "suspect" or not decided):
                    self._seen.add(shown.row)
                    return shown
            self._waiting = [shown for shown in self._choice()() if shown.row not in self._seen]
            if not self._waiting:
                return None

    def put_back(self, shown: Shown) -> None:
        """Show a text again, before all others, also where somebody else has decided about it."""
        self._seen.add(shown.row)
        self._again.append(shown)

    def labelled(self) -> None:
        """Somebody decided: now and then, texts are chosen anew."""
        self._since += 1
        if self._every and self._since >= self._every and self._coming is None:
            self._since = 0
            choose, came = self._choice(), list[list[Shown]]()
            thread = threading.Thread(target=lambda: came.append(choose()), name="choosing texts", daemon=True)
            thread.start()
            self._coming = thread, came

    def _take_what_came(self) -> None:
        if self._coming is not None and not self._coming[0].is_alive():
            came = self._coming[1]
            self._coming = None
            if came and came[0]:
                self._waiting = came[0]

    def _choice(self) -> Callable[[], list[Shown]]:
        chosen = self._space.choice(self._n + len(self._seen), who=self._who)
        return lambda: [Shown(pick.row, pick.why, pick.sentence, pick.suggestion) for pick in chosen()]
