"""Optional packages, with an error that says how to get them."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from assay.errors import MissingExtraError

__all__ = ["require"]


def require(module: str, purpose: str) -> ModuleType:
    """Import an optional package, or say what it is needed for.

    Examples
    --------
    >>> require("json", "Tables").__name__
    'json'
    """
    try:
        return import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        raise MissingExtraError(
            f"{purpose} need {package}, which is not installed. Use: pip install {package}"
        ) from None
