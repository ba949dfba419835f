"""Results that another command printed as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from assay.errors import DataError

__all__ = ["read_result"]


def read_result(path: Path, kind: str) -> dict[str, Any]:
    """A result of one kind, such as ``"audit"``."""
    try:
        found = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise DataError(f"no such file: {path}. Make it with 'assay {command(kind)} … --json > {path}'.") from None
    except ValueError as error:
        raise DataError(f"{path}: this is not JSON ({error}). Make it with 'assay {command(kind)} … --json'.") from None
    if not isinstance(found, dict) or found.get("kind") != kind:
        held = found.get("kind") if isinstance(found, dict) else type(found).__name__
        raise DataError(
            f"{path}: this is {held!r}, where {kind!r} is needed, as 'assay {command(kind)} --json' prints."
        )
    return found


def command(kind: str) -> str:
    """The command that prints such a result."""
    return {"evaluation": "evaluate", "audit": "audit"}[kind]
