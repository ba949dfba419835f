"""What a model file remembers of the texts that it was trained on: enough to know them, and near-copies, again.

Hashes of 64 bits of the texts' forms (their words in order, without case, accents, blanks and punctuation), and MinHash
signatures of 32 bytes of those that are long enough, with the number of shingles of each and a hash of its words in any
order; all sorted, so that they do not tell in which order the texts stood. No text can be read from them; whether a
given text was there can be asked, which is what they are for. `docs/guides/near-copies.md` says what that may reveal,
and how to leave it out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from assay import _native
from assay.data.arrays import text_bytes
from assay.modelfile.attachment import Attachment
from assay.threads import count_threads

__all__ = ["MOST_FORMS", "MOST_SIGNATURES", "TextSketch"]

METHOD = "forms-and-minhash-3"
WITHOUT_BAGS = "forms-and-minhash-2"  # of earlier files: lines in another order are known by their shingles alone
MOST_FORMS = 1_000_000
MOST_SIGNATURES = 100_000
# Places that the signatures of two texts with the same words in another order agree in: near-copies share a third of
# their shingles, a fifth of all, so 6 of 32 places, and fewer than 3 of them once in thirty times; others hardly any.
PLACES_OF_REORDERED = 3
MOST_OF_SAME_WORDS = 16  # texts with the same words in another order that one is compared with

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class TextSketch:
    """Hashes of texts.

    Attributes
    ----------
    n_texts
        How many texts there were. Of very many, a sample is remembered: the smallest hashes.
    forms
        Different hashes of forms, rising; a million at most.
    signatures
        Different signatures, one a row; a hundred thousand at most.
    sizes
        Of how many shingles each is, 65,535 at most.
    bags
        Of each a hash of the words, whatever their order; none at all in earlier files.
    common
        Shingles, as hashes, that are in so many of the texts that none is known by them.

    Examples
    --------
    >>> sketch = TextSketch.of(pa.chunked_array([pa.array(["See you at noon on Friday!", "no"], pa.large_string())]))
    >>> same, near = sketch.known(pa.chunked_array([pa.array(["see you at noon on friday", "yes"], pa.large_string())]))
    >>> same.tolist(), near.tolist()
    ([True, False], [True, False])
    """

    n_texts: int
    forms: npt.NDArray[np.uint64]
    signatures: npt.NDArray[np.uint8]
    sizes: npt.NDArray[np.uint16]
    bags: npt.NDArray[np.uint64]
    common: npt.NDArray[np.uint32]

    @classmethod
    def of(cls, texts: pa.ChunkedArray, threads: int | None = None) -> TextSketch:
        """The sketch of texts, on so many threads, which change no bit; None: every core."""
        common, forms, bags, signatures, sizes = _sketched(texts, None, threads)
        forms, kept = _remembered(forms, bags, signatures, sizes)
        return cls(len(texts), forms, *kept, common)

    def plus(self, texts: pa.ChunkedArray, threads: int | None = None) -> TextSketch:
        """The sketch of the same texts and of others, the common shingles of which are those of the first."""
        forms, (signatures, sizes, bags) = _remembered(*_sketched(texts, self.common, threads)[1:])
        bags_before = self.bags if self.bags.shape == self.sizes.shape else np.zeros(len(self.sizes), np.uint64)
        together = np.vstack([self.signatures, signatures]), np.append(self.sizes, sizes), np.append(bags_before, bags)
        signatures, sizes, bags = _different_rows(*together)
        most, forms = MOST_SIGNATURES, _different(np.append(self.forms, forms))[:MOST_FORMS]
        return TextSketch(self.n_texts + len(texts), forms, signatures[:most], sizes[:most], bags[:most], self.common)

    @property
    def is_sample(self) -> bool:
        """Whether there were more texts than are remembered."""
        return len(self.forms) == MOST_FORMS or len(self.signatures) == MOST_SIGNATURES

    def known(self, texts: pa.ChunkedArray) -> tuple[Mask, Mask]:
        """Which texts have the form of one that is remembered, and which are like one or have its form."""
        _, forms, bags, signatures, sizes = _sketched(texts, self.common, None)
        place = np.searchsorted(self.forms, forms)
        same = np.zeros(len(texts), bool)
        inside = place < len(self.forms)
        same[inside] = self.forms[place[inside]] == forms[inside]
        near = same.copy()
        compared = np.flatnonzero(sizes)
        kept = np.ascontiguousarray(self.signatures).ravel(), np.ascontiguousarray(self.sizes)
        asked = np.ascontiguousarray(signatures[compared]).ravel(), sizes[compared]
        near[compared[_native.find_alike(*kept, *asked, count_threads(None)).astype(bool)]] = True
        rest = np.flatnonzero((sizes > 0) & ~near)
        near[rest] = self._reordered(bags[rest], signatures[rest])
        return same, near

    def _reordered(self, bags: npt.NDArray[np.uint64], signatures: npt.NDArray[np.uint8]) -> Mask:
        """Which texts have the words of one that is remembered, in an order that left some of the shingles whole."""
        found = np.zeros(len(bags), bool)
        order = np.argsort(self.bags, kind="stable")
        rising = self.bags[order]
        begin, end = (np.searchsorted(rising, bags, side) for side in ("left", "right"))
        for further in range(min(MOST_OF_SAME_WORDS, int((end - begin).max(initial=0)))):
            asked = np.flatnonzero(begin + further < end)
            others = self.signatures[order[begin[asked] + further]]
            found[asked] |= (others == signatures[asked]).sum(axis=1) >= PLACES_OF_REORDERED
        return found

    def to_attachment(self) -> Attachment:
        """As a file keeps it."""
        arrays: dict[str, npt.NDArray[Any]] = {
            "forms": self.forms,
            "signatures": self.signatures,
            "sizes": self.sizes,
            "bags": self.bags,
            "common": self.common,
        }
        return Attachment(METHOD, {"texts": self.n_texts}, arrays)

    @classmethod
    def from_attachment(cls, attachment: Attachment | None) -> TextSketch | None:
        """The inverse, for data of unknown origin; None where it is of another method, or not what this one writes."""
        if attachment is None or attachment.method not in (METHOD, WITHOUT_BAGS):
            return None
        n_texts = attachment.settings.get("texts")
        names = ("forms", "signatures", "sizes", "common")
        forms, signatures, sizes, common = (attachment.arrays.get(name) for name in names)
        if forms is None or signatures is None or sizes is None or common is None or not isinstance(n_texts, int):
            return None
        bags = attachment.arrays.get("bags") if attachment.method == METHOD else np.empty(0, np.uint64)
        if bags is None or bags.dtype != np.uint64 or (attachment.method == METHOD and bags.shape != sizes.shape):
            return None
        if forms.dtype != np.uint64 or forms.ndim != 1 or (forms[1:] <= forms[:-1]).any():
            return None
        if signatures.dtype != np.uint8 or signatures.ndim != 2 or signatures.shape[1] != _native.sketch_places:
            return None
        if sizes.dtype != np.uint16 or sizes.shape != signatures.shape[:1]:
            return None
        if common.dtype != np.uint32 or common.ndim != 1 or (common[1:] <= common[:-1]).any():
            return None
        return cls(n_texts, forms, signatures, sizes, bags, common)


def _remembered(
    forms: npt.NDArray[np.uint64],
    bags: npt.NDArray[np.uint64],
    signatures: npt.NDArray[np.uint8],
    sizes: npt.NDArray[np.uint16],
) -> tuple[npt.NDArray[np.uint64], tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint16], npt.NDArray[np.uint64]]]:
    """What is kept: the smallest hashes, and the signatures of the texts that have them.

    Which texts they are depends on nothing but the texts.
    """
    compared = np.flatnonzero(sizes)
    order = compared[np.argsort(forms[compared], kind="stable")[:MOST_SIGNATURES]]
    return _different(forms)[:MOST_FORMS], _different_rows(signatures[order], sizes[order], bags[order])


def _different(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """As `numpy.unique`, which imports masked arrays."""
    rising = np.sort(values)
    return rising[np.concatenate([[True], rising[1:] != rising[:-1]])] if len(rising) else rising


def _different_rows(
    signatures: npt.NDArray[np.uint8], sizes: npt.NDArray[np.uint16], bags: npt.NDArray[np.uint64]
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint16], npt.NDArray[np.uint64]]:
    """Signatures with their sizes and bags, each once, in the order of the signatures' bytes, then of the others."""
    width = _native.sketch_places
    words = np.ascontiguousarray(signatures).reshape(-1, width).view(">u8")  # (n, width / 8), in the order of bytes
    order = np.lexsort([bags, sizes, *words.T[::-1]])
    rising, counts, hashes = words[order], sizes[order], bags[order]
    other = (rising[1:] != rising[:-1]).any(axis=1) | (counts[1:] != counts[:-1]) | (hashes[1:] != hashes[:-1])
    new = np.concatenate([[True], other])[: len(rising)]
    return np.ascontiguousarray(rising[new]).view(np.uint8).reshape(-1, width), counts[new], hashes[new]


def _sketched(
    texts: pa.ChunkedArray, common: npt.NDArray[np.uint32] | None, threads: int | None
) -> tuple[
    npt.NDArray[np.uint32],
    npt.NDArray[np.uint64],
    npt.NDArray[np.uint64],
    npt.NDArray[np.uint8],
    npt.NDArray[np.uint16],
]:
    documents = _native.Documents()
    for chunk in texts.chunks:
        documents.add_arrow(*text_bytes(chunk))
    common, forms, bags, signatures, sizes = _native.sketch_texts(documents, common, count_threads(threads))
    return common, forms, bags, signatures.reshape(-1, _native.sketch_places), sizes
