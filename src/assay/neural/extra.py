"""Whether PyTorch is there."""

from __future__ import annotations

import os
from importlib.util import find_spec

from assay.errors import MissingExtraError

__all__ = ["require_torch"]


def require_torch(what: str, extra: str = "neural") -> None:
    """Complain, with the way out, where PyTorch is not installed.

    Parameters
    ----------
    what
        Needs it, as a sentence begins.
    extra
        Of assay, which brings it.
    """
    if find_spec("torch") is None:
        raise MissingExtraError(f"{what} needs PyTorch, which is not installed. Get it: pip install 'assay[{extra}]'.")
    # Threads that have nothing to do sleep instead of spinning: where other programs use the cores too, an update of
    # the weights takes a tenth of the time. OpenMP reads this when PyTorch is imported.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
