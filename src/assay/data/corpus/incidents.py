"""What happened while reading that the user should know: rows left out, bytes repaired."""

from __future__ import annotations

from dataclasses import dataclass

from assay.data.corpus.origin import Origin, joined_places
from assay.suggest import counted

__all__ = ["Incident", "IncidentLog"]

_SENTENCES = {
    "blank": ("blank row was left out", "blank rows were left out"),
    "unlabelled": ("row without a label was left out", "rows without a label were left out"),
    "empty": ("row with an empty text was left out", "rows with an empty text were left out"),
    "kept_empty": ("text is empty", "texts are empty"),
    "invalid": ("value that was not valid text was repaired", "values that were not valid text were repaired"),
    "empty_set": ("text has no label", "texts have no label"),
    "repeated_label": ("cell names a label twice, which counts once", "cells name a label twice, which counts once"),
    "empty_label": ("cell has nothing where a label should be", "cells have nothing where a label should be"),
    "padded_label": ("cell has blanks around its labels, left out", "cells have blanks around their labels, left out"),
    "nul": ("value with NUL bytes was repaired", "values with NUL bytes were repaired"),
}
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Incident:
    """One kind of thing that happened.

    Parameters
    ----------
    kind
        ``"blank"``, ``"unlabelled"``, ``"empty"`` (rows left out), ``"kept_empty"`` (rows without a text that
        were kept), ``"invalid"`` (not valid in the encoding) or ``"nul"`` (values in which U+FFFD was put). Of sets of
        labels: ``"empty_set"`` (texts with none), ``"repeated_label"``, ``"empty_label"`` and ``"padded_label"`` (cells
        that name a label twice, none between two separators, or one with blanks around it).
    count
        How often.
    places
        Where, the first five: ``"reviews.csv, row 17"``.
    """

    kind: str
    count: int
    places: tuple[str, ...]

    def __str__(self) -> str:
        where = joined_places(self.places) + (" …" if self.count > len(self.places) else "")
        return f"{counted(self.count, *_SENTENCES[self.kind])} ({where})"


class IncidentLog:
    """Counts incidents by kind and remembers where the first ones were."""

    def __init__(self) -> None:
        self._count: dict[str, int] = {}
        self._places: dict[str, list[str]] = {}

    def add(self, kind: str, where: Origin) -> None:
        """Note that something happened in some rows."""
        if not len(where):
            return
        self._count[kind] = self._count.get(kind, 0) + len(where)
        places = self._places.setdefault(kind, [])
        places += [where.place(index) for index in range(min(len(where), _SHOWN - len(places)))]

    def incidents(self) -> tuple[Incident, ...]:
        """Everything that happened."""
        return tuple(Incident(kind, count, tuple(self._places[kind])) for kind, count in self._count.items())

    def sentences(self) -> list[str]:
        """The same for people."""
        return [str(incident) for incident in self.incidents()]
