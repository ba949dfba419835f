"""From texts to the rows of a matrix by a fitted set of features: all that prediction needs, without scikit-learn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Self, cast

import numpy as np
import numpy.typing as npt

from assay import _native
from assay.errors import ParameterError
from assay.features.ngrams.analysis import Analysis
from assay.features.ngrams.vocabulary import Vocabulary
from assay.header_checks import choice, entry, flag, numbers, whole_number

__all__ = ["Hashing", "Rows", "TextFeatures", "Weighting", "joint_rows", "native_matrix"]

#: indptr, indices, data of a sparse matrix in compressed rows
Rows = tuple[npt.NDArray[Any], npt.NDArray[np.int32], npt.NDArray[Any]]

_NOTHING = np.empty(0, dtype=np.float64)
_WRITERS: dict[np.dtype[Any], Callable[[Sequence[_native.MatrixBlock], int], Rows]] = {
    np.dtype(np.float32): _native.matrix_float32,
    np.dtype(np.float64): _native.matrix_float64,
    np.dtype(np.int64): _native.matrix_int64,
}


@dataclass(frozen=True)
class Hashing:
    """Columns by the hash of a feature's name instead of by a vocabulary."""

    n_columns: int
    alternate_sign: bool = True


@dataclass(frozen=True)
class Weighting:
    """What a count becomes: tf(count) · idf, each row divided by its norm."""

    binary: bool = False
    sublinear: bool = False
    norm: Literal["l1", "l2"] | None = None
    idf: npt.NDArray[np.float64] = field(default_factory=lambda: _NOTHING)

    def settings(self) -> dict[str, Any]:
        """Arguments of the native core."""
        return {
            "binary": self.binary,
            "sublinear": self.sublinear,
            "norm": self.norm or "none",
            "idf": np.ascontiguousarray(self.idf, dtype=np.float64),
        }


