r"""The language of feature templates: a small grammar, and errors that name the column.

::

    template    = aggregate "(" conjunction ")"  |  conjunction  |  "text-length"  |  "log-text-length"
    aggregate   = "count" | "presence" | "log-count" | "sum"
    conjunction = term { "&" term }
    term        = [ "not" ] feature [ "(" argument ")" ] [ "[" offset "]" ] [ ( "=" | "!=" ) text ]
    offset      = whole number, with or without a sign
    text        = "…" or '…'

A conjunction alone is counted. The features, and what their arguments are, stand in `ARGUMENTS`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, cast

from assay.errors import ParameterError
from assay.features.designed.pattern import Pattern, PatternError
from assay.features.designed.template import AGGREGATES, TEXT_MEASURES, Aggregate, Template, Term
from assay.suggest import nearest_first, quoted, shortened

__all__ = ["ARGUMENTS", "YES_OR_NO", "parse_template"]

Argument = Literal["number", "lexicon", "pattern"]

#: What each feature of a token takes in parentheses.
ARGUMENTS: dict[str, Argument | None] = {
    "word": None,
    "lower": None,
    "shape": None,
    "case": None,
    "length": None,
    "space": None,
    "prefix": "number",
    "suffix": "number",
    "ngram": "number",
    "in": "lexicon",
    "score": "lexicon",
    "matches": "pattern",
    "starts": "pattern",
}
#: Features that have no value: they hold or not.
YES_OR_NO = frozenset({"in", "matches", "starts"})

_EXAMPLES = {"number": "{}(3)", "lexicon": "{}(positive)", "pattern": '{}("[A-Z]+")'}
_GREATEST = 1000  # tokens away, or letters long
_DIGITS = 10  # of a number that is looked at
_SHOWN = 80  # characters of a template in a message, on both sides of the place
_TOKEN = re.compile(
    r"""\s*(?:
    (?P<name>[^\W\d][\w-]*) | (?P<number>[+-]?\d+) | (?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    | (?P<symbol>!=|[()\[\]&=]) | (?P<wrong>\S)
    )""",
    re.VERBOSE | re.DOTALL,
)


def parse_template(text: str, name: str | None = None, where: str = "") -> Template:
    """Read a template.

    Parameters
    ----------
    text
        In the language of this module.
    name
        What to call it; by default, as it is written.
    where
        For messages, such as ``"stops.txt, line 3"``.

    Examples
    --------
    >>> template = parse_template("lower[0] & shape[+1]")
    >>> template.aggregate, template.terms[1]
    ('count', Term(feature='shape', argument=None, offset=1, negated=False, equals=None, differs=None))
    >>> parse_template("lower[0] & shape[1")
    Traceback (most recent call last):
        ...
    assay.errors.ParameterError: template 'lower[0] & shape[1', column 19: a ']' must come here, but the template ends.
        lower[0] & shape[1
                          ^
    """
    return _Parser(text, name or text.strip(), where).template()


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    column: int  # from 1

    def __str__(self) -> str:
        return "the template ends" if self.kind == "end" else f"{shortened(self.text)} does"


class _Parser:
    """One template, read from left to right."""

    def __init__(self, text: str, name: str, where: str) -> None:
        self.text, self.name, self.where = text, name, where
        self.tokens = [
            _Token(str(match.lastgroup), match[str(match.lastgroup)], match.start(str(match.lastgroup)) + 1)
            for match in _TOKEN.finditer(text)
        ]
        self.tokens.append(_Token("end", "", len(text) + 1))
        self.at = 0

    def template(self) -> Template:
        for token in self.tokens:
            if token.kind == "wrong":
                what = "a text that is not closed" if token.text in "\"'" else shortened(token.text)
                raise self.error(token, f"{what} has no meaning here. {self.way_out()}")
        if self.next.text in TEXT_MEASURES:
            measure = self.take().text
            self.expect_end()
            return Template(self.name, self.text, cast(Aggregate, measure))
        aggregate = "count"
        if self.next.text in AGGREGATES and self.tokens[self.at + 1].text == "(":
            aggregate = self.take().text
            self.take()
            opened = self.next
            terms = self.conjunction()
            self.expect(")")
            if aggregate == "sum" and not any(term.is_number for term in terms):
                raise self.error(opened, "'sum' adds up numbers: one of its features must be length or score(lexicon).")
        else:
            terms = self.conjunction()
        self.expect_end()
        return Template(self.name, self.text, cast(Aggregate, aggregate), terms)

    def conjunction(self) -> tuple[Term, ...]:
        terms = [self.term()]
        while self.next.text == "&":
            self.take()
            terms.append(self.term())
        return tuple(terms)

    def term(self) -> Term:
        negated = self.next.kind == "name" and self.next.text == "not"
        if negated:
            self.take()
        feature = self.take()
        if feature.kind != "name" or feature.text not in ARGUMENTS:
            found = "the template ends" if feature.kind == "end" else f"{shortened(feature.text)} is none"
            raise self.error(feature, f"a feature must come here, but {found}. {self.way_out(feature.text)}")
        argument = self.argument(feature)
        offset = self.offset() if self.next.text == "[" else 0
        equals = differs = None
        if self.next.text in ("=", "!=") and self.next.kind == "symbol":
            sign = self.take()
            if feature.text in YES_OR_NO:
                raise self.error(sign, f"{feature.text!r} holds or not: it has no value to compare. Leave this out.")
            equals, differs = (self.quoted(), None) if sign.text == "=" else (None, self.quoted())
        elif negated and feature.text not in YES_OR_NO:
            raise self.error(feature, f'{feature.text!r} has a value: compare it, as in {feature.text} != "…".')
        return Term(feature.text, argument, offset, negated, equals, differs)

    def argument(self, feature: _Token) -> str | int | None:
        expected = ARGUMENTS[feature.text]
        if expected is None:
            if self.next.text == "(":
                raise self.error(self.next, f"{feature.text!r} takes nothing in parentheses. Leave them out.")
            return None
        example = f"such as {_EXAMPLES[expected].format(feature.text)}"
        if self.next.text != "(":
            raise self.error(self.next, f"{feature.text!r} needs a {expected} in parentheses, {example}.")
        self.take()
        given = self.take()
        value: str | int | None = None
        if expected == "number" and given.kind == "number" and _number(given.text) >= 1:
            value = _number(given.text)
        elif expected == "lexicon" and given.kind in ("name", "text"):
            value = given.text if given.kind == "name" else _unquoted(given.text)
        elif expected == "pattern" and given.kind == "text":
            value = self.pattern(given)
        if value is None:
            found = "the template ends" if given.kind == "end" else f"got {shortened(given.text)}"
            raise self.error(given, f"{feature.text!r} needs a {expected}, {example}; {found}.")
        self.expect(")")
        return value

    def pattern(self, token: _Token) -> str:
        pattern = _unquoted(token.text)
        try:
            Pattern(pattern)
        except (re.error, PatternError) as error:
            column = token.column + 1 + (getattr(error, "pos", 0) or 0)
            raise self.error(column, f"the regular expression is wrong: {getattr(error, 'msg', error)}.") from None
        return pattern

    def offset(self) -> int:
        self.take()
        number = self.take()
        if number.kind != "number" or abs(_number(number.text)) > _GREATEST:
            found = "the template ends" if number.kind == "end" else f"got {shortened(number.text)}"
            raise self.error(number, f"an offset is a whole number, such as [-1]; {found}.")
        self.expect("]")
        return int(number.text)

    def quoted(self) -> str:
        token = self.take()
        if token.kind != "text":
            raise self.error(token, f'a text in quotes must come here, such as "no", but {token}.')
        return _unquoted(token.text)

    @property
    def next(self) -> _Token:
        return self.tokens[self.at]

    def take(self) -> _Token:
        token = self.tokens[self.at]
        self.at = min(self.at + 1, len(self.tokens) - 1)
        return token

    def expect(self, symbol: str) -> None:
        token = self.take()
        if token.text != symbol:
            raise self.error(token, f"a {symbol!r} must come here, but {token}.")

    def expect_end(self) -> None:
        if self.next.kind != "end":
            raise self.error(self.next, f"{shortened(self.next.text)} is too much: the template is whole before it.")

    def way_out(self, found: str = "") -> str:
        return f"Features are {quoted(nearest_first(found, ARGUMENTS), 20)}."

    def error(self, at: _Token | int, message: str) -> ParameterError:
        column = at if isinstance(at, int) else at.column
        name, written = shortened(self.name, _SHOWN), shortened(self.text, _SHOWN)
        named = f"template {name}" if self.name == self.text.strip() else f"template {name} ({written})"
        place = f"{self.where}: {named}" if self.where else named
        begin = max(0, column - 1 - _SHOWN)
        before, after = ("…" if begin else "") + self.text[begin : column - 1], self.text[column - 1 :]
        line = before + (after if len(after) <= _SHOWN else after[:_SHOWN] + "…")
        return ParameterError(f"{place}, column {column}: {message}\n    {line}\n    {' ' * len(before)}^")


def _number(text: str) -> int:
    """The number that is written; one that is too large for anything is far below zero."""
    number = int(text) if len(text) <= _DIGITS else -_GREATEST - 1
    return number if number <= _GREATEST else -_GREATEST - 1


def _unquoted(text: str) -> str:
    r"""What stands between the quotes; a backslash before a quote only protects it."""
    quote = text[0]
    return text[1:-1].replace(f"\\{quote}", quote)
