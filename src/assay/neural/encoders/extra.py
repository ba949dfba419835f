"""Whether what encoders need is there."""

from __future__ import annotations

import os
from importlib.util import find_spec

from assay.errors import MissingExtraError
from assay.neural.extra import require_torch

__all__ = ["require_transformers"]

_NEEDED = {"torch": "PyTorch", "transformers": "transformers", "tokenizers": "tokenizers"}


def require_transformers(what: str) -> None:
    """Complain, with the way out, where a package is missing; and see to it that nothing is ever fetched.

    Parameters
    ----------
    what
        Needs them, as a sentence begins.
    """
    missing = [name for module, name in _NEEDED.items() if find_spec(module) is None]
    if missing:
        is_are, it_them = ("is", "it") if len(missing) == 1 else ("are", "them")
        raise MissingExtraError(
            f"{what} needs {' and '.join(missing)}, which {is_are} not installed. Get {it_them}: "
            "pip install 'assay[encoders]'."
        )
    require_torch(what)
    # Read when the libraries are imported.
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_HUB_DISABLE_TELEMETRY"):
        os.environ[name] = "1"
