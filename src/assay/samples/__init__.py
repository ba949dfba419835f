"""The small corpora that the demo, the guides and the tests use, written for this project (CC0)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.data.corpus.corpus import Corpus

__all__ = ["SHOP_MESSAGES", "TOWN_MESSAGES", "load_sample"]

#: Messages that customers send to a shop, in five classes: a CSV file with the columns `text` and `label`.
SHOP_MESSAGES = Path(__file__).with_name("shop_messages.csv")

#: Messages that residents send to a town office, each with any of seven labels: a CSV file with the columns `text` and
#: `labels`, in which ``|`` stands between two labels.
TOWN_MESSAGES = Path(__file__).with_name("town_messages.csv")


def load_sample(*, multi_label: bool = False) -> Corpus:
    """Read the messages to a shop, or those to a town office, which have several labels each, or none.

    Examples
    --------
    >>> len(load_sample())
    549
    >>> corpus = load_sample(multi_label=True)
    >>> len(corpus), corpus.task, corpus[0].label
    (178, 'label-sets', ('documents', 'fees'))
    """
    from assay.data.reading.read import read

    if multi_label:
        return read(TOWN_MESSAGES, text="text", label="labels", labels_separator="|")
    return read(SHOP_MESSAGES, text="text", label="label")
