"""Places in a text, each marked in a text of its own: the examples of tasks such as finding the ends of sentences."""

from __future__ import annotations

import re

from assay.arguments import in_our_words
from assay.errors import DataError, ParameterError

__all__ = ["Mark", "mark_places", "split_at_mark", "window"]

Mark = tuple[str, str]


@in_our_words
def mark_places(text: str, pattern: str, *, mark: Mark = ("[[", "]]"), context: int | None = 200) -> list[str]:
    r"""Mark every place that matches a pattern, each in a text of its own.

    Parameters
    ----------
    text
        A text that does not hold the marks.
    pattern
        A regular expression, such as ``r"\."``.
    mark
        What is put before and after the place.
    context
        How many characters before and after the place are kept, cut at white space; None for the whole text.

    Examples
    --------
    >>> mark_places("Mr. Smith left.", r"\.")
    ['Mr[[.]] Smith left.', 'Mr. Smith left[[.]]']
    """
    opening, closing = mark
    if opening in text or closing in text:
        found = opening if opening in text else closing
        raise ParameterError(f"The text holds the mark {found!r} already. Choose another pair with mark=.")
    marked = []
    for match in re.finditer(pattern, text):
        begin, end = match.span()
        before, after = text[:begin], text[end:]
        if context is not None:
            before, after = window(before, after, context)
        marked.append(f"{before}{opening}{match[0]}{closing}{after}")
    return marked


def window(before: str, after: str, size: int) -> tuple[str, str]:
    """What is nearest to a place, so many characters on each side at most, cut at white space where there is some.

    Examples
    --------
    >>> window("one two three", "four five", 7)
    ('three', 'four')
    """
    if len(before) > size:
        gap = re.search(r"\s", before[-size - 1 :])
        before = before[-size - 1 :][gap.end() :] if gap else before[-size:]
    if len(after) > size:
        gap = re.search(r"\s\S*$", after[: size + 1])
        after = after[: gap.start()] if gap else after[:size]
    return before, after


def split_at_mark(text: str, mark: Mark, number: int) -> tuple[str, str, str]:
    """What is before, between and after the marks of a text; `number` is that of the document from 0, for messages.

    Examples
    --------
    >>> split_at_mark("Mr[[.]] Smith", ("[[", "]]"), 0)
    ('Mr', '.', ' Smith')
    """
    opening, closing = mark
    n_places = _count_places(text, opening, closing)
    if n_places != 1:
        found = f"{n_places} marked places" if n_places else "no marked place"
        raise DataError(
            f"row {number + 1} has {found}, and needs one: put {opening} and {closing} around what the templates look "
            f"at, as in 'Mr{opening}.{closing} Smith'."
        )
    before, _, rest = text.partition(opening)
    inside, _, after = rest.partition(closing)
    return before, inside, after


def _count_places(text: str, opening: str, closing: str) -> int:
    """From each opening mark to the next closing one; in one walk, whatever is not closed."""
    n_places = end = 0
    while (begin := text.find(opening, end)) >= 0 and (last := text.find(closing, begin + len(opening))) >= 0:
        n_places, end = n_places + 1, last + len(closing)
    return n_places
