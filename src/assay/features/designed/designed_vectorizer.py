"""What the vectorizers of hand-made features share: scikit-learn's manners around a block of plain data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from assay.arguments import require_writable
from assay.errors import DataError, ParameterError
from assay.features.columns.blocks import DesignedBlock
from assay.features.documents import as_documents
from assay.features.ngrams.native_vectorizer import NativeVectorizer, said_with_way_out
from assay.threads import count_threads

__all__ = ["DesignedFeatures"]


class DesignedFeatures(TransformerMixin, BaseEstimator):
    """Base of vectorizers that make a `DesignedBlock` in `fit`.

    A subclass has `_new_block`, which gives the block for training texts, and its own `transform` where that block is
    no `TableBlock`.
    """

    block_: Any

    def fit(self, raw_documents: Iterable[Any], y: object = None) -> Self:
        """Check the settings, and learn the columns from the texts where they depend on them."""
        self._check_parameters()
        self.block_ = self._new_block(self._texts(raw_documents))
        return self

    def transform(self, raw_documents: Iterable[Any]) -> npt.NDArray[Any]:
        """The values of texts, (n_texts, n_columns)."""
        check_is_fitted(self)
        documents = self._documents(raw_documents)
        table: npt.NDArray[Any] = self.block_.table(documents, n_threads=count_threads(getattr(self, "n_jobs", None)))
        return table

    def get_feature_names_out(self, input_features: object = None) -> npt.NDArray[np.object_]:
        """Names of the columns; hashed ones have numbers."""
        check_is_fitted(self)
        names = self.block_.names()
        if names is None:
            names = [f"{type(self).__name__.lower()}{column}" for column in range(self.block_.n_columns)]
        return np.asarray(names, dtype=object)

    def text_features(self) -> list[DesignedBlock]:
        """The block of columns, ready for prediction without scikit-learn."""
        check_is_fitted(self)
        return [self.block_]

    def _new_block(self, texts: list[str]) -> DesignedBlock:
        raise TypeError(f"{type(self).__name__} makes no block of features")

    def _check_parameters(self) -> None:
        require_writable(self, self.get_params(deep=False))
        try:
            self._validate_params()
        except ValueError as error:
            raise ParameterError(str(error)) from None

    def _texts(self, raw_documents: Iterable[Any]) -> list[str]:
        """The texts of any form of documents, as strings."""
        strings: list[str] = self._documents(raw_documents).strings()
        return strings

    def _documents(self, raw_documents: Iterable[Any]) -> Any:
        if not hasattr(raw_documents, "__iter__"):
            raise DataError(f"The texts must be a list of texts. Got {type(raw_documents).__name__} instead.")
        with said_with_way_out():
            return as_documents(NativeVectorizer._reusable(raw_documents), self._decode)

    @staticmethod
    def _decode(item: Any) -> Any:
        """A text that came as bytes; anything else is refused by who asked."""
        if not isinstance(item, bytes):
            return item
        try:
            return item.decode()
        except UnicodeDecodeError as error:
            raise DataError(f"The text {item[:40]!r} is not UTF-8 ({error.reason}). Decode it first.") from None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.requires_fit = True
        return tags
