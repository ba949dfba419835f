"""Networks in files: the same single safetensors file as linear models, with the words and the weights in it.

Nothing in a file is run, and every size and index is checked before anything of that size is made: the network is first
built without memory for its weights, and takes those of the file if all of them fit.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from assay.errors import AssayError, MissingExtraError, ModelFileError
from assay.header_checks import choice, entry, labels_of, numbers
from assay.modelfile.provenance import provenance_of
from assay.modelfile.write import halved
from assay.neural.loop.history import History
from assay.neural.parts.network import Network
from assay.neural.parts.network_model import NetworkModel
from assay.neural.parts.network_settings import checked_settings
from assay.neural.reading.readers import describe_reader, read_reader
from assay.prediction.probabilities import LINKS
from assay.tensor_file import TensorFile, read_tensor_file, write_tensor_file

__all__ = ["FORMAT", "KINDS", "VERSION", "read_network", "write_network"]

FORMAT = "network"
VERSION = 1

#: Kind of a network → its module, its classifier, and the network in it.
KINDS = {
    "averaging": ("networks.averaging", "AveragingNetwork", "Averaging"),
    "convolutional": ("networks.convolutional", "ConvolutionalNetwork", "Convolution"),
    "encoder": ("encoders.encoder_classifier", "EncoderClassifier", "Transformer"),
    "feed-forward": ("networks.feed_forward", "FeedForward", "Layers"),
    "recurrent": ("networks.recurrent", "RecurrentNetwork", "Recurrence"),
}

Arrays = dict[str, NDArray[Any]]


def write_network(
    path: str | os.PathLike[str],
    kind: str,
    model: NetworkModel,
    history: History,
    provenance: Mapping[str, Any],
    *,
    float16: bool = False,
) -> None:
    """Write a network; the same network and provenance give the same bytes.

    Parameters
    ----------
    path
        A file that is there is replaced in one step.
    kind
        One of `KINDS`.
    model, history, provenance
        What is written.
    float16
        Keep the weights in half precision.
    """
    described, arrays = describe_reader(model.reader)
    for name, values in model.network.state_dict().items():
        found = values.numpy()
        arrays[f"network.{name}"] = halved(found) if float16 else found
    header = {
        "format": FORMAT,
        "version": VERSION,
        "labels": list(model.labels),
        "link": model.link,
        "kind": kind,
        "reader": described,
        "settings": model.network.settings,
        "history": history.to_dict(),
        "provenance": dict(provenance),
    }
    write_tensor_file(path, header, arrays)


def read_network(path: str | os.PathLike[str]) -> Any:
    """The classifier of a file."""
    file = read_tensor_file(path, FORMAT, VERSION, "model")
    try:
        return _classifier(file)
    except MissingExtraError as error:
        raise MissingExtraError(f"{file.name}: {error}") from None
    except (
        AttributeError,
        IndexError,
        KeyError,
        MemoryError,
        OverflowError,
        RuntimeError,
        TypeError,
        ValueError,
        AssayError,
    ) as error:
        raise ModelFileError(f"{file.name}: the file is damaged ({error}).") from None


def _classifier(file: TensorFile) -> Any:
    header, arrays = file.header, dict(file.arrays)
    labels = labels_of(header)
    module_name, classifier_name, network_name = KINDS[choice(header, "kind", list(KINDS))]
    module = import_module(f"assay.neural.{module_name}")
    reader = read_reader(entry(header, "reader", dict), arrays)
    network = _network(getattr(module, network_name), entry(header, "settings", dict), arrays)
    if network.settings["n_classes"] != len(labels):
        raise ValueError(f"the network has {network.settings['n_classes']} outputs for {len(labels)} labels")
    reader.check_fits(network.settings)
    if arrays:
        raise ValueError(f"there are arrays that nothing refers to: {', '.join(sorted(arrays)[:5])}")
    model = NetworkModel(reader, network, labels, choice(header, "link", (None, *LINKS)))
    history = History.from_dict(entry(header, "history", dict))
    return getattr(module, classifier_name).from_parts(model, history, provenance_of(header))


def _network(kind: type[Network], settings: dict[str, Any], arrays: Arrays) -> Network:
    """Takes its weights out of `arrays`."""
    with torch.device("meta"):  # shapes without memory
        network = kind.built(**checked_settings(settings, kind.SETTINGS))
    weights = {}
    for name, shape in [(name, tuple(values.shape)) for name, values in network.state_dict().items()]:
        found = numbers(arrays, f"network.{name}", (np.float16, np.float32), shape)
        weights[name] = torch.from_numpy(found.astype(np.float32))
    network.load_state_dict(weights, assign=True)
    for parameter in network.parameters():
        parameter.requires_grad_(False)
    return network.eval()
