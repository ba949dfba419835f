"""Optional packages, with an error that says how to get them."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from assay.errors import MissingExtraError

__all__ = ["require"]


def require(module: str, purpose: str, *, extra: str | None = None) -> ModuleType:
    """Import an optional package, or say what it is needed for, and the extra of assay that brings it.

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
            f"{purpose} need {package}, which is not installed. Use: pip install "
            + (f"'assay[{extra}]'" if extra else package)
        ) from None
