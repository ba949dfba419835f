"""Networks in files: the frame of every model file, with sections for the reader, the weights and the curves.

Nothing in a file is run, and every size and index is checked before anything of that size is made: the network is first
built without memory for its weights, and takes those of the file if all of them fit.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import torch

# They add themselves to the kinds of networks and readers that a file may name.
import assay.neural.encoders.encoder_classifier
import assay.neural.encoders.tokens
import assay.neural.networks.averaging
import assay.neural.networks.convolutional
import assay.neural.networks.feed_forward
import assay.neural.networks.recurrent  # noqa: F401
from assay.header_checks import entry, numbers
from assay.modelfile.frame import Arrays, Frame, Head, Section, require_used, section_of, write_frame
from assay.modelfile.read import read_cap, read_rule
from assay.modelfile.record import RECORD_SECTIONS, ModelRecord
from assay.modelfile.write import cap_sections, halved, rule_sections
from assay.neural.loop.history import History
from assay.neural.networks.network_classifier import NETWORK_KINDS, NetworkClassifier
from assay.neural.parts.network import Network
from assay.neural.parts.network_model import NetworkModel
from assay.neural.parts.network_settings import checked_settings
from assay.neural.reading.readers import READER_KINDS, describe_reader
from assay.prediction.set_rule import SetRule
from assay.tensor_file import damage_said

__all__ = ["network_of", "write_network"]

_KNOWN = {"network": 1, "reader": 1, "history": 1, "thresholds": 1, "cap": 1, **RECORD_SECTIONS}


def write_network(
    path: str | os.PathLike[str],
    classifier: NetworkClassifier,
    *,
    float16: bool = False,
    record_time: bool = True,
) -> None:
    """Write a network; the same network and record give the same bytes.

    Parameters
    ----------
    path
        A file that is there is replaced in one step.
    classifier
        What is written.
    float16
        Keep the weights in half precision.
    record_time
        Whether the time of the record is written too.
    """
    model = classifier.model
    weights = {name: values.numpy() for name, values in model.network.state_dict().items()}
    if float16:
        weights = {name: halved(values) for name, values in weights.items()}
    sections = {
        "network": Section({"kind": classifier.kind, "settings": model.network.settings}, weights),
        "reader": Section(*describe_reader(model.reader)),
        "history": Section(classifier.history_.to_dict()),
        **rule_sections(model.rule, model.task),
        **cap_sections(model.cap),
        **classifier.record.to_sections(record_time=record_time),
    }
    write_frame(path, Head("network", model.labels, model.label_type, model.link, model.task), sections)


def network_of(frame: Frame) -> NetworkClassifier:
    """The classifier in a frame."""
    with damage_said(frame.name):
        sections, ignored = frame.known(_KNOWN)
        labels = frame.head.labels
        with section_of(sections, "reader") as part:
            reader = READER_KINDS.named_in(part.content).from_data(part.content, part.arrays)
        with section_of(sections, "network") as part:
            kind = NETWORK_KINDS.named_in(part.content)
            network = _network(kind.network, entry(part.content, "settings", dict), part.arrays)
            if network.settings["n_classes"] != len(labels):
                raise ValueError(f"the network has {network.settings['n_classes']} outputs for {len(labels)} labels")
            reader.check_fits(network.settings)
        with section_of(sections, "history") as part:
            history = History.from_dict(part.content)
        task = frame.head.task
        cap = read_cap(sections, labels, independent=task == "label-sets")
        rule = read_rule(sections, labels, task)
        if not isinstance(rule, SetRule | None):
            raise ValueError("a network of single labels has no rule")
        model = NetworkModel(reader, network, labels, frame.head.link, frame.head.label_type, cap, rule, task)
        made = kind.from_parts(model, history, ModelRecord.from_sections(sections, ignored))
        require_used(sections)
        return made


def _network(kind: type[Network], settings: dict[str, Any], arrays: Arrays) -> Network:
    """Takes its weights out of `arrays`; those in single precision stay in the mapped file."""
    with torch.device("meta"):  # shapes without memory
        network = kind.built(**checked_settings(settings, kind.SETTINGS))
    weights = {}
    for name, shape in [(name, tuple(values.shape)) for name, values in network.state_dict().items()]:
        found = numbers(arrays, name, (np.float16, np.float32), shape)
        weights[name] = torch.from_numpy(found.astype(np.float32, copy=False))
    network.load_state_dict(weights, assign=True)
    for parameter in network.parameters():
        parameter.requires_grad_(False)
    return network.eval()
