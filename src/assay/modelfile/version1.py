"""Files of version 1 as those of version 2: what lay side by side in the header and the arrays is put into sections."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from assay.header_checks import entry

__all__ = ["from_version_1"]

Arrays = dict[str, NDArray[Any]]


def from_version_1(header: dict[str, Any], arrays: Arrays) -> tuple[dict[str, Any], Arrays]:
    """The header and the arrays of version 2 that say the same; whatever they hold is checked later."""
    linear = header["format"] == "model"
    contents = _linear(header) if linear else _network(header)
    sections = {name: {"version": 1, "required": True, "content": content} for name, content in contents.items()}
    sections["provenance"] = {"version": 1, "required": False, "content": entry(header, "provenance", dict)}
    new = {
        "task": "labels",
        "kind": "linear" if linear else "network",
        "labels": header.get("labels"),
        "label_type": "text",
        "link": entry(header, "link", object),
        "sections": sections,
    }
    return new, {_name(name, linear): values for name, values in arrays.items()}


def _linear(header: dict[str, Any]) -> dict[str, dict[str, Any]]:
    contents = {
        "features": {"blocks": _blocks(entry(header, "features", list))},
        "weights": {"form": entry(header, "weights", object)},
        "calibration": {"method": entry(header, "calibration", object)},
        "rule": {"kind": entry(header, "rule", object)},
    }
    return {name: content for name, content in contents.items() if list(content.values()) != [None]}


def _network(header: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {
        "network": {"kind": entry(header, "kind", str), "settings": entry(header, "settings", object)},
        "reader": {name: _blocks(part) for name, part in entry(header, "reader", dict).items()},
        "history": entry(header, "history", dict),
    }


def _blocks(described: Any) -> Any:
    """Blocks of features, each of which says its kind; whatever is no list of blocks stays as it is."""
    if not isinstance(described, list):
        return described
    return [{"kind": "n-grams", **block} if isinstance(block, dict) else block for block in described]


def _name(name: str, linear: bool) -> str:
    """What version 2 calls an array."""
    if linear:
        return {"weights": "weights.table", "bias": "weights.bias"}.get(name, name)
    return name if name.startswith("network.") else f"reader.{name.removeprefix('features.')}"
