"""Texts that are kept aside to measure honestly: a random part of all texts, which nothing is ever trained on.

Texts that were chosen because a model is unsure of them are harder than others: what is measured on them says nothing
of the rest. So chance decides beforehand, by the text alone: a hash of its form (its words in their order, without
case, accents, blanks and punctuation), scrambled with the seed, is its place between 0 and 1, and a text with a place
below the share is kept aside. Copies share it, new texts change nothing for old ones, and everybody who has the texts
gets the same part. Picked by chance are texts that are kept aside, in the order of their places: at any time those that
have been labelled are a simple random sample of all different texts.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay import _native
from assay.arguments import in_our_words
from assay.errors import ParameterError
from assay.features.documents import as_documents
from assay.scrambling import scrambled
from assay.threads import count_threads
from assay.wording import parameter

__all__ = ["SHARE", "check_share", "kept_aside", "places_by_chance"]

Floats = NDArray[np.float64]

SHARE = 0.1


@in_our_words
def kept_aside(texts: Any, share: float = SHARE, seed: int = 0, *, threads: int | None = None) -> NDArray[np.bool_]:
    """Which texts are kept aside for measuring, and never trained on.

    Parameters
    ----------
    texts
        A list, an Arrow array, a Series or a `Corpus`.
    share
        Of all texts, about; 0 keeps none aside.
    seed
        Another seed, another part.
    threads
        None for every core; the result is the same.

    Examples
    --------
    >>> texts = [f"text number {i}" for i in range(1000)]
    >>> aside = kept_aside(texts)
    >>> int(aside.sum()), bool((aside == kept_aside(texts)).all())
    (112, True)
    >>> kept_aside(["Text Number 5!", "text number 5"]).tolist() == [aside[5], aside[5]]
    True
    """
    check_share(share)
    return places_by_chance(texts, seed, threads) < share


def check_share(share: float) -> None:
    """Refuse what is no share, or would leave nothing to train on."""
    if not 0 <= share <= 0.5:
        raise ParameterError(
            f"{parameter('share', option='--aside')} is the share of the texts that is kept aside for measuring, from "
            f"0 to 0.5. Got {share!r} instead."
        )


def places_by_chance(texts: Any, seed: int, threads: int | None) -> Floats:
    """The place of each text between 0 and 1, by its form and the seed alone."""
    _, forms, *_ = _native.sketch_texts(as_documents(texts), None, count_threads(threads))
    return (scrambled(forms, seed) >> np.uint64(11)).astype(np.float64) * 2.0**-53
