"""What every file is turned into: a sample to choose columns by, then pieces of some thousand rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import pyarrow as pa

from assay.data.bytes.encoding import UTF8, FoundEncoding
from assay.data.columns.label_form import ONE_LABEL, LabelForm
from assay.data.corpus.origin import Origin

__all__ = ["FileReader", "Piece", "Wanted"]


class Wanted:
    """The columns to read: the text, the label if there is one (or one for each label), and the others to keep.

    Examples
    --------
    >>> list(Wanted("review", "stars", ["id"]))
    ['review', 'stars', 'id']
    """

    __slots__ = ("form", "label", "others", "text")

    def __init__(self, text: str, label: str | None, others: Sequence[str], form: LabelForm = ONE_LABEL) -> None:
        self.text = text
        self.label = label
        self.others = tuple(others)
        self.form = form

    @property
    def essential(self) -> list[str]:
        """The text and the label column."""
        return [self.text] if self.label is None else [self.text, self.label]

    @property
    def labelled(self) -> bool:
        """Whether there are labels, in one column or in several."""
        return self.label is not None or bool(self.form.columns)

    def __iter__(self) -> Iterator[str]:
        return iter((*self.essential, *self.form.columns, *self.others))


class Piece(NamedTuple):
    """Some rows of a file."""

    columns: pa.RecordBatch
    """The columns that were asked for; text is large_binary (not yet checked) or any type of string."""
    origin: Origin
    """Where the rows stand."""
    blank: Origin
    """Where rows stood that were left out because nothing was written in them."""
    position: int
    """How many bytes of the file were used up to here."""


class FileReader(ABC):
    """Reads one file or object of one format.

    Parameters
    ----------
    name
        What messages call it.
    size
        Bytes, for the progress; 0 where nobody knows.
    """

    holds_raw_text = False
    """Whether a NUL in a value was a NUL byte in the file, and not an escape or a value in a typed column."""
    has_fixed_columns = False
    """Whether the format itself says what is text and what is label, in columns of these names."""
    format: str | None = None
    """One of `assay.data.options.FORMATS`; None for data in memory."""

    encoding: FoundEncoding = UTF8
    """What the text of the file is written in."""
    delimiter: str | None = None
    """What stands between the values of a row, where that is one character."""
    schema: pa.Schema | None = None
    """Types and metadata of the columns, where the file itself has them."""
    lists: frozenset[str] = frozenset()
    """Columns of which a value in the sample is a list, where the types of the sample do not show it."""
    label_names: tuple[str, ...] = ()
    """All labels that there are, where the source says so; others are named as they come up."""
    nested: frozenset[str] = frozenset()
    """Columns of lists and objects, which are given as the JSON text that they were written as."""

    def __init__(self, name: str, size: int) -> None:
        self.name = name
        self.size = size
        self.notes: list[str] = []  # what was guessed about the file
        self.give_up: Callable[[], None] = lambda: None  # lets whoever waits for the file in another thread go

    @abstractmethod
    def sample(self) -> pa.Table:
        """Return the first rows of all columns, which have the names that the file gives them."""

    @abstractmethod
    def pieces(self, wanted: Wanted) -> Iterator[Piece]:
        """Go through all rows; a name that the file has twice is `columns.distinct_names`'s."""

    def line(self, row: int) -> int | None:
        """Return the line that a row begins on, where that is another number than the row's."""
        return None

    def why_lists(self) -> str | None:
        """Say why the labels are lists, where that was found out."""
        return None

    def why_empty(self, row: int, column: str) -> str | None:
        """Say why a value that a person sees in the file is empty here, if there is something to be seen."""
        return None

    def looks_headless(self) -> str | None:
        """Say why the first row does not seem to be a header, where there should be one."""
        return None
