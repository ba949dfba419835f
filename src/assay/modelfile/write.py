"""Writing a linear model to a file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import ParameterError
from assay.features.columns.blocks import FeatureBlock, block_to_data
from assay.features.ngrams.text_features import TextFeatures
from assay.label_sets import Task
from assay.modelfile.frame import Arrays, Head, Section, write_frame
from assay.modelfile.record import ModelRecord
from assay.modelfile.sparse import by_class
from assay.prediction.decision_rule import DecisionRule
from assay.prediction.linear_model import LinearTextModel
from assay.prediction.probability_cap import ProbabilityCap
from assay.prediction.set_rule import SetRule
from assay.prediction.weights import SparseWeights

__all__ = ["cap_sections", "describe_blocks", "halved", "rule_section", "rule_sections", "write_model"]


def write_model(
    path: str | os.PathLike[str],
    model: LinearTextModel,
    record: ModelRecord | None = None,
    *,
    float16: bool = False,
    record_time: bool = True,
) -> None:
    """Write a model; the same model and record give the same bytes.

    Parameters
    ----------
    path, model
        Where and what; by custom it ends in ``.assay``. A file that is there is replaced in one step.
    record
        Where the model comes from, and what it remembers.
    float16
        Keep the weights in half precision, and idf in single: a smaller file whose scores differ a little.
    record_time
        Whether the time of the record is written too.
    """
    blocks, arrays = describe_blocks(model.features, float16=float16)
    sections = {"features": Section({"blocks": blocks}, arrays), "weights": _weights(model, float16)}
    if model.tree is not None:
        nodes = {"parents": model.tree.parents, "labels": model.tree.labels}
        sections["tree"] = Section({"beam": model.tree.beam, "most": model.tree.most}, nodes)
    if model.calibration is not None:
        sections["calibration"] = Section({"method": model.calibration.method}, model.calibration.to_arrays())
    sections |= rule_sections(model.rule, model.task)
    sections |= cap_sections(model.cap)
    sections |= (record or ModelRecord()).to_sections(record_time=record_time)
    write_frame(path, Head("linear", model.labels, model.label_type, model.link, model.task), sections)


def rule_section(task: Task) -> str:
    """Where the rule of a model stands: that of sets is no rule to a reader that knows single labels."""
    return "thresholds" if task == "label-sets" else "rule"


def rule_sections(rule: DecisionRule | SetRule | None, task: Task) -> dict[str, Section]:
    """The section of a rule, where there is one."""
    return {} if rule is None else {rule_section(task): Section({"kind": rule.kind}, rule.to_arrays())}


def cap_sections(cap: ProbabilityCap | None) -> dict[str, Section]:
    """The section of a cap, where there is one."""
    return {} if cap is None else {"cap": Section({}, cap.to_arrays())}


def describe_blocks(blocks: Sequence[FeatureBlock], *, float16: bool = False) -> tuple[list[dict[str, Any]], Arrays]:
    """Plain values of each block of features, and the arrays of all; those of block i begin with i and a point."""
    described: list[dict[str, Any]] = []
    arrays: Arrays = {}
    for i, block in enumerate(blocks):
        description, own = block_to_data(block)
        if float16 and isinstance(block, TextFeatures) and "idf" in own:
            own["idf"] = own["idf"].astype(np.float32)
        described.append(description)
        arrays |= {f"{i}.{name}": values for name, values in own.items()}
    return described, arrays


def _weights(model: LinearTextModel, float16: bool) -> Section:
    """The weights as "table" or, where all columns are terms and most weights zero, as "csr"; and the bias."""
    of_terms = not any(block.is_hashed for block in model.features)
    listed = by_class(model.weights) if of_terms else None
    if listed is not None:
        indptr, indices, data = listed
        arrays: Arrays = {"indptr": indptr, "indices": indices, "data": halved(data) if float16 else data}
    else:
        table = model.weights.to_table() if isinstance(model.weights, SparseWeights) else model.weights
        arrays = {"table": halved(table) if float16 else table}
    return Section({"form": "table" if listed is None else "csr"}, {**arrays, "bias": model.bias})


def halved(values: NDArray[Any]) -> NDArray[np.float16]:
    """Weights in half precision, if it can hold them."""
    greatest = float(np.abs(values).max(initial=0.0))
    if greatest > float(np.finfo(np.float16).max):
        raise ParameterError(
            f"float16 holds numbers up to 65504, but a weight of this model is {greatest:.6g}. Save it without float16."
        )
    return values.astype(np.float16)
