"""Who said what of which text: a table with a row a text and a column a coder, in which cells may be empty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.data.columns.column_names import plain_name
from assay.errors import DataError, ParameterError
from assay.suggest import counted, excerpt, nearest_first, quote, quoted
from assay.wording import setting

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["MISSING", "Ratings"]

MISSING = -1


@dataclass(frozen=True, eq=False)
class Ratings:
    """Labels of texts by several coders.

    Attributes
    ----------
    coders
        What they are called.
    values
        What was said: labels, or sets of labels, each once.
    table
        (n_texts, n_coders): the number of what was said, or -1 where a coder said nothing.
    texts, places
        What the rows are, and where they stand.
    separator
        What stands between the labels of a cell; None where a cell is one label.
    """

    coders: tuple[str, ...]
    values: tuple[Any, ...]
    table: NDArray[np.int64]
    texts: tuple[str, ...]
    places: tuple[str, ...]
    separator: str | None = None

    @classmethod
    def of_columns(
        cls, columns: Sequence[Sequence[Any]], coders: Sequence[str] | None = None, *, separator: str | None = None
    ) -> Ratings:
        """Of one list of labels a coder; None, or a cell without anything in it, where nothing was said.

        Examples
        --------
        >>> Ratings.of_columns([["a", "b", None], ["a", "a", "b"]]).table.tolist()
        [[0, 0], [1, 0], [-1, 1]]
        """
        names = tuple(coders) if coders is not None else tuple(f"coder {k + 1}" for k in range(len(columns)))
        n = len(columns[0]) if columns else 0
        if any(len(column) != n for column in columns):
            raise DataError(
                f"The coders have {', '.join(str(len(column)) for column in columns)} labels. Give one for each text, "
                "None where a coder said nothing."
            )
        said = [[_value(cell, separator) for cell in column] for column in columns]
        found = {value for column in said for value in column if value is not None}
        values = tuple(sorted(found))
        number = {value: k for k, value in enumerate(values)}
        table = np.array([[MISSING if v is None else number[v] for v in column] for column in said], np.int64)
        table = table.reshape(len(columns), n).T
        places = tuple(f"row {k + 1}" for k in range(n))
        return cls(names, values, table, ("",) * n, places, separator)._checked()

    @classmethod
    def of_table(cls, corpus: Corpus, coders: Sequence[str], separator: str | None = None) -> Ratings:
        """Of a file with a column for each coder."""
        columns = [_column(corpus, name) for name in coders]
        made = cls.of_columns(columns, tuple(coders), separator=separator)
        places = tuple(corpus.origin.place(k) for k in range(len(corpus)))
        return cls(made.coders, made.values, made.table, _texts(corpus), places, separator)

    @classmethod
    def of_rows(
        cls, corpus: Corpus, coder: str, label: str, coders: Sequence[str] = (), separator: str | None = None
    ) -> Ratings:
        """Of a file with a row for each text and coder."""
        who, said, texts = _column(corpus, coder), _column(corpus, label), _texts(corpus)
        names = tuple(coders) or tuple(sorted({str(name).strip() for name in who if name not in (None, "")}))
        items = {text: k for k, text in enumerate(dict.fromkeys(texts))}
        cells: list[list[Any]] = [[None] * len(items) for _ in names]
        places = [""] * len(items)
        rows: dict[tuple[int, int], int] = {}
        for row, (name, cell, text) in enumerate(zip(who, said, texts, strict=True)):
            places[items[text]] = places[items[text]] or corpus.origin.place(row)
            if str(name).strip() not in names or _value(cell, separator) is None:
                continue
            at = names.index(str(name).strip()), items[text]
            earlier = rows.setdefault(at, row)
            if _value(said[earlier], separator) != _value(cell, separator):
                raise DataError(
                    f"{corpus.origin.place(row)}: {quote(name)} says {quote(cell)} of the text {excerpt(text, 40)}, "
                    f"and {quote(said[earlier])} in {corpus.origin.place(earlier)}. Keep one of the two rows."
                )
            cells[at[0]][at[1]] = cell
        made = cls.of_columns(cells, names, separator=separator)
        return cls(made.coders, made.values, made.table, tuple(items), tuple(places), separator)

    def _checked(self) -> Ratings:
        if len(self.coders) < 2:
            raise DataError(
                f"Agreement is between two coders or more. Got {quoted(self.coders) or 'none'}. Name their columns "
                f"with {setting('coders')}."
            )
        if len(set(self.coders)) != len(self.coders):
            raise ParameterError(f"{setting('coders')} names a coder twice: {quoted(self.coders)}. Name each once.")
        for k, name in enumerate(self.coders):
            if (self.table[:, k] == MISSING).all():
                raise DataError(f"The coder {quote(name)} has not labelled a single text. Leave this coder out.")
        if not self.pairable.any():
            raise DataError(
                f"None of the {counted(len(self.table), 'text', 'texts')} was labelled by two coders, so there is no "
                "agreement to measure. Let two people label some of the same texts."
            )
        return self

    @cached_property
    def pairable(self) -> NDArray[np.bool_]:
        """Which texts two coders or more have labelled."""
        return np.asarray((self.table != MISSING).sum(axis=1) >= 2)

    @cached_property
    def disagreed(self) -> NDArray[np.bool_]:
        """Texts of which not all who labelled them said the same."""
        highest = self.table.max(axis=1)
        lowest = np.where(self.table == MISSING, highest[:, None], self.table).min(axis=1)
        return np.asarray(highest != lowest)

    def counts(self) -> NDArray[np.float64]:
        """(n_texts, n_values): how many coders said each."""
        found = np.zeros((len(self.table), len(self.values)))
        for column in self.table.T:
            rows = np.flatnonzero(column != MISSING)
            found[rows, column[rows]] += 1
        return found

    def shown(self, value: int) -> str:
        """What was said, as a cell."""
        if value == MISSING:
            return ""
        said = self.values[value]
        return said if isinstance(said, str) else (self.separator or "|").join(said)

    def of_label(self, label: str) -> Ratings:
        """Of sets: whether each coder gave this label."""
        has = np.array([label in value for value in self.values])
        table = np.where(self.table == MISSING, MISSING, has[self.table].astype(np.int64))
        return Ratings(self.coders, ("without", "with"), table, self.texts, self.places)


def _column(corpus: Corpus, name: str) -> list[Any]:
    """A column by its name, whatever case and blanks it is written with."""
    columns = [*([corpus.text_column] if corpus.text_column else []), *corpus.columns]
    found = [one for one in columns if one == name] or [one for one in columns if plain_name(one) == plain_name(name)]
    if not found and name == "label":  # of a corpus without labels, another column is not called so
        found = [one for one in columns if one == "label_2"]
    if len(found) != 1:
        raise DataError(
            f"{corpus.source}: there is no column {quote(name)}. The columns are "
            f"{quoted(nearest_first(name, columns))}. Name those of the coders with {setting('coders')}."
        )
    cells: list[Any] = (corpus.texts if found[0] == corpus.text_column else corpus.column(found[0])).to_pylist()
    return cells


def _texts(corpus: Corpus) -> tuple[str, ...]:
    return tuple(corpus.texts.to_pylist())


def _value(cell: Any, separator: str | None) -> Any:
    """What a cell says: a label, or a set of labels in order; None where it is empty."""
    if cell is None or cell != cell:
        return None
    if isinstance(cell, (list, tuple, set, frozenset)):
        return tuple(sorted({str(one).strip() for one in cell}))
    text = str(cell).strip()
    if not text:
        return None
    if separator is None:
        return text
    return tuple(sorted({part.strip() for part in text.split(separator) if part.strip()}))
