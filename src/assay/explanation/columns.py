"""What the columns of a block are called."""

from __future__ import annotations

from typing import cast

from assay.features.blocks import DesignedBlock, FeatureBlock
from assay.features.text_features import TextFeatures

__all__ = ["column_name", "kind_of"]


def kind_of(block: FeatureBlock) -> str:
    """``"word"`` or ``"char"`` for n-grams, ``"hand-made"`` for everything else."""
    if not isinstance(block, TextFeatures):
        return "hand-made"
    return "char" if block.analysis.unit.startswith("char") else "word"


def column_name(block: FeatureBlock, column: int) -> str:
    """Name of a column of hand-made features; a number where names are not kept."""
    names = cast(DesignedBlock, block).names()
    return names[column] if column < len(names) else f"column {column}"
