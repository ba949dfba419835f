"""The features of a model in groups that a person would name, such as single words, pairs of words or lexicons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.features.columns.blocks import FeatureBlock
from assay.features.columns.scaling_block import ScaledBlock
from assay.features.designed.embedding_block import EmbeddedWords, EmbeddingBlock
from assay.features.designed.template_block import TemplateBlock
from assay.features.ngrams.text_features import TextFeatures
from assay.features.ngrams.vocabulary import Vocabulary
from assay.prediction.linear_model import LinearTextModel

__all__ = ["FeatureGroup", "feature_groups"]

Columns = NDArray[np.intp]
_SPACE = 0x20


@dataclass(frozen=True, eq=False)
class FeatureGroup:
    """Columns of a model that belong together."""

    name: str
    columns: Columns


def feature_groups(model: LinearTextModel) -> list[FeatureGroup]:
    """Cut the columns of a model into groups, each column in one of them.

    N-grams of words are a group for each number of words, characters one for each block; of templates each is a group;
    lexicons and functions are one. Hashed n-grams cannot be told apart and stay together.

    Examples
    --------
    >>> import assay
    >>> model = assay.TextClassifier().fit(["good film", "bad film"], ["+", "-"]).model
    >>> [(group.name, len(group.columns)) for group in feature_groups(model)]
    [('single words', 3), ('pairs of words', 2)]
    """
    parts: list[tuple[str, Columns]] = []
    first = 0
    for block in model.features:
        parts += [(name, columns + first) for name, columns in _of_block(block) if len(columns)]
        first += block.n_columns
    names = [name for name, _ in parts]
    found = []
    for i, (name, columns) in enumerate(parts):
        number = names[: i + 1].count(name)
        found.append(FeatureGroup(name if names.count(name) == 1 else f"{name} ({number})", columns))
    return found


def _of_block(block: FeatureBlock) -> list[tuple[str, Columns]]:
    every = np.arange(block.n_columns)
    if isinstance(block, ScaledBlock):
        return _of_block(block.block)
    if isinstance(block, TextFeatures):
        return _ngrams(block, every)
    if isinstance(block, TemplateBlock) and not block.is_hashed:
        return _templates(block)
    if isinstance(block, EmbeddedWords | EmbeddingBlock):
        return [("word vectors", every)]
    return [(str(getattr(block, "kind", "hand-made features")), every)]


def _ngrams(block: TextFeatures, every: Columns) -> list[tuple[str, Columns]]:
    unit, (low, high) = block.analysis.unit, block.analysis.ngrams
    if unit.startswith("char"):
        return [("characters" if unit == "char" else "characters inside words", every)]
    if unit == "piece":
        return [("tokens", every)]
    if low == high:
        return [(_words(low), every)]
    if not isinstance(block.columns, Vocabulary):
        return [(f"runs of {low}–{high} words", every)]
    orders = _orders(*block.columns.to_arrays())
    return [(_words(n), np.flatnonzero(orders == n)) for n in range(low, high + 1)]


def _orders(content: NDArray[Any], offsets: NDArray[Any]) -> NDArray[np.int64]:
    """Number of words of each term."""
    spaces = np.concatenate([[0], np.cumsum(content == _SPACE)])
    return np.asarray(spaces[offsets[1:]] - spaces[offsets[:-1]] + 1, dtype=np.int64)


def _words(n: int) -> str:
    return {1: "single words", 2: "pairs of words"}.get(n, f"runs of {n} words")


def _templates(block: TemplateBlock) -> list[tuple[str, Columns]]:
    """A group for each template; a column is called as its template, or ``template=value``."""
    names = block.names() or []
    groups: dict[str, list[int]] = {template.name: [] for template in block.templates}
    longest_first = sorted(groups, key=len, reverse=True)
    rest: list[int] = []
    for column, name in enumerate(names):
        owner = next((t for t in longest_first if name == t or name.startswith(f"{t}=")), None)
        (rest if owner is None else groups[owner]).append(column)
    found = [(f"template {name}", np.array(columns, dtype=np.intp)) for name, columns in groups.items()]
    return [*found, ("templates", np.array(rest, dtype=np.intp))]
