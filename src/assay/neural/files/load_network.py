"""The networks' part of `assay.load`."""

from __future__ import annotations

import os
from typing import Any

from assay.neural.extra import require_torch

__all__ = ["load_network"]


def load_network(path: str | os.PathLike[str]) -> Any:
    """Read a network that `save` wrote."""
    require_torch(f"{os.fspath(path)}: this model is a neural network, which")
    from assay.neural.files.model_file import read_network

    return read_network(path)
