"""`JoinedVectorizer`: n-grams and hand-made features side by side, in one vectorizer that a model file can hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Self, cast

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.base import TransformerMixin, clone
from sklearn.utils.validation import check_is_fitted

from assay.errors import ParameterError
from assay.features.columns.blocks import DesignedBlock, FeatureBlock, side_by_side
from assay.features.columns.feature_selector import FeatureSelector
from assay.features.columns.scaling import METHODS, Scaling, ScalingMethod
from assay.features.columns.scaling_block import ScaledBlock
from assay.features.designed.designed_vectorizer import DesignedFeatures
from assay.features.designed.template_features import TemplateFeatures
from assay.features.ngrams.learned_vocabulary import LearnedVocabulary, csr
from assay.features.ngrams.native_vectorizer import NativeVectorizer, number_type
from assay.sklearn_internals import BaseComposition
from assay.suggest import check_choice, nearest_first, quoted

__all__ = ["JoinedVectorizer"]


class JoinedVectorizer(TransformerMixin, BaseComposition):
    """Several vectorizers side by side, as scikit-learn's FeatureUnion, kept as data in a model file.

    Parameters
    ----------
    parts
        Pairs of a name and a vectorizer of `assay.features`.
    scaling
        For the names of parts, how their columns are brought to one size: ``"z-score"``, ``"min-max"``, ``"max-abs"``
        or ``"log"``. Only hand-made features are scaled: n-grams have weights of their own.
    selection
        For the names of parts, a `FeatureSelector` that chooses columns by the training labels. N-grams are chosen
        before they are weighted: document frequencies and norms are those of the chosen ones.
    dtype
        Type of the values; None: the widest of the parts'.
    n_jobs
        Threads; None leaves those of the parts.

    Attributes
    ----------
    parts_
        The fitted vectorizers, by name.

    Examples
    --------
    >>> from assay.features import LexiconFeatures, TfidfVectorizer
    >>> lists = LexiconFeatures({"positive": ["good"], "negative": ["dull"]})
    >>> vectorizer = JoinedVectorizer([("words", TfidfVectorizer()), ("lists", lists)], scaling={"lists": "max-abs"})
    >>> vectorizer.fit_transform(["good good film", "dull film"]).toarray().round(2)
    array([[0.  , 0.34, 0.94, 1.  , 0.  ],
           [0.81, 0.58, 0.  , 0.  , 1.  ]])
    >>> vectorizer.get_feature_names_out()[3:].tolist()
    ['lists__positive', 'lists__negative']
    """

    def __init__(
        self,
        parts: Sequence[tuple[str, Any]],
        *,
        scaling: Mapping[str, ScalingMethod] | None = None,
        selection: Mapping[str, FeatureSelector] | None = None,
        dtype: npt.DTypeLike | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.parts = parts
        self.scaling = scaling
        self.selection = selection
        self.dtype = dtype
        self.n_jobs = n_jobs

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The settings; with `deep`, those of the parts too, as ``words__min_df``."""
        return cast(dict[str, Any], self._get_params("parts", deep=deep))

    def set_params(self, **params: Any) -> Self:
        """Change settings by name."""
        self._set_params("parts", **params)
        return self

    def fit(self, raw_documents: Iterable[Any], y: Any = None) -> Self:
        """Fit every part to the texts."""
        self.fit_transform(raw_documents, y)
        return self

    def fit_transform(self, raw_documents: Iterable[Any], y: Any = None) -> Any:
        """Fit every part to the texts, and give their columns side by side."""
        self._check_parts()
        raw_documents = NativeVectorizer._reusable(raw_documents)
        fitted, matrices = {}, []
        scalings: dict[str, Scaling] = {}
        for name, part in self.parts:
            vectorizer = clone(part)
            if self.n_jobs is not None and "n_jobs" in vectorizer.get_params(deep=False):
                vectorizer.set_params(n_jobs=self.n_jobs)
            matrix = vectorizer.fit_transform(raw_documents, y)
            if name in (self.selection or {}):
                vectorizer, matrix = _selected(name, vectorizer, matrix, raw_documents, y, (self.selection or {})[name])
            if name in (self.scaling or {}):
                scalings[name] = _learned(matrix, (self.scaling or {})[name])
                matrix = _scaled(matrix, scalings[name])
            fitted[name] = vectorizer
            matrices.append(matrix)
        self.parts_, self.scalings_ = fitted, scalings
        return _joined(matrices, self.dtype)

    def transform(self, raw_documents: Iterable[Any]) -> Any:
        """The columns of all parts side by side."""
        check_is_fitted(self)
        raw_documents = NativeVectorizer._reusable(raw_documents)
        matrices = []
        for name, vectorizer in self.parts_.items():
            matrix = vectorizer.transform(raw_documents)
            matrices.append(_scaled(matrix, self.scalings_[name]) if name in self.scalings_ else matrix)
        return _joined(matrices, self.dtype)

    def get_feature_names_out(self, input_features: object = None) -> npt.NDArray[np.object_]:
        """Names of the columns, each after that of its part: ``words__good``."""
        check_is_fitted(self)
        names = [f"{part}__{name}" for part, v in self.parts_.items() for name in v.get_feature_names_out()]
        return np.asarray(names, dtype=object)

    def text_features(self) -> list[FeatureBlock]:
        """The blocks of columns, ready for prediction without scikit-learn."""
        check_is_fitted(self)
        blocks: list[FeatureBlock] = []
        for name, vectorizer in self.parts_.items():
            own = vectorizer.text_features()
            if name in self.scalings_:
                own = [ScaledBlock(cast(DesignedBlock, own[0]), self.scalings_[name])]
            blocks += own
        return blocks

    def _check_parts(self) -> None:
        if not self.parts:
            raise ParameterError(
                "The 'parts' parameter of JoinedVectorizer must hold at least one vectorizer. Got none."
            )
        self._validate_names([name for name, _ in self.parts])
        if self.dtype is not None:
            number_type(self.dtype)
        parts = dict(self.parts)
        for name, part in parts.items():
            if not hasattr(part, "text_features"):
                raise ParameterError(
                    f"The part {name!r} of JoinedVectorizer must be a vectorizer of assay.features. Got {part!r} "
                    "instead. Those of scikit-learn have the same names and parameters there."
                )
        for setting in ("scaling", "selection"):
            for name in getattr(self, setting) or {}:
                if name not in parts:
                    known = quoted(nearest_first(name, parts))
                    raise ParameterError(f"{setting!r} names the part {name!r}, which is not there. There are {known}.")
        for name, method in (self.scaling or {}).items():
            check_choice(f"The scaling of the part {name!r}", method, METHODS)
            if not isinstance(parts[name], DesignedFeatures):
                raise ParameterError(
                    f"The part {name!r} is a {type(parts[name]).__name__}, whose n-grams have their own weights: set "
                    "sublinear_tf, use_idf and norm there. Scaling is for hand-made features."
                )
        for name in self.selection or {}:
            if not isinstance(parts[name], LearnedVocabulary | TemplateFeatures):
                raise ParameterError(
                    f"The part {name!r} is a {type(parts[name]).__name__}, of which no columns can be left out. "
                    "Selection is for CountVectorizer, TfidfVectorizer and TemplateFeatures."
                )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.target_tags.required = bool(self.selection)
        return tags


