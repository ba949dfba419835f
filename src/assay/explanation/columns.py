"""What the columns of a model are called."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.explanation.located import locate
from assay.features.columns.blocks import FeatureBlock
from assay.features.designed.embedding_block import EmbeddedWords
from assay.features.ngrams.text_features import Hashing, TextFeatures
from assay.prediction.linear_model import LinearTextModel

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["column_name", "column_names", "distinct", "highest", "in_context", "kind_of", "of_whole_texts"]

_SAMPLE = 5000  # texts in which the names of hashed features are looked for
_MOST_NAMES = 3
_BEFORE, _AFTER = 18, 40  # characters around a feature
_PART, _OVERLAP = 1 << 16, 1 << 10  # characters that are looked at together: places take many times the room of a text


def kind_of(block: FeatureBlock) -> str:
    """``"word"`` or ``"char"`` for n-grams, ``"vector"`` for words by their vectors, else ``"hand-made"``."""
    if isinstance(block, EmbeddedWords):
        return "vector"
    if not isinstance(block, TextFeatures):
        return "hand-made"
    return "char" if block.analysis.unit.startswith("char") else "word"


def of_whole_texts(block: FeatureBlock) -> bool:
    """Whether the columns are the numbers of an encoder's sentence vector, which mean nothing one by one."""
    return getattr(block, "kind", None) == "encoder"


def column_name(block: FeatureBlock, column: int) -> str:
    """Name of a column of hand-made features; a number where names are not kept."""
    names = block.names()
    return f"column {column}" if names is None else names[column]


def column_names(
    model: LinearTextModel, columns: NDArray[Any], corpus: Corpus | None = None
) -> dict[int, tuple[str, str]]:
    """Name and kind of each of the columns; hashed ones are named by what of the corpus falls into them."""
    names: dict[int, tuple[str, str]] = {}
    first = 0
    for block in model.features:
        own = columns[(columns >= first) & (columns < first + block.n_columns)] - first
        if not isinstance(block, TextFeatures):
            found = [column_name(block, j) for j in own.tolist()]
        elif isinstance(block.columns, Hashing):
            found = _hashed_names(block, own.tolist(), corpus)
        elif len(own):
            content, offsets = block.columns.to_arrays()
            found = [bytes(content[offsets[j] : offsets[j + 1]]).decode("utf-8", "surrogatepass") for j in own]
        else:
            found = []
        names |= {int(j) + first: (name, kind_of(block)) for j, name in zip(own, found, strict=True)}
        first += block.n_columns
    return names


def _hashed_names(block: TextFeatures, columns: list[int], corpus: Corpus | None) -> list[str]:
    """What falls into each column, most frequent first; a number where nothing known does."""
    known: dict[int, Counter[str]] = {column: Counter() for column in columns}
    if corpus is not None and columns:
        for text in corpus.texts.slice(0, _SAMPLE):
            located = locate(block, text.as_py()[:_PART])
            for i in np.flatnonzero(np.isin(located.columns, columns)):
                known[int(located.columns[i])][located.name(int(i))] += 1
    return [
        " / ".join(name for name, _ in known[column].most_common(_MOST_NAMES)) or f"column {column}"
        for column in columns
    ]


def in_context(model: LinearTextModel, column: int, text: str) -> str:
    """What stands around a feature of the model in a text; its beginning where the feature stands nowhere."""
    begin, end, first = 0, 0, 0
    for block in model.features:
        if column < first + block.n_columns:
            begin, end = _first_place(block, column - first, text)
            break
        first += block.n_columns
    left, right = max(0, begin - _BEFORE), min(len(text), end + _AFTER)
    left = 0 if left == 0 else text.find(" ", left, begin) + 1 or left  # whole words
    right = len(text) if right == len(text) else max(text.rfind(" ", end, right), 0) or right
    words = " ".join(text[left:right].split())
    return f"{'…' if left else ''}{words}{'…' if right < len(text) else ''}"


def _first_place(block: FeatureBlock, column: int, text: str) -> tuple[int, int]:
    """Where a feature stands first, as far as that can be said from parts of a long text; (0, 0) for nowhere."""
    for begin in range(0, max(len(text), 1), _PART):
        start = max(begin - _OVERLAP, 0)
        located = locate(block, text[start : begin + _PART])
        found = np.flatnonzero(located.columns == column)
        if len(found):
            first, last = located.span(int(found[0]))
            return start + first, start + last
    return 0, 0


def distinct(names: list[tuple[str, str]], top: int) -> list[int]:
    """Where the first `top` stand of which none is part of another: whole words of words, any part of characters."""
    kept: list[int] = []
    for i, name in enumerate(names):
        if not any(_overlap(name, names[other]) for other in kept):
            kept.append(i)
        if len(kept) == top:
            break
    return kept


def _overlap(first: tuple[str, str], second: tuple[str, str]) -> bool:
    (a, kind_of_a), (b, kind_of_b) = first, second
    if kind_of_a == kind_of_b == "word":
        a, b = f" {a} ", f" {b} "
    else:
        a, b = a.strip(), b.strip()
    return a in b or b in a


def highest(merit: NDArray[np.float64], top: int) -> NDArray[np.intp]:
    """Where the `top` highest values above zero stand, the first of equals first."""
    positive = np.flatnonzero(merit > 0)
    if len(positive) > top:
        least = np.partition(merit[positive], len(positive) - top)[len(positive) - top]
        positive = positive[merit[positive] >= least]
    return positive[np.argsort(-merit[positive], kind="stable")][:top]
