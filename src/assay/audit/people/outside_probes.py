"""Probes from elsewhere: sentences with columns that say the group and the unit, or with terms to be found."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.audit.people.probes import Probe, TermList
from assay.errors import DataError
from assay.suggest import quote, quoted
from assay.wording import setting

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["probe_from_columns", "probes_from_terms"]


def probe_from_columns(corpus: Corpus, group: str, unit: Sequence[str], term: str | None = None) -> Probe:
    """Sentences whose group stands in a column, compared where the columns `unit` agree.

    Rows without a group are left out.

    Parameters
    ----------
    corpus
        The sentences.
    group
        Column with the group.
    unit
        Columns that say which sentences differ in the group only, such as the template and its other words.
    term
        Column with the name or the term that stands for the group.

    Examples
    --------
    >>> from assay.data.corpus.corpus import Corpus
    >>> rows = Corpus(["He is sad.", "She is sad."], columns={"gender": ["m", "f"], "word": ["sad", "sad"]})
    >>> probe_from_columns(rows, "gender", ["word"]).groups
    ('f', 'm')
    """
    groups = _values(corpus, group)
    kept = np.array([bool(value) for value in groups], dtype=bool)
    names = sorted({value for value in groups if value})
    if len(names) < 2:
        raise DataError(
            f"{corpus.source}: column {quote(group)} has {len(names)} groups ({quoted(names)}): there is nothing to "
            "compare. Name a column with two values or more."
        )
    part = corpus.select(kept)
    units = list(zip(*(_values(part, column) for column in unit), strict=True)) if unit else [()] * len(part)
    of_group = [value for value in groups if value]
    terms = of_group if term is None else [f"{g}\0{t}" for g, t in zip(of_group, _values(part, term), strict=True)]
    return _probe(f"{_short(corpus)} by {group}", part, names, of_group, terms, [" / ".join(u) for u in units])


def probes_from_terms(corpus: Corpus, lists: Sequence[TermList]) -> list[Probe]:
    """One probe for each list whose terms stand in the sentences: those with exactly one of its terms.

    Sentences that are the same but for the term are one unit.
    """
    owners = [{term.lower(): group for group, names in terms.groups.items() for term in names} for terms in lists]
    sites = _sites(corpus.texts.to_pylist(), {term for owner in owners for term in owner})
    found = []
    for terms, owner in zip(lists, owners, strict=True):
        rows, words, units = [], [], []
        for row, matches in enumerate(sites):
            own = [match for match in matches if match[0].lower() in owner]
            if len(own) == 1:
                rows.append(row)
                words.append(own[0][0].lower())
                units.append(f"{own[0].string[: own[0].start()]}…{own[0].string[own[0].end() :]}")
        of_group = [owner[word] for word in words]
        names = [group for group in terms.groups if group in set(of_group)]
        if len(names) >= 2:
            part = corpus.select(np.array(rows, dtype=np.int64))
            found.append(_probe(f"{_short(corpus)}: {terms.name}", part, names, of_group, words, units))
    if not found:
        raise DataError(
            f"{corpus.source}: no sentences differ in terms of the lists {quoted([terms.name for terms in lists])}. "
            f"Name the columns with {setting('group', option='--probe-group')} and "
            f"{setting('unit', option='--probe-unit')}, or a list of terms with {setting('swaps')}."
        )
    return found


def _sites(texts: list[str], terms: set[str]) -> list[list[re.Match[str]]]:
    """Where terms stand in each text, as whole words: single words by looking them up, the others by a pattern."""
    words = re.compile(r"\w+(?:-\w+)*")
    found = [[match for match in words.finditer(text) if match[0].lower() in terms] for text in texts]
    phrases = sorted((term for term in terms if not words.fullmatch(term)), key=len, reverse=True)
    if phrases:
        pattern = re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, phrases)) + r")(?!\w)", re.IGNORECASE)
        for matches, text in zip(found, texts, strict=True):
            matches += pattern.finditer(text)
    return found


def _short(corpus: Corpus) -> str:
    return PurePath(corpus.source).name


def _probe(
    name: str, corpus: Corpus, groups: list[str], of_group: list[str], terms: Sequence[str], units: Sequence[str]
) -> Probe:
    unit_names, unit = _encoded(units)
    term_names, term = _encoded(terms)
    place = {group: index for index, group in enumerate(groups)}
    return Probe(
        name,
        "",
        tuple(corpus.texts.to_pylist()),
        tuple(groups),
        tuple(term_names),
        tuple(unit_names),
        np.array([place[group] for group in of_group], np.intp),
        term,
        unit,
        labels=None if corpus.labels is None else tuple(corpus.labels.to_pylist()),
    )


def _encoded(values: Sequence[str]) -> tuple[list[str], NDArray[np.intp]]:
    index: dict[str, int] = {}
    codes = np.array([index.setdefault(value, len(index)) for value in values], np.intp)
    return list(index), codes


def _values(corpus: Corpus, column: str) -> list[str]:
    values: list[Any] = corpus.column(column).to_pylist()
    return ["" if value is None else str(value).strip() for value in values]
