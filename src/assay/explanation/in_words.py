"""A model of word vectors, said in words.

A dimension of a vector means nothing to anybody. But the mean of vectors is linear in the words, so the same scores are
had from a column for each word, whose weight is that of the dimensions times its vector.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from assay.features.columns.blocks import FeatureBlock
from assay.features.designed.embedding_block import EmbeddingBlock
from assay.prediction.linear_model import LinearTextModel
from assay.prediction.weights import SparseWeights

__all__ = ["in_words"]


def in_words(model: LinearTextModel) -> LinearTextModel:
    """The same model, with words instead of the dimensions of vectors; any other model as it is."""
    if not any(isinstance(block, EmbeddingBlock) for block in model.features):
        return model
    table = model.weights.to_table() if isinstance(model.weights, SparseWeights) else model.weights
    features: list[FeatureBlock] = []
    tables: list[Any] = []
    first = 0
    for block in model.features:
        own = table[first : first + block.n_columns]
        first += block.n_columns
        if isinstance(block, EmbeddingBlock):
            words = block.in_words()
            features.append(words)
            tables.append(words.weights(own))
        else:
            features.append(block)
            tables.append(own)
    return replace(model, features=tuple(features), weights=np.concatenate(tables, dtype=np.float64))