@dataclass(frozen=True)
class TextFeatures:
    """One block of columns: how texts are read, which features have a column, and how counts are weighted.

    Examples
    --------
    >>> from assay.features.documents import as_documents
    >>> analysis = Analysis()
    >>> features = TextFeatures(analysis, Vocabulary.from_terms(analysis, {"good": 0, "bad": 1}), Weighting())
    >>> indptr, indices, data = features.rows(as_documents(["good, good film", "bad one"]), n_threads=1)
    >>> indices.tolist(), data.tolist()
    ([0, 1], [2.0, 1.0])
    """

    analysis: Analysis
    columns: Vocabulary | Hashing
    weighting: Weighting

    kind: ClassVar[str] = "n-grams"

    def __post_init__(self) -> None:
        if self.weighting.sublinear and isinstance(self.columns, Hashing) and self.columns.alternate_sign:
            raise ParameterError(
                "'sublinear' takes logarithms of counts, which can be below 0 where 'alternate_sign' is true. Give up "
                "one of them."
            )

    @property
    def n_columns(self) -> int:
        """Width of the block."""
        return self.columns.n_columns if isinstance(self.columns, Hashing) else len(self.columns)

    @property
    def is_hashed(self) -> bool:
        """Whether columns go by a hash, and have no names."""
        return isinstance(self.columns, Hashing)

    def names(self) -> list[str] | None:
        """The n-gram of each column; None if they are hashed."""
        return None if isinstance(self.columns, Hashing) else self.columns.names()

    def rows(self, documents: Any, *, n_threads: int, dtype: npt.DTypeLike = np.float64) -> Rows:
        """The matrix of the documents."""
        return joint_rows([self], documents, n_threads=n_threads, dtype=dtype)

    def to_data(self) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
        """Plain values and arrays that say everything about the block."""
        columns, weighting = self.columns, self.weighting
        arrays: dict[str, npt.NDArray[Any]] = {}
        if isinstance(columns, Hashing):
            signed = bool(columns.alternate_sign)
            kind = {"kind": "hashing", "n_columns": int(columns.n_columns), "alternate_sign": signed}
        else:
            kind = {"kind": "vocabulary"}
            terms, offsets = columns.to_arrays()
            narrow = len(terms) <= np.iinfo(np.int32).max
            arrays |= {"terms": terms, "offsets": offsets.astype(np.int32 if narrow else np.int64)}
        if len(weighting.idf):
            single = weighting.idf.astype(np.float32)
            arrays["idf"] = single if (single == weighting.idf).all() else weighting.idf
        described = {"binary": bool(weighting.binary), "sublinear": bool(weighting.sublinear), "norm": weighting.norm}
        return {"analysis": self.analysis.to_dict(), "columns": kind, **described}, arrays

    @classmethod
    def from_data(cls, description: Mapping[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> Self:
        """The inverse, for data of unknown origin; takes its arrays out of `arrays`."""
        analysis = Analysis.from_dict(entry(description, "analysis", dict))
        _ = analysis.native  # checks how the settings go together
        kind = entry(description, "columns", dict)
        columns: Vocabulary | Hashing
        if choice(kind, "kind", ("vocabulary", "hashing")) == "hashing":
            columns = Hashing(whole_number(kind, "n_columns", 1, np.iinfo(np.int32).max), flag(kind, "alternate_sign"))
            n_columns = columns.n_columns
        else:
            columns = Vocabulary.checked(analysis, arrays.pop("terms"), arrays.pop("offsets"))
            n_columns = len(columns)
        idf: npt.NDArray[np.float64] = _NOTHING
        if "idf" in arrays:
            idf = numbers(arrays, "idf", (np.float32, np.float64), (n_columns,)).astype(np.float64, copy=False)
        norm = choice(description, "norm", (None, "l1", "l2"))
        weighting = Weighting(flag(description, "binary"), flag(description, "sublinear"), norm, idf)
        return cls(analysis, columns, weighting)

    def block(self, rows: _native.RowStore, first_column: int) -> _native.MatrixBlock:
        """Rows of counts with what is needed to weigh them."""
        return _native.row_block(
            rows,
            signed_counts=isinstance(self.columns, Hashing),
            first_column=first_column,
            n_columns=self.n_columns,
            **self.weighting.settings(),
        )


def joint_rows(
    features: Sequence[TextFeatures], documents: Any, *, n_threads: int, dtype: npt.DTypeLike = np.float64
) -> Rows:
    """One matrix with the columns of all features side by side; the documents are read once for all vocabularies."""
    looked_up = [f for f in features if isinstance(f.columns, Vocabulary)]
    analyzers = [f.analysis.native for f in looked_up]
    found = iter(
        _native.look_up(
            documents, analyzers, [cast(Vocabulary, f.columns).native_for(documents) for f in looked_up], n_threads
        )
    )
    blocks, first_column = [], 0
    for f in features:
        if isinstance(f.columns, Hashing):
            hashing = f.columns
            rows = _native.hash_documents(
                documents, f.analysis.native, hashing.n_columns, hashing.alternate_sign, n_threads
            )
        else:
            rows = next(found)
        blocks.append(f.block(rows, first_column))
        first_column += f.n_columns
    return native_matrix(blocks, n_threads=n_threads, dtype=dtype)


def native_matrix(blocks: Sequence[Any], *, n_threads: int, dtype: npt.DTypeLike) -> Rows:
    """Writes blocks side by side; any type that is not native is converted."""
    wanted = np.dtype(dtype)
    written = wanted
    if wanted not in _WRITERS:
        written = np.dtype(np.float64 if wanted.kind == "f" else np.int64)
    indptr, indices, data = _WRITERS[written](list(blocks), n_threads)
    if len(indices) <= np.iinfo(np.int32).max:
        indptr = indptr.astype(np.int32)
    else:
        indices = indices.astype(np.int64)  # scipy wants both of one type
    return indptr, indices, data if written == wanted else data.astype(wanted)
