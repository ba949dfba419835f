"""A transformer with a layer of scores on top, to be trained as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import torch
from torch import nn

from assay.neural.encoders.folder import POOLING, EncoderFolder
from assay.neural.encoders.pooling import pooled
from assay.neural.encoders.reading import read_body
from assay.neural.encoders.transformer import checked_config, described_config, fill_buffers, shaped_body, size_of
from assay.neural.parts.layers import word_mask
from assay.neural.parts.network import Network
from assay.neural.parts.network_settings import count, one_of, share

__all__ = ["Transformer"]


class Transformer(Network):
    """Tokens → transformer → pooling → dropout → scores.

    Parameters
    ----------
    config
        Description of the transformer, in the form of its library.
    pooling
        How the vectors of the tokens become that of the text.
    dropout
        Before the last layer; the transformer has its own.
    n_classes
        Scores that come out.
    body
        The transformer with its weights; None: built from `config`, without values, which a file then brings.
    """

    SETTINGS: ClassVar = {
        "config": lambda settings, name: checked_config(settings.get(name)),
        "pooling": one_of(*POOLING),
        "dropout": share,
        "n_classes": count,
    }

    def __init__(
        self,
        *,
        config: Mapping[str, Any],
        pooling: str,
        dropout: float,
        n_classes: int,
        body: nn.Module | None = None,
    ) -> None:
        super().__init__()
        self.body = shaped_body(config) if body is None else body
        self.pooling = pooling
        self.padding = int(config.get("pad_token_id") or 0)
        self.dropout = nn.Dropout(dropout)
        self.output = nn.Linear(size_of(self.body), n_classes)

    @classmethod
    def read(cls, folder: EncoderFolder, *, dropout: float, n_classes: int) -> Transformer:
        """With the weights of a folder, and a last layer of small random ones."""
        body = read_body(folder)
        settings: dict[str, Any] = {
            "config": described_config(body),
            "pooling": folder.pooling,
            "dropout": dropout,
            "n_classes": n_classes,
        }
        made = cls(**settings, body=body)
        made.settings = settings
        nn.init.normal_(made.output.weight, std=0.02)
        nn.init.zeros_(made.output.bias)
        return made

    def load_state_dict(self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False) -> Any:
        """Take weights; what a transformer without values lacks beside them is computed."""
        found = super().load_state_dict(state_dict, strict, assign)
        if any(values.is_meta for values in self.body.buffers()):
            fill_buffers(self.body, self.settings["config"])
        return found

    def forward(self, ids: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Scores (n, n_classes) of texts (n, width) of the given lengths."""
        mask = word_mask(lengths, ids.shape[1])
        tokens = ids.masked_fill(~mask, self.padding)
        states = self.body(input_ids=tokens, attention_mask=mask.long()).last_hidden_state  # (n, width, size)
        return self.output(self.dropout(pooled(states, mask, self.pooling)))  # type: ignore[no-any-return]
