"""The small corpus that the demo, the tutorial and the tests use, written for this project (CC0)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["SHOP_MESSAGES", "load_sample"]

#: Messages that customers send to a shop, in five classes: a CSV file with the columns `text` and `label`.
SHOP_MESSAGES = Path(__file__).with_name("shop_messages.csv")


def load_sample() -> Corpus:
    """Read the messages to a shop.

    Examples
    --------
    >>> corpus = load_sample()
    >>> len(corpus)
    549
    """
    from assay.data.reading.read import read

    return read(SHOP_MESSAGES, text="text", label="label")
