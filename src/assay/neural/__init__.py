"""Neural classifiers of texts, on PyTorch: the only package that imports it.

The way of a training, one room an idea::

    texts ── reading ── parts ── loop ── networks ── files

`encoders` has transformers that others have trained. Without PyTorch, asking for a name says how to install it.
"""

from assay.lazy_names import lazy_names

_public_name, __dir__ = lazy_names(__name__)


def __getattr__(name: str) -> object:
    from assay.neural.extra import require_torch

    if name in __dir__():
        require_torch(name, "encoders" if name.startswith("Encoder") else "neural")
    return _public_name(name)
