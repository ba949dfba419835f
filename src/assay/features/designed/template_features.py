"""`TemplateFeatures`: what templates find, in scikit-learn's manners."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from assay.errors import ParameterError
from assay.features.designed.designed_vectorizer import DesignedFeatures
from assay.features.designed.lexicon import Lexicon
from assay.features.designed.template import Template
from assay.features.designed.template_block import TemplateBlock
from assay.features.designed.template_language import parse_template
from assay.features.ngrams.learned_vocabulary import csr
from assay.sklearn_internals import Interval, StrOptions
from assay.suggest import nearest_first, quoted

__all__ = ["TemplateFeatures"]


class TemplateFeatures(DesignedFeatures):
    """Features written as templates, over whole texts or over a marked place in each text.

    Parameters
    ----------
    templates
        Templates by name, or a list of templates, which are then called as they are written. The language stands in
        the guide to designed features and in `assay.features.designed.template_language`.
    lexicons
        By the names that templates use: files, lists of words, mappings to scores, or `Lexicon` objects.
    at
        ``"text"``: look at every token, and count; ``"mark"``: look at one place of each text, around which are the
        `mark` and which may also be given as (text, begin, end). Templates see 200 characters to either side.
    mark
        What opens and what closes the place, such as ``Mr[[.]] Smith``.
    min_df
        Leave out columns that fewer training texts have.
    n_features
        Hash the names into so many columns instead of keeping them.
    dtype
        Of the matrix.

    Attributes
    ----------
    block_
        The features as plain data.

    Examples
    --------
    >>> features = TemplateFeatures({"shouts": 'count(lower = "!")', "length": "log-text-length"})
    >>> features.fit_transform(["Wow! So good!", "Good."]).toarray().round(2)
    array([[1.1, 2. ],
           [0. , 0. ]])
    >>> features.get_feature_names_out().tolist()
    ['length', 'shouts']

    At a place:

    >>> stops = TemplateFeatures(["lower[-1]", "case[+1]"], at="mark")
    >>> stops.fit(["Mr[[.]] Smith", "the end[[.]] He left"]).get_feature_names_out().tolist()
    ['case[+1]=title', 'lower[-1]=end', 'lower[-1]=mr']
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "templates": [Mapping, list, tuple],
        "lexicons": [Mapping, None],
        "at": [StrOptions({"text", "mark"})],
        "mark": [tuple, list],
        "min_df": [Interval(Integral, 1, None, closed="left")],
        "n_features": [Interval(Integral, 1, np.iinfo(np.int32).max, closed="both"), None],
    }

    def __init__(
        self,
        templates: Mapping[str, str] | Sequence[str] = (),
        *,
        lexicons: Mapping[str, Any] | None = None,
        at: Literal["text", "mark"] = "text",
        mark: tuple[str, str] = ("[[", "]]"),
        min_df: int = 1,
        n_features: int | None = None,
        dtype: npt.DTypeLike = np.float64,
    ) -> None:
        self.templates = templates
        self.lexicons = lexicons
        self.at = at
        self.mark = mark
        self.min_df = min_df
        self.n_features = n_features
        self.dtype = dtype

    def fit_transform(self, raw_documents: Iterable[Any], y: object = None) -> Any:
        """Learn which columns there are, and give the values of the texts."""
        self._check_parameters()
        block, found = self._fitted(self._texts(raw_documents))
        self.block_ = block
        return csr(block.rows_of_found(found, self.dtype), block.n_columns)

    def transform(self, raw_documents: Iterable[Any]) -> Any:
        """The values of texts, a sparse matrix."""
        check_is_fitted(self)
        found = self.block_.found(self._texts(raw_documents))
        return csr(self.block_.rows_of_found(found, self.dtype), self.block_.n_columns)

    def _new_block(self, texts: list[str]) -> TemplateBlock:
        return self._fitted(texts)[0]

    def _fitted(self, texts: list[str]) -> tuple[TemplateBlock, list[dict[str, float]]]:
        """The block, and what it finds in the training texts."""
        templates, lexicons = self._parsed(), {}
        for name in sorted({str(term.argument) for t in templates for term in t.terms if term.is_about_lexicon}):
            lexicons[name] = self._lexicon(name, templates)
        mark = self._checked_mark() if self.at == "mark" else None
        found = list(TemplateBlock(templates, lexicons, (), mark).found(texts))
        if self.n_features is not None:
            return TemplateBlock(templates, lexicons, int(self.n_features), mark), found
        frequencies = Counter(name for values in found for name in values)
        kept = sorted(name for name, frequency in frequencies.items() if frequency >= self.min_df)
        return TemplateBlock(templates, lexicons, tuple(kept), mark), found

    def _parsed(self) -> tuple[Template, ...]:
        given = self.templates.items() if isinstance(self.templates, Mapping) else [(None, t) for t in self.templates]
        parsed = []
        for name, text in given:
            if not isinstance(text, str):
                raise ParameterError(f"A template must be a text such as 'lower[0]'. Got {text!r} instead.")
            parsed.append(parse_template(text, name))
        if not parsed:
            raise ParameterError("The 'templates' parameter of TemplateFeatures must hold at least one. Got none.")
        repeated = [name for name, n in Counter(template.name for template in parsed).items() if n > 1]
        if repeated:
            raise ParameterError(f"Two templates are called {repeated[0]!r}. Give each another name, or leave one out.")
        return tuple(parsed)

    def _lexicon(self, name: str, templates: tuple[Template, ...]) -> Lexicon:
        lexicons = self.lexicons or {}
        if name in lexicons:
            return Lexicon.of(lexicons[name])
        user = next(t for t in templates if any(term.is_about_lexicon and term.argument == name for term in t.terms))
        known = f"There are {quoted(nearest_first(name, lexicons))}." if lexicons else "There are none: give lexicons=."
        raise ParameterError(
            f"template {user.text!r}, column {user.text.index(name) + 1}: there is no lexicon {name!r}. {known}"
        )

    def _checked_mark(self) -> tuple[str, str]:
        if len(self.mark) != 2 or not all(isinstance(part, str) and part for part in self.mark):
            raise ParameterError(
                f"The 'mark' parameter of TemplateFeatures must be two texts, such as ('[[', ']]'). Got {self.mark!r} "
                "instead."
            )
        return self.mark[0], self.mark[1]

    def _decode(self, item: Any) -> Any:  # type: ignore[override]
        """Beside bytes, a text with the beginning and the end of the place to look at."""
        if self.at == "mark" and isinstance(item, tuple | list) and len(item) == 3 and isinstance(item[0], str):
            text, begin, end = item
            opening, closing = self._checked_mark()
            return f"{text[:begin]}{opening}{text[begin:end]}{closing}{text[end:]}"
        return super()._decode(item)
