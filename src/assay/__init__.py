"""assay: from labelled text to a classifier that can be trusted.

The rooms, along the way of the data; `docs/design/architecture.md` has the layers::

    data ── features ── learners ── training, classifier ── modelfile, prediction, streaming
    evaluation, inference, explanation, audit ── report, card      clustering, embeddings, adaptation, neural, textbook
    cli, over all of them

The public names are loaded when they are first used, so that ``import assay`` stays quick; it imports nothing itself.
"""

from __future__ import annotations

from assay.lazy_names import lazy_names

__version__ = "0.1.0"

_public_name, __dir__ = lazy_names(__name__)


def __getattr__(name: str) -> object:
    return _native_module() if name == "_native" else _public_name(name)


def _native_module() -> object:
    """The compiled module: a signal's handler that raises in the middle of its import would abort the process."""
    from importlib import import_module

    from assay.deferred_signals import signals_held_back

    with signals_held_back():
        return import_module("assay._native")
