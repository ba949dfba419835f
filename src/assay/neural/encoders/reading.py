"""From the files of a folder to a transformer and its tokenizer, whole ones that belong together."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from assay.errors import NotPermittedError, ParameterError
from assay.neural.encoders.extra import require_transformers
from assay.neural.encoders.folder import EncoderFolder
from assay.neural.encoders.quiet import quiet
from assay.neural.encoders.tokens import TokenReader

__all__ = ["check_tokens", "read_body", "read_tokens"]

#: What a transformer of the library has beside the vectors of tokens, and what is never asked for here.
_UNUSED = "pooler."


def read_body(folder: EncoderFolder) -> nn.Module:
    """The transformer in a folder with its weights, in float32."""
    require_transformers("An encoder")
    from transformers import AutoModel

    how: dict[str, Any] = {"local_files_only": True, "use_safetensors": True, "trust_remote_code": False}
    # Weights that are missing or of other sizes would silently be random ones: they are looked for below.
    how |= {"output_loading_info": True, "ignore_mismatched_sizes": True}
    with quiet():
        try:
            body, found = AutoModel.from_pretrained(folder.path, **how, dtype=torch.float32)
        except Exception as error:  # whatever the library makes of a broken folder
            raise ParameterError(
                f"{folder.path}: the transformer cannot be read ({_first_line(error)}). It must be a whole model "
                "that the installed version of transformers knows."
            ) from None
    _check_weights(folder, body, found)
    _check_kind(folder, body)
    reading: nn.Module = body.eval()
    return reading


def read_tokens(folder: EncoderFolder, max_length: int | None = None) -> TokenReader:
    """The tokenizer in a folder; of a text it reads `max_length` tokens, and not more than the folder allows."""
    most = min(max_length or folder.max_length, folder.max_length)
    reader = TokenReader(_tokenizer(folder), most, folder.lowercase)
    try:
        reader.check()
    except ValueError as error:
        raise ParameterError(f"{folder.path / 'tokenizer.json'}: {error}. Get the folder again.") from None
    return reader


def check_tokens(folder: EncoderFolder, reader: TokenReader, body: nn.Module) -> None:
    """Complain about a tokenizer with tokens that the transformer has no vectors of."""
    config: Any = body.config
    try:
        reader.check_fits({"config": {"vocab_size": config.vocab_size}})
    except ValueError as error:
        raise ParameterError(
            f"{folder.path}: {error}. Tokenizer and transformer must be of one model: save both again with "
            "save_pretrained of transformers."
        ) from None


def _check_weights(folder: EncoderFolder, body: nn.Module, found: dict[str, Any]) -> None:
    """Complain about weights that are not there, have other sizes than the description says, or are no numbers."""
    missing = sorted(name for name in found["missing_keys"] if not name.startswith(_UNUSED))
    other = sorted(found["mismatched_keys"])
    wrong = [name for name, values in body.named_parameters() if not torch.isfinite(values).all()]
    if missing:
        what = f"there are no weights {missing[0]!r}" + (f" and {len(missing) - 1:,} more" if missing[1:] else "")
    elif other:
        name, stored, expected = other[0]
        what = f"the weights {name!r} have shape {tuple(stored)}, and config.json asks for {tuple(expected)}"
    elif wrong:
        what = f"the weights {wrong[0]!r} hold NaN or infinity"
    else:
        return
    raise ParameterError(f"{folder.path}: {what}. The folder must hold a whole model: get it again.")


def _check_kind(folder: EncoderFolder, body: nn.Module) -> None:
    """Complain about transformers that do more, or other things, than turn tokens into vectors."""
    config: Any = body.config
    sizes = [getattr(config, name, None) for name in ("hidden_size", "num_hidden_layers", "vocab_size")]
    if config.is_encoder_decoder or not all(isinstance(size, int) for size in sizes):
        raise ParameterError(
            f"{folder.path}: a transformer of the kind {config.model_type!r} cannot be used: it does more than turn "
            "the tokens of a text into vectors. Choose an encoder such as BERT, RoBERTa, MPNet or MiniLM."
        )


def _tokenizer(folder: EncoderFolder) -> str:
    """As the JSON of the library tokenizers."""
    file = folder.path / "tokenizer.json"
    if file.is_file():
        try:
            return file.read_text(encoding="utf-8")
        except PermissionError:
            raise NotPermittedError.of(file) from None
        except (OSError, UnicodeDecodeError) as error:
            raise ParameterError(f"{file}: the tokenizer cannot be read ({error}). Get the folder again.") from None
    from transformers import AutoTokenizer

    why = "no vocabulary either"
    # Without its vocabulary, the library would make a tokenizer that knows no word.
    if any(list(folder.path.glob(pattern)) for pattern in ("vocab.*", "*.model")):
        with quiet():
            try:
                found = AutoTokenizer.from_pretrained(folder.path, local_files_only=True, trust_remote_code=False)
                return str(found.backend_tokenizer.to_str())
            except Exception as error:  # whatever the library makes of a broken folder
                why = _first_line(error)
    raise ParameterError(
        f"{folder.path}: there is no tokenizer.json, and no other tokenizer can be read ({why}). Save the tokenizer "
        "with save_pretrained of transformers first."
    )


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".!:")
