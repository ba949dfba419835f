"""Features and controls as columns of numbers.

A feature is written as one of::

    never            1 where the text has the word, whatever its case; also "not good", "!"
    count:never      how often the text has it
    log:never        log(1 + how often)
    column:stars     a column of the data: numbers as they are, anything else as categories
    length           log(1 + words)

and a control as the name of a column, or ``length``; a column of that name comes first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assay.data.profile.lengths import count_words
from assay.errors import DataError, ParameterError
from assay.inference.newton import Floats
from assay.suggest import nearest_first, quote, quoted
from assay.wording import setting

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["Variable", "column_numbers", "control_variable", "feature_variable"]

_MOST_CATEGORIES = 50
_FORMS: dict[str, Callable[[Floats], Floats]] = {
    "presence": lambda counts: (counts > 0).astype(np.float64),
    "count": lambda counts: counts,
    "log": np.log1p,
}


@dataclass(frozen=True)
class Variable:
    """One feature or control.

    Attributes
    ----------
    name
        As the user wrote it.
    columns
        (n, width): one column of numbers, or one for each category but the most frequent.
    column_names
        A name for each column.
    unit
        What one more of it means, for a sentence: "texts with it", "each further one".
    """

    name: str
    columns: Floats
    column_names: tuple[str, ...]
    unit: str
    is_control: bool = False

    @property
    def n_present(self) -> int:
        """Texts where it is not 0."""
        return int((self.columns != 0).any(axis=1).sum())


def feature_variable(corpus: Corpus, spec: str) -> Variable:
    """The column of a feature.

    Examples
    --------
    >>> from assay.data.corpus.corpus import Corpus
    >>> corpus = Corpus(["Never, never!", "nevertheless", "not  good"], ["a", "b", "a"])
    >>> [feature_variable(corpus, spec).columns.ravel().tolist() for spec in ("never", "count:never", "not good", "!")]
    [[1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
    """
    form, colon, words = spec.partition(":")
    if colon and form == "column":
        return _column_variable(corpus, words, spec, is_control=False)
    if spec == "length":
        return _length(corpus, is_control=False)
    if not colon or form not in _FORMS or not words:
        form, words = "presence", spec
    pieces = words.split()
    if not pieces:
        raise ParameterError(
            f"The feature {quote(spec)} has no word in it. Write a word, 'count:word', 'log:word', 'column:name' or "
            "'length'."
        )
    find = re.compile(_pattern(pieces), re.IGNORECASE).findall
    counts = np.fromiter(
        (len(find(text)) for chunk in corpus.texts.chunks for text in chunk.to_pylist()), np.float64, len(corpus)
    )
    unit = {"presence": "texts with it", "count": "each further one", "log": "each unit of its logarithm"}[form]
    return Variable(spec, _FORMS[form](counts)[:, None], (spec,), unit)


def control_variable(corpus: Corpus, name: str, *, categorical: bool = False) -> Variable:
    """The columns of a control."""
    if name == "length" and "length" not in corpus.columns:
        return _length(corpus, is_control=True)
    return _column_variable(corpus, name, name, is_control=True, categorical=categorical)


def _length(corpus: Corpus, *, is_control: bool) -> Variable:
    words = np.log1p(count_words(corpus.texts).astype(np.float64))
    return Variable("length", words[:, None], ("length (log words)",), "each unit of log length", is_control)


def _pattern(pieces: Sequence[str]) -> str:
    """The words with any white space between them, not as a part of longer words."""
    before = r"(?<!\w)" if re.match(r"\w", pieces[0]) else ""
    after = r"(?!\w)" if re.search(r"\w$", pieces[-1]) else ""
    return before + r"\s+".join(map(re.escape, pieces)) + after


def _column_variable(
    corpus: Corpus, column: str, name: str, *, is_control: bool, categorical: bool = False
) -> Variable:
    if column not in corpus.columns:
        known = [*corpus.columns, "length"] if is_control else list(corpus.columns)
        what = "control" if is_control else "feature"
        raise DataError(
            f"{corpus.source}: there is no column {quote(column)} for the {what} {quote(name)}. There is "
            f"{quoted(nearest_first(column, known)) or 'no other column'}."
        )
    values = ["" if value is None else str(value).strip() for value in corpus.column(column).to_pylist()]
    numbers = None if categorical else column_numbers(values)
    if numbers is not None:
        _refuse_missing(corpus, column, values)
        return Variable(name, numbers[:, None], (column,), "each further one", is_control)
    names, codes, counts = np.unique([v or "(missing)" for v in values], return_inverse=True, return_counts=True)
    if len(names) > _MOST_CATEGORIES:
        raise DataError(
            f"{corpus.source}: column {quote(column)} has {len(names)} different values, such as "
            f"{quoted(names[:3].tolist())}: too many categories (at most {_MOST_CATEGORIES}). Group them, or give a "
            "column of numbers."
        )
    reference = int(np.argmax(counts))
    kept = [k for k in range(len(names)) if k != reference]
    dummies = (codes[:, None] == np.array(kept, dtype=np.intp)[None, :]).astype(np.float64)
    return Variable(
        name,
        dummies,
        tuple(f"{column}={names[k]}" for k in kept),
        f"instead of {str(names[reference])!r}",
        is_control,
    )


def column_numbers(values: Sequence[str]) -> Floats | None:
    """Numbers, NaN for an empty value, where every other one is a number and more than two are different; else None."""
    if len(set(values) - {""}) <= 2:
        return None
    try:
        numbers = np.array([float(value) if value else np.nan for value in values])
    except ValueError:
        return None
    return numbers if np.isfinite(numbers).sum() == sum(map(bool, values)) else None


def _refuse_missing(corpus: Corpus, column: str, values: Sequence[str]) -> None:
    missing = [row for row, value in enumerate(values) if not value]
    if missing:
        raise DataError(
            f"{corpus.origin.place(missing[0])}: column {quote(column)} is empty ({len(missing)} of {len(values)} "
            "rows). Leave these rows out, fill them in, or take it as categories with "
            f"{setting('categorical', [column])}, where empty is one of them."
        )
