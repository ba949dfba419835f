"""What the folder of an encoder says about itself: how tokens become one vector, and which bytes it consists of."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from assay.errors import AssayError, NotPermittedError, ParameterError
from assay.file_access import read_short_text
from assay.neural.encoders.locate import find_encoder

__all__ = ["POOLING", "EncoderFolder", "open_folder"]

#: How the vectors of tokens become that of the text → its name in sentence-transformers.
POOLING = {
    "mean": "pooling_mode_mean_tokens",
    "first": "pooling_mode_cls_token",
    "max": "pooling_mode_max_tokens",
    "last": "pooling_mode_lasttoken",
}

_USUAL_LENGTH = 512
#: How kinds of transformers call the number of their positions.
_POSITIONS = ("max_position_embeddings", "n_positions")
#: What decides how a text is read; other files, such as a README, do not.
_MATTERS = ("*.safetensors", "*.json", "*.txt", "*.model", "*_Pooling/config.json")


@dataclass(frozen=True)
class EncoderFolder:
    """A transformer in a folder.

    Attributes
    ----------
    name
        By which it was found: a path or the name of a package.
    path
        The folder.
    pooling
        One of `POOLING`; "mean" where the folder does not say.
    normalize
        Whether vectors are brought to length 1.
    lowercase
        Whether texts are lower-cased before the tokenizer sees them.
    max_length
        Tokens that it reads of a text at most.
    """

    name: str
    path: Path
    pooling: str
    normalize: bool
    lowercase: bool
    max_length: int

    @property
    def sha256(self) -> str:
        """Of everything in the folder that decides how a text is read."""
        files = sorted({file for pattern in _MATTERS for file in self.path.glob(pattern) if file.is_file()})
        digest = hashlib.sha256()
        for file in files:
            stat = file.stat()
            digest.update(f"{file.relative_to(self.path).as_posix()}\0".encode())
            digest.update(_file_sha256(os.fspath(file), stat.st_size, stat.st_mtime_ns))
        return digest.hexdigest()


def open_folder(name: str | os.PathLike[str]) -> EncoderFolder:
    """Find an encoder, and read how it is to be used; the weights are not read yet."""
    path = find_encoder(name)
    config = _read(path / "config.json")
    if not isinstance(config.get("model_type"), str):
        raise ParameterError(
            f"{path}: config.json does not say which kind of transformer it is ('model_type'): the folder is no model "
            "of Hugging Face. Give the folder in which the transformer itself lies."
        )
    sentence = _read(path / "sentence_bert_config.json", optional=True)
    pooling, normalize = _pooling(path)
    wished = sentence.get("max_seq_length")
    limits = [limit for limit in (wished, _positions(config)) if isinstance(limit, int) and limit >= 3]
    most = min(limits, default=_USUAL_LENGTH)
    return EncoderFolder(os.fspath(name), path, pooling, normalize, bool(sentence.get("do_lower_case")), most)


def _positions(config: dict[str, Any]) -> int | None:
    """Tokens that there are positions for, where it says so."""
    found = [config[name] for name in _POSITIONS if isinstance(config.get(name), int)]
    if not found:
        return None
    # RoBERTa and its kin count positions from after the padding's number.
    shifted = "roberta" in config["model_type"] or config["model_type"] in ("mpnet", "camembert")
    padding = config.get("pad_token_id")
    return int(found[0]) - (padding if isinstance(padding, int) else 0) - 1 if shifted else int(found[0])


def _pooling(path: Path) -> tuple[str, bool]:
    """How `modules.json` of sentence-transformers goes on after the transformer."""
    modules = _read(path / "modules.json", optional=True, kind=list)
    pooling, normalize = "mean", False
    for module in modules:
        if not isinstance(module, dict):
            raise ParameterError(
                f"{path / 'modules.json'}: a module is {module!r}, and must be an object with a type and a path: the "
                "folder is no whole encoder."
            )
        kind = str(module.get("type", "")).rpartition(".")[2]
        if kind == "Pooling":
            pooling = _pooling_mode(path / str(module.get("path", "")) / "config.json")
        elif kind == "Normalize":
            normalize = True
        elif kind != "Transformer":
            raise ParameterError(
                f"{path}: after the transformer comes a module {kind!r} (modules.json), which cannot be run here: only "
                "Transformer, Pooling and Normalize can. Choose an encoder without it."
            )
    return pooling, normalize


def _pooling_mode(file: Path) -> str:
    described = _read(file)
    chosen = [name for name, key in POOLING.items() if described.get(key)]
    others = [key for key, value in described.items() if key.startswith("pooling_mode") and value is True]
    if len(chosen) != 1 or len(others) != 1:
        raise ParameterError(
            f"{file}: the pooling is {', '.join(others) or 'none'}, and must be exactly one of "
            f"{', '.join(POOLING.values())}. Choose another encoder."
        )
    return chosen[0]


def _read(file: Path, *, optional: bool = False, kind: type = dict) -> Any:
    if optional and not file.is_file():
        return kind()
    try:
        found = json.loads(read_short_text(file))
    except PermissionError:
        raise NotPermittedError.of(file) from None
    except AssayError:
        raise
    except (OSError, ValueError, RecursionError) as error:
        raise ParameterError(f"{file}: cannot be read as JSON ({error}): the folder is no whole encoder.") from None
    if not isinstance(found, kind):
        raise ParameterError(f"{file}: holds no {kind.__name__}: the folder is no whole encoder.")
    return found


@lru_cache(maxsize=256)
def _file_sha256(file: str, size: int, changed: int) -> bytes:  # noqa: ARG001 (a file that has changed is read again)
    with Path(file).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").digest()
