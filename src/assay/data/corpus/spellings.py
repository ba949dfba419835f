"""Labels that are one class in several spellings: when they are, what the class is called, how labels are shown.

Two labels are spellings of one if they are equal after Unicode's compatibility composition (NFKC), case folding, and
collapsing white space: none at the ends, one blank wherever there is any inside. Nothing else is taken for a spelling;
``not-spam`` and ``not spam`` are two labels.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from assay.data.arrays import string_array
from assay.data.corpus.changes import listed_labels
from assay.suggest import counted, quote

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = [
    "label_counts",
    "merge_spellings",
    "merged_names",
    "renamed_labels",
    "shown_labels",
    "spelling_key",
    "spelling_sets",
    "spellings_sentence",
]

_SHOWN_SETS = 4


def spelling_key(label: str) -> str:
    """What all spellings of a label have in common.

    Examples
    --------
    >>> spelling_key(" Not   SPAM"), spelling_key("ｎｏｔ spam")
    ('not spam', 'not spam')
    """
    return " ".join(unicodedata.normalize("NFKC", label).casefold().split())


def spelling_sets(labels: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """The labels of which there is more than one spelling, each set in the order given.

    Examples
    --------
    >>> spelling_sets(["Spam", "ham", "spam", "spam "])
    (('Spam', 'spam', 'spam '),)
    """
    by_key: dict[str, list[str]] = {}
    for label in dict.fromkeys(labels):
        by_key.setdefault(spelling_key(label), []).append(label)
    return tuple(tuple(spellings) for spellings in by_key.values() if len(spellings) > 1)


def merged_names(counts: Mapping[str, int], known: Sequence[str] = ()) -> dict[str, str]:
    """Every label that gets another name, with that name: the spelling that most texts have, of equals the first.

    Parameters
    ----------
    counts
        Labels in order, and how many texts have each.
    known
        Labels of a model. A spelling of one of these gets its name, however frequent; the labels themselves stay.

    Examples
    --------
    >>> merged_names({"Spam": 120, "ham": 7, "spam": 80})
    {'spam': 'Spam'}
    >>> merged_names({"Spam": 120, "ham": 7, "spam": 80}, known=["spam", "ham"])
    {'Spam': 'spam'}
    """
    of_model: dict[str, str] = {}
    for label in known:
        of_model.setdefault(spelling_key(label), label)
    chosen = dict(of_model)
    for label in sorted(counts, key=lambda label: -counts[label]):
        chosen.setdefault(spelling_key(label), label)
    return {
        label: chosen[spelling_key(label)]
        for label in counts
        if label not in known and chosen[spelling_key(label)] != label
    }


def label_counts(corpus: Corpus) -> dict[str, int]:
    """The labels that occur, in order, and how many texts have each; nothing for texts without labels."""
    if corpus.labels is None:
        return {}
    return {name: int(n) for name, n in zip(corpus.label_names, corpus.class_counts, strict=True) if n}


def merge_spellings(corpus: Corpus, known: Sequence[str] = ()) -> Corpus:
    """A corpus in which every class has one name, see `merged_names`; its notes and its `changes` say what was merged.

    Examples
    --------
    >>> from assay.data.corpus.corpus import Corpus
    >>> corpus = merge_spellings(Corpus(["a", "b", "c"], ["spam", "Spam", "Spam"]))
    >>> corpus.label_names, corpus.notes
    (('Spam',), ("labels that differ only in case or blanks were merged: 'spam' (1) into 'Spam' (2)",))
    """
    counts = label_counts(corpus)
    renamed = merged_names(counts, known)
    if not renamed or corpus.labels is None:
        return corpus
    spellings: dict[str, dict[str, int]] = {}
    for label, name in renamed.items():
        spellings.setdefault(name, {name: counts[name]} if name in counts else {})[label] = counts[label]
    names = [renamed.get(name, name) for name in corpus.label_names]
    changes: dict[str, object] = {"merged_labels": spellings}
    if corpus.task == "labels":
        return corpus.with_labels(corpus.classes, names, changes=changes)
    sets = corpus.label_sets
    merged = corpus.with_label_sets(sets, names, changes=changes)
    both = int((merged.label_sets.sizes < sets.sizes).sum())
    if both:
        texts = counted(both, "text had", "texts had")
        merged = merged._replaced(notes=(*merged.notes, f"{texts} several spellings of one label, which counts once"))
    return merged


def renamed_labels(labels: pa.Array, renamed: Mapping[str, str]) -> pa.Array:
    """Labels as strings, with other names for some; what is missing stays so."""
    encoded = labels.dictionary_encode()
    names = [renamed.get(name, name) for name in encoded.dictionary.to_pylist()]
    return string_array(names).take(encoded.indices)


def spellings_sentence(labels: Mapping[str, int | None]) -> str | None:
    """Says which labels look like spellings of one, with their numbers of texts; None where none do.

    Examples
    --------
    >>> spellings_sentence({"Spam": 120, "ham": 7, "spam": 80})
    "2 labels differ only in case or blanks: 'Spam' (120), 'spam' (80)"
    """
    sets = spelling_sets(labels)
    if not sets:
        return None
    shown = "; ".join(listed_labels({label: labels[label] for label in spellings}) for spellings in sets[:_SHOWN_SETS])
    n_more = len(sets) - _SHOWN_SETS
    more = f"; and {counted(n_more, 'more such set', 'more such sets')}" if n_more > 0 else ""
    return f"{sum(map(len, sets)):,} labels differ only in case or blanks: {shown}{more}"


def shown_labels(labels: Iterable[object]) -> tuple[str, ...]:
    """Labels as tables show them: in quotes where blanks would not be seen, or where one is a spelling of another.

    Examples
    --------
    >>> shown_labels(["Spam", "spam", "ham"]), shown_labels(["spam", "ham "])
    (("'Spam'", "'spam'", 'ham'), ('spam', "'ham '"))
    """
    names = [str(label) for label in labels]
    twins = {label for spellings in spelling_sets(names) for label in spellings}
    return tuple(quote(name) if name in twins or _has_unseen_blanks(name) else name for name in names)


def _has_unseen_blanks(name: str) -> bool:
    return not name or name != name.strip() or re.search(r"[\t\n\r]", name) is not None
