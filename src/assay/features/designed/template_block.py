"""Columns that templates find in texts, or at a marked place of each text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar
from zlib import crc32

import numpy as np
import numpy.typing as npt

from assay.features.columns.blocks import Arrays, Places
from assay.features.designed.lexicon import Lexicon
from assay.features.designed.lexicon_block import lexicons_from_data, lexicons_to_data
from assay.features.designed.places import Mark, split_at_mark, window
from assay.features.designed.template import Template
from assay.features.designed.template_language import parse_template
from assay.features.designed.template_values import Context, TemplateFunction, template_function
from assay.features.designed.tokens import composed
from assay.features.ngrams.string_arrays import strings_from_arrays, strings_to_arrays
from assay.features.ngrams.text_features import Rows
from assay.header_checks import entry, whole_number

__all__ = ["TemplateBlock"]

_CONTEXT = 200  # characters before and after a marked place that templates may look at


@dataclass(frozen=True, eq=False)
class TemplateBlock:
    """Templates, what they refer to, and the columns of what they find.

    Attributes
    ----------
    templates
        After parsing.
    lexicons
        That they name.
    columns
        Names that have a column, in order; or the number of columns that names are hashed into.
    mark
        The pair of marks around the place that templates look at, with 200 characters to either side; None: they look
        at every token of the text.

    Examples
    --------
    >>> block = TemplateBlock((parse_template("lower[-1]"),), {}, ("lower[-1]=mr", "lower[-1]=st"), ("[[", "]]"))
    >>> [found for found in block.found(["Mr[[.]] Smith", "the end[[.]]"])]
    [{'lower[-1]=mr': 1}, {'lower[-1]=end': 1}]
    """

    templates: tuple[Template, ...]
    lexicons: Mapping[str, Lexicon] = field(default_factory=dict)
    columns: tuple[str, ...] | int = ()
    mark: Mark | None = None

    kind: ClassVar[str] = "templates"

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return self.columns if isinstance(self.columns, int) else len(self.columns)

    @property
    def is_hashed(self) -> bool:
        """Whether columns go by the hash of the name."""
        return isinstance(self.columns, int)

    def names(self) -> list[str] | None:
        """Name of each column; None if they are hashed."""
        return None if isinstance(self.columns, int) else list(self.columns)

    def found(self, texts: Iterable[str]) -> Iterator[dict[str, float]]:
        """For each text what its templates find, by name."""
        for number, text in enumerate(texts):
            context, places = self._looked_at(text, number)
            values: dict[str, float] = {}
            for find in self._functions:
                values |= find(context, places)
            yield values

    def rows(self, documents: Any, *, n_threads: int, dtype: npt.DTypeLike = np.float64) -> Rows:
        """The matrix of the documents."""
        return self.rows_of_found(self.found(documents.strings()), dtype)

    def rows_of_found(self, found: Iterable[Mapping[str, float]], dtype: npt.DTypeLike = np.float64) -> Rows:
        """The matrix of what was found in texts."""
        lengths, indices, data = [0], [], []
        for values in found:
            row: dict[int, float] = {}
            for name, value in values.items():
                if value and (column := self._column(name)) is not None:
                    row[column] = row.get(column, 0.0) + value
            ordered = sorted(row)
            indices += ordered
            data += [row[column] for column in ordered]
            lengths.append(len(indices))
        return np.array(lengths, dtype=np.int32), np.array(indices, dtype=np.int32), np.array(data, dtype=dtype)

    def places(self, text: str) -> Places:
        """Where in a text its features stand: from the first token to the last that a template looked at."""
        if self.mark is not None:
            before, inside, _ = split_at_mark(text, self.mark, 0)
            marked = len(before), len(before) + len(inside) + sum(map(len, self.mark))
            (values,) = self.found([text])
            columns = [self._column(name) for name in values]
            return {column: [marked] for column in columns if column is not None}
        context = Context(text, self.lexicons)
        tokens = context.tokens
        places: Places = {}
        if len(tokens.text) != len(text):  # letters were composed, and positions are not those of the text
            return places
        for template, find in zip(self.templates, self._functions, strict=True):
            if not template.terms:
                continue
            first, last = template.reach
            for place in range(len(tokens)):
                begin, end = max(place + first, 0), min(place + last, len(tokens) - 1)
                for name in find(context, (place,)):
                    if (column := self._column(name)) is not None and begin <= end:
                        places.setdefault(column, []).append((tokens.starts[begin], tokens.ends[end]))
        return places

    @cached_property
    def _functions(self) -> list[TemplateFunction]:
        return [template_function(template) for template in self.templates]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        assert not isinstance(self.columns, int)
        return {name: column for column, name in enumerate(self.columns)}

    def _column(self, name: str) -> int | None:
        if isinstance(self.columns, int):
            return crc32(name.encode("utf-8", "surrogatepass")) % self.columns
        return self._numbers.get(name)

    def _looked_at(self, text: str, number: int) -> tuple[Context, Iterable[int]]:
        if self.mark is None:
            context = Context(text, self.lexicons)
            return context, range(len(context.tokens))
        before, inside, after = split_at_mark(text, self.mark, number)
        before, after = window(before, after, _CONTEXT)
        context = Context(before + inside + after, self.lexicons)
        # Composing letters may have shortened what comes before. The marked piece begins a token or lies in one.
        position = len(composed(before))
        place = bisect_right(context.tokens.ends, position)
        return context, (place,)

    def to_data(self) -> tuple[dict[str, Any], Arrays]:
        """Plain values and arrays that say everything about the block."""
        listed, arrays = lexicons_to_data(self.lexicons)
        if not isinstance(self.columns, int):
            arrays["columns"], arrays["offsets"] = strings_to_arrays(self.columns)
        return {
            "templates": [[template.name, template.text] for template in self.templates],
            "lexicons": listed,
            "mark": None if self.mark is None else list(self.mark),
            "n_columns": self.n_columns if self.is_hashed else None,
        }, arrays

    @classmethod
    def from_data(cls, description: Mapping[str, Any], arrays: Arrays) -> TemplateBlock:
        """The inverse of `to_data`."""
        lexicons = lexicons_from_data(description, arrays)
        templates = tuple(_template(listed) for listed in entry(description, "templates", list))
        named = {str(term.argument) for template in templates for term in template.terms if term.is_about_lexicon}
        if missing := named - set(lexicons):
            raise ValueError(f"templates name the lexicons {sorted(missing)}, which are not there")
        columns: tuple[str, ...] | int
        if entry(description, "n_columns", object) is None:
            columns = tuple(strings_from_arrays(arrays.pop("columns"), arrays.pop("offsets")))
            if len(set(columns)) < len(columns):
                raise ValueError("two columns have one name")
        else:
            columns = whole_number(description, "n_columns", 1, np.iinfo(np.int32).max)
        if entry(description, "mark", object) is None:
            return cls(templates, lexicons, columns)
        mark = entry(description, "mark", list)
        if len(mark) != 2 or not all(isinstance(part, str) and part for part in mark):
            raise ValueError(f"'mark' is {mark!r}, which are not two texts")
        return cls(templates, lexicons, columns, (mark[0], mark[1]))


def _template(listed: Any) -> Template:
    if not isinstance(listed, list) or len(listed) != 2 or not all(isinstance(part, str) for part in listed):
        raise ValueError(f"{listed!r} is no name and text of a template")
    return parse_template(listed[1], listed[0])
