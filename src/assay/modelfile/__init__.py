"""Models in files: one safetensors file that holds only data; `docs/reference/model-file.md` is the written format."""

from __future__ import annotations

from assay.modelfile.read import read_model
from assay.modelfile.write import write_model

__all__ = ["read_model", "write_model"]
