"""Whether PyTorch is there."""

from __future__ import annotations

from importlib.util import find_spec

from assay.errors import MissingExtraError

__all__ = ["require_torch"]


def require_torch(what: str) -> None:
    """Complain, with the way out, where PyTorch is not installed.

    Parameters
    ----------
    what
        Needs it, as a sentence begins.
    """
    if find_spec("torch") is None:
        raise MissingExtraError(f"{what} needs PyTorch, which is not installed. Get it: pip install 'assay[neural]'.")
