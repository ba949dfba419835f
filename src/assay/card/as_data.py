"""A model card as plain values, for those who show it in their own way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.card.document import Block, Bullets, Grid, Paragraph
from assay.card.sections import card_sections, card_title

__all__ = ["card_data"]


def card_data(model: Any, evaluation: Mapping[str, Any] | None = None, *, name: str | None = None) -> dict[str, Any]:
    """Title and sections; what only a person can write is a question.

    Examples
    --------
    >>> from assay import TextClassifier
    >>> model = TextClassifier(learner="nb").fit(["good", "bad"], ["pos", "neg"])
    >>> card = card_data(model)
    >>> card["sections"][0]["title"], card["sections"][0]["blocks"][1]["kind"]
    ('Model details', 'question')
    """
    sections = [
        {"title": section.title, "level": section.level, "blocks": [_block(block) for block in section.blocks]}
        for section in card_sections(model, evaluation, None)
    ]
    return {"title": name or card_title(getattr(model, "provenance", {}) or {}, model.labels), "sections": sections}


def _block(block: Block) -> dict[str, Any]:
    if isinstance(block, Paragraph):
        return {"kind": "paragraph", "text": block.text}
    if isinstance(block, Bullets):
        items = [item if isinstance(item, str) else list(item) for item in block.items]
        return {"kind": "bullets", "items": items}
    if isinstance(block, Grid):
        return {"kind": "table", "headers": list(block.headers), "rows": [list(row) for row in block.rows]}
    return {"kind": "question", "key": block.key, "question": block.question}
