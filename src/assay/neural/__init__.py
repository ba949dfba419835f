"""Neural classifiers of texts, on PyTorch: the only package that imports it.

The way of a training, one module an idea::

    words ── sequences ── batches ── embedding ── a network ── losses
    (feature_rows, for n-grams and numbers)          │
                                               training_loop   optimisers, schedules, stopping, checkpoint
                                                     │
                                     network_model ── model_file

`encoders` has transformers that others have trained; `mean_teacher` learns from texts without labels too. The public
home of the classifiers is `assay.learners.neural`. Without PyTorch, asking for one of them says how to install it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.neural.averaging import AveragingNetwork
    from assay.neural.convolutional import ConvolutionalNetwork
    from assay.neural.encoder_classifier import EncoderClassifier
    from assay.neural.encoders.vectorizer import EncoderVectorizer
    from assay.neural.feed_forward import FeedForward
    from assay.neural.mean_teacher import MeanTeacher
    from assay.neural.recurrent import RecurrentNetwork

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
    "AveragingNetwork": "averaging",
    "ConvolutionalNetwork": "convolutional",
    "EncoderClassifier": "encoder_classifier",
    "EncoderVectorizer": "encoders.vectorizer",
    "FeedForward": "feed_forward",
    "MeanTeacher": "mean_teacher",
    "RecurrentNetwork": "recurrent",
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
