"""Probes: sentences that differ only in a name or a term for people, so that a model should treat them alike.

A list of terms (`TermList`) has groups, such as female and male, and templates with a place for a term. Every template
is filled with every term: the sentences of one template (with the same other words) are a *unit*, within which groups
are compared. The lists that come with assay are files of TOML in ``assay/audit/lists``; a file of your own in the same
form takes their place.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from string import Formatter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import AssayError, DataError, ParameterError
from assay.file_access import is_file, read_short_text
from assay.suggest import nearest_first, quote, quoted

__all__ = ["Probe", "TermList", "built_in_lists", "load_list"]

_FOLDER = Path(__file__).parent / "lists"
_TERM = "term"


@dataclass(frozen=True)
class Probe:
    """Sentences with the group, the term and the unit of each.

    Attributes
    ----------
    groups, terms, units
        Names; `group`, `term` and `unit` have the index of each sentence into them.
    pairs
        Whether the terms of the groups correspond one to one (brother, sister); then terms at the same place of their
        groups are compared with each other.
    labels
        What each sentence truly is, where that is known.
    """

    name: str
    about: str
    texts: tuple[str, ...]
    groups: tuple[str, ...]
    terms: tuple[str, ...]
    units: tuple[str, ...]
    group: NDArray[np.intp]
    term: NDArray[np.intp]
    unit: NDArray[np.intp]
    pairs: bool = False
    labels: tuple[str, ...] | None = None

    @property
    def term_groups(self) -> NDArray[np.intp]:
        """The group of each term."""
        found = np.zeros(len(self.terms), np.intp)
        found[self.term] = self.group
        return found

    @property
    def places(self) -> NDArray[np.intp]:
        """Place of each term within its group, which pairs it with those of other groups."""
        places = np.zeros(len(self.terms), np.intp)
        seen: dict[int, int] = {}
        for term, group in enumerate(self.term_groups.tolist()):
            places[term] = seen.get(group, 0)
            seen[group] = places[term] + 1
        return places


@dataclass(frozen=True)
class TermList:
    """Groups of terms, and templates to put them into.

    Attributes
    ----------
    groups
        Terms by group.
    templates
        Sentences with ``{term}``, and any other places that `fillers` name. ``{a}`` stands for "a" or "an" before the
        term, and a capital letter is put at the beginning.
    fillers
        Words for the other places; an "a" before one becomes "an" where it must.
    pairs
        Whether terms at the same place of their groups correspond.
    """

    name: str
    about: str
    groups: Mapping[str, tuple[str, ...]]
    templates: tuple[str, ...]
    fillers: Mapping[str, tuple[str, ...]]
    pairs: bool = False

    def probe(self) -> Probe:
        """Every template with every term.

        Examples
        --------
        >>> groups = {"cat": ("cat",), "owl": ("owl",)}
        >>> terms = TermList("pets", "", groups, ("{a} {term} is {how}.",), {"how": ("old",)})
        >>> terms.probe().texts
        ('A cat is old.', 'An owl is old.')
        """
        filled = [sentence for template in self.templates for sentence in self._filled(template)]
        groups = tuple(self.groups)
        terms = [(g, term) for g, group in enumerate(groups) for term in self.groups[group]]
        texts = [_sentence(unit, term) for unit in filled for _, term in terms]
        n_units, n_terms = len(filled), len(terms)
        return Probe(
            self.name,
            self.about,
            tuple(texts),
            groups,
            tuple(term for _, term in terms),
            tuple(unit.replace("{a} ", "a(n) ").replace("{term}", "…") for unit in filled),
            np.tile(np.array([g for g, _ in terms], np.intp), n_units),
            np.tile(np.arange(n_terms), n_units),
            np.repeat(np.arange(n_units), n_terms),
            self.pairs,
        )

    def _filled(self, template: str) -> Iterator[str]:
        places = [name for _, name, _, _ in Formatter().parse(template) if name and name in self.fillers]
        for words in product(*(self.fillers[place] for place in places)):
            sentence = template
            for place, word in zip(places, words, strict=True):
                sentence = sentence.replace(f" a {{{place}}}", f" {_article(word)} {{{place}}}", 1)
                sentence = sentence.replace(f"{{{place}}}", word, 1)
            yield sentence


def built_in_lists() -> list[str]:
    """The names of the lists that come with assay.

    Examples
    --------
    >>> built_in_lists()
    ['age', 'disability', 'ethnicity', 'gender', 'gender-names', 'name-origin', 'nationality', 'orientation',
    'religion']
    """
    return sorted(path.stem for path in _FOLDER.glob("*.toml"))


def load_list(name: str) -> TermList:
    """A list by its name, or from a file of TOML."""
    path = _FOLDER / f"{name}.toml"
    if not is_file(path):
        path = Path(name)
        if not is_file(path):
            known = quoted(nearest_first(name, built_in_lists()))
            raise ParameterError(f"There is no list of terms {quote(name)}. Lists are {known}, or a file of TOML.")
    try:
        content = tomllib.loads(read_short_text(path))
    except AssayError:
        raise
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path}: this is not a list of terms, a file of TOML: {error}.") from None
    return _checked(content, path)


def _checked(content: dict[str, Any], path: Path) -> TermList:
    def fail(what: str) -> DataError:
        return DataError(
            f"{path}: {what}. A list of terms has [groups] with lists of terms for two groups or more, and templates "
            "with {term}; the guide to audits shows one."
        )

    groups = content.get("groups")
    if not isinstance(groups, dict) or len(groups) < 2:
        raise fail(f"there are {len(groups) if isinstance(groups, dict) else 'no'} groups")
    for group, terms in groups.items():
        if not _texts(terms):
            raise fail(f"the group {quote(group)} must be a list of terms, and is {quote(terms)}")
    templates = content.get("templates") or []
    if not _texts(templates):
        raise fail(f"templates must be a list of sentences, and is {quote(templates)}")
    fillers = content.get("fillers", {})
    if not isinstance(fillers, dict) or not all(_texts(words) for words in fillers.values()):
        raise fail(f"[fillers] must have lists of words, and is {quote(fillers)}")
    for template in templates:
        places = _places(template, fail)
        if _TERM not in places:
            raise fail(f"the template {quote(template)} has no {{term}}")
        unknown = [place for place in places if place not in (_TERM, "a", *fillers)]
        if unknown:
            raise fail(f"the template {quote(template)} has {{{unknown[0]}}}, which [fillers] does not name")
    pairs = bool(content.get("pairs", False))
    if pairs and len({len(terms) for terms in groups.values()}) > 1:
        raise fail("pairs = true, but the groups have different numbers of terms")
    return TermList(
        str(content.get("name", path.stem)),
        str(content.get("about", "")),
        {str(group): tuple(terms) for group, terms in groups.items()},
        tuple(templates),
        {str(place): tuple(words) for place, words in fillers.items()},
        pairs,
    )


def _places(template: str, fail: Any) -> list[str]:
    try:
        return [name for _, name, _, _ in Formatter().parse(template) if name is not None]
    except ValueError as error:
        raise fail(f"the template {quote(template)} is malformed: {error}") from None


def _texts(value: Any) -> bool:
    return (
        isinstance(value, Sequence)
        and not isinstance(value, str)
        and len(value) > 0
        and all(isinstance(item, str) and item.strip() for item in value)
    )


def _article(word: str) -> str:
    return "an" if word[:1].lower() in "aeiou" else "a"


def _sentence(unit: str, term: str) -> str:
    sentence = unit.replace("{a}", _article(term)).replace("{term}", term)
    return sentence[:1].upper() + sentence[1:]
