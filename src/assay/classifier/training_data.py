"""What a classifier is trained on: a corpus whose labels can be told apart."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.data.corpus.two_classes import require_two_classes
from assay.errors import DataError
from assay.suggest import excerpt, quote

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["corpus_of", "label_strings", "training_corpus"]


def training_corpus(texts: Any, labels: Any) -> Corpus:
    """Texts with labels of two classes or more, every class of which has examples."""
    from assay.data.corpus.corpus import Corpus

    corpus = corpus_of(texts, labels)
    require_two_classes(corpus)
    if not corpus.class_counts.all():  # part of a corpus that has more classes
        return Corpus(corpus.texts, corpus.labels, source=corpus.source)
    return corpus


def corpus_of(texts: Any, labels: Any) -> Corpus:
    """Texts and labels in any form that `assay.read` takes, as a corpus; without `labels`, `texts` must have them."""
    from assay.data.corpus.corpus import Corpus
    from assay.data.reading.read import read_given

    if labels is None:
        corpus = read_given(texts)
        if corpus.labels is None:
            raise DataError(
                f"{corpus.source}: there are texts but no labels. Give both, as (texts, labels), or a corpus that was "
                "read with label=."
            )
        return corpus
    if isinstance(labels, str):
        raise DataError(f"labels must be one label a text. Got the text {labels!r} instead.")
    if not isinstance(labels, Iterable) or getattr(labels, "ndim", 1) != 1:
        raise DataError(
            f"labels must be one label a text. Got {excerpt(repr(labels))}, of type {type(labels).__name__}, instead."
        )
    if isinstance(texts, str):
        raise DataError(f"texts must be a list of texts. Got the text {texts[:40]!r} instead: put it into a list.")
    labels = labels if hasattr(labels, "__len__") else list(labels)  # a generator can be looked at only once
    _refuse_mixed_types(labels)
    return read_given((texts.texts if isinstance(texts, Corpus) else texts, labels))


def label_strings(corpus: Corpus) -> tuple[tuple[str, ...], NDArray[np.str_]]:
    """The labels, sorted, and the label of every text."""
    return tuple(sorted(corpus.label_names)), np.array(corpus.label_names)[corpus.classes]


def _refuse_mixed_types(labels: Any) -> None:
    """Labels are text, numbers or truth values, but not some of each: 1 and "1" would become one class."""
    if hasattr(labels, "__arrow_c_stream__") or hasattr(labels, "__arrow_c_array__"):
        return  # of one type
    values = labels.tolist() if isinstance(labels, np.ndarray) else list(labels)
    first: dict[str, tuple[int, Any]] = {}
    for row, label in enumerate(values):
        kind = "text" if isinstance(label, str) else "truth value" if isinstance(label, bool) else "number"
        if label is not None and label == label:
            first.setdefault(kind, (row, label))
    if len(first) > 1:
        found = " and ".join(f"{quote(label)} (row {row + 1}, a {kind})" for kind, (row, label) in first.items())
        raise DataError(f"The labels are of different types: {found}. Make all of them text, or all numbers.")
