"""Writing a model to a file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from assay.errors import ParameterError
from assay.features.columns.blocks import DesignedBlock, FeatureBlock
from assay.features.ngrams.text_features import Hashing, TextFeatures
from assay.modelfile.layout import FORMAT, VERSION
from assay.modelfile.sparse import by_class
from assay.prediction.linear_model import LinearTextModel
from assay.prediction.weights import SparseWeights
from assay.tensor_file import write_tensor_file

__all__ = ["describe_block", "halved", "write_model"]

Arrays = dict[str, NDArray[Any]]


def write_model(
    path: str | os.PathLike[str],
    model: LinearTextModel,
    provenance: Mapping[str, Any] | None = None,
    *,
    float16: bool = False,
) -> None:
    """Write a model; the same model and provenance give the same bytes.

    Parameters
    ----------
    path, model
        Where and what; by custom it ends in ``.assay``. A file that is there is replaced in one step.
    provenance
        What the model was made of: plain values, kept as they are.
    float16
        Keep the weights in half precision, and idf in single: a smaller file whose scores differ a little.
    """
    arrays: Arrays = {"bias": model.bias}
    header = {
        "format": FORMAT,
        "version": VERSION,
        "labels": list(model.labels),
        "link": model.link,
        "features": [describe_block(block, f"features.{i}", arrays, float16) for i, block in enumerate(model.features)],
        "weights": _put_weights(model, arrays, float16),
        "calibration": None if model.calibration is None else model.calibration.method,
        "rule": None if model.rule is None else model.rule.kind,
        "provenance": dict(provenance or {}),
    }
    for name, part in (("calibration", model.calibration), ("rule", model.rule)):
        if part is not None:
            arrays |= {f"{name}.{key}": values for key, values in part.to_arrays().items()}
    write_tensor_file(path, header, arrays)


def describe_block(block: FeatureBlock, name: str, arrays: Arrays, float16: bool) -> dict[str, Any]:
    """Put the arrays of a block of features among the others; gives what else is to be known of it."""
    if not isinstance(block, TextFeatures):
        designed = cast(DesignedBlock, block)
        description, own = designed.to_data()
        arrays |= {f"{name}.{key}": values for key, values in own.items()}
        return {"kind": designed.kind, **description}
    columns = block.columns
    if isinstance(columns, Hashing):
        kind: dict[str, Any] = {
            "kind": "hashing",
            "n_columns": int(columns.n_columns),
            "alternate_sign": bool(columns.alternate_sign),
        }
    else:
        kind = {"kind": "vocabulary"}
        terms, offsets = columns.to_arrays()
        arrays[f"{name}.terms"] = terms
        arrays[f"{name}.offsets"] = offsets.astype(np.int32 if len(terms) <= np.iinfo(np.int32).max else np.int64)
    weighting = block.weighting
    if len(weighting.idf):
        single = weighting.idf.astype(np.float32)
        arrays[f"{name}.idf"] = single if float16 or (single == weighting.idf).all() else weighting.idf
    return {
        "analysis": block.analysis.to_dict(),
        "columns": kind,
        "binary": bool(weighting.binary),
        "sublinear": bool(weighting.sublinear),
        "norm": weighting.norm,
    }


def _put_weights(model: LinearTextModel, arrays: Arrays, float16: bool) -> str:
    """Put the weights among the arrays, as "table" or, where all columns are terms, as "csr"; says which."""
    weights = model.weights
    of_terms = not any(block.is_hashed for block in model.features)
    listed = by_class(weights) if of_terms else None
    if listed is None:
        table = weights.to_table() if isinstance(weights, SparseWeights) else weights
        arrays["weights"] = halved(table) if float16 else table
        return "table"
    arrays["weights.indptr"], arrays["weights.indices"], data = listed
    arrays["weights.data"] = halved(data) if float16 else data
    return "csr"


def halved(values: NDArray[Any]) -> NDArray[np.float16]:
    """Weights in half precision, if it can hold them."""
    greatest = float(np.abs(values).max(initial=0.0))
    if greatest > float(np.finfo(np.float16).max):
        raise ParameterError(
            f"float16 holds numbers up to 65504, but a weight of this model is {greatest:.6g}. Save it without float16."
        )
    return values.astype(np.float16)
