"""The header of a card: metadata that model hubs read, as YAML between two lines of dashes.

The keys are those that Hugging Face documents: ``library_name``, ``pipeline_tag``, ``tags`` and ``model-index`` with
the results. Strings are written as JSON strings, which YAML reads as they are, whatever a label or a file is called.
A part of the header is the person's own and kept: the licence, the language, whatever else.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from assay.modelfile.provenance import MadeBy

__all__ = ["OWN_METADATA", "metadata_lines"]

#: What the person's part of the header says as long as nobody has changed it.
OWN_METADATA = (
    "# A licence from the list of the hub, and the languages of the texts, for example:\n"
    "# license: apache-2.0\n"
    "# language:\n"
    "#   - en"
)

# Metrics by the names that the hub's evaluation library has for them.
_TYPES = {
    "accuracy": "accuracy",
    "macro_f1": "f1",
    "macro_precision": "precision",
    "macro_recall": "recall",
    "matthews": "matthews_correlation",
    "roc_auc": "roc_auc",
}
_TYPES_OF_SETS = {"micro_f1": "f1", "macro_f1": "f1", "subset_accuracy": "accuracy"}


def metadata_lines(title: str, model: Any, evaluation: Mapping[str, Any] | None) -> list[str]:
    """The keys that are filled in, line by line, without the dashes."""
    learner = MadeBy.told_in(getattr(model, "provenance", {}), "learner")
    sets = getattr(getattr(model, "decision", None), "task", "labels") == "label-sets"
    several = ["multi-label-classification"] if sets else []
    tags = ["text-classification", *several, "assay", *([learner.name] if learner else [])]
    lines = ["library_name: assay", "pipeline_tag: text-classification", "tags:"]
    lines += [f"  - {_string(tag)}" for tag in tags]
    if evaluation is None:
        return lines
    data = evaluation.get("data") or {}
    name = str(data.get("source") or f"{evaluation['n_documents']} texts")
    lines += [
        "model-index:",
        f"  - name: {_string(title)}",
        "    results:",
        "      - task:",
        "          type: text-classification",
        "          name: Text classification",
        "        dataset:",
        f"          name: {_string(name)}",
        f"          type: {_string(name)}",
        "        metrics:",
    ]
    for metric, kind in (_TYPES_OF_SETS if evaluation.get("task") == "label-sets" else _TYPES).items():
        estimate = evaluation["metrics"].get(metric)
        if estimate is not None and estimate["value"] is not None:
            lines += [
                f"          - type: {kind}",
                f"            name: {_string(metric)}",
                f"            value: {estimate['value']:.6f}",
            ]
    return lines


def _string(text: str) -> str:
    # NEL and the separators of lines and paragraphs end a line in YAML, though not in JSON.
    escapes = {"\x85": r"\x85", "\u2028": r"\u2028", "\u2029": r"\u2029", "\x7f": r"\x7f"}
    return "".join(escapes.get(character, character) for character in json.dumps(text, ensure_ascii=False))
