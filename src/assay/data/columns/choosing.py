"""Choosing the text and the label column: by name, then by what they hold; never by a coin.

A name counts by its rank in `column_names`.  If the best rank is held by one column, that is it; if by
several, or by none, the contents decide: the texts are by far the longest, the labels are short and come again.

A guess counts only if it is strong, that is, if no other column could as well be meant:

* a name of the first rank (``text``, ``label``) is strong;
* a name of the second or third (``review``, ``category``) is strong, unless another column has such a name too and
  looks like labels;
* a later name (``title``; ``type``, ``stars``, ``author``) is strong only if no other column holds longer texts, or
  looks like labels;
* contents are strong if they fit one column alone.

Everything else is an `UnclearColumnError`, which the command line makes a question of.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import pyarrow as pa

from assay.data.arrow_functions import cast
from assay.data.columns.column_names import LABEL_NAMES, TEXT_NAMES, plain_name
from assay.data.columns.label_form import ONE_LABEL, LabelForm, is_list
from assay.errors import AssayError, DataError, UnclearColumnError
from assay.suggest import excerpt, nearest_first, quote, quoted
from assay.wording import setting

__all__ = ["ColumnChoice", "choose_columns", "distinct_names", "is_textual"]

_LONGEST_LABEL = 60
_LAST_STRONG_RANK = 2  # of a name, from 0


@dataclass(frozen=True, slots=True)
class ColumnChoice:
    """Which columns hold the texts and the labels, and how that was found."""

    text: str
    label: str | None
    note: str | None
    form: LabelForm = ONE_LABEL


def distinct_names(names: Iterable[str], taken: Iterable[str] = ()) -> list[str]:
    """Give every column a name of its own; an unnamed one is called by its place.

    Examples
    --------
    >>> distinct_names(["text", "label", "", "label"])
    ['text', 'label', 'column 3', 'label_2']
    """
    result: list[str] = []
    used = set(taken)
    counts: dict[str, int] = {}  # up to which the names with a number behind them are taken
    for place, name in enumerate(names, start=1):
        base = name if name.strip() else f"column {place}"
        new, count = base, counts.get(base, 1)
        while new in used:
            count += 1
            new = f"{base}_{count}"
        used.add(new)
        counts[base] = count
        result.append(new)
    return result


def choose_columns(
    sample: pa.Table,
    where: str,
    text: str | None,
    label: str | Literal[False] | None,
    headless: str | None = None,
    *,
    labels_optional: bool = False,
) -> ColumnChoice:
    """Find the text and the label column.

    Parameters
    ----------
    sample
        The first rows, with the names as the file has them.
    where
        The file, for messages.
    text, label
        The names asked for; None to guess, False for no labels.
    headless
        Why the first row does not look like a header, if it does not.
    labels_optional
        Where several columns could hold the labels, take none.
    """
    names = distinct_names(sample.column_names)
    columns = [_Column(name, column) for name, column in zip(names, sample.columns, strict=True)]
    for parameter, name in (("text", text), ("label", label)):
        if isinstance(name, str):
            _require(columns, where, parameter, name, headless)
    if text is not None and text == label:
        raise DataError(
            f"{where}: {setting('text')} and {setting('label')} both name the column {quote(text)}. The columns are: "
            f"{_listed(columns)}."
        )
    if text is not None and not next(column for column in columns if column.name == text).may_be_text:
        kind = sample.field(names.index(text)).type
        raise DataError(f"{where}: column {quote(text)} holds {kind}, not text. The columns are: {_listed(columns)}.")
    guesses = []
    chosen_text = text
    if chosen_text is None:
        candidates = [column for column in columns if column.may_be_text and column.name != label]
        found = _by_name(candidates, TEXT_NAMES) or _longest(candidates)
        if found is None or (headless and found.rank(TEXT_NAMES) is None):
            raise _no_text(columns, candidates, where, headless)
        if longer := _longer_texts(found, candidates):
            raise _unclear(where, "text", [found, *longer], columns)
        chosen_text = found.name
        guesses.append(f"texts are in column {quote(chosen_text)}")
    chosen_label = label or None
    if label is None:
        others = [column for column in columns if column.name != chosen_text and column.may_be_named_label]
        chosen_label, fitting = _guess_label(others)
        if fitting and not labels_optional:
            raise _unclear(where, "label", fitting, columns)
        none = (
            f"no column is taken for labels, since {quoted(column.name for column in fitting)} could hold them"
            if fitting
            else "there are no labels"
        )
        guesses.append(f"labels are in column {quote(chosen_label)}" if chosen_label else none)
    for name in {chosen_text, chosen_label} - {text, label}:
        if sample.column_names.count(name) > 1:
            raise DataError(
                f"{where}: more than one column is called {quote(name)}. Say which with "
                f"{setting('text')} or {setting('label')}; the columns are: {_listed(columns)}."
            )
    if not guesses:
        return ColumnChoice(chosen_text, chosen_label, None)
    ways = f"{setting('text')} says" if label is False else f"{setting('text')} and {setting('label')} say"
    return ColumnChoice(chosen_text, chosen_label, f"{where}: {' and '.join(guesses)} (guessed; {ways} otherwise)")


class _Column:
    """A column of the sample, and what it looks like."""

    def __init__(self, name: str, values: pa.ChunkedArray) -> None:
        self.name = name
        self.type = values.type.value_type if pa.types.is_dictionary(values.type) else values.type
        self.values = values
        self.may_be_text = is_textual(self.type)
        self.may_be_label = self.may_be_text or pa.types.is_boolean(self.type) or pa.types.is_integer(self.type)
        self.may_be_named_label = self.may_be_label or pa.types.is_floating(self.type) or is_list(self.type)
        self._shown = [value for value in _strings(values.slice(0, 1000)) if value]

    def rank(self, names: Mapping[str, int]) -> int | None:
        return names.get(plain_name(self.name))

    @property
    def mean_length(self) -> float:
        return sum(map(len, self._shown)) / max(len(self._shown), 1)

    @property
    def repeats_few_short_values(self) -> bool:
        distinct = set(self._shown)
        few = len(distinct) <= max(len(self._shown) / 2, min(len(self._shown) - 1, 20))
        return bool(distinct) and few and max(map(len, distinct)) <= _LONGEST_LABEL

    @property
    def holds_flags(self) -> bool:
        return {value.casefold() for value in self._shown} <= {"0", "1", "true", "false"}

    @property
    def example(self) -> str:
        return excerpt(self._shown[0], 30) if self._shown else ""

    def __str__(self) -> str:
        if not self._shown:
            return f"{quote(self.name)} (empty)"
        kind = "" if self.may_be_text else f"{self.type}, "
        return f"{quote(self.name)} ({kind}for example {self.example})"


def _strings(values: pa.ChunkedArray) -> list[str]:
    """Return values as strings; text may be invalid here, and null is empty."""
    if not is_textual(values.type):
        return ["" if value is None else str(value) for value in values.to_pylist()]
    if pa.types.is_dictionary(values.type):
        values = cast(values, pa.large_string())
    raw = cast(values, pa.large_binary()).to_pylist()
    return [(value or b"").decode("utf-8", "replace") for value in raw]


def is_textual(kind: pa.DataType) -> bool:
    """Whether values of a type are strings, bytes that may be strings, or a dictionary of these."""
    types = pa.types
    if types.is_dictionary(kind):
        return is_textual(kind.value_type)
    return bool(
        types.is_string(kind)
        or types.is_large_string(kind)
        or types.is_string_view(kind)
        or types.is_binary(kind)
        or types.is_large_binary(kind)
        or types.is_binary_view(kind)
    )


def _by_name(columns: list[_Column], names: Mapping[str, int]) -> _Column | None:
    ranked = [(rank, column) for column in columns if (rank := column.rank(names)) is not None]
    best = [column for rank, column in ranked if rank == min(ranked, key=lambda pair: pair[0])[0]]
    return best[0] if len(best) == 1 else None


def _longest(columns: list[_Column]) -> _Column | None:
    """Return the column with by far the longest values, or the only one."""
    if len(columns) < 2:
        return columns[0] if columns else None
    longest, second = sorted(columns, key=lambda column: column.mean_length, reverse=True)[:2]
    return longest if longest.mean_length > 15 and longest.mean_length > 3 * second.mean_length else None


def _longer_texts(found: _Column, candidates: list[_Column]) -> list[_Column]:
    """What makes a guess weak: columns with longer texts than one that is called by a late name."""
    if (found.rank(TEXT_NAMES) or 0) <= _LAST_STRONG_RANK:
        return []
    return [column for column in candidates if column.mean_length > max(15, found.mean_length)]


def _guess_label(others: list[_Column]) -> tuple[str | None, list[_Column]]:
    """The column that holds the labels, or those of which it is not clear which does."""
    fitting = [column for column in others if column.may_be_label and column.repeats_few_short_values]
    named = _by_name(others, LABEL_NAMES)
    if named is None:
        return (fitting[0].name, []) if len(fitting) == 1 else (None, fitting)
    rank = named.rank(LABEL_NAMES) or 0
    rivals = [column for column in fitting if column is not named and _is_rival(column, rank)]
    return (None, [named, *rivals]) if rivals else (named.name, [])


def _is_rival(column: _Column, rank: int) -> bool:
    """Whether a column that looks like labels could as well be meant as one whose name has this rank."""
    if rank > _LAST_STRONG_RANK:
        return True
    other = column.rank(LABEL_NAMES)
    return rank > 0 and other is not None and other <= _LAST_STRONG_RANK


def _unclear(where: str, parameter: str, fitting: list[_Column], columns: list[_Column]) -> UnclearColumnError:
    """Which columns could be meant, and how to say it."""
    none = f", or {setting('label', False)}" if parameter == "label" else ""
    could = f"; {quoted(column.name for column in fitting)} could" if fitting else ""
    first = [*fitting, *(column for column in columns if column not in fitting)]
    flags = parameter == "label" and len(fitting) > 1 and all(column.holds_flags for column in fitting)
    each = f" If each of these is a label with 1 where a text has it, say {setting('label_columns')}." * flags
    return UnclearColumnError(
        f"{where}: it is not clear which column holds the {parameter}s{could}. Say {setting(parameter)}{none}.{each} "
        f"The columns are: {_listed(columns)}.",
        parameter,
        [(column.name, column.example) for column in first if parameter == "label" or column.may_be_text],
    )


def _require(columns: list[_Column], where: str, parameter: str, name: str, headless: str | None) -> None:
    if name in {column.name for column in columns}:
        return
    by_name = {column.name: column for column in columns}
    listed = [by_name[found] for found in nearest_first(name, by_name)]
    hint = f" {_headless(columns, headless)}" if headless else ""
    raise DataError(
        f"{where}: there is no column {quote(name)} for {setting(parameter)}. The columns are: {_listed(listed)}.{hint}"
    )


def _no_text(columns: list[_Column], candidates: list[_Column], where: str, headless: str | None) -> AssayError:
    if headless:
        return DataError(f"{where}, row 1: {_headless(columns, headless)}")
    if not columns:
        return DataError(f"{where}: no column holds text; there are no columns.")
    if not candidates:
        return DataError(
            f"{where}: no column holds text. The columns are: {_listed(columns)}. The texts must be strings."
        )
    return _unclear(where, "text", [], columns)


def _headless(columns: list[_Column], why: str) -> str:
    names = ["text", "label"] if len(columns) == 2 else ["…"] * min(len(columns), 3)
    return (
        f"the first row does not look like column names: {why}. Add a header row, or name the "
        f"{len(columns)} columns with {setting('names', names)}."
    )


def _listed(columns: list[_Column], limit: int = 12) -> str:
    shown = ", ".join(map(str, columns[:limit]))
    return shown + (f" and {len(columns) - limit} more" if len(columns) > limit else "")
