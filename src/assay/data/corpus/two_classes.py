"""Labels that nothing can be learned from: there is only one of them, all texts have them, or none has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.errors import DataError
from assay.suggest import all_of, quote, quoted
from assay.wording import setting

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["labels_of_all_or_none", "one_class_only", "require_two_classes"]


def require_two_classes(corpus: Corpus) -> None:
    """Refuse a corpus that nothing can be learned from: without texts, without labels, or with one class only.

    Of sets of labels at least one label must be there that some texts have and others have not.

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
    if corpus.task == "label-sets":
        if not ((counts > 0) & (counts < len(corpus))).any():
            raise _nothing_differs(corpus)
    elif np.count_nonzero(counts) == 1:
        way_out = f"Is another column meant? Name it with {setting('label', of_read=True)}."
        raise one_class_only(corpus.source, len(corpus), corpus.label_names[int(np.argmax(counts))], way_out=way_out)


def labels_of_all_or_none(corpus: Corpus) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The labels that every text has, and those that no text has: nothing can be learned of them.

    Examples
    --------
    >>> from assay.data.corpus.corpus import Corpus
    >>> labels_of_all_or_none(Corpus(["a", "b"], [["news", "sport"], ["news"]])[1:])
    (('news',), ('sport',))
    """
    counts = corpus.class_counts
    named = tuple(zip(corpus.label_names, counts.tolist(), strict=True))
    return tuple(name for name, n in named if n == len(corpus)), tuple(name for name, n in named if not n)


def _nothing_differs(corpus: Corpus) -> DataError:
    of_all, _ = labels_of_all_or_none(corpus)
    texts = all_of(len(corpus), "text has", "texts have")
    what = f"{texts} the same labels, {quoted(of_all, 5)}" if of_all else "no text has any label"
    return DataError(
        f"{corpus.source}: {what}. A classifier needs at least one label that some texts have and others have not. Is "
        f"another column meant? Name it with {setting('label', of_read=True)}."
    )


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
