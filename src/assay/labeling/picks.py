"""What was picked, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args, overload

from assay.tables import Page, Shown, Table, shorten

__all__ = ["REASONS", "Label", "Pick", "Picks", "Reason", "label_text"]

#: A label, or the labels of a set.
Label = str | tuple[str, ...]

Reason = Literal["random", "uncertain", "diverse", "rare-word", "rare-neighbor", "suspect", "cold-start"]
REASONS: tuple[Reason, ...] = get_args(Reason)


@dataclass(frozen=True)
class Pick:
    """A text to label.

    Attributes
    ----------
    row
        In the corpus, from 0.
    why
        - ``random``: drawn by chance from the texts that are kept aside, to measure;
        - ``uncertain``: the model cannot decide;
        - ``diverse``: the model cannot decide, and what it doubts more about was like others that were picked;
        - ``rare-word``: has words that speak for a label with few examples;
        - ``rare-neighbor``: is like an example of such a label;
        - ``suspect``: has a label already, which is likely wrong;
        - ``cold-start``: typical of a cluster, while there are no labels to learn from; or drawn from all texts, while
          labels have few examples.
    score
        How strongly, by that reason alone: from 0 to 1.
    suggestion
        The label that the model would give, of a suspect the likely right one; None without a model, and for a text
        that measures: a suggestion would sway the person, and with it what is measured.
    label
        What a suspect is labelled now.
    sentence
        The reason, for a person.
    """

    row: int
    text: str
    why: Reason
    score: float
    suggestion: Label | None
    label: Label | None
    sentence: str

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        plain = {name: list(value) if isinstance(value, tuple) else value for name, value in vars(self).items()}
        return plain | {"score": round(self.score, 6)}


@dataclass(frozen=True)
class Picks(Sequence[Pick], Shown):
    """Texts to label next, in the order in which to show them: whoever stops early has seen some of every reason.

    Attributes
    ----------
    items
        The picks.
    notes
        What should be known of them, in sentences.
    n_texts, n_labelled
        How many texts there are, and how many had labels.
    """

    items: tuple[Pick, ...]
    notes: tuple[str, ...]
    n_texts: int
    n_labelled: int

    @overload
    def __getitem__(self, at: int) -> Pick: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Pick, ...]: ...
    def __getitem__(self, at: int | slice) -> Pick | tuple[Pick, ...]:
        return self.items[at]

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Pick]:
        return iter(self.items)

    @property
    def rows(self) -> list[int]:
        """The rows that were picked."""
        return [pick.row for pick in self.items]

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "kind": "picks",
            "version": 1,
            "texts": self.n_texts,
            "labelled": self.n_labelled,
            "picks": [pick.to_dict() for pick in self.items],
            "notes": list(self.notes),
        }

    def _page(self) -> Page:
        rows = [
            (shorten(pick.text, 40), pick.why, shorten(label_text(pick.suggestion), 20), f"{pick.row + 1:,}")
            for pick in self.items
        ]
        heading = f"{len(self):,} of {self.n_texts:,} texts to label next; {self.n_labelled:,} are labelled"
        table = Table("Picked", ("text", "why", "suggestion", "row"), rows)
        return heading, [table], self.notes


def label_text(label: Label | None) -> str:
    """A label, or several with commas between them, in one string; nothing for none.

    Examples
    --------
    >>> label_text("sport"), label_text(("law", "sport")), label_text(None)
    ('sport', 'law, sport', '')
    """
    return "" if label is None else label if isinstance(label, str) else ", ".join(label)
