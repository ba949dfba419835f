"""The public home of the networks that learn from texts.

They need the extra ``assay[neural]``. Unlike the other learners they take texts, not matrices, and have the manners of
`assay.TextClassifier`; they stand above it, in `assay.neural`, and are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.neural.encoders.encoder_classifier import EncoderClassifier
    from assay.neural.encoders.vectorizer import EncoderVectorizer
    from assay.neural.networks.averaging import AveragingNetwork
    from assay.neural.networks.convolutional import ConvolutionalNetwork
    from assay.neural.networks.feed_forward import FeedForward
    from assay.neural.networks.mean_teacher import MeanTeacher
    from assay.neural.networks.recurrent import RecurrentNetwork

__all__ = [
    "AveragingNetwork",
    "ConvolutionalNetwork",
    "EncoderClassifier",
    "EncoderVectorizer",
    "FeedForward",
    "MeanTeacher",
    "RecurrentNetwork",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'assay.learners.neural' has no attribute {name!r}")
    return getattr(import_module("assay.neural"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
