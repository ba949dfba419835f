"""The catalogue: every algorithm that can be traced, with its worked examples and its pictures."""

from __future__ import annotations

from assay.textbook.catalogue.linear_models import LINEAR_MODELS
from assay.textbook.catalogue.measuring import MEASURING
from assay.textbook.catalogue.networks import NETWORKS
from assay.textbook.catalogue.record import Algorithm, Example
from assay.textbook.catalogue.texts import TEXTS
from assay.textbook.catalogue.word_vectors import WORD_VECTORS

__all__ = ["ALGORITHMS", "Algorithm", "Example"]

ALGORITHMS = {algorithm.name: algorithm for algorithm in (*TEXTS, *LINEAR_MODELS, *MEASURING, *WORD_VECTORS, *NETWORKS)}
"""All algorithms by name, in the order in which the books come to them."""
