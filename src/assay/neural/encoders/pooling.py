"""From the vectors of the tokens to that of the text."""

from __future__ import annotations

import torch

from assay.neural.parts.layers import masked_max, masked_mean

__all__ = ["pooled"]


def pooled(states: torch.Tensor, mask: torch.Tensor, pooling: str) -> torch.Tensor:
    """(n, width, size) → (n, size), padding left out.

    Parameters
    ----------
    states
        Of the tokens.
    mask
        Where there is a token, (n, width).
    pooling
        One of `assay.neural.encoders.folder.POOLING`.
    """
    if pooling == "mean":
        return masked_mean(states, mask)
    if pooling == "max":
        return masked_max(states, mask)
    if pooling == "first":
        return states[:, 0]
    last = mask.sum(dim=1) - 1
    return states[torch.arange(len(states)), last]
