"""Which texts of a workspace a person is shown next, and why."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.workspace.records import Label

if TYPE_CHECKING:
    from assay.workspace.workspace import Workspace

__all__ = ["Picker", "Shown"]

_EVERY = 5  # one in so many texts is shown at random, to measure by


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
                if shown.row not in self._seen and self._space.known.id(shown.row) not in self._space.decisions:
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
        """What chooses, with all that it has to know of the workspace: it may run beside it."""
        space = self._space
        free = set(space.unlabelled().tolist()) - self._seen - space.passed(self._who)
        aside = [row for row in space.reserved().tolist() if row in free]
        kept = set(space.reserved().tolist())
        others = [row for row in sorted(free) if row not in kept]
        n = self._n

        def choose() -> list[Shown]:
            chosen = [Shown(row, "cold-start") for row in others[:n]]
            for place, row in enumerate(aside[: max(n // _EVERY, n - len(chosen))]):
                chosen.insert(place * _EVERY, Shown(row, "random"))
            return chosen[:n]

        return choose
