"""The profile of a corpus: what a careful person looks at before training, and what to do about it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from assay.data.arrays import joined_mask
from assay.data.bytes.encoding import find_nul
from assay.data.bytes.mojibake import find_mojibake
from assay.data.corpus.spellings import label_counts, spelling_key
from assay.data.profile.finding import DataFinding
from assay.data.profile.findings import find
from assay.data.profile.lengths import Lengths, count_characters, count_words
from assay.data.profile.scripts import has_words
from assay.data.profile.set_profile import SetProfile, profile_sets

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus
    from assay.data.corpus.near_copies import NearCopies

__all__ = ["ClassShare", "Occurrence", "Profile", "Tally", "profile"]

Integers = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_EXAMPLES = 5
_EXCERPT = 80


@dataclass(frozen=True, slots=True)
class ClassShare:
    """A class, how many texts it has, and their share of all."""

    label: str
    count: int
    share: float


@dataclass(frozen=True, slots=True)
class Occurrence:
    """An example of something, and where it stands."""

    text: str
    """The beginning of the text."""
    places: tuple[str, ...]
    """File and row of the first few places."""
    labels: tuple[str, ...] = ()
    """The labels there, each once."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How many rows something concerns, and examples."""

    rows: int
    examples: tuple[Occurrence, ...] = ()


@dataclass(frozen=True, slots=True)
class Profile:
    """What `Corpus.profile` found.

    Attributes
    ----------
    source
        Where the texts came from.
    n_texts
        How many there are.
    classes
        The classes, the largest first; empty without labels.
    characters, words
        How long the texts are; None for a corpus without texts, and no words where the script has no blanks between
        them, as Chinese, Japanese and Thai.
    duplicates
        Rows that repeat the text of an earlier row.
    conflicts
        Rows whose text also stands under another label.
    near_copies
        Rows whose text is nearly that of another row, see `Corpus.near_copies`; of each group two different texts are
        shown, one after the other.
    near_conflicts
        Those of them whose group stands under more than one label.
    near_copy_groups, near_copy_links_cut
        How many groups they are in, and how many links between texts of different groups were cut.
    empty
        Texts without characters, here or left out while reading.
    white_space
        Texts of nothing but white space.
    unlabelled
        Rows without a label that were left out while reading.
    invalid
        Values that were not valid in the encoding and were repaired while reading.
    mojibake
        Texts that look as if they had been decoded with the wrong encoding, and texts with U+FFFD.
    nul
        Texts with NUL characters.
    similar_labels
        Sets of labels that differ only in case, spaces or such.
    findings
        What to do about it, the gravest first.
    label_sets
        How many labels a text has and which come together, where a text has a set of labels; else None.
    """

    source: str
    n_texts: int
    classes: tuple[ClassShare, ...]
    characters: Lengths | None
    words: Lengths | None
    duplicates: Tally
    conflicts: Tally
    near_copies: Tally
    near_conflicts: Tally
    near_copy_groups: int
    near_copy_links_cut: int
    empty: Tally
    white_space: Tally
    unlabelled: Tally
    invalid: Tally
    mojibake: Tally
    nul: Tally
    similar_labels: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]
    findings: tuple[DataFinding, ...] = ()
    label_sets: SetProfile | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return dicts, lists, strings and numbers, ready for JSON; the guide to inspecting data describes them."""
        return {
            "source": self.source,
            "n_texts": self.n_texts,
            "classes": [{"label": c.label, "count": c.count, "share": c.share} for c in self.classes],
            "characters": self.characters and self.characters.to_dict(),
            "words": self.words and self.words.to_dict(),
            **{name: _tally_dict(getattr(self, name)) for name in _TALLIES},
            "near_copy_groups": self.near_copy_groups,
            "near_copy_links_cut": self.near_copy_links_cut,
            "similar_labels": [list(names) for names in self.similar_labels],
            "notes": list(self.notes),
            "findings": [finding.to_dict() for finding in self.findings],
            **({} if self.label_sets is None else {"label_sets": self.label_sets.to_dict()}),
        }

    def _repr_html_(self) -> str:
        from assay.data.profile.profile_view import profile_html

        return profile_html(self)


_TALLIES = (
    "duplicates",
    "conflicts",
    "near_copies",
    "near_conflicts",
    "empty",
    "white_space",
    "unlabelled",
    "invalid",
    "mojibake",
    "nul",
)


def profile(corpus: Corpus) -> Profile:
    """Look at a corpus; see `Corpus.profile`."""
    first = corpus.first_occurrences
    near, nothing = corpus.near_copies, np.zeros(len(corpus), bool)
    characters = count_characters(corpus.texts)
    words = count_words(corpus.texts)
    incidents = {incident.kind: incident for incident in corpus.incidents}
    view = _View(corpus)

    def left_out(kind: str) -> Tally:
        if kind not in incidents:
            return Tally(0)
        return Tally(incidents[kind].count, tuple(Occurrence("", (place,)) for place in incidents[kind].places))

    empty_here = view.tally(characters == 0)
    empty_before = left_out("empty")
    nul_before = left_out("nul")
    nul_here = view.tally(view.with_nul())
    found = Profile(
        source=corpus.source,
        n_texts=len(corpus),
        classes=_class_shares(corpus),
        characters=Lengths.of(characters) if len(corpus) else None,
        words=Lengths.of(words) if len(corpus) and has_words(corpus.texts) else None,
        duplicates=view.repeated(first, first != np.arange(len(first))),
        conflicts=view.repeated(first, _in_conflict(corpus, first)),
        near_copies=view.alike(near, near.near),
        near_conflicts=view.alike(near, nothing if corpus.labels is None else near.conflicts(corpus.label_numbers)),
        near_copy_groups=near.n_groups,
        near_copy_links_cut=near.links_cut,
        empty=Tally(empty_here.rows + empty_before.rows, (*empty_here.examples, *empty_before.examples)[:_EXAMPLES]),
        white_space=view.tally((words == 0) & (characters > 0)),
        unlabelled=left_out("unlabelled"),
        invalid=left_out("invalid"),
        mojibake=view.tally(find_mojibake(corpus.texts)),
        nul=Tally(nul_here.rows + nul_before.rows, (*nul_here.examples, *nul_before.examples)[:_EXAMPLES]),
        similar_labels=_similar_labels(corpus),
        notes=corpus.notes,
        label_sets=profile_sets(corpus) if corpus.task == "label-sets" else None,
    )
    return replace(found, findings=find(found))


class _View:
    """Examples from a corpus."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    def with_nul(self) -> Mask:
        """Which texts hold a NUL character."""
        chunks = (
            joined_mask(pc.match_substring(chunk, "\0")) if find_nul(chunk) else np.zeros(len(chunk), bool)
            for chunk in self._corpus.texts.chunks
        )
        return np.concatenate([np.empty(0, bool), *chunks])

    def tally(self, rows: Mask) -> Tally:
        """Count the rows and show the first ones."""
        shown = np.flatnonzero(rows)[:_EXAMPLES]
        return Tally(int(rows.sum()), tuple(self._occurrence([int(row)]) for row in shown))

    def repeated(self, first: Integers, rows: Mask) -> Tally:
        """Count the rows; the examples are texts with all the places where they stand."""
        texts = np.unique(first[rows])[:_EXAMPLES]
        examples = (self._occurrence(np.flatnonzero(first == text).tolist()) for text in texts)
        return Tally(int(rows.sum()), tuple(examples))

    def alike(self, near: NearCopies, rows: Mask) -> Tally:
        """Count the rows; the examples are near-copies, two different texts of each group one after the other."""
        examples = []
        for group in np.unique(near.first[rows])[:_EXAMPLES]:
            inside = np.flatnonzero(near.first == group)
            other = inside[near.same_text[inside] != near.same_text[inside[0]]][0]
            examples += [self._occurrence([int(inside[0])]), self._occurrence([int(other)])]
        return Tally(int(rows.sum()), tuple(examples))

    def _occurrence(self, rows: list[int]) -> Occurrence:
        text = self._corpus.texts[rows[0]].as_py()
        found = dict.fromkeys(self._corpus[row].shown_label for row in rows)
        labels = tuple(label for label in found if label is not None)
        places = tuple(self._corpus.origin.place(row) for row in rows[:_EXAMPLES])
        return Occurrence(text if len(text) <= _EXCERPT else text[:_EXCERPT] + "…", places, labels)


