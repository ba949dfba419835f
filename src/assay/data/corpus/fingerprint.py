"""A corpus's name for itself: SHA-256 over texts and labels.

The lengths and the bytes of the texts are hashed as two streams, so that neither chunks nor buffers matter;
labels count as names, by first appearance in this corpus.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.data.arrays import text_bytes

if TYPE_CHECKING:
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
    import hashlib

    present, first = np.unique(corpus.classes, return_index=True)
    in_order = present[np.argsort(first)]
    number = np.full(len(corpus.label_names), -1, np.int32)
    number[in_order] = np.arange(len(in_order))
    digest = hashlib.sha256()
    for index in in_order:
        name = corpus.label_names[index].encode()
        digest.update(len(name).to_bytes(8, "little") + name)
    digest.update(number[corpus.classes].astype("<i4").tobytes())
    return digest.digest()
