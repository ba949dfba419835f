"""What the parts of a model file are called; `docs/reference/model-file.md` explains them."""

from __future__ import annotations

__all__ = ["FORMAT", "VERSION"]

FORMAT = "model"

#: A reader takes this version and every older one, and refuses newer ones by name.
VERSION = 1
