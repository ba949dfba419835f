"""Neural classifiers of texts, on PyTorch: the only package that imports it.

The way of a training, one room an idea::

    texts ── reading ── parts ── loop ── networks ── files

`encoders` has transformers that others have trained. The public
home of the classifiers is `assay.learners.neural`. Without PyTorch, asking for one of them says how to install it.
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

_HOME_OF = {
    "AveragingNetwork": "networks.averaging",
    "ConvolutionalNetwork": "networks.convolutional",
    "EncoderClassifier": "encoders.encoder_classifier",
    "EncoderVectorizer": "encoders.vectorizer",
    "FeedForward": "networks.feed_forward",
    "MeanTeacher": "networks.mean_teacher",
    "RecurrentNetwork": "networks.recurrent",
}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'assay.neural' has no attribute {name!r}")
    from assay.neural.extra import require_torch

    require_torch(name, "encoders" if _HOME_OF[name].startswith("encoder") else "neural")
    value = getattr(import_module(f"assay.neural.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
