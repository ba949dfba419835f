"""What a corpus must have before something can be learned from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.errors import DataError
from assay.suggest import all_of, quote
from assay.wording import setting

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["require_classes"]


def require_classes(corpus: Corpus) -> None:
    """Refuse a corpus that nothing can be learned from: without labels, or with one class only.

    Examples
    --------
    >>> from assay.data.corpus.corpus import Corpus
    >>> require_classes(Corpus(["a", "b"], ["pos", "pos"]))
    Traceback (most recent call last):
    ...
    assay.errors.DataError: memory: all 2 texts have the label 'pos'. A classifier needs at least two classes.
    """
    if corpus.labels is None:
        raise DataError(
            f"{corpus.source}: the texts have no labels to learn from. Say which column holds them with "
            f"{setting('label')}."
        )
    counts = corpus.class_counts
    if np.count_nonzero(counts) == 1:
        name = corpus.label_names[int(np.argmax(counts))]
        raise DataError(
            f"{corpus.source}: {all_of(len(corpus), 'text has', 'texts have')} the label {quote(name)}. A classifier "
            "needs at least "
            "two classes."
        )
    if not len(corpus):
        raise DataError(f"{corpus.source}: there are no texts to learn from.")
