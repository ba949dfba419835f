"""What a file says of how its model was made.

A writer may write what it likes there, and no answer of the model depends on it. But it is shown, in tables and on
cards: so the parts that assay knows have the form that it gives them, or are left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from assay.modelfile.cross_validated import CROSS_VALIDATION, CrossValidated

__all__ = ["known_parts"]


def known_parts(told: Mapping[str, Any]) -> dict[str, Any]:
    """A provenance as it may be shown.

    Examples
    --------
    >>> known_parts({"learner": "SVM", "data": {"rows": "many", "source": "a.csv"}, "by": ["me"]})
    {'learner': {'class': 'SVM'}, 'data': {'source': 'a.csv'}, 'by': ['me']}
    """
    kept = {name: _PARTS[name](value) if name in _PARTS else value for name, value in told.items()}
    kept = {name: value for name, value in kept.items() if value or name not in _PARTS}
    try:
        json.dumps(kept, ensure_ascii=False).encode()
    except UnicodeEncodeError:  # the name of a file may be no text, and a page is
        kept = json.loads(json.dumps(kept, ensure_ascii=False).encode("utf-8", "replace"))
    return kept


def _data(value: Any) -> dict[str, Any]:
    return _of_their_kind(
        value,
        {
            "source": _is_text,
            "text_column": lambda found: found is None or _is_text(found),
            "sha256": _is_text,
            "rows": _is_number,
            "classes": _has_numbers,
            "merged_labels": _merges,
            "corrections": _corrects,
        },
    )


def _made_by(value: Any) -> dict[str, Any]:
    """Class and parameters of a vectorizer or a learner."""
    told = {"class": value} if isinstance(value, str) else value
    return _of_their_kind(told, {"class": _is_text, "parameters": lambda found: isinstance(found, dict)})


def _of_their_kind(value: Any, kinds: Mapping[str, Callable[[Any], bool]]) -> dict[str, Any]:
    if not isinstance(value, dict):
        return {}
    return {name: found for name, found in value.items() if name not in kinds or kinds[name](found)}


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _has_numbers(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_number, value.values()))


def _merges(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_has_numbers, value.values()))


def _corrects(value: Any) -> bool:
    return (
        isinstance(value, dict) and "file" in value and all(map(_is_number, map(value.get, ("corrected", "left_out"))))
    )


_PARTS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "data": _data,
    "vectorizer": _made_by,
    "learner": _made_by,
    CROSS_VALIDATION: lambda value: {} if CrossValidated.told_in({CROSS_VALIDATION: value}) is None else dict(value),
    "versions": lambda value: _of_their_kind(value, {}),
}
