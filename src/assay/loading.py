"""`assay.load`: a classifier from a file, whatever kind of model the file holds.

This is the one place that knows every kind: it stands above all of them, so that none has to reach up to another.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from assay.classifier.text_classifier import TextClassifier
from assay.errors import ModelFileError, warn
from assay.features.columns.blocks import BLOCK_KINDS, KeptBlock
from assay.modelfile.frame import Frame, read_frame
from assay.modelfile.read import linear_model_of

__all__ = ["load"]


def load(path: str | os.PathLike[str]) -> Any:
    """Read a classifier that `save` of a `TextClassifier` or of a network wrote.

    Nothing in the file is run, and every size and index in it is checked. Where the file does not say when the model
    was made, ``provenance["created"]`` is the time of the file. The weights are mapped: processes that load the same
    file share them, and the file must not be written into as long as the model is used (`save` replaces files whole).

    Examples
    --------
    >>> import tempfile
    >>> model = TextClassifier().fit(["loved it", "so dull", "great fun"], ["pos", "neg", "pos"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     model.save(f"{folder}/reviews.assay")
    ...     load(f"{folder}/reviews.assay").predict(["dull film"]).tolist()
    ['neg']
    """
    frame = read_frame(path)
    if frame.head.kind not in _KINDS:
        raise ModelFileError(
            f"{frame.name}: this model is of the kind {frame.head.kind[:60]!r}, which this assay does not know. "
            "Install a newer assay."
        )
    classifier = _KINDS[frame.head.kind](frame)
    if classifier.record.ignored:
        warn(
            f"{frame.name}: a newer assay wrote {', '.join(map(repr, classifier.record.ignored))} into this file, "
            "which this one does not know. The model answers the same without."
        )
    if "created" not in classifier.provenance:
        changed = datetime.fromtimestamp(int(Path(path).stat().st_mtime), UTC)
        classifier.provenance["created"] = changed.isoformat()
    return classifier


def _linear(frame: Frame) -> Any:
    return TextClassifier.from_parts(*linear_model_of(frame))


def _network(frame: Frame) -> Any:
    from assay.neural.extra import require_torch

    require_torch(f"{frame.name}: this model is a neural network, which")
    from assay.neural.files.model_file import network_of

    return network_of(frame)


@BLOCK_KINDS.later("encoder")
def _encoder() -> type[KeptBlock]:
    from assay.neural.encoders.block import EncoderBlock

    return EncoderBlock


#: What makes a classifier of each kind of model.
_KINDS: dict[str, Callable[[Frame], Any]] = {"linear": _linear, "network": _network}
