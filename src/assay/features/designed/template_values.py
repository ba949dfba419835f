"""What templates find in a text: each feature of a token as a function, and conjunctions of them.

A function gives the value at a token, None where the feature does not hold, and "" where it holds and has no value.
Beyond the text, values are ``<start>`` and ``<end>``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from math import log, log1p

from assay.features.designed.lexicon import Lexicon
from assay.features.designed.pattern import Pattern
from assay.features.designed.template import Template, Term
from assay.features.designed.tokens import Tokens

__all__ = ["Context", "TemplateFunction", "case_of", "shape_of", "template_function"]

Value = Callable[["Context", int], str | None]
Number = Callable[["Context", int], float]
TemplateFunction = Callable[["Context", Iterable[int]], dict[str, float]]


class Context:
    """A text that templates look at, with what several of them ask for.

    Parameters
    ----------
    text
        Any text.
    lexicons
        By the names that templates use.
    """

    def __init__(self, text: str, lexicons: Mapping[str, Lexicon]) -> None:
        self.tokens = Tokens(text)
        self._lexicons = lexicons
        self._found: dict[str, tuple[dict[int, float], dict[int, float]]] = {}
        self._beginnings: dict[Pattern, set[int] | None] = {}

    def entries(self, lexicon: str, *, ending: bool) -> dict[int, float]:
        """Scores of the lexicon's entries, by the tokens that they begin at, or end at."""
        if lexicon not in self._found:
            matches = self._lexicons[lexicon].matches(self.tokens)
            self._found[lexicon] = (
                {begin: score for begin, _, score in matches},
                {end - 1: score for _, end, score in matches},
            )
        return self._found[lexicon][ending]

    def begins(self, pattern: Pattern, position: int) -> bool:
        """Whether a match of the pattern begins at a position of the text.

        Of a marked place it is asked once, of a whole text for every token: then one walk answers all.
        """
        if not pattern.may_begin(self.tokens.text[position]):
            return False
        if pattern not in self._beginnings:
            self._beginnings[pattern] = None
            return pattern.match(self.tokens.text, position)
        found = self._beginnings[pattern]
        if found is None:
            found = self._beginnings[pattern] = pattern.positions(self.tokens.text)
        return position in found


def template_function(template: Template) -> TemplateFunction:
    """The function that gives a template's columns and their values, for a text and the tokens to look at.

    Examples
    --------
    >>> from assay.features.designed.template_language import parse_template
    >>> find = template_function(parse_template("lower & case[+1]", name="pair"))
    >>> find(Context("St. Louis", {}), range(3))
    {'pair=st|none': 1, 'pair=.|title': 1, 'pair=louis|<end>': 1}
    """
    if template.aggregate in ("text-length", "log-text-length"):
        return _text_length(template.name, logarithm=template.aggregate == "log-text-length")
    if template.aggregate == "sum":
        return _summed(template)
    conjunction = _conjunction(template.name, template.terms)
    if template.aggregate == "count":
        return lambda context, places: _counted(conjunction(context, places))
    if template.aggregate == "presence":
        return lambda context, places: dict.fromkeys(conjunction(context, places), 1.0)
    return lambda context, places: {name: log1p(n) for name, n in _counted(conjunction(context, places)).items()}


def _counted(names: list[str]) -> dict[str, float]:
    return dict.fromkeys(names, 1) if len(names) < 2 else dict(Counter(names))


def _text_length(name: str, *, logarithm: bool) -> TemplateFunction:
    def find(context: Context, _: Iterable[int]) -> dict[str, float]:
        length = sum(context.tokens.is_word)
        return {name: log(max(length, 1)) if logarithm else float(length)}

    return find


def _summed(template: Template) -> TemplateFunction:
    added = next(term for term in template.terms if term.is_number)
    number = _number(added)
    conditions = [_value(term) for term in template.terms if term is not added]

    def find(context: Context, places: Iterable[int]) -> dict[str, float]:
        sums: dict[str, float] = {}
        for place in places:
            found = [value(context, place) for value in conditions]
            if None not in found:
                name = _column_name(template.name, found)
                sums[name] = sums.get(name, 0.0) + number(context, place)
        return sums

    return find


def _conjunction(name: str, terms: tuple[Term, ...]) -> Callable[[Context, Iterable[int]], list[str]]:
    """Names of the columns that hold at the places, one after the other."""
    values, likely = [_value(term) for term in terms], _likely_places(terms)

    def narrowed(context: Context, places: Iterable[int]) -> Iterable[int]:
        if likely is None or not isinstance(places, range):
            return places
        return [place for place in likely(context) if place in places]

    if len(values) == 1:
        (single,) = values

        def find(context: Context, places: Iterable[int]) -> list[str]:
            found = (single(context, place) for place in narrowed(context, places))
            return [f"{name}={value}" if value else name for value in found if value is not None]

        return find

    def find_all(context: Context, places: Iterable[int]) -> list[str]:
        found = ([value(context, place) for value in values] for place in narrowed(context, places))
        return [_column_name(name, parts) for parts in found if None not in parts]

    return find_all


