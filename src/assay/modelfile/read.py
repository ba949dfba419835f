"""Reading a linear model from a file, every size, offset and index of which is checked before it is used."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

import assay.features.block_kinds  # noqa: F401
from assay.errors import ModelFileError
from assay.features.columns.blocks import FeatureBlock, block_from_data
from assay.header_checks import array, choice, entry, numbers, said_of, taken, whole_number
from assay.label_sets import Task
from assay.label_tree import LabelTree
from assay.modelfile.frame import Arrays, Frame, Section, read_frame, require_used, section_of
from assay.modelfile.record import RECORD_SECTIONS, ModelRecord
from assay.modelfile.sparse import by_feature
from assay.modelfile.write import rule_section
from assay.prediction.calibration import Calibration
from assay.prediction.decision_rule import DecisionRule
from assay.prediction.linear_model import LinearTextModel, count_outputs
from assay.prediction.probability_cap import ProbabilityCap
from assay.prediction.set_rule import SetRule
from assay.prediction.weights import SparseWeights, Weights
from assay.tensor_file import damage_said

__all__ = ["linear_model_of", "read_blocks", "read_cap", "read_model", "read_rule"]

_KNOWN = {
    "features": 1,
    "weights": 1,
    "tree": 1,
    "calibration": 1,
    "rule": 1,
    "thresholds": 1,
    "cap": 1,
    **RECORD_SECTIONS,
}
_RULES: dict[Task, type[DecisionRule | SetRule]] = {"labels": DecisionRule, "label-sets": SetRule}
_FLOATS = (np.float16, np.float32, np.float64)


def read_model(path: str | os.PathLike[str]) -> tuple[LinearTextModel, ModelRecord]:
    """The linear model of a file, and what else the file says of it. Nothing in the file is run."""
    return linear_model_of(read_frame(path))


def linear_model_of(frame: Frame) -> tuple[LinearTextModel, ModelRecord]:
    """The linear model in a frame, and what else the file says of it."""
    with damage_said(frame.name):
        if frame.head.kind != "linear":
            raise ModelFileError(f"this is no linear model, but of the kind {frame.head.kind[:60]!r}. Use assay.load.")
        sections, ignored = frame.known(_KNOWN)
        found = _model(frame, sections), ModelRecord.from_sections(sections, ignored)
        require_used(sections)
        return found


def _model(frame: Frame, sections: dict[str, Section]) -> LinearTextModel:
    labels, task = frame.head.labels, frame.head.task
    n_outputs, independent = count_outputs(len(labels), task), task == "label-sets"
    with section_of(sections, "features") as part:
        features = read_blocks(entry(part.content, "blocks", list), part.arrays)
    tree = None
    if "tree" in sections:
        with section_of(sections, "tree") as part:
            tree = _tree(part)
        n_outputs = tree.n_nodes
    with section_of(sections, "weights") as part:
        weights = _weights(part, features, n_outputs)
        if tree is not None and not isinstance(weights, SparseWeights):
            raise ValueError("the weights of a label tree are not listed")
        bias = numbers(part.arrays, "bias", (np.float64,), (n_outputs,))
    calibration = None
    if "calibration" in sections:
        with section_of(sections, "calibration") as part:
            calibration = Calibration.from_arrays(taken("", part.arrays), labels, independent=independent)
            _require_same(part, "method", calibration.method)
    rule = read_rule(sections, labels, task)
    cap = read_cap(sections, labels, independent=independent)
    return LinearTextModel(
        features, weights, bias, labels, frame.head.link, calibration, rule, cap, frame.head.label_type, task, tree
    )


def read_rule(sections: dict[str, Section], labels: tuple[str, ...], task: Task) -> DecisionRule | SetRule | None:
    """The rule of a model of any kind; None where there is none."""
    own = rule_section(task)
    if own not in sections:
        return None
    with section_of(sections, own) as part:
        rule = _RULES[task].from_arrays(taken("", part.arrays), labels)
        _require_same(part, "kind", rule.kind)
        return rule


def read_cap(
    sections: dict[str, Section], labels: tuple[str, ...], *, independent: bool = False
) -> ProbabilityCap | None:
    """The cap on probabilities, of any kind of model; None where there is none."""
    if "cap" not in sections:
        return None
    with section_of(sections, "cap") as part:
        return ProbabilityCap.from_arrays(taken("", part.arrays), labels, independent=independent)


def read_blocks(described: list[Any], arrays: Arrays) -> tuple[FeatureBlock, ...]:
    """Blocks of features; takes the arrays of block i, whose names begin with i and a point, out of `arrays`."""
    blocks = []
    for i, description in enumerate(described):
        with said_of(f"block {i}"):
            blocks.append(block_from_data(description, taken(f"{i}.", arrays)))
    return tuple(blocks)


def _tree(section: Section) -> LabelTree:
    parents, labels = (array(section.arrays, name, (np.int32,), None) for name in ("parents", "labels"))
    limits = (whole_number(section.content, name, least, 2**31 - 1) for name, least in (("beam", 1), ("most", 0)))
    return LabelTree(parents, labels, *limits)


def _weights(section: Section, features: tuple[FeatureBlock, ...], n_outputs: int) -> Weights:
    n_features, arrays = sum(block.n_columns for block in features), section.arrays
    if choice(section.content, "form", ("table", "csr")) == "table":
        return _full(numbers(arrays, "table", _FLOATS, (n_features, n_outputs)))
    # A list of few weights could claim any number of hashed columns; terms are in the file, and bound it.
    if any(block.is_hashed for block in features):
        raise ValueError("sparse weights go with vocabularies only")
    indptr = array(arrays, "indptr", (np.int64,), (n_outputs + 1,))
    indices = array(arrays, "indices", (np.int32,), None)
    return by_feature(indptr, indices, _full(numbers(arrays, "data", _FLOATS, indices.shape)), n_features)


def _full(values: NDArray[Any]) -> NDArray[Any]:
    return values.astype(np.float32) if values.dtype == np.float16 else values


def _require_same(section: Section, name: str, found: str) -> None:
    """What the header tells a person must be what the arrays say."""
    if entry(section.content, name, str) != found:
        raise ValueError(f"'{name}' is {section.content[name][:60]!r}, but the arrays are of {found!r}")
