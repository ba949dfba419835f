"""A corpus's name for itself: SHA-256 over texts and labels.

The lengths and the bytes of the texts are hashed as two streams, so that neither chunks nor buffers matter;
labels count as names, by first appearance in this corpus.  Of labels that come up in one set first, the lesser name
comes first: in which order a set was written does not count.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from assay.data.arrays import text_bytes

if TYPE_CHECKING:
    import hashlib

    from assay.data.corpus.corpus import Corpus

__all__ = ["fingerprint"]


def fingerprint(corpus: Corpus) -> str:
    """Return the digest in hexadecimal."""
    import hashlib

    lengths, contents = hashlib.sha256(), hashlib.sha256()
    for chunk in corpus.texts.chunks:
        if len(chunk):
            offsets, data = text_bytes(chunk)
            lengths.update(np.diff(offsets).astype("<i8").tobytes())
            contents.update(data.data)
    whole = hashlib.sha256(b"assay corpus 1")
    whole.update(len(corpus).to_bytes(8, "little") + lengths.digest() + contents.digest())
    whole.update(_label_digest(corpus))
    return whole.hexdigest()


def _label_digest(corpus: Corpus) -> bytes:
    if corpus.labels is None:
        return b"unlabelled"
    if corpus.task == "label-sets":
        return _set_digest(corpus)
    import hashlib

    present, first = np.unique(corpus.classes, return_index=True)
    in_order = present[np.argsort(first)]
    number = np.full(len(corpus.label_names), -1, np.int32)
    number[in_order] = np.arange(len(in_order))
    digest = hashlib.sha256()
    _add_names(digest, corpus, in_order)
    digest.update(number[corpus.classes].astype("<i4").tobytes())
    return digest.digest()


def _set_digest(corpus: Corpus) -> bytes:
    import hashlib

    sets = corpus.label_sets
    present, first = np.unique(sets.members, return_index=True)
    row_of = dict(zip(present.tolist(), sets.texts[first].tolist(), strict=True))
    in_order = sorted(row_of, key=lambda index: (row_of[index], corpus.label_names[index]))
    number = np.full(sets.n_classes, -1, np.int64)
    number[in_order] = np.arange(len(in_order))
    canonical = sets.renumbered(number, max(len(in_order), 1))
    digest = hashlib.sha256(b"sets")
    _add_names(digest, corpus, in_order)
    digest.update(canonical.sizes.astype("<i8").tobytes() + canonical.members.astype("<i4").tobytes())
    return digest.digest()


def _add_names(digest: hashlib._Hash, corpus: Corpus, classes: Iterable[int]) -> None:
    for index in classes:
        name = corpus.label_names[index].encode()
        digest.update(len(name).to_bytes(8, "little") + name)