def _likely_places(terms: tuple[Term, ...]) -> Callable[[Context], list[int]] | None:
    """Where a term that seldom holds does, found without asking at every token; None if there is no such term."""
    for term in terms:
        if term.negated:
            continue
        offset = term.offset
        if term.feature == "in":
            lexicon = str(term.argument)
            return lambda context: [i - offset for i in context.entries(lexicon, ending=offset < 0)]
        if term.feature in ("lower", "word") and term.equals not in (None, "<start>", "<end>"):
            expected = term.equals
            if term.feature == "lower":
                return lambda context: [i - offset for i, w in enumerate(context.tokens.folded) if w == expected]
            return lambda context: [i - offset for i, w in enumerate(context.tokens.words) if w == expected]
    return None


def _column_name(name: str, parts: list[str | None]) -> str:
    shown = "|".join(part for part in parts if part)
    return f"{name}={shown}" if shown else name


def _value(term: Term) -> Value:
    """The function of one term, with its offset and comparison."""
    value = _token_value(term)
    if term.equals is not None or term.differs is not None:
        return _compared(value, term)
    if term.negated:
        return lambda context, place: "" if value(context, place) is None else None
    return value


def _compared(value: Value, term: Term) -> Value:
    expected = term.differs if term.equals is None else term.equals
    wanted = (term.equals is not None) != term.negated

    def compare(context: Context, place: int) -> str | None:
        return "" if (value(context, place) == expected) == wanted else None

    return compare


def _token_value(term: Term) -> Value:
    offset, argument = term.offset, term.argument
    if term.feature == "in":
        lexicon, ending = str(argument), offset < 0
        return lambda context, place: "" if place + offset in context.entries(lexicon, ending=ending) else None
    if term.feature == "matches":
        fullmatch = Pattern(str(argument)).fullmatch
        return lambda context, place: "" if _matched(context, place + offset, fullmatch) else None
    if term.feature == "starts":
        pattern = Pattern(str(argument))
        return lambda context, place: "" if _started(context, place + offset, pattern) else None
    if term.feature == "score":
        number = _number(term)
        return lambda context, place: f"{number(context, place):g}"
    if term.feature == "space":
        return lambda context, place: _space(context.tokens, place + offset)
    if term.feature == "ngram":
        length = int(argument or 1)
        return lambda context, place: " ".join(
            _inside(context.tokens.folded, i) for i in range(place + offset, place + offset + length)
        )
    if term.feature == "lower":
        return lambda context, place: _inside(context.tokens.folded, place + offset)
    written = _WRITTEN[term.feature]
    if written is None:
        return lambda context, place: _inside(context.tokens.words, place + offset)
    return lambda context, place: _inside(context.tokens.words, place + offset, written, argument)


def _number(term: Term) -> Number:
    offset = term.offset
    if term.feature == "score":
        lexicon, ending = str(term.argument), offset < 0
        return lambda context, place: context.entries(lexicon, ending=ending).get(place + offset, 0.0)

    def length(context: Context, place: int) -> float:
        words = context.tokens.words
        return float(len(words[place + offset])) if 0 <= place + offset < len(words) else 0.0

    return length


def shape_of(word: str) -> str:
    """The kinds of its characters; a sign says that there are more of one kind.

    Examples
    --------
    >>> [shape_of(word) for word in ["I", "St", "Smith", "USA", "1984", "McKay's"]]
    ['X', 'Xx', 'Xx+', 'X+', 'd+', "XxXx+'x"]
    """
    kinds = ("X" if c.isupper() else "x" if c.isalpha() else "d" if c.isdigit() else c for c in word)
    return "".join(kind + "+" * (len(list(run)) > 1) for kind, run in groupby(kinds))


def case_of(word: str) -> str:
    """How a word is written: ``upper``, ``title``, ``lower``, ``mixed``, or ``none`` without letters that have case.

    Examples
    --------
    >>> [case_of(word) for word in ["USA", "Smith", "word", "iPhone", "1984"]]
    ['upper', 'title', 'lower', 'mixed', 'none']
    """
    if word.lower() == word.upper():
        return "none"
    if word.isupper() or word.islower():
        return "upper" if word.isupper() else "lower"
    return "title" if word[0].isupper() and word[1:].islower() else "mixed"


#: Functions of a word as it is written and of the argument; None for the word itself.
_WRITTEN: dict[str, Callable[[str, str | int | None], str] | None] = {
    "word": None,
    "shape": lambda word, _: shape_of(word),
    "case": lambda word, _: case_of(word),
    "length": lambda word, _: str(len(word)),
    "prefix": lambda word, n: word[: int(n or 1)],
    "suffix": lambda word, n: word[-int(n or 1) :],
}


def _inside(
    words: list[str],
    i: int,
    written: Callable[[str, str | int | None], str] | None = None,
    argument: str | int | None = None,
) -> str:
    if 0 <= i < len(words):
        return words[i] if written is None else written(words[i], argument)
    return "<start>" if i < 0 else "<end>"


def _matched(context: Context, i: int, fullmatch: Callable[[str], bool]) -> bool:
    words = context.tokens.words
    return 0 <= i < len(words) and fullmatch(words[i])


def _started(context: Context, i: int, pattern: Pattern) -> bool:
    starts = context.tokens.starts
    return 0 <= i < len(starts) and context.begins(pattern, starts[i])


def _space(tokens: Tokens, i: int) -> str:
    """What stands before token i."""
    if not 0 < i < len(tokens):
        return "<start>" if i <= 0 else "<end>"
    gap = tokens.text[tokens.ends[i - 1] : tokens.starts[i]]
    return "newline" if "\n" in gap else "space" if gap else "none"
