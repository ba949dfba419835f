"""What the columns of a block are called."""

from __future__ import annotations

from assay.features.blocks import FeatureBlock
from assay.features.embedding_block import EmbeddedWords
from assay.features.text_features import TextFeatures

__all__ = ["column_name", "kind_of"]


def kind_of(block: FeatureBlock) -> str:
    """``"word"`` or ``"char"`` for n-grams, ``"vector"`` for words by their vectors, else ``"hand-made"``."""
    if isinstance(block, EmbeddedWords):
        return "vector"
    if not isinstance(block, TextFeatures):
        return "hand-made"
    return "char" if block.analysis.unit.startswith("char") else "word"


def column_name(block: FeatureBlock, column: int) -> str:
    """Name of a column of hand-made features; a number where names are not kept."""
    names = block.names()
    return f"column {column}" if names is None else names[column]
