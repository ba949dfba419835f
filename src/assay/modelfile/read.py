"""Reading a model from a file, every size, offset and index of which is checked before it is used."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import AssayError, ModelFileError
from assay.features.columns.blocks import FeatureBlock, block_from_data
from assay.features.ngrams.analysis import Analysis
from assay.features.ngrams.text_features import Hashing, TextFeatures, Weighting
from assay.features.ngrams.vocabulary import Vocabulary
from assay.header_checks import array, choice, entry, flag, labels_of, numbers, whole_number
from assay.modelfile.layout import FORMAT, VERSION
from assay.modelfile.provenance import provenance_of
from assay.modelfile.sparse import by_feature
from assay.prediction.calibration import METHODS, Calibration
from assay.prediction.decision_rule import KINDS, DecisionRule
from assay.prediction.linear_model import LinearTextModel
from assay.prediction.probabilities import LINKS
from assay.prediction.weights import Weights
from assay.tensor_file import read_tensor_file

__all__ = ["read_block", "read_model"]

Arrays = dict[str, NDArray[Any]]
_FLOATS = (np.float16, np.float32, np.float64)


def read_model(path: str | os.PathLike[str]) -> tuple[LinearTextModel, dict[str, Any]]:
    """The model of a file, and its provenance. Nothing in the file is run."""
    file = read_tensor_file(path, FORMAT, VERSION, "model")
    arrays = dict(file.arrays)
    try:
        model = _model(file.header, arrays)
        provenance = provenance_of(file.header)
        if arrays:
            raise ValueError(f"there are arrays that nothing refers to: {', '.join(sorted(arrays)[:5])}")
    except ModelFileError as error:  # the file is sound, and something else is missing
        raise ModelFileError(f"{file.name}: {error}") from None
    except (
        AttributeError,
        IndexError,
        KeyError,
        MemoryError,
        OverflowError,
        TypeError,
        ValueError,
        AssayError,
    ) as error:
        raise ModelFileError(f"{file.name}: the file is damaged ({error}).") from None
    return model, provenance


def _model(header: dict[str, Any], arrays: Arrays) -> LinearTextModel:
    """Takes what it needs out of `arrays`."""
    labels = labels_of(header)
    n_outputs = 1 if len(labels) == 2 else len(labels)
    described = entry(header, "features", list)
    features = tuple(read_block(description, f"features.{i}.", arrays) for i, description in enumerate(described))
    n_features = sum(block.n_columns for block in features)
    return LinearTextModel(
        features,
        _weights(choice(header, "weights", ("table", "csr")), arrays, n_features, n_outputs, features),
        numbers(arrays, "bias", (np.float64,), (n_outputs,)),
        labels,
        choice(header, "link", (None, *LINKS)),
        _calibration(header, arrays, labels),
        _rule(header, arrays, labels),
    )


def _calibration(header: dict[str, Any], arrays: Arrays, labels: tuple[str, ...]) -> Calibration | None:
    method = choice(header, "calibration", (None, *METHODS))
    if method is None:
        return None
    found = Calibration.from_arrays(_taken("calibration.", arrays), labels)
    if found.method != method:
        raise ValueError(f"'calibration' is {method!r}, but the arrays are of the method {found.method!r}")
    return found


def _rule(header: dict[str, Any], arrays: Arrays, labels: tuple[str, ...]) -> DecisionRule | None:
    kind = choice(header, "rule", (None, *KINDS))
    if kind is None:
        return None
    found = DecisionRule.from_arrays(_taken("rule.", arrays), labels)
    if found.kind != kind:
        raise ValueError(f"'rule' is {kind!r}, but the arrays are of the kind {found.kind!r}")
    return found


def read_block(description: Any, name: str, arrays: Arrays) -> FeatureBlock:
    """One block of features; takes its arrays, whose names begin with `name`, out of `arrays`."""
    if isinstance(description, dict) and "kind" in description:
        return block_from_data(entry(description, "kind", str), description, _taken(name, arrays))
    return _text_features(description, name, arrays)


def _text_features(description: Any, name: str, arrays: Arrays) -> TextFeatures:
    analysis = Analysis.from_dict(entry(description, "analysis", dict))
    _ = analysis.native  # checks how the settings go together
    kind = entry(description, "columns", dict)
    columns: Vocabulary | Hashing
    if choice(kind, "kind", ("vocabulary", "hashing")) == "hashing":
        columns = Hashing(whole_number(kind, "n_columns", 1, np.iinfo(np.int32).max), flag(kind, "alternate_sign"))
        n_columns = columns.n_columns
    else:
        columns = Vocabulary.checked(analysis, arrays.pop(f"{name}terms"), arrays.pop(f"{name}offsets"))
        n_columns = len(columns)
    idf: NDArray[np.float64] = np.empty(0)
    if f"{name}idf" in arrays:
        idf = numbers(arrays, f"{name}idf", (np.float32, np.float64), (n_columns,)).astype(np.float64)
    norm = choice(description, "norm", (None, "l1", "l2"))
    return TextFeatures(
        analysis, columns, Weighting(flag(description, "binary"), flag(description, "sublinear"), norm, idf)
    )


def _weights(form: str, arrays: Arrays, n_features: int, n_outputs: int, features: tuple[FeatureBlock, ...]) -> Weights:
    if form == "table":
        return _full(numbers(arrays, "weights", _FLOATS, (n_features, n_outputs)))
    # A list of few weights could claim any number of hashed columns; terms are in the file, and bound it.
    if any(block.is_hashed for block in features):
        raise ValueError("sparse weights go with vocabularies only")
    indptr = array(arrays, "weights.indptr", (np.int64,), (n_outputs + 1,))
    indices = array(arrays, "weights.indices", (np.int32,), None)
    data = numbers(arrays, "weights.data", _FLOATS, indices.shape)
    return by_feature(indptr, indices, _full(data), n_features)


def _full(values: NDArray[Any]) -> NDArray[Any]:
    return values.astype(np.float32) if values.dtype == np.float16 else values


def _taken(prefix: str, arrays: Arrays) -> Arrays:
    names = [name for name in arrays if name.startswith(prefix)]
    return {name.removeprefix(prefix): arrays.pop(name) for name in names}