def _selected(
    name: str, vectorizer: Any, matrix: Any, raw_documents: Iterable[Any], y: Any, selector: FeatureSelector
) -> tuple[Any, Any]:
    """The vectorizer with the chosen columns only, and its matrix."""
    if y is None:
        raise ParameterError(f"The selection of the part {name!r} goes by labels: give them to fit. Got None.")
    columns = np.sort(clone(selector).fit(matrix, y).ranking_.columns)
    if not len(columns):
        raise ParameterError(
            f"The selection of the part {name!r} leaves no column of {matrix.shape[1]}. Lower its threshold or min_df, "
            "or raise C."
        )
    names = vectorizer.get_feature_names_out()[columns].tolist()
    if isinstance(vectorizer, TemplateFeatures):
        if vectorizer.block_.is_hashed:
            raise ParameterError(
                f"The part {name!r} is hashed: it has no columns to choose from. Leave out n_features."
            )
        vectorizer.block_ = replace(vectorizer.block_, columns=tuple(names))
        return vectorizer, matrix[:, columns]
    vectorizer.set_params(vocabulary=names)
    return vectorizer, vectorizer.fit_transform(raw_documents, y)


def _learned(matrix: Any, method: ScalingMethod) -> Scaling:
    if sparse.issparse(matrix):
        rows = cast(Any, matrix)
        return Scaling.of_sparse(method, rows.indices, rows.data.astype(np.float64), rows.shape)
    return Scaling.of_table(method, matrix)


def _scaled(matrix: Any, scaling: Scaling) -> Any:
    if not sparse.issparse(matrix):
        return scaling.table(matrix)
    rows = cast(Any, matrix)
    return csr((rows.indptr, rows.indices, scaling.sparse(rows.indices, rows.data)), rows.shape[1])


def _joined(matrices: list[Any], dtype: npt.DTypeLike | None) -> Any:
    """Side by side, in compressed rows."""
    parts = [cast(Any, sparse.csr_array(matrix)) for matrix in matrices]
    for part in parts:
        part.sort_indices()
    rows = side_by_side([(part.indptr, part.indices, part.data) for part in parts], [part.shape[1] for part in parts])
    indptr, indices, data = rows
    values = data if dtype is None else data.astype(dtype, copy=False)
    return csr((indptr, indices, values), sum(part.shape[1] for part in parts))