def _class_shares(corpus: Corpus) -> tuple[ClassShare, ...]:
    if corpus.labels is None:
        return ()
    counts = corpus.class_counts
    order = np.argsort(-counts, kind="stable")
    return tuple(
        ClassShare(corpus.label_names[index], int(counts[index]), float(counts[index] / len(corpus)))
        for index in order
        if counts[index]
    )


def _in_conflict(corpus: Corpus, first: Integers) -> Mask:
    """Which rows have a text that stands under more than one label."""
    if corpus.labels is None:
        return np.zeros(len(first), bool)
    differs = corpus.label_numbers != corpus.label_numbers[first]
    return np.asarray(np.isin(first, first[differs]))


def _similar_labels(corpus: Corpus) -> tuple[tuple[str, ...], ...]:
    """Sets of labels that are spellings of one, also with `_` or `-` in the place of blanks."""
    alike: dict[str, list[str]] = {}
    for name in label_counts(corpus):
        alike.setdefault(spelling_key(re.sub("[_-]", " ", name)), []).append(name)
    return tuple(tuple(names) for names in alike.values() if len(names) > 1)


def _tally_dict(tally: Tally) -> dict[str, Any]:
    examples = [{"text": e.text, "labels": list(e.labels), "places": list(e.places)} for e in tally.examples]
    return {"rows": tally.rows, "examples": examples}
