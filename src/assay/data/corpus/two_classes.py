"""Labels that nothing can be learned from, because there is only one of them, or no text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.errors import DataError
from assay.suggest import all_of, quote
from assay.wording import setting

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["one_class_only", "require_two_classes"]


def require_two_classes(corpus: Corpus) -> None:
    """Refuse a corpus that nothing can be learned from: without texts, without labels, or with one class only.

    Examples
    --------
    >>> from assay.data.corpus.corpus import Corpus
    >>> require_two_classes(Corpus(["a", "b"], ["pos", "pos"]))
    Traceback (most recent call last):
    ...
    assay.errors.DataError: memory: all 2 texts have the label 'pos'. A classifier needs examples of two classes at least, not of one class only. Is another column meant? Name it with assay.read(…, label=…).
    """  # noqa: E501
    counts = corpus.class_counts  # complains about a corpus without labels
    if not len(corpus):
        raise DataError(f"{corpus.source}: there are no texts to learn from. Give some of each class.")
    if np.count_nonzero(counts) == 1:
        way_out = f"Is another column meant? Name it with {setting('label', of_read=True)}."
        raise one_class_only(corpus.source, len(corpus), corpus.label_names[int(np.argmax(counts))], way_out=way_out)


def one_class_only(
    where: str,
    n: int,
    label: object,
    *,
    unit: tuple[str, str] = ("text has", "texts have"),
    who: str = "A classifier",
    way_out: str,
) -> DataError:
    """What to say where all examples have one label.

    Parameters
    ----------
    where
        A file, or the name of an argument.
    n, label
        How many examples there are, and the label of all.
    unit
        One example with its verb, and several.
    who
        Needs more classes.
    way_out
        What to do.
    """
    sentence = f"{where}: {all_of(n, *unit)} the label {quote(label)}."
    return DataError(f"{sentence} {who} needs examples of two classes at least, not of one class only. {way_out}")
