"""What a classifier is trained on: a corpus whose labels can be told apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from numbers import Number
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.data.corpus.two_classes import require_two_classes
from assay.errors import DataError, ParameterError, warn
from assay.label_sets import LabelSets
from assay.label_types import sorted_labels
from assay.suggest import excerpt, quote, quoted

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus
    from assay.learners.estimators.indicators import IndicatorForm

__all__ = ["corpus_of", "form_of", "label_arrays", "sorted_sets", "training_corpus"]


def training_corpus(texts: Any, labels: Any, **columns: Any) -> Corpus:
    """Texts with labels of two classes or more, every class of which has examples; `columns` are text= and label=.

    Of sets of labels, a column of an indicator matrix is a label even where no text has it.
    """
    corpus = corpus_of(texts, labels, **columns)
    require_two_classes(corpus)
    if corpus.task == "labels" and not corpus.class_counts.all():  # part of a corpus that has more classes
        return corpus.with_labels(corpus.classes, corpus.label_names, changes={})
    return corpus


def corpus_of(texts: Any, labels: Any, **columns: Any) -> Corpus:
    """Texts and labels in any form that `assay.read` takes, as a corpus; without `labels`, `texts` must have them.

    What was guessed about data that had to be read first is said in a warning.

    Parameters
    ----------
    texts, labels
        The data.
    columns
        ``text=`` and ``label=`` as `assay.read` takes them, where the caller has such settings.
    """
    from assay.data.corpus.corpus import Corpus
    from assay.data.reading.read import read_given

    if labels is None:
        corpus = read_given(texts, *columns, **columns)
        if corpus.labels is None:
            raise DataError(
                f"{corpus.source}: there are texts but no labels. Give both, as (texts, labels), or a corpus that was "
                "read with label=."
            )
        for note in () if isinstance(texts, Corpus) else _worth_a_warning(corpus, columns):
            warn(f"{note}.")
        return corpus
    named = next((name for name, value in columns.items() if value is not None), None)
    if named is not None:
        raise ParameterError(
            f"{named}={columns[named]!r} names a column of a table, and here texts and labels were given apart. Give "
            f"the table alone, or leave {named}= out."
        )
    if isinstance(labels, str):
        raise DataError(f"labels must be one label a text. Got the text {labels!r} instead.")
    if hasattr(labels, "columns") and getattr(labels, "ndim", 1) == 2:
        raise DataError(
            f"labels are a table with the columns {quoted(map(str, labels.columns), 8)}. Give its numbers, "
            "labels.to_numpy(), whose labels are then 0, 1, 2 …, or put texts and columns into one table and read "
            "that with assay.read(…, label_columns=[…]), which keeps their names."
        )
    of_sets = form_of(labels) is not None
    if not of_sets and (not isinstance(labels, Iterable) or getattr(labels, "ndim", 1) != 1):
        raise DataError(
            f"labels must be one label a text, or a set of labels a text. Got {excerpt(repr(labels))}, of type "
            f"{type(labels).__name__}, instead."
        )
    if isinstance(texts, str):
        raise DataError(f"texts must be a list of texts. Got the text {texts[:40]!r} instead: put it into a list.")
    if not of_sets:
        labels = labels if hasattr(labels, "__len__") else list(labels)  # a generator can be looked at only once
        _refuse_mixed_types(labels)
    return read_given((texts.texts if isinstance(texts, Corpus) else texts, labels))


def _worth_a_warning(corpus: Corpus, columns: Mapping[str, Any]) -> tuple[str, ...]:
    """The notes of a corpus; that columns called text and label were taken for what they are called is none."""
    guessed = len(columns) < 2 or None in columns.values()
    obvious = (corpus.text_column, corpus.label_column) == ("text", "label")
    return corpus.notes[1:] if guessed and obvious else corpus.notes


def form_of(labels: Any) -> IndicatorForm | None:
    """The form of an indicator matrix, a column a label; None of a list of labels or of sets.

    Examples
    --------
    >>> form_of(["pos", "neg"]), form_of(np.zeros((2, 3)))
    (None, IndicatorForm(kind='array'))
    """
    if not hasattr(labels, "tocsr") and getattr(labels, "ndim", 1) != 2:
        return None
    from assay.learners.estimators.indicators import IndicatorForm

    return IndicatorForm.like(labels)


def label_arrays(corpus: Corpus) -> tuple[tuple[str, ...], Any]:
    """The labels in the order of their values, as text, and the label of every text, in its own type.

    Of sets of labels the second is a sparse indicator matrix, whose columns are in that order.
    """
    names = sorted_labels(corpus.label_names, corpus.label_type)
    if corpus.task == "label-sets":
        return names, sorted_sets(corpus, names).sparse()
    return names, corpus.label_values[corpus.classes]


def sorted_sets(corpus: Corpus, names: Sequence[str]) -> LabelSets:
    """The set of every text, with the numbers that labels have in these names."""
    place = {name: k for k, name in enumerate(names)}
    numbers = np.array([place.get(name, -1) for name in corpus.label_names], np.int64)
    return corpus.label_sets.renumbered(numbers, len(names))


def _with_rows(values: Sequence[Any]) -> Iterator[tuple[int, Any]]:
    """The labels, also of sets, with their rows."""
    for row, value in enumerate(values):
        if isinstance(value, (list, tuple, set, frozenset)):
            yield from ((row, label) for label in value)
        else:
            yield row, value


def _kind(label: Any) -> str:
    if isinstance(label, str):
        return "text"
    if isinstance(label, (bool, np.bool_)):
        return "truth value"
    return "number" if isinstance(label, (Number, np.number)) else type(label).__name__


def _refuse_mixed_types(labels: Any) -> None:
    """Labels are text, numbers or truth values, but not some of each: 1 and "1" would become one class."""
    if hasattr(labels, "__arrow_c_stream__") or hasattr(labels, "__arrow_c_array__"):
        return  # of one type
    values = labels.tolist() if isinstance(labels, np.ndarray) else list(labels)
    first: dict[str, tuple[int, Any]] = {}
    for row, label in _with_rows(values):
        kind = _kind(label)
        if label is not None and label == label:
            first.setdefault(kind, (row, label))
    if len(first) > 1:
        found = " and ".join(f"{quote(label)} (row {row + 1}, a {kind})" for kind, (row, label) in first.items())
        raise DataError(f"The labels are of different types: {found}. Make all of them text, or all numbers.")
