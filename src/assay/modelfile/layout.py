"""What the parts of a model file are called; `docs/reference/model-file.md` explains them."""

from __future__ import annotations

__all__ = ["FORMAT", "LONGEST_NGRAM", "VERSION"]

FORMAT = "model"

#: A reader takes this version and every older one, and refuses newer ones by name.
VERSION = 1

#: Longer n-grams than this are refused: they would keep a reader busy for nothing.
LONGEST_NGRAM = 1000
