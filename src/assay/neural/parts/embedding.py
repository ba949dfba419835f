"""Word vectors as the first layer of a network: learned from nothing, given and fixed, given and tuned, or both.

A batch has few of the words. Gradients of the table are therefore sparse: only the rows of these words are computed and
changed, which makes an update of a large vocabulary as cheap as one of a small one.
"""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import nn
from torch.nn import functional

from assay.neural.parts.network_settings import Setting, count, one_of, share
from assay.neural.reading.words import PADDING, UNKNOWN

__all__ = ["VECTORS_USE", "WordEmbedding"]

#: What is done with vectors that are given: change them in training, keep them, or have one table of each kind.
VECTORS_USE = ("tuned", "fixed", "both")

#: Of a mean of n words, a share · (1 - SPARED / n) is left out.
SPARED = 4


class WordEmbedding(nn.Module):
    """Numbers of words → their vectors, (n, length) → (n, length, size).

    Padding is always the zero vector. With two tables, the vectors of both stand side by side.

    Parameters
    ----------
    n_words
        Rows of the table.
    size
        Numbers in a vector.
    use
        One of `VECTORS_USE`.
    word_dropout
        Share of the words that are taken for unknown ones in training, or left out of a mean (of short texts less).
    vector_dropout
        Share of the numbers of the vectors that are left out in training.
    """

    SETTINGS: ClassVar[dict[str, Setting]] = {
        "n_words": count,
        "size": count,
        "use": one_of(*VECTORS_USE),
        "word_dropout": share,
        "vector_dropout": share,
    }

    def __init__(self, n_words: int, size: int, use: str, word_dropout: float, vector_dropout: float) -> None:
        super().__init__()
        self.word_dropout = word_dropout
        self.dropout = nn.Dropout(vector_dropout)
        self.tuned = nn.Embedding(n_words, size, padding_idx=PADDING, sparse=True) if use != "fixed" else None
        self.fixed = nn.Embedding(n_words, size, padding_idx=PADDING) if use != "tuned" else None
        if self.fixed is not None:
            self.fixed.weight.requires_grad_(False)
        self.size = size * (2 if use == "both" else 1)

    @torch.no_grad()
    def start(self, vectors: torch.Tensor | None = None) -> None:
        """Set the tables: to given vectors, or to small random ones; padding and the unknown word are zero."""
        for table in (self.tuned, self.fixed):
            if table is None:
                continue
            if vectors is None:
                table.weight.uniform_(-0.25, 0.25)
            else:
                table.weight.copy_(vectors)
            table.weight[PADDING] = 0.0
            table.weight[UNKNOWN] = 0.0

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Vectors of the words."""
        if self.training and self.word_dropout:
            ids = ids.masked_fill((torch.rand(ids.shape) < self.word_dropout) & (ids != PADDING), UNKNOWN)
        found = [table(ids) for table in (self.tuned, self.fixed) if table is not None]
        return self.dropout(found[0] if len(found) == 1 else torch.cat(found, dim=-1))  # type: ignore[no-any-return]

    def mean(self, ids: torch.Tensor) -> torch.Tensor:
        """Mean over the words of each text, without the padding: (n, length) → (n, size)."""
        if self.training and self.word_dropout:
            lengths = (ids != PADDING).sum(dim=1, keepdim=True)
            # A short text has few words to spare, and up to SPARED none.
            left_out = torch.rand(ids.shape) < self.word_dropout * (1 - SPARED / lengths)
            left_out &= ~(left_out | (ids == PADDING)).all(dim=1, keepdim=True)  # one word at least is kept
            ids = ids.masked_fill(left_out, PADDING)
        tables = [table for table in (self.tuned, self.fixed) if table is not None]
        found = [
            functional.embedding_bag(ids, table.weight, mode="mean", sparse=table.sparse, padding_idx=PADDING)
            for table in tables
        ]
        return self.dropout(torch.cat(found, dim=-1))  # type: ignore[no-any-return]
