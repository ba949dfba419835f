"""Places in a text, each marked in a text of its own: the examples of tasks such as finding the ends of sentences."""

from __future__ import annotations

import re

from assay.errors import ParameterError

__all__ = ["mark_places"]


def mark_places(
    text: str, pattern: str, *, mark: tuple[str, str] = ("[[", "]]"), context: int | None = 100
) -> list[str]:
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
            before = _from_a_word_on(before[max(0, begin - context) :], cut=begin > context)
            after = _up_to_a_word(after[:context], cut=len(after) > context)
        marked.append(f"{before}{opening}{match[0]}{closing}{after}")
    return marked


def _from_a_word_on(text: str, *, cut: bool) -> str:
    gap = re.search(r"\s", text) if cut else None
    return text[gap.end() :] if gap else text


def _up_to_a_word(text: str, *, cut: bool) -> str:
    if not cut:
        return text
    gap = re.search(r"\s\S*$", text)
    return text[: gap.start()] if gap else text
