"""Transformers by the library of that name, described by plain values and built anew from these."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Lock, get_ident
from typing import Any

import torch
from torch import nn

from assay.neural.encoders.extra import require_transformers
from assay.neural.encoders.quiet import quiet

__all__ = [
    "checked_config",
    "described_config",
    "fill_buffers",
    "layers_of",
    "shaped_body",
    "size_of",
]

#: Names of what makes a transformer deep, and how deep it may be.
_DEPTHS = ("num_hidden_layers", "n_layers", "n_layer", "num_layers", "encoder_layers")
_DEEPEST = 1000

# How layers take their weights is changed for a moment, and there is one such way in a process.
_ONE_AT_A_TIME = Lock()


def size_of(body: nn.Module) -> int:
    """Numbers in the vector of a token."""
    return int(body.config.hidden_size)  # type: ignore[union-attr, arg-type]


def layers_of(body: nn.Module) -> int:
    """How many layers it has."""
    return int(body.config.num_hidden_layers)  # type: ignore[union-attr, arg-type]


def checked_config(config: Any) -> dict[str, Any]:
    """The description of a transformer out of a file of unknown origin, or ValueError."""
    if not isinstance(config, Mapping) or not isinstance(config.get("model_type"), str):
        raise ValueError("'config' describes no transformer")
    if "auto_map" in config:
        raise ValueError("'config' asks for code that does not come with transformers")
    for name in _DEPTHS:
        value = config.get(name, 1)
        if not isinstance(value, int) or not 0 <= value <= _DEEPEST:
            raise ValueError(f"'{name}' is {value!r}, which is not from 0 to {_DEEPEST}")
    padding, n_tokens = config.get("pad_token_id"), config.get("vocab_size")
    if isinstance(padding, int) and isinstance(n_tokens, int) and not 0 <= padding < n_tokens:
        raise ValueError(f"'pad_token_id' is {padding}, which is none of the {n_tokens} tokens")
    return dict(config)


def shaped_body(config: Mapping[str, Any]) -> nn.Module:
    """A transformer without values: everything in it has a shape, but no memory."""
    with torch.device("meta"):
        return _built(config)


def fill_buffers(body: nn.Module, config: Mapping[str, Any]) -> None:
    """Compute what has a shape only and is no weight, such as a table of positions."""
    with _ONE_AT_A_TIME, torch.device("cpu"), _weights_without_memory():
        computed = dict(_built(config).named_buffers())
    for name, values in list(body.named_buffers()):
        if values.is_meta:
            place, _, last = name.rpartition(".")
            body.get_submodule(place)._buffers[last] = computed[name]


def _built(config: Mapping[str, Any]) -> nn.Module:
    require_transformers("An encoder")
    from transformers import AutoConfig, AutoModel

    checked = checked_config(config)
    try:
        with quiet():
            made: nn.Module = AutoModel.from_config(AutoConfig.for_model(**checked))
    except MemoryError:
        raise
    except Exception as error:  # of a value of the wrong type, a library below theirs has errors of its own
        raise ValueError(f"'config' describes no transformer ({' '.join(str(error).split())[:300]})") from None
    return made


def described_config(body: nn.Module) -> dict[str, Any]:
    """The description of a transformer as plain values."""
    plain = json.loads(body.config.to_json_string(use_diff=True))  # type: ignore[union-attr, operator]
    plain.pop("_name_or_path", None)
    return dict(plain)


@contextmanager
def _weights_without_memory() -> Iterator[None]:
    """Of what this thread makes meanwhile, weights lose their memory as soon as they are part of a layer."""
    register, here = nn.Module.register_parameter, get_ident()

    def register_shape(module: nn.Module, name: str, parameter: nn.Parameter | None) -> None:
        if parameter is not None and parameter.device.type != "meta" and get_ident() == here:
            parameter = nn.Parameter(parameter.to("meta"), requires_grad=parameter.requires_grad)
        register(module, name, parameter)

    nn.Module.register_parameter = register_shape  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        nn.Module.register_parameter = register  # type: ignore[method-assign]
